# SPDX-License-Identifier: Apache-2.0
"""Does a click stay where it was?"""

from collections.abc import Iterator
from fractions import Fraction

import numpy

from programs import Program
from rate_quality import Conversion

SECOND = 10
TOLERANCE = 1e-3  # output samples

# On each side of a click, in samples at the lower rate: more than any filter reaches.
REACH = 2048


def click_positions(program: Program, conversion: Conversion) -> Iterator[tuple[Fraction, float]]:
    """Where clicks should be and where they are, in output samples.

    One channel has a click at second 10, which is a sample of both rates; the other has it one input
    sample later, mostly between two samples of the output.
    """
    clicks = [SECOND * conversion.input_rate, SECOND * conversion.input_rate + 1]
    samples = numpy.zeros((clicks[-1] + conversion.input_rate // 2, len(clicks)))
    samples[clicks, range(len(clicks))] = 0.9
    output = program.convert(samples, conversion.input_rate, conversion.output_rate)
    for channel, click in enumerate(clicks):
        expected = Fraction(click * conversion.output_rate, conversion.input_rate)
        yield expected, centre(output[:, channel].astype(numpy.float64), conversion)


def centre(samples: numpy.ndarray, conversion: Conversion) -> float:
    """The time about which a band-limited click is symmetric, in samples.

    A click at t has the phase −2π·f·t at every frequency it holds, wherever the samples stand. From the
    largest sample p on, t − p is the slope of the phase: least squares through the origin, over
    frequencies up to 0.8 × the lower Nyquist, which every quality passes.
    """
    peak = int(numpy.argmax(numpy.abs(samples)))
    reach = REACH * conversion.output_rate // (2 * int(conversion.nyquist))
    first = max(0, peak - reach)
    part = samples[first : peak + reach]
    frequencies = numpy.fft.rfftfreq(len(part))
    spectrum = numpy.fft.rfft(part) * numpy.exp(2j * numpy.pi * frequencies * (peak - first))
    band = (frequencies > 0) & (
        frequencies <= 0.8 * float(conversion.nyquist) / conversion.output_rate
    )
    angle, phase = 2 * numpy.pi * frequencies[band], numpy.angle(spectrum[band])
    return peak - float(angle @ phase / (angle @ angle))


def broken(program: Program, conversion: Conversion) -> Iterator[str]:
    """A line for each click that moved."""
    for expected, found in click_positions(program, conversion):
        if not abs(found - float(expected)) <= TOLERANCE:
            yield (
                f"{program.name}, {conversion}: a click that belongs at sample {float(expected):.4f} "
                f"is at {found:.4f}, promised within ±{TOLERANCE}"
            )
