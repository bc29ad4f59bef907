"""CSV and ECSV files of stars, read by astropy. Usage: snapshot_astropy_test.py WRITER, a program that writes DIR/stars.csv and DIR/stars.ecsv."""

import pathlib
import subprocess
import sys
import tempfile

from astropy import units
from astropy.table import Table


def main():
    with tempfile.TemporaryDirectory(prefix="aliquot-astropy-") as folder:
        subprocess.run([sys.argv[1], folder], check=True)
        plain = Table.read(pathlib.Path(folder) / "stars.csv", format="ascii.csv", comment="#")
        table = Table.read(pathlib.Path(folder) / "stars.ecsv")
    names = ["mass", "x", "y", "z", "vx", "vy", "vz"]
    assert plain.colnames == names, plain.colnames
    assert table.colnames == names, table.colnames
    assert len(table) == 100 and len(plain) == 100
    assert table["mass"].unit == units.solMass
    assert table["x"].unit == units.pc
    assert table["vz"].unit == units.km / units.s
    for name in names:
        assert (plain[name] == table[name].value).all(), name
    comments = table.meta["comments"]
    assert "units = pc-msun-kms" in comments, comments
    assert "G = 0.004300917270036279" in comments, comments
    assert "description = a 'Plummer' sphere" in comments, comments


main()
