# aliquot_add_module(NAME SOURCES ... LINK ...): one folder of src/aliquot is one static library, aliquot::NAME.
# Libraries behind LINK are other modules; PRIVATE_LINK ones appear in .cpp files only.
function(aliquot_add_module name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK;PRIVATE_LINK" ${ARGN})
  add_library(aliquot_${name} STATIC ${arg_SOURCES})
  add_library(aliquot::${name} ALIAS aliquot_${name})
  set_target_properties(aliquot_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(aliquot_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
                                                    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>
                                                    $<INSTALL_INTERFACE:include>)
  target_link_libraries(aliquot_${name} PUBLIC ${arg_LINK} PRIVATE ${arg_PRIVATE_LINK})
  install(TARGETS aliquot_${name} EXPORT aliquotTargets)
endfunction()
