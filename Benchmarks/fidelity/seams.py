# SPDX-License-Identifier: Apache-2.0
"""Is a long file converted as one piece?

A program may work on parts of a file, or on several at once, and a place that is computed by adding up
may drift. Either shows when one sine is fit to half a minute: at a seam, or more and more.
"""

from collections.abc import Iterator
from fractions import Fraction

import numpy

from fit import decibels, fit_sine
from programs import Program
from promises import Promise
from rate_quality import ASIDE, TONE_LEVEL, Conversion
from tones import AMPLITUDE, GUARD, cycles, tone

CONVERSIONS = (Conversion(44_100, 48_000), Conversion(44_100, 48_001))
SECONDS = 30

# In the pass band of every quality.
PLACE = Fraction(3, 4) - ASIDE

# The residual is looked at in blocks of this many samples, each of which may be this much above the
# promise in dB: where the residual is noise, that of 1,024 samples has a standard deviation of 0.2 dB.
BLOCK = 1024
ALLOWANCE = 3


def broken(program: Program, promise: Promise, conversion: Conversion) -> Iterator[str]:
    """A line for each channel that has a block with too large a residual."""
    frequency = PLACE * conversion.nyquist
    times = numpy.arange(SECONDS * conversion.input_rate)
    wave = AMPLITUDE * tone(frequency, conversion.input_rate, times)
    samples = numpy.stack([wave, -wave], axis=1)
    output = program.convert(samples, conversion.input_rate, conversion.output_rate)
    for channel in range(2):
        levels = block_levels(output[:, channel].astype(numpy.float64), frequency, conversion)
        block, level = max(levels, key=lambda pair: pair[1])
        if not level <= promise.floor + ALLOWANCE:
            yield (
                f"{program.name}, {conversion}, channel {channel + 1}, the {BLOCK} samples from {block} on: "
                f"residual {level:.1f} dB, promised {promise.floor} dB (and {ALLOWANCE} dB for chance)"
            )


def block_levels(
    samples: numpy.ndarray, frequency: Fraction, conversion: Conversion
) -> Iterator[tuple[int, float]]:
    """For each block its first sample and, in dB, what is left of it without the sine of the whole."""
    guard = 2 * GUARD
    times = numpy.arange(guard, len(samples) - guard)
    fit = fit_sine(samples[times], frequency, conversion.output_rate, times)
    angle = 2 * numpy.pi * cycles(frequency, conversion.output_rate, times) + fit.phase
    rest = samples[times] - fit.amplitude * numpy.sin(angle)
    blocks = rest[: len(rest) // BLOCK * BLOCK].reshape(-1, BLOCK)
    for number, power in enumerate(numpy.mean(blocks**2, axis=1)):
        yield guard + number * BLOCK, decibels(float(power) ** 0.5 / TONE_LEVEL)
