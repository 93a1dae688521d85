# SPDX-License-Identifier: Apache-2.0
"""What a file holds of what the card gave: every sample of the card is the number of its frame."""

import array
import struct
import sys

from card import CHANNELS, FRAME_BYTES
from proofs import riff

OPEN_ENDED = (0, 0x7FFFF000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)


def numbers(data):
    """The first channel of 32-bit frames."""
    samples = array.array("i", data[:len(data) // FRAME_BYTES * FRAME_BYTES])
    if sys.byteorder == "big":
        samples.byteswap()
    return samples[::CHANNELS]


class Recording:
    """A WAV file, read without trust in its header."""

    def __init__(self, data):
        self.size = len(data)
        self.rate = self.claimed = self.held = self.riff_claimed = None
        self.frames = array.array("i")
        for name, at, size in riff.chunks(data) if data[:4] in (b"RIFF", b"RF64") else ():
            if name == b"fmt ":
                self.rate = struct.unpack_from("<I", data, at + 4)[0]
            if name == b"data":
                self.claimed, self.held = size, len(data) - at
                self.riff_claimed = struct.unpack_from("<I", data, 4)[0] + 8
                self.frames = numbers(data[at:])
                break

    @property
    def is_open_ended(self):
        """As on a pipe: read to the end."""
        return self.claimed in OPEN_ENDED and self.claimed != self.held

    @property
    def is_valid(self):
        """Whether the header claims exactly what is there."""
        return self.claimed == self.held and self.riff_claimed == self.size

    @property
    def silent(self):
        """Frames that stand for lost ones; the card's own first is a zero as well."""
        return sum(number == 0 for number in self.frames[1:])

    @property
    def kept(self):
        return len(self.frames) - self.silent

    @property
    def end(self):
        """The device's clock behind the last frame that the device gave."""
        return next((number + 1 for number in reversed(self.frames) if number != 0), 0)

    @property
    def moved(self):
        """By how many frames, at most, one does not stand where the device's clock puts it."""
        return max((abs(number - place) for place, number in enumerate(self.frames) if number),
                   default=0)


def count_up(frames):
    """A WAV file of which every frame is its number from 1 on."""
    samples = array.array("i", (number for number in range(1, frames + 1) for _ in range(CHANNELS)))
    if sys.byteorder == "big":
        samples.byteswap()
    return riff.wave(samples.tobytes(), 48_000, CHANNELS, bits=32)
