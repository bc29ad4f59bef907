"""aliquot collapse and mock frame from the outside: files, formats, exit codes, messages, memory."""

import array
import csv
import json
import pathlib
import random
import resource
import signal
import struct
import subprocess
import time
import unittest
import zipfile

from support import ALIQUOT, CliTest, run


def npy(descr, shape, data=b"", order=False, version=1):
    """The bytes of a .npy file, from the format's description."""
    text = f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': ({', '.join(map(str, shape))},), }}\n".encode()
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", len(text)) + text + data


def read_npy(path):
    raw = pathlib.Path(path).read_bytes()
    length = struct.unpack("<H", raw[8:10])[0]
    header = eval(raw[10:10 + length], {"__builtins__": {}})  # a literal dictionary that we wrote
    values = array.array({"<f4": "f", "<i8": "q"}[header["descr"]])
    values.frombytes(raw[10 + length:])
    return list(values)


def floats(values):
    return struct.pack(f"<{len(values)}f", *values)


def integers(values):
    return struct.pack(f"<{len(values)}q", *values)


class FrameTest(CliTest):
    def identifiers(self, folder, times, units, method=zipfile.ZIP_STORED, descr="<i8", pack=integers):
        with zipfile.ZipFile(folder / "identifiers.npz", "w", method) as archive:
            archive.writestr("time.npy", npy(descr, (len(times),), pack(times)))
            archive.writestr("unit.npy", npy(descr, (len(units),), pack(units)))

    def frame(self, name="in/sb", rows=60, draws=16, seed=1):
        folder = self.dir / name
        folder.mkdir(parents=True, exist_ok=True)
        source = random.Random(seed)
        values = [source.choice([0.0, 0.0, float(source.randrange(40))]) for _ in range(rows * draws)]
        (folder / "y_pred.npy").write_bytes(npy("<f4", (rows, draws), floats(values)))
        self.identifiers(folder, [541 + r // 20 for r in range(rows)], [62356 + r % 20 for r in range(rows)])
        return folder

    def collapse(self, *arguments, out="out", **keywords):
        return run("collapse", *arguments, "--out", self.dir / out, **keywords)

    def result(self, *arguments, out="out"):
        result = self.collapse(*arguments, "--json", "--quiet", out=out)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "")
        return json.loads(result.stdout)

    def files(self, out="out"):
        folder = self.dir / out
        return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()) if folder.is_dir() else []


class Collapse(FrameTest):
    def test_layers_index_manifest_and_report(self):
        folder = self.frame()
        made = self.result(folder)
        self.assertEqual(self.files(), ["collapse.json", "report.html", "sb/hdi90_upper.npy", "sb/hdi95_upper.npy", "sb/identifiers.npz",
                                        "sb/map.npy", "sb/p_any.npy"])
        for key in ("rows", "draws", "layers", "nonfinite", "bytes_read", "seconds", "rows_per_second", "peak_rss_bytes", "version"):
            self.assertIn(key, made)
        self.assertEqual((made["rows"], made["draws"], made["layers"]), (60, 16, ["map", "p_any", "hdi90_upper", "hdi95_upper"]))
        self.assertEqual(made["bytes_read"], (folder / "y_pred.npy").stat().st_size)
        with zipfile.ZipFile(self.dir / "out/sb/identifiers.npz") as archive:
            self.assertIsNone(archive.testzip())
            self.assertTrue(archive.read("unit.npy").endswith(integers([62356 + r % 20 for r in range(40, 60)])))
        values = array.array("f")
        values.frombytes((folder / "y_pred.npy").read_bytes()[-60 * 16 * 4:])
        expected = [sum(x > 0 for x in values[r * 16:(r + 1) * 16]) / 16 for r in range(60)]
        self.assertEqual(read_npy(self.dir / "out/sb/p_any.npy"), expected)
        self.assertIn("data:image/png", (self.dir / "out/report.html").read_text())

    def test_tables(self):
        self.frame()
        self.result(self.dir / "in", "--layers", "map,q50,max", "--format", "csv", out="csv")
        with open(self.dir / "csv/sb.csv") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0]), ["month_id", "priogrid_id", "map", "q50", "max"])
        self.assertEqual((len(rows), rows[21]["month_id"], rows[21]["priogrid_id"]), (60, "542", "62357"))
        self.result(self.dir / "in", "--layers", "map,q50,max", out="npy")
        self.assertEqual([float(r["max"]) for r in rows], read_npy(self.dir / "npy/sb/max.npy"))
        for form in ("ecsv", "hdf5", "fits"):
            self.result(self.dir / "in", "--layers", "map,q50,max", "--format", form, out=form)
        self.assertTrue((self.dir / "ecsv/sb.ecsv").read_text().startswith("# %ECSV 1.0"))
        self.assertTrue((self.dir / "hdf5/sb.h5").read_bytes().startswith(b"\x89HDF"))
        table = (self.dir / "fits/sb.fits").read_bytes()
        at = table.index(b"END" + b" " * 77, 2880)
        first = -(-(at + 80) // 2880) * 2880
        self.assertEqual(struct.unpack(">qqfff", table[first:first + 28])[:2], (541, 62356))

    def test_the_same_bits_for_threads_memory_and_instruction_sets(self):
        self.frame(rows=3000, draws=64)
        kept = {}
        levels = json.loads(run("info", "--json").stdout)["instruction_sets"]
        for name, extra, env in [("1", ["--threads", "1"], None), ("2", ["--threads", "2"], None), ("m", ["--memory", "2M"], None),
                                 *[(level, [], {"ALIQUOT_SIMD": level}) for level in levels]]:
            result = self.collapse(self.dir / "in", "--quiet", "--preset", "delivery", *extra, out=name, env=env)
            self.assertEqual(result.returncode, 0, result.stderr)
            kept[name] = {p.name: p.read_bytes() for p in (self.dir / name / "sb").iterdir()}
        self.assertEqual(len(kept["1"]), 14)
        for name, files in kept.items():
            self.assertEqual(files, kept["1"], name)

    def test_streams_and_archives(self):
        folder = self.frame()
        self.result(folder / "y_pred.npy", out="file")
        expected = read_npy(self.dir / "file/sb/map.npy")
        raw = (folder / "y_pred.npy").read_bytes()
        with zipfile.ZipFile(self.dir / "deflated.npz", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("y_pred.npy", raw)
            archive.writestr("time.npy", npy("<i8", (60,), integers([1] * 60)))
            archive.writestr("unit.npy", npy("<i8", (60,), integers(list(range(60)))))
        self.result(self.dir / "deflated.npz", out="npz")
        self.assertEqual(read_npy(self.dir / "npz/deflated/map.npy"), expected)
        for arguments, data in [(["-"], raw), (["-", "--shape", "60,16"], raw[-60 * 16 * 4:])]:
            result = subprocess.run([ALIQUOT, "collapse", *arguments, "--out", self.dir / "stdin", "--quiet"], input=data, check=False)
            self.assertEqual(result.returncode, 0)
            self.assertEqual(read_npy(self.dir / "stdin/stdin/map.npy"), expected)
        (self.dir / "draws.f32").write_bytes(raw[-60 * 16 * 4:])
        self.result(self.dir / "draws.f32", "--shape", "60,16", out="raw")
        self.assertEqual(read_npy(self.dir / "raw/draws/map.npy"), expected)

    def test_months_targets_and_deflated_identifiers(self):
        for name in ("in/ns", "in/os", "in/sb"):
            folder = self.frame(name)
        self.identifiers(folder, [541 + r // 20 for r in range(60)], list(range(60)), zipfile.ZIP_DEFLATED)
        made = self.result(self.dir / "in", "--targets", "os,sb", "--times", "541,543:600")
        self.assertEqual([t["name"] for t in made["targets"]], ["os", "sb"])
        self.assertEqual(made["rows"], 80)
        self.assertEqual(len(read_npy(self.dir / "out/sb/map.npy")), 40)
        made = self.result(self.dir / "in", "--targets", "os", "--rows", "10:15", out="rows")
        self.assertEqual(made["rows"], 5)

    def test_sums_and_reconciliation(self):
        folder = self.frame(rows=20, draws=4)
        self.write("mapping.csv", "unit,target\n" + "".join(f"{62356 + i},{7 + i % 2}\n" for i in range(20)))
        made = self.result(folder, "--mapping", self.dir / "mapping.csv", "--layers", "mean")
        self.assertEqual([(t["name"], t["rows"]) for t in made["targets"]], [("sb", 20), ("sb_by_target", 2)])
        cells = read_npy(self.dir / "out/sb/mean.npy")
        for found, expected in zip(read_npy(self.dir / "out/sb_by_target/mean.npy"), (sum(cells[0::2]), sum(cells[1::2]))):
            self.assertAlmostEqual(found, expected, places=4)
        totals = self.dir / "totals"
        totals.mkdir()
        (totals / "y_pred.npy").write_bytes(npy("<f4", (2, 1), floats([10.0, 30.0])))
        self.identifiers(totals, [541, 541], [7, 8])
        self.result(folder, "--mapping", self.dir / "mapping.csv", "--reconcile", totals, "--layers", "max", out="fixed")
        values = array.array("f")
        values.frombytes((folder / "y_pred.npy").read_bytes()[-320:])
        for target, total in ((0, 10.0), (1, 30.0)):
            self.assertTrue(all(sum(values[r * 4 + d] for r in range(target, 20, 2)) > 0 for d in range(4)))
            self.assertAlmostEqual(read_npy(self.dir / "fixed/sb_by_target/max.npy")[target], total, places=4)

    def test_scores(self):
        folder = self.frame(rows=20)
        (self.dir / "seen.npy").write_bytes(npy("<f4", (20, 1), floats([0.0] * 20)))
        made = self.result(folder, "--observed", self.dir / "seen.npy", "--layers", "crps,mean,actual")
        self.assertEqual(made["targets"][0]["nan_values"]["crps"], 0)
        for score, mean in zip(read_npy(self.dir / "out/sb/crps.npy"), read_npy(self.dir / "out/sb/mean.npy")):
            self.assertLessEqual(score, mean + 1e-6)
        self.assert_fails(self.collapse(folder, "--layers", "crps", out="none"), 78, "crps", "--observed")

    def test_what_is_not_finite(self):
        folder = self.frame(rows=20, draws=4)
        raw = bytearray((folder / "y_pred.npy").read_bytes())
        raw[-16:-12] = struct.pack("<f", float("nan"))
        (folder / "y_pred.npy").write_bytes(raw)
        self.assert_fails(self.collapse(folder), 65, "row 19", "62375", "NaN")
        self.assertEqual(self.files(), [])
        made = self.result(folder, "--nonfinite", "omit")
        self.assertEqual((made["nonfinite"]["nan_draws"], made["nonfinite"]["rows"]), (1, 1))
        self.assertEqual(self.result(folder, "--nonfinite", "propagate", out="p")["targets"][0]["nan_values"]["map"], 1)


class CollapseErrors(FrameTest):
    def broken(self, content):
        folder = self.frame()
        (folder / "y_pred.npy").write_bytes(content)
        return self.collapse(folder)

    def test_arrays(self):
        whole = npy("<f4", (60, 16), floats([1.0] * 960))
        self.assert_fails(self.broken(whole[:-8]), 65, "truncated")
        self.assert_fails(self.broken(whole[:40]), 65, "truncated")
        self.assert_fails(self.broken(b"not an array at all"), 65, "NUMPY")
        self.assert_fails(self.broken(b""), 65, "empty")
        self.assert_fails(self.broken(npy("|O", (60, 16))), 65, "Python objects")
        self.assert_fails(self.broken(npy("<f4", (60,), floats([1.0] * 60))), 65, "1 dimension")
        self.assert_fails(self.broken(npy("<f4", (60, 0))), 65, "no draws")
        self.assert_fails(self.broken(npy("<f4", (0, 16))), 65, "no rows")
        self.assert_fails(self.broken(npy("<f4", (59, 16), floats([1.0] * 944))), 65, "59 rows", "60 identifiers")
        self.assert_fails(self.broken(npy("<f4", (16, 60), floats([1.0] * 960))), 65, "--sample-axis")
        self.assertEqual(self.files(), [])

    def test_identifiers(self):
        folder = self.frame()
        self.identifiers(folder, [1.0] * 60, [2.0] * 60, descr="<f8", pack=lambda v: struct.pack(f"<{len(v)}d", *v))
        self.assert_fails(self.collapse(folder), 65, "identifiers must be integers")
        self.identifiers(folder, [1] * 60, [2] * 59)
        self.assert_fails(self.collapse(folder), 65, "60 times and 59 units")
        (folder / "identifiers.npz").write_bytes(b"PK no archive")
        self.assert_fails(self.collapse(folder), 65, "identifiers.npz", "not a ZIP")
        (folder / "identifiers.npz").unlink()
        self.assert_fails(self.collapse(folder), 66, "identifiers.npz")

    def test_names_and_options(self):
        folder = self.frame()
        self.assert_fails(self.collapse(self.dir / "nowhere"), 66, "nowhere")
        self.assert_fails(self.collapse(self.dir), 66, "y_pred.npy")
        self.assert_fails(self.collapse(folder, "--layers", "map,p_nay"), 78, 'did you mean "p_any"')
        self.assert_fails(self.collapse(self.dir / "in", "--targets", "sbb"), 78, 'did you mean "sb"')
        self.assert_fails(self.collapse(folder, "--preset", "reprt"), 78, "report")
        self.assert_fails(self.collapse(folder, "--nonfinite", "omitt"), 78, "omit")
        self.assert_fails(self.collapse(folder, "--memory", "many"), 64, "--memory")
        self.assert_fails(self.collapse(folder, "--memory", "64K"), 78, "allow more")
        self.assert_fails(self.collapse(folder, "--times", "900"), 65, "no row")
        self.assert_fails(self.collapse(folder, "--times", "x"), 64, "--times")
        self.assert_fails(self.collapse(folder, "--rows", "5:900"), 65, "60")
        self.assert_fails(self.collapse(folder, "--shape", "3x4"), 64, "--shape")
        self.assert_fails(self.collapse(folder, "--tip-mass", "1.5"), 78, "between 0 and 1")
        self.assert_fails(run("collapse", folder), 64, "--out")
        raw = self.dir / "draws.f32"
        raw.write_bytes(b"1234")
        self.assert_fails(self.collapse(raw), 65, "--shape")
        self.assert_fails(self.collapse(raw, "--shape", "2,3"), 65, "4 bytes")
        self.assert_fails(run("mock", "frame", "--kind", "zi6", "--out", self.dir / "m"), 78, "zi60")

    def test_the_second_target_is_not_opened_before_the_first_is_done(self):
        self.frame("in/a")
        (self.frame("in/b") / "y_pred.npy").write_bytes(b"broken")
        self.assert_fails(self.collapse(self.dir / "in"), 65, "y_pred.npy")
        self.assertIn("a/map.npy", self.files())
        self.assertFalse([name for name in self.files() if name.startswith("b/")])

    def test_a_full_disk_leaves_nothing_under_a_final_name(self):
        folder = self.frame(rows=4000, draws=2)

        def small_files_only():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))

        for form in ("npy", "csv", "fits", "hdf5"):
            result = subprocess.run([ALIQUOT, "collapse", folder, "--out", self.dir / form, "--format", form], preexec_fn=small_files_only,
                                    capture_output=True, text=True, check=False)
            self.assert_fails(result, 74, "cannot write")
            self.assertEqual(self.files(form), [])

    def test_an_interrupt_leaves_nothing_under_a_final_name(self):
        with open(self.dir / "big.f32", "wb") as file:
            file.truncate(8_000_000_000)
        process = subprocess.Popen([ALIQUOT, "collapse", self.dir / "big.f32", "--shape", "2000000,1000", "--out", self.dir / "out"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while not (self.dir / "out/big").is_dir():
            time.sleep(0.01)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, err)
        self.assertIn("stopped", err)
        self.assertEqual(self.files(), [])


class CollapseMemory(FrameTest):
    def test_ten_gigabytes_in_256_and_in_64_megabytes(self):
        with open(self.dir / "big.f32", "wb") as file:
            file.truncate(10_000_000_000)
            file.seek(4 * 1000 * 1_234_567)
            file.write(floats([2.0] * 1000))
        start = json.loads(run("collapse", self.frame(), "--out", self.dir / "small", "--json", "--quiet").stdout)["peak_rss_bytes"]
        for memory in ("256M", "64M"):
            result = run("collapse", self.dir / "big.f32", "--shape", "2500000,1000", "--out", self.dir / memory, "--memory", memory, "--json",
                         "--quiet", timeout=600)
            self.assertEqual(result.returncode, 0, result.stderr)
            made = json.loads(result.stdout)
            self.assertLessEqual(made["peak_rss_bytes"] - start, (256 if memory == "256M" else 64) * 2**20)
            self.assertEqual(made["bytes_read"], 10_000_000_000)
            layer = read_npy(self.dir / memory / "big/map.npy")
            self.assertEqual((len(layer), layer[1_234_567], sum(layer)), (2_500_000, 2.0, 2.0))


class CollapseMock(FrameTest):
    def test_a_mock_frame_is_collapsed(self):
        for kind in ("zi60", "conflict", "dense", "count"):
            out = self.dir / kind / "sb"
            self.assertEqual(run("mock", "frame", "--rows", "300", "--draws", "50", "--kind", kind, "--out", out).returncode, 0)
            self.assertEqual(self.result(out, out=f"out_{kind}")["rows"], 300)
        again = self.dir / "again"
        run("mock", "frame", "--rows", "300", "--draws", "50", "--kind", "count", "--out", again)
        self.assertEqual((again / "y_pred.npy").read_bytes(), (self.dir / "count/sb/y_pred.npy").read_bytes())

    def test_help(self):
        for arguments in (["collapse", "--help"], ["mock", "frame", "--help"]):
            result = run(*arguments)
            self.assertEqual(result.returncode, 0)
            self.assertIn("Usage", result.stdout)


if __name__ == "__main__":
    unittest.main()
