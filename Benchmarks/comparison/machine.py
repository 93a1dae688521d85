# SPDX-License-Identifier: Apache-2.0
"""What the figures were taken on."""

import os
import platform
import re
import shutil
import subprocess


def description(program, runs, loads):
    """What to know of a run of so many rounds, with the load averages before and after it."""
    return [
        ("processor", f"{processor()}, {os.cpu_count()} cores"),
        ("kernel", f"Linux {platform.release()} {platform.machine()}"),
        ("rawaudio", version([program, "--version"])),
        ("sox", version(["sox", "--version"])),
        ("ffmpeg", version(["ffmpeg", "-version"])),
        ("flac", version(["flac", "--version"])),
        ("swift", version(["swift", "--version"])),
        ("clang (floors)", version(["clang", "--version"])),
        ("counted runs", f"{runs}, where a line does not say less"),
        ("load", "{:.1f} before, {:.1f} after".format(*loads)),
    ]


def processor():
    """Its name; with family and model, where the name says little, as in virtual machines."""
    found = {}
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            name, _, value = line.partition(":")
            found.setdefault(name.strip(), value.strip())
    if "model name" not in found:
        return platform.machine()
    return f"{found['model name']} (family {found.get('cpu family')}, model {found.get('model')})"


def version(command):
    """The first line that a program says of itself."""
    if shutil.which(str(command[0])) is None:
        return "missing"
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    first = (result.stdout or result.stderr).strip().splitlines()[0]
    return " ".join(re.sub(r" Copyright.*|\(.*", "", first).split())
