# cmake --install: programs, libraries, headers, and the package that find_package(aliquot) reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package "${CMAKE_INSTALL_LIBDIR}/cmake/aliquot")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/src/aliquot" "${PROJECT_BINARY_DIR}/generated/aliquot" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(EXPORT aliquotTargets NAMESPACE aliquot:: DESTINATION "${package}")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/aliquotConfig.cmake.in" "${PROJECT_BINARY_DIR}/aliquotConfig.cmake" INSTALL_DESTINATION "${package}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/aliquotConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/aliquotConfig.cmake" "${PROJECT_BINARY_DIR}/aliquotConfigVersion.cmake" DESTINATION "${package}")
