# SPDX-License-Identifier: Apache-2.0
"""Counts the instructions that a sample costs on arm64 and on x86-64, under an emulator, and prints a table.

    python3 Tests/Processors/instructions.py X86_64_PROGRAM ARM64_PROGRAM

Two lengths of a stereo source at 48 kHz are counted, in 16 bits; the difference is their samples alone, without start-up. The
last column is the part of a core of 1 GHz that two channels at 48 kHz take, if it runs one instruction a cycle.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

SHORT, LONG, CHANNELS = 1, 3, 2
WORK = {
    "copy": ["convert", "IN", "-o", "out.wav"],
    "gain": ["convert", "IN", "--gain", "-3", "-o", "out.wav"],
    "mix of two": ["mix", "IN", "IN", "-o", "out.wav"],
    "high pass, third order": ["convert", "IN", "--highpass", "80,order=3", "-o", "out.wav"],
    "48 to 44.1 kHz, high": ["convert", "IN", "-r", "44100", "-o", "out.wav"],
    "48 to 44.1 kHz, best": ["convert", "IN", "-r", "44100", "--resampler-quality", "best", "-o", "out.wav"],
    "FLAC out": ["convert", "IN", "-o", "out.flac"],
}


def count(emulator, program, words, folder):
    done = subprocess.run([*emulator, "-plugin", folder / "counter.so", program, *words, "-q", "--force"], cwd=folder,
                          capture_output=True, text=True)
    found = re.search(r"^instructions (\d+)$", done.stderr, re.MULTILINE)
    if done.returncode != 0 or not found:
        sys.exit(f"instructions: {words}: exit {done.returncode}: {done.stderr}")
    return int(found[1])


def main(x86_64, arm64):
    machines = {
        "x86-64": (["qemu-x86_64", "-cpu", "Nehalem"], x86_64),
        "AVX2": (["qemu-x86_64", "-cpu", "Haswell"], x86_64),
        "arm64": (["qemu-aarch64", "-cpu", "cortex-a53"], arm64),
    }
    print(f"| {'instructions a sample':24} | {' | '.join(f'{name:>6}' for name in machines)} | of 1 GHz |")
    print(f"|{'---|' * (len(machines) + 2)}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run(["clang", "-std=c17", "-O2", "-fPIC", "-shared", "-Wall", "-Wextra", "-Werror", "-o",
                        folder / "counter.so", pathlib.Path(__file__).with_name("counter.c")], check=True)
        for seconds in (SHORT, LONG):
            subprocess.run([x86_64, "convert", "noise:white", "-d", f"{seconds}", "-r", "48000", "-c", f"{CHANNELS}", "-f",
                            "s16", "--gain", "-6", "-o", folder / f"{seconds}.wav"], check=True)
        for title, words in WORK.items():
            costs = []
            for emulator, program in machines.values():
                lengths = [count(emulator, program, [word.replace("IN", f"{seconds}.wav") for word in words], folder)
                           for seconds in (SHORT, LONG)]
                costs.append((lengths[1] - lengths[0]) / ((LONG - SHORT) * 48_000 * CHANNELS))
            part = costs[-1] * 48_000 * CHANNELS / 1e9
            print(f"| {title:24} | {' | '.join(f'{cost:6.1f}' for cost in costs)} | {part:7.1%} |", flush=True)


main(*sys.argv[1:])
