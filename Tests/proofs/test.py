# SPDX-License-Identifier: Apache-2.0
"""Tests that a run costs what its program takes, whatever the process that asks for it: python3 -B Tests/proofs/test.py"""

import sys
import tempfile
import unittest
from pathlib import Path

from measured import Runner

MIB = 1 << 20


class Cost(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        # This process is larger than all that it starts, and touches every page.
        self.ballast = bytearray(b"1") * (200 * MIB)
        self.runner = Runner(Path(folder.name))
        self.addCleanup(self.runner.close)

    def python(self, text):
        return self.runner.run([sys.executable, "-I", "-S", "-c", text])

    def test_a_small_program_takes_little(self):
        run = self.runner.run(["/bin/true"])
        self.assertEqual(run.code, 0)
        self.assertLess(run.peak, 32 * MIB)

    def test_a_large_program_takes_what_it_takes(self):
        run = self.python("import sys; held = bytearray(b'1') * (100 << 20); sys.stderr.write('held')")
        self.assertEqual((run.code, run.errors), (0, b"held"))
        self.assertGreater(run.peak, 100 * MIB)
        self.assertLess(run.peak, 150 * MIB)

    def test_a_signal_is_the_code(self):
        self.assertEqual(self.runner.run(["/bin/sh", "-c", "kill -INT $$"]).code, -2)
        self.assertEqual(self.runner.run(["/bin/sh", "-c", "echo told; exit 3"]).output, b"told\n")


if __name__ == "__main__":
    unittest.main()
