# SPDX-License-Identifier: Apache-2.0
"""Tests of specialised.py: small objects that the compiler makes, and the faults found in them.

    python3 -B Scripts/specialised-test.py
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).with_name("specialised.py")

LOOP = """func {name}<Sample: FloatingPoint>(_ samples: Span<Sample>) -> Sample {{
  var sum: Sample = 0
  for index in 0..<samples.count {{ sum += samples[index] }}
  return sum
}}
"""
# Others may call it with any type, so a version for all of them stays.
OPEN = "public " + LOOP.format(name="sum")
CONVERTING = "public func double<Sample: BinaryFloatingPoint>(_ sample: Sample) -> Double { Double(sample) }\n"
# Nothing of it is left but the versions for the two types.
KNOWN = "private " + LOOP.format(name="total") + """
public func sum(_ samples: Span<Float>) -> Float { total(samples) }
public func sum(_ samples: Span<Double>) -> Double { total(samples) }
"""
# What the compiler leaves to the standard library now and then: Span<A>.subscript.getter.
COPYING = '.data\n.quad "$ss4SpanVss15BitwiseCopyableRzlEyxSicig"\n'
ADDS = ("Open.swift computes with numbers of a type it does not know: "
        "dispatch thunk of static AdditiveArithmetic.+= infix(_:_:)")


class SpecialisedTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def compile(self, name, source, module="AudioCore"):
        """Makes an object as a build has it."""
        objects = self.folder / f"{module}.build"
        objects.mkdir(exist_ok=True)
        (self.folder / name).write_text(source)
        compiler = ["clang", "-x", "assembler"] if source is COPYING else ["swiftc", "-O", "-wmo", "-parse-as-library"]
        subprocess.run([*compiler, "-c", self.folder / name, "-o", objects / f"{name}.o"], check=True)

    def check(self, *faults, exactly=True):
        result = subprocess.run([sys.executable, "-B", TOOL, self.folder], capture_output=True, text=True, check=False)
        lines = result.stderr.splitlines()
        self.assertEqual(result.returncode, 1 if faults else 0)
        expected = [f"specialised: {fault}" for fault in faults]
        self.assertEqual(expected, lines if exactly else [line for line in lines if line in expected])
        return lines

    def test_a_loop_for_known_types_passes_and_one_for_any_type_fails(self):
        self.compile("Known.swift", KNOWN)
        self.check()
        self.compile("Open.swift", OPEN, module="rawaudio")
        self.assertFalse([line for line in self.check(ADDS, exactly=False) if "Known.swift" in line])

    def test_a_conversion_from_any_type_fails_also_in_a_copy_for_newer_processors(self):
        self.compile("Converting.swift", CONVERTING, module="AudioKernelsV4")
        self.check("Converting.swift converts a number of a type it does not know: BinaryFloatingPoint.init<A>(_:)")

    def test_reading_elements_of_any_type_fails(self):
        self.compile("Copying.swift", COPYING)
        self.check("Copying.swift reads or writes one by one what is of a type it does not know: Span<A>.subscript.getter")

    def test_an_allowed_object_passes_as_long_as_it_has_to_be_allowed(self):
        self.compile("ClipWatch.swift", OPEN)
        self.check()
        self.compile("ClipWatch.swift", KNOWN)
        self.check("ClipWatch.swift is allowed to, and does not: take it from the list of specialised.py")

    def test_an_empty_folder_fails(self):
        self.check(f"there are no objects in '{self.folder}'; run 'make' first")


if __name__ == "__main__":
    unittest.main()
