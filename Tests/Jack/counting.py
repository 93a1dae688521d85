# SPDX-License-Identifier: Apache-2.0
"""Accounts of samples that say in which frame they were made (counter.c)."""

import struct
from dataclasses import dataclass

import numpy

from proofs import riff

SCALE, PORT_STEP = 1 << 23, 1_000_003
MODULUS = SCALE - 1


def read_wave(path):
    """The samples of a WAV file of 32-bit float, a column for each channel."""
    with open(path, "rb") as file:
        head = file.read(4_096)
    kind, channels, _, block = struct.unpack_from("<HHQH", head, head.find(b"fmt ") + 8)
    if block != 4 * channels:
        raise AssertionError(f"{path}: blocks of {block} bytes, format {kind}")
    return numpy.frombuffer(riff.samples(path, block), "<f4").reshape(-1, channels)


def write_wave(path, samples):
    with open(path, "wb") as file:
        file.write(riff.wave(numpy.asarray(samples, "<f4").tobytes(), 48_000, samples.shape[1], 32, riff.FLOAT))


def numbers(samples):
    """The numbers that samples stand for; −1 for silence."""
    return numpy.rint(samples.astype(numpy.float64) * SCALE).astype(numpy.int64) - 1


@dataclass
class Account:
    """What a channel holds of a count."""

    length: int
    silent: int  # samples of silence
    runs: list  # beginning and length of each silence
    jumps: int  # where the count leaves its line
    displaced: int  # samples that are not where the first one says
    missing: int  # numbers between the first and the last that are not there

    @property
    def is_whole(self):
        return self.silent == 0 and self.jumps == 0


def account(channel, port=0):
    """Every sample of a frame stands as far behind the first as the frames do, and silence where some were lost."""
    count = numbers(channel)
    here = numpy.flatnonzero(count >= 0)
    edges = numpy.flatnonzero(numpy.diff(numpy.concatenate(([0], count < 0, [0])).astype(numpy.int8)))
    runs = [(int(begin), int(end - begin)) for begin, end in zip(edges[::2], edges[1::2])]
    offsets = (count[here] - here - port * PORT_STEP) % MODULUS
    values = (count[here] - port * PORT_STEP) % MODULUS
    span = int((values[-1] - values[0]) % MODULUS) + 1 if len(values) else 0
    return Account(
        length=len(count), silent=int((count < 0).sum()), runs=runs,
        jumps=int((numpy.diff(offsets) != 0).sum()), displaced=int((offsets != offsets[0]).sum()) if len(offsets) else 0,
        missing=span - len(numpy.unique(values)))


def read_cycles(path, ports):
    """The frame time and the samples of each cycle of `counter take`."""
    data = numpy.fromfile(path, "<u4")
    place = 0
    while place + 2 <= len(data):
        frame, count = int(data[place]), int(data[place + 1])
        place += 2
        yield frame, data[place:place + ports * count].view("<f4").reshape(ports, count)
        place += ports * count


def delays(path, ports=1, port=0):
    """How many frames after they were made samples came: each delay and its number of samples, in the order of coming."""
    found = {}
    for frame, samples in read_cycles(path, ports):
        count = numbers(samples[port])
        here = numpy.flatnonzero(count >= 0)
        values, counts = numpy.unique((frame + here - count[here] - port * PORT_STEP) % MODULUS, return_counts=True)
        for delay, times in zip(values, counts):
            found[int(delay)] = found.get(int(delay), 0) + int(times)
    return found
