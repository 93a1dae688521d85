# SPDX-License-Identifier: Apache-2.0
"""Gives the wheel its tag: any Python 3, and the machine of the program in it."""

import platform
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ProgramHook(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-manylinux_2_35_{platform.machine()}"
