# SPDX-License-Identifier: Apache-2.0
"""Test material: tones one after the other, each channel in another order.

The channels differ so that a converter which confuses them cannot look good: what leaks from one
into another is part of the residual.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy

# Below full scale by enough for a pass band that is not flat; high enough that programs with integers
# of 32 bits inside (sox) are not measured at their rounding noise more than necessary.
AMPLITUDE = 0.9

# In samples at the lower of the two rates. At either end of a tone, GUARD samples are not looked at:
# no filter measured here reaches as far (`best` of rawaudio reaches about 130, libsamplerate's best
# 144, sox's 300). The tone fades in and out over FADE samples, so that its beginning is no click.
GUARD = 1536
FADE = 512
MEASURED = 4096


def cycles(frequency: Fraction, rate: int, times: numpy.ndarray) -> numpy.ndarray:
    """The fraction of a cycle that a tone of `frequency` Hz has done at samples `times` of `rate` Hz.

    f·n/r modulo 1 in whole numbers: with f = p/q it is (p·n mod q·r) / (q·r), one rounding to 2⁻⁵³,
    however late in the file. Computed as 2π·f·n/r in floating point, the phase after 10⁵ cycles would
    be wrong by 10⁻¹¹, which alone is a residual of −216 dB.
    """
    period = frequency.denominator * rate
    return (frequency.numerator * times.astype(numpy.int64)) % period / period


def tone(frequency: Fraction, rate: int, times: numpy.ndarray) -> numpy.ndarray:
    """sin(2π·f·n/r)."""
    return numpy.sin(2 * numpy.pi * cycles(frequency, rate, times))


@dataclass(frozen=True)
class Slice:
    """The middle of one tone, as it came out of a conversion."""

    frequency: Fraction
    channel: int
    times: numpy.ndarray
    samples: numpy.ndarray


@dataclass(frozen=True)
class ToneSequence:
    """Tones of these `frequencies` in Hz, to be converted from `input_rate` to `output_rate`."""

    frequencies: tuple[Fraction, ...]
    input_rate: int
    output_rate: int
    channels: int

    @cached_property
    def samples(self) -> numpy.ndarray:
        """The input, shaped (samples per channel, channels)."""
        columns = [
            numpy.concatenate([self._slot(place, frequency) for place, frequency in enumerate(order)])
            for order in map(self._order, range(self.channels))
        ]
        return numpy.stack(columns, axis=1)

    def slices(self, output: numpy.ndarray) -> Iterator[Slice]:
        """Every tone in a converted file, without what is near its ends."""
        for channel in range(self.channels):
            for place, frequency in enumerate(self._order(channel)):
                first = self._output_time(place * self._slot_length + self._scaled(GUARD))
                last = self._output_time((place + 1) * self._slot_length - self._scaled(GUARD))
                times = numpy.arange(first, last)
                samples = output[first:last, channel].astype(numpy.float64)
                yield Slice(frequency, channel, times, samples)

    def _order(self, channel: int) -> tuple[Fraction, ...]:
        turn = channel * len(self.frequencies) // self.channels
        return self.frequencies[turn:] + self.frequencies[:turn]

    def _slot(self, place: int, frequency: Fraction) -> numpy.ndarray:
        times = place * self._slot_length + numpy.arange(self._slot_length)
        return AMPLITUDE * self._fades * tone(frequency, self.input_rate, times)

    @cached_property
    def _fades(self) -> numpy.ndarray:
        """1, with half a period of a cosine at either end."""
        length = self._scaled(FADE)
        rise = 0.5 - 0.5 * numpy.cos(numpy.pi * numpy.arange(length) / length)
        return numpy.concatenate([rise, numpy.ones(self._slot_length - 2 * length), rise[::-1]])

    @property
    def _slot_length(self) -> int:
        return self._scaled(MEASURED + 2 * GUARD)

    def _scaled(self, length: int) -> int:
        """Input samples that last as long as `length` samples at the lower rate."""
        return -(-length * self.input_rate // min(self.input_rate, self.output_rate))

    def _output_time(self, input_time: int) -> int:
        return -(-input_time * self.output_rate // self.input_rate)
