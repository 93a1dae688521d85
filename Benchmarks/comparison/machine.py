"""What the figures were taken on."""

import os
import platform
import shutil
import subprocess


def description(program):
    return [
        ("processor", f"{processor()}, {os.cpu_count()} cores"),
        ("kernel", f"Linux {platform.release()} {platform.machine()}"),
        ("rawaudio", version([program, "--version"])),
        ("sox", version(["sox", "--version"])),
        ("ffmpeg", version(["ffmpeg", "-version"])),
        ("flac", version(["flac", "--version"])),
        ("swift", version(["swift", "--version"])),
        ("clang (floors)", version(["clang", "--version"])),
    ]


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.machine()


def version(command):
    """The first line that a program says of itself."""
    if shutil.which(str(command[0])) is None:
        return "missing"
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return (result.stdout or result.stderr).strip().splitlines()[0].partition(" Copyright")[0]
