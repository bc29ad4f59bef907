aliquot_add_test(spectrum_prepare.test.cpp LINK aliquot::spectra)
aliquot_add_test(spectrum_reader.test.cpp LINK aliquot::spectra)
