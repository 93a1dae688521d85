# SPDX-License-Identifier: Apache-2.0
"""One run of the program, and what it cost."""

import json
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

LAUNCHER = Path(__file__).with_name("launcher.py")


@dataclass
class Run:
    command: list
    code: object  # negative = the signal that ended it, nothing = it had to be killed
    output: bytes
    errors: bytes
    seconds: float  # of the processor
    peak: int  # bytes

    @property
    def line(self):
        return shlex.join(self.command)


class Runner:
    """Runs commands in a folder of its own, by a launcher of its own."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.output, self.errors = folder / "stdout", folder / "stderr"
        self.launcher = subprocess.Popen([sys.executable, "-I", "-S", "-B", LAUNCHER], stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, text=True)

    def run(self, command):
        print(json.dumps([command, str(self.output), str(self.errors)]), file=self.launcher.stdin, flush=True)
        code, seconds, peak = json.loads(self.launcher.stdout.readline())
        return Run(command, code, self.output.read_bytes(), self.errors.read_bytes(), seconds, peak)

    def close(self):
        self.launcher.communicate()
