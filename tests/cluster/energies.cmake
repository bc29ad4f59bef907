aliquot_add_test(pair_sums.test.cpp LABELS unit isa threads LINK aliquot::cluster)
