# SPDX-License-Identifier: Apache-2.0
"""What is left of a tone, and what is left when the tone is taken away."""

from dataclasses import dataclass
from fractions import Fraction
from math import atan2, hypot, log10, pi, sqrt

import numpy

from tones import cycles


def decibels(ratio: float) -> float:
    return 20 * log10(ratio) if ratio > 0 else float("-inf")


def root_mean_square(samples: numpy.ndarray) -> float:
    return sqrt(float(numpy.mean(numpy.square(samples))))


@dataclass(frozen=True)
class SineFit:
    """y ≈ amplitude · sin(2π·f·t + phase), and the root mean square of y less that."""

    amplitude: float
    phase: float
    residual: float


def fit_sine(
    samples: numpy.ndarray, frequency: Fraction, rate: int, times: numpy.ndarray
) -> SineFit:
    """The sine of a known frequency that is nearest to `samples` in the least-squares sense.

    With the frequency known, y = a·sin + b·cos is linear in a and b: the three-parameter fit of
    IEEE Std 1057-2017, 4.6, without its constant, so that an offset counts as residual.
    """
    angle = 2 * numpy.pi * cycles(frequency, rate, times)
    waves = numpy.stack([numpy.sin(angle), numpy.cos(angle)], axis=1)
    (sine, cosine), *_ = numpy.linalg.lstsq(waves, samples, rcond=None)
    residual = root_mean_square(samples - waves @ (sine, cosine))
    return SineFit(hypot(sine, cosine), atan2(cosine, sine), residual)


def delay(phase: float, frequency: Fraction, rate: int, near: float = 0) -> float:
    """How many samples late a tone of this phase is, of all possibilities the one next to `near`.

    sin(2π·f·(t − d)) has the phase −2π·f·d; a whole period more or less looks the same.
    """
    period = float(rate / frequency)
    late = -phase / (2 * pi) * period
    return late - period * round((late - near) / period)
