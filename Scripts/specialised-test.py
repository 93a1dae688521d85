# SPDX-License-Identifier: Apache-2.0
"""Tests of specialised.py: small objects that the compiler makes, and what is said of them.

    python3 Scripts/specialised-test.py
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).with_name("specialised.py")

# Others may call it with any type, so a version for all of them stays.
OPEN = """
public func sum<Sample: FloatingPoint>(_ samples: Span<Sample>) -> Sample {
  var sum: Sample = 0
  for index in 0..<samples.count { sum += samples[index] }
  return sum
}
"""
CONVERTING = """
public func double<Sample: BinaryFloatingPoint>(_ sample: Sample) -> Double { Double(sample) }
"""
# What the compiler leaves to the standard library now and then: Span<A>.subscript.getter.
COPYING = """
.data
.quad "$ss4SpanVss15BitwiseCopyableRzlEyxSicig"
"""
# Nothing of it is left but what is made for the two types.
KNOWN = """
public func sum(_ samples: Span<Float>) -> Float { total(samples) }
public func sum(_ samples: Span<Double>) -> Double { total(samples) }
private func total<Sample: FloatingPoint>(_ samples: Span<Sample>) -> Sample {
  var sum: Sample = 0
  for index in 0..<samples.count { sum += samples[index] }
  return sum
}
"""


class Build(unittest.TestCase):
    """A folder like that of a build, to which each test adds objects."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def compile(self, name, source, module="AudioCore"):
        folder = self.folder / f"{module}.build"
        folder.mkdir(exist_ok=True)
        (self.folder / name).write_text(source)
        subprocess.run(
            ["swiftc", "-O", "-wmo", "-parse-as-library", "-c", self.folder / name, "-o", folder / f"{name}.o"],
            check=True)

    def check(self):
        result = subprocess.run(
            [sys.executable, "-B", TOOL, self.folder], capture_output=True, text=True, check=False)
        return result.returncode, result.stderr.splitlines()

    def test_loops_for_known_types_pass(self):
        self.compile("Known.swift", KNOWN)
        self.assertEqual(self.check(), (0, []))

    def test_a_loop_for_any_type_fails(self):
        self.compile("Known.swift", KNOWN)
        self.compile("Open.swift", OPEN, module="rawaudio")
        code, lines = self.check()
        self.assertEqual(code, 1)
        self.assertIn(
            "specialised: Open.swift computes with numbers of a type it does not know: "
            "dispatch thunk of static AdditiveArithmetic.+= infix(_:_:)", lines)
        self.assertFalse([line for line in lines if "Known.swift" in line])

    def test_a_copy_for_newer_processors_is_read_too(self):
        self.compile("Converting.swift", CONVERTING, module="AudioKernelsV4")
        self.assertEqual(self.check()[0], 1)

    def test_a_conversion_from_any_type_fails(self):
        self.compile("Converting.swift", CONVERTING)
        self.assertEqual(self.check(), (1, [
            "specialised: Converting.swift converts a number of a type it does not know: "
            "BinaryFloatingPoint.init<A>(_:)"]))

    def test_reading_elements_of_any_type_fails(self):
        folder = self.folder / "AudioCore.build"
        folder.mkdir()
        subprocess.run(
            ["clang", "-x", "assembler", "-c", "-", "-o", folder / "Copying.swift.o"], input=COPYING, text=True,
            check=True)
        self.assertEqual(self.check(), (1, [
            "specialised: Copying.swift reads or writes one by one what is of a type it does not know: "
            "Span<A>.subscript.getter"]))

    def test_what_is_allowed_passes(self):
        self.compile("ClipWatch.swift", OPEN)
        self.assertEqual(self.check(), (0, []))

    def test_what_need_not_be_allowed_fails(self):
        self.compile("ClipWatch.swift", KNOWN)
        self.assertEqual(self.check(), (1, [
            "specialised: ClipWatch.swift is allowed to, and does not: take it from the list of specialised.py"]))

    def test_an_empty_folder_fails(self):
        code, [line] = self.check()
        self.assertEqual(code, 1)
        self.assertIn("there are no objects in", line)


if __name__ == "__main__":
    unittest.main()
