add_compile_definitions("ALIQUOT_DEFAULT_TEST_DATA=\"${PROJECT_SOURCE_DIR}/../shared/data\"")
aliquot_add_test(spectrum_prepare.test.cpp LINK aliquot::spectra)
aliquot_add_test(spectrum_reader.test.cpp LINK aliquot::spectra)
