# SPDX-License-Identifier: Apache-2.0
"""The sound files that everybody reads: the same on every machine."""

import array
import math
import random
import struct
import sys

bytes_per_sample = 2


class Inputs:
    """Makes files in a folder, once."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def sound(self, name, rate, channels, seconds, seed):
        """A WAV file of `piece` after `piece`."""
        def write(file):
            samples = piece(rate, channels, seed)
            wanted = rate * channels * seconds * bytes_per_sample
            file.write(header(rate, channels, wanted))
            while wanted > 0:
                wanted -= file.write(samples[:wanted])
        return self.made(f"{name}-{rate}-{channels}-{seconds}.wav", write)

    def silence(self, name, rate, channels, seconds):
        """A WAV file of nothing that takes no room on the disk."""
        def write(file):
            size = rate * channels * seconds * bytes_per_sample
            file.write(header(rate, channels, size))
            file.truncate(file.tell() + size)
        return self.made(f"{name}-{rate}-{channels}-{seconds}.wav", write)

    def made(self, name, write):
        path = self.folder / name
        if not path.exists():
            unfinished = path.with_suffix(".part")
            with unfinished.open("wb") as file:
                write(file)
            unfinished.rename(path)
        return path


def header(rate, channels, size):
    width = channels * bytes_per_sample
    return struct.pack(
        "<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + size, b"WAVE", b"fmt ", 16, 1, channels, rate,
        rate * width, width, 8 * bytes_per_sample, b"data", size)


def piece(rate, channels, seed):
    """A few seconds of three tones in noise, at most at -6 dBFS, other ones in every channel."""
    source = random.Random(seed)
    frames = rate * 3
    samples = array.array("h", bytes(frames * channels * bytes_per_sample))
    for channel in range(channels):
        steps = [2 * math.pi * source.uniform(60, 6000) / rate for _ in range(3)]
        noise = [int(value) for value in source.randbytes(frames)]
        samples[channel::channels] = array.array("h", (
            int(4500 * (math.sin(steps[0] * k) + math.sin(steps[1] * k) + math.sin(steps[2] * k)))
            + 8 * (noise[k] - 128) for k in range(frames)))
    if sys.byteorder == "big":
        samples.byteswap()
    return samples.tobytes()
