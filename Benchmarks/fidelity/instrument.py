# SPDX-License-Identifier: Apache-2.0
"""Measures the measuring: what this program shows of signals that are known exactly."""

from collections.abc import Iterator
from fractions import Fraction

import numpy

from fit import decibels, delay, fit_sine, root_mean_square

# The best promise is −180 dB; what measures it has to see 20 dB further.
FLOOR = -200

RATE = 48_000
FREQUENCIES = (Fraction(997), Fraction("10007.35"), Fraction("22799") + Fraction(1, 9973))
# From a late place in a long file.
TIMES = numpy.arange(3_000_000, 3_004_096)


def ideal(frequency: Fraction, late: float = 0) -> numpy.ndarray:
    """A tone straight from its formula in numpy's longest floating point: 64 bits of significand on
    x86_64, where the phase of 10⁶ radians is right to 10⁻¹³; none of what `tones` does."""
    time = (TIMES.astype(numpy.longdouble) - numpy.longdouble(late)) / RATE
    turn = 8 * numpy.arctan(numpy.longdouble(1))
    hertz = numpy.longdouble(frequency.numerator) / frequency.denominator
    return numpy.sin(turn * hertz * time)


def broken() -> Iterator[str]:
    """A line for everything that is not read as it is."""
    for frequency in FREQUENCIES:
        yield from (f"the instrument, at {float(frequency):.1f} Hz: {problem}"
                    for problem in misreadings(frequency))


def misreadings(frequency: Fraction) -> Iterator[str]:
    floor = residual(ideal(frequency).astype(numpy.float64), frequency)
    if not floor <= FLOOR:
        yield f"an ideal tone's residual reads {floor:.1f} dB, not {FLOOR} dB or less"

    noise = numpy.random.default_rng(1).standard_normal(len(TIMES))
    noise *= 10 ** (-180 / 20) * root_mean_square(ideal(frequency)) / root_mean_square(noise)
    added = residual((ideal(frequency) + noise).astype(numpy.float64), frequency)
    # Two of 4,096 degrees of freedom go into the fit: 0.002 dB.
    if not abs(added + 180) <= 0.02:
        yield f"noise at −180 dB reads {added:.3f} dB"

    changed = (ideal(frequency, late=0.125) * numpy.longdouble(1.001)).astype(numpy.float64)
    fit = fit_sine(changed, frequency, RATE, TIMES)
    if not abs(fit.amplitude - 1.001) <= 1e-10:
        yield f"an amplitude of 1.001 reads {fit.amplitude:.12f}"
    late = delay(fit.phase, frequency, RATE)
    if not abs(late - 0.125) <= 1e-9:
        yield f"a delay of 0.125 samples reads {late:.12f}"


def residual(samples: numpy.ndarray, frequency: Fraction) -> float:
    fit = fit_sine(samples, frequency, RATE, TIMES)
    return decibels(fit.residual / (fit.amplitude / 2**0.5))


def floor() -> float:
    """The largest residual in dB that this program reads from an ideal tone."""
    return max(residual(ideal(frequency).astype(numpy.float64), frequency)
               for frequency in FREQUENCIES)
