aliquot_add_test(pair_sums.test.cpp LABELS unit isa threads LINK aliquot::cluster)
aliquot_add_test(energies.test.cpp LINK aliquot::cluster)
