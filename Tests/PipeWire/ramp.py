# SPDX-License-Identifier: Apache-2.0
"""A signal whose every sample is known, and what became of it.

Two channels of 16 bits: sample n has the lower half of n on the left and the upper half on the right, from n = 1 on, so
that silence is 0. The server computes in 32-bit floating point, which holds 16 bits exactly.
"""

from dataclasses import dataclass

import numpy
from proofs import riff

SAMPLE_FRAME = 4  # bytes


def ramp(count):
    """The bytes of samples 1 to `count`."""
    return numpy.arange(1, count + 1, dtype="<u4").tobytes()


def silence(seconds, rate):
    return bytes(seconds * rate * SAMPLE_FRAME)


def write_wave(path, data, rate):
    with open(path, "wb") as file:
        file.write(riff.wave(data, rate, 2))


def read(path):
    """What a recording holds, as numbers: raw samples, or those of a WAV file."""
    return numpy.frombuffer(riff.samples(path, SAMPLE_FRAME), "<u4")


@dataclass
class Account:
    """What a recording holds of a ramp, in samples per channel."""

    lost: int = 0  # numbers that are not there
    gaps: int = 0  # runs of them
    repeated: int = 0  # numbers that are there a second time, or out of order
    inserted: int = 0  # silence between the first number and the last
    silences: int = 0  # runs of it
    foreign: int = 0  # what is neither silence nor a number that was sent

    @property
    def is_whole(self):
        return not (self.lost or self.inserted or self.repeated or self.foreign)

    def __str__(self):
        if self.is_whole:
            return "every sample, once and in order"
        parts = [f"{self.lost} lost in {self.gaps} gaps", f"{self.inserted} of silence in {self.silences} places"]
        return ", ".join(parts + [f"{self.repeated} repeated", f"{self.foreign} foreign"])


def present(recording, count):
    """For every number from 0 to `count` whether it is in the recording. 0 always is."""
    found = numpy.zeros(count + 1, bool)
    found[recording[recording <= count]] = True
    found[0] = True
    return found


def account(recording, count, expected=None):
    """What `recording` has of a ramp of `count` samples.

    expected: what could be there at all, as `present` gives it; everything where None.
    """
    missing = ~present(recording, count)
    if expected is not None:
        missing &= expected
    heard = numpy.flatnonzero(recording)
    if not len(heard):
        return Account(lost=int(missing.sum()), gaps=runs(missing))
    inside = recording[heard[0] : heard[-1] + 1]
    silent = inside == 0
    values = inside[~silent].astype(numpy.int64)
    known = values[values <= count]
    return Account(
        lost=int(missing.sum()), gaps=runs(missing), repeated=int(numpy.count_nonzero(numpy.diff(known) < 1)),
        inserted=int(silent.sum()), silences=runs(silent), foreign=len(values) - len(known))


def runs(flags):
    """How many runs of true there are."""
    return int(flags[0]) + int(numpy.count_nonzero(flags[1:] & ~flags[:-1])) if len(flags) else 0
