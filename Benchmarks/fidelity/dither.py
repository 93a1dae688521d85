# SPDX-License-Identifier: Apache-2.0
"""Is the error of `--dither tpdf` what the theory of dither says?

With noise of a triangular distribution between −1 and +1 step of the output, the total error of
rounding has mean 0 and variance 1/4 step², whatever the signal is: S. P. Lipshitz, R. A. Wannamaker,
J. Vanderkooy, "Quantization and Dither: A Theoretical Survey", J. Audio Eng. Soc. 40(5), 1992.

Every tolerance is a multiple of the standard deviation that a perfect dither's result has for this
number of samples. At SIGMAS = 5 one in 1.7 million perfect results is outside.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import sqrt

import numpy

from fit import decibels
from programs import Program
from tones import tone

RATE = 48_000
SAMPLES = 1 << 20
CHANNELS = 2
SIGMAS = 5

STEP = 2.0**-15
# −90 dBFS: an amplitude of 1.04 steps of 16 bits. 1471 periods in the whole file, a prime number, so that
# the tone and its harmonics are lines of the file's spectrum.
AMPLITUDE = 10 ** (-90 / 20)
PERIODS = 1471
HARMONICS = 9

# The variance of the squared error is at most 3/16 step⁴: in silence the error is 0, or ±1 with 1/8
# each, so that E e⁴ − (E e²)² = 1/4 − 1/16; half way between two steps it is ±1/2, and never varies.
VARIANCE = 1 / 4
VARIANCE_OF_SQUARE = 3 / 16

# Blocks of the averaged periodogram: N / BLOCK of them, so that a line's standard deviation is
# √(BLOCK / N) of its mean, 1.1 %. Five of them are ±0.24 dB.
BLOCK = 128

# How far a harmonic may stand above the mean of the error's spectrum. A line of noise is exponentially
# distributed: it exceeds 20 times the mean with a probability of e⁻²⁰ = 2·10⁻⁹.
ABOVE_NOISE = 20
# What must be seen without dither, so that the test is known to see: 30 dB above the noise of dither.
DISTORTION = 1000


def dither_program(kind: str) -> Program:
    return Program(
        name=f"rawaudio `--dither {kind}`",
        command=f"rawaudio convert {{input}} -f s16 --dither {kind} -q -o {{output}}",
    )


def errors(program: Program, signal: numpy.ndarray) -> numpy.ndarray:
    """What the program does to `signal` when it rounds to 16 bits, in steps; a column a channel."""
    samples = numpy.repeat(signal[:, None], CHANNELS, axis=1)
    return program.convert(samples, RATE, RATE).astype(numpy.float64) - samples / STEP


def quiet_tone() -> numpy.ndarray:
    frequency = Fraction(PERIODS * RATE, SAMPLES)
    return AMPLITUDE * tone(frequency, RATE, numpy.arange(SAMPLES))


def mean_and_variance(error: numpy.ndarray) -> Iterator[str]:
    mean, variance = float(error.mean()), float(numpy.mean(error**2))
    if not abs(mean) <= SIGMAS * sqrt(VARIANCE / len(error)):
        yield f"the error's mean is {mean:+.5f} steps"
    if not abs(variance - VARIANCE) <= SIGMAS * sqrt(VARIANCE_OF_SQUARE / len(error)):
        yield f"the error's variance is {variance:.5f} steps², not 1/4"


def values_of_silence(error: numpy.ndarray) -> Iterator[str]:
    """Triangular noise is beyond half a step on either side with a probability of 1/8 each."""
    for value, probability in ((-1, 1 / 8), (0, 3 / 4), (1, 1 / 8)):
        share = float(numpy.mean(error == value))
        if not abs(share - probability) <= SIGMAS * sqrt(
            probability * (1 - probability) / len(error)
        ):
            yield f"{share:.5f} of all samples are {value:+d}, not {probability}"


def constant_variance(error: numpy.ndarray) -> Iterator[str]:
    """The noise may not breathe with the signal: eighths of the tone's period one by one."""
    eighths = numpy.arange(len(error)) * PERIODS % len(error) * 8 // len(error)
    for eighth in range(8):
        for problem in mean_and_variance(error[eighths == eighth]):
            yield f"in eighth {eighth + 1} of the tone's period {problem}"


def flat_spectrum(error: numpy.ndarray) -> Iterator[str]:
    """The averaged periodogram, from which the lines at 0 and at Nyquist are left out: they vary more."""
    blocks = error.reshape(-1, BLOCK)
    power = numpy.mean(numpy.abs(numpy.fft.rfft(blocks)) ** 2, axis=0)[1:-1] / (BLOCK * VARIANCE)
    for line, level in enumerate(power, start=1):
        if not abs(level - 1) <= SIGMAS / sqrt(len(blocks)):
            yield f"at {line * RATE / BLOCK:.0f} Hz the error's spectrum is {10 * numpy.log10(level):+.2f} dB"


def harmonics(error: numpy.ndarray) -> numpy.ndarray:
    """The power of the tone and its harmonics in the error, relative to the noise of a perfect dither."""
    power = numpy.abs(numpy.fft.rfft(error)) ** 2 / (len(error) * VARIANCE)
    return power[PERIODS * numpy.arange(1, HARMONICS + 1)]


def correlation_with_tone(error: numpy.ndarray) -> Iterator[str]:
    for number, power in enumerate(harmonics(error), start=1):
        if not power <= ABOVE_NOISE:
            yield f"harmonic {number} is {decibels(sqrt(power)):.1f} dB above the noise"


def correlation_of_channels(error: numpy.ndarray) -> Iterator[str]:
    correlation = float(numpy.mean(error[:, 0] * error[:, 1])) / VARIANCE
    if not abs(correlation) <= SIGMAS / sqrt(len(error)):
        yield f"the noise of two channels is correlated: {correlation:+.5f}"


def broken() -> Iterator[str]:
    """A line for everything that is not as it should be."""
    silence, sine = numpy.zeros(SAMPLES), quiet_tone()
    program = dither_program("tpdf")
    for name, signal, tests in (
        ("silence", silence, (mean_and_variance, flat_spectrum, values_of_silence)),
        ("a tone of −90 dBFS", sine,
         (mean_and_variance, flat_spectrum, constant_variance, correlation_with_tone)),
    ):
        error = errors(program, signal)
        for test in tests:
            for channel in range(CHANNELS):
                for problem in test(error[:, channel]):
                    yield f"{program.name}, {name}, channel {channel + 1}: {problem}"
        for problem in correlation_of_channels(error):
            yield f"{program.name}, {name}: {problem}"
    plain = dither_program("none")
    if not harmonics(errors(plain, sine)[:, 0]).max() > DISTORTION:
        yield f"{plain.name}: no harmonics of a tone of −90 dBFS, so this test would not see any"


def summary() -> tuple[float, float, float]:
    """For the tone: the error's variance in steps², the largest harmonic with and without dither in dB
    relative to the noise of a perfect dither."""
    sine = quiet_tone()
    dithered = errors(dither_program("tpdf"), sine)[:, 0]
    plain = errors(dither_program("none"), sine)[:, 0]
    levels = [decibels(sqrt(harmonics(error).max())) for error in (dithered, plain)]
    return float(numpy.mean(dithered**2)), *levels
