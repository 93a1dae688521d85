# SPDX-License-Identifier: Apache-2.0
"""Ours against our promises: what a change of the code must not break."""

from collections.abc import Iterator

import clicks
import dither
import instrument
import lengths
import seams
from programs import Program, rawaudio
from promises import PROMISES, Promise
from rate_quality import CHANNELS, Conversion, Measurement, measure

# Up and down, by simple and by unwieldy ratios; for the last one no table of the filter at every phase
# is small enough, and coefficients are interpolated.
CONVERSIONS = (
    Conversion(44_100, 48_000),
    Conversion(48_000, 44_100),
    Conversion(48_000, 16_000),
    Conversion(44_100, 96_000),
    Conversion(96_000, 44_100),
    Conversion(192_000, 16_000),
    Conversion(8_000, 48_000),
    Conversion(44_100, 48_001),
)
# Up and down once more with what most files hold: one channel, two channels.
USUAL = (CONVERSIONS[0], CONVERSIONS[2])

OURS: tuple[tuple[Program, Promise], ...] = (
    *((rawaudio(quality), promise) for quality, promise in PROMISES.items()),
    (rawaudio("high", "f32"), PROMISES["high"]),
)


class Check:
    """Collects what is broken, and what was measured on the way. Prints a line for each part."""

    def __init__(self) -> None:
        self.broken: list[str] = []
        self.measurements: list[tuple[Measurement, Promise]] = []

    def run(self) -> None:
        self._judge("the instrument reads what is there", instrument.broken())
        for program, promise in OURS:
            for conversion in CONVERSIONS:
                self.measurements.append((self._convert(program, promise, conversion), promise))
            for conversion in USUAL:
                for channels in (1, 2):
                    self._convert(program, promise, conversion, channels)
        self._judge("fast does not keep the promise of high, and it shows", blindness())
        for program, promise in OURS:
            self._judge(
                f"{program.name}: half a minute has no seam",
                (line for pair in seams.CONVERSIONS for line in seams.broken(program, promise, pair)))
            self._judge(
                f"{program.name}: a click at second {clicks.SECOND} stays there",
                (line for pair in CONVERSIONS for line in clicks.broken(program, pair)))
            self._judge(
                f"{program.name}: lengths are exact",
                (line for pair in CONVERSIONS for line in lengths.broken(program, pair)))
        self._judge("dither is white, of 1/4 step², and knows nothing of the signal", dither.broken())

    def _convert(
        self, program: Program, promise: Promise, conversion: Conversion, channels: int = CHANNELS
    ) -> Measurement:
        measurement = measure(program, conversion, channels)
        self._judge(
            f"{program.name}, {conversion}, channels {channels}: {summary(measurement, promise)}",
            promise.broken_by(measurement))
        return measurement

    def _judge(self, what: str, problems: Iterator[str]) -> None:
        found = list(problems)
        self.broken += found
        if not found:
            print(f"  checked: {what}", flush=True)
        for problem in found:
            print(f"  BROKEN: {problem}", flush=True)


def blindness() -> Iterator[str]:
    """Whether a promise that is not kept would be noticed."""
    if not any(PROMISES["high"].broken_by(measure(rawaudio("fast"), CONVERSIONS[0]))):
        yield "the promise of high holds for fast: this check does not see, or fast is too slow"


def summary(measurement: Measurement, promise: Promise) -> str:
    alias = measurement.worst_alias
    return ", ".join([
        f"residual {measurement.worst_residual.residual:.1f} dB",
        f"pass band ±{abs(measurement.worst_gain(promise.edge).gain):.0e} dB",
        *([f"alias {alias.level:.1f} dB"] if alias else []),
        f"time ±{abs(measurement.worst_delay.delay):.0e} samples",
    ])
