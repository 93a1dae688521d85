# SPDX-License-Identifier: Apache-2.0
"""What a command costs."""

import dataclasses
import subprocess


@dataclasses.dataclass(frozen=True)
class Cost:
    """Of one command, or of several that ran one after another."""

    wall: float
    """Seconds."""
    cpu: float
    """User and system seconds, of children too."""
    peak: int
    """The largest memory of any one process, in bytes."""


class Launcher:
    """Runs commands through launcher.c, which measures them."""

    def __init__(self, program):
        self.program = program

    def cost(self, commands):
        """Runs every command of a list, and fails where one does."""
        lines = "".join("\t".join(map(str, command)) + "\n" for command in commands)
        result = subprocess.run(
            [self.program], input=lines, capture_output=True, text=True, check=False)
        if result.returncode != 0:
            raise SystemExit(f"bench: {result.stderr.strip()}")
        wall, user, system, peak = map(int, result.stdout.split())
        return Cost(wall / 1e6, (user + system) / 1e6, peak * 1024)
