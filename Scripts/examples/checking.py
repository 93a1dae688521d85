# SPDX-License-Identifier: Apache-2.0
"""The runs of programs and the arithmetic that their results are checked with."""

import array
import math
import subprocess


def check(what, holds):
    if not holds:
        raise SystemExit(f"FAILED: {what}")
    print(f"  checked: {what}", flush=True)


def equal(what, found, expected):
    check(what if found == expected else f"{what}\nfound: {found}\nexpected: {expected}", found == expected)


def lines(*words, **options):
    """What a program prints."""
    return subprocess.run(words, check=True, text=True, stdout=subprocess.PIPE, **options).stdout.splitlines()


def samples(path):
    """Those of a sound file, as integers of 16 bits."""
    words = ["rawaudio", "convert", path, "-t", "raw", "-f", "s16", "-o", "-"]
    return array.array("h", subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout)


def sine(amplitude, frequency, rate, index):
    return amplitude * math.sin(2 * math.pi * frequency * index / rate)


def generate(source, seconds, gain, path):
    """A source in mono, 48 kHz and 16 bits. A tone is made at -3 dBFS."""
    subprocess.run(["rawaudio", "convert", source, "-d", str(seconds), "-r", "48000", "-c", "1", "-f", "s16", "--gain", str(gain),
                    "-o", path, "-q"], check=True)
