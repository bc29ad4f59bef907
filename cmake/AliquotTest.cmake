# aliquot_add_test(FILE LABEL LINK ...): one test program per tests/<module>/<file>.test.cpp, registered with CTest case by case.
include(GoogleTest)
find_package(GTest REQUIRED)

function(aliquot_add_test file)
  cmake_parse_arguments(arg "" "TIMEOUT" "LABELS;LINK" ${ARGN})
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY "${PROJECT_SOURCE_DIR}/tests" OUTPUT_VARIABLE folder)
  string(REGEX REPLACE "\\.test\\.cpp$" "" stem "${file}")
  string(REPLACE "/" "_" target "test_${folder}_${stem}")
  add_executable(${target} ${file})
  target_link_libraries(${target} PRIVATE ${arg_LINK} GTest::gtest GTest::gtest_main)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/bench)
  target_compile_definitions(${target} PRIVATE "ALIQUOT_GOLDEN=\"${PROJECT_SOURCE_DIR}/tests/golden\""
                                               "ALIQUOT_EXAMPLES=\"${PROJECT_SOURCE_DIR}/examples\""
                                               "ALIQUOT_DEFAULT_TEST_DATA=\"${PROJECT_SOURCE_DIR}/../shared/data\"")
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  set(environment "")
  if(ALIQUOT_SANITIZE)
    # Fuzzed headers ask for absurd amounts of memory: the allocation must fail as it does without a sanitizer, not end the program.
    if(ALIQUOT_SANITIZE MATCHES thread)
      set(environment ENVIRONMENT TSAN_OPTIONS=allocator_may_return_null=1)
    else()
      set(environment ENVIRONMENT ASAN_OPTIONS=allocator_may_return_null=1)
    endif()
  endif()
  gtest_discover_tests(${target} TEST_PREFIX "${folder}." DISCOVERY_MODE PRE_TEST
                       PROPERTIES TIMEOUT ${arg_TIMEOUT} ${environment})
  # Properties above lose all labels but the first on their way: a script that CTest reads after it has found the cases sets them.
  set(labels "${CMAKE_CURRENT_BINARY_DIR}/${target}_labels.cmake")
  file(CONFIGURE OUTPUT "${labels}" @ONLY
       CONTENT "if(@target@_TESTS)\n  set_tests_properties(\${@target@_TESTS} PROPERTIES LABELS \"@arg_LABELS@\")\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${labels}")
endfunction()
