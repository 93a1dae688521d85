# SPDX-License-Identifier: Apache-2.0
"""Gives the wheel its tag: any Python 3, and the machine of the program in it."""

import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Of the header of a program (ELF), `e_machine`.
MACHINES = {62: "x86_64", 183: "aarch64"}


class ProgramHook(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        program = Path(self.root, "program/rawaudio").read_bytes()
        machine = MACHINES[int.from_bytes(program[18:20], "little")]
        # PEP 600: the glibc whose newest function the program calls.
        newest = max(int(version) for version in re.findall(rb"\0GLIBC_2\.(\d+)", program))
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-manylinux_2_{newest}_{machine}"
