# SPDX-License-Identifier: Apache-2.0
"""Measures one conversion: residual, pass band, delay, aliases."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from fit import decibels, delay, fit_sine, root_mean_square
from programs import Program
from tones import AMPLITUDE, Slice, ToneSequence

TONE_LEVEL = AMPLITUDE / sqrt(2)

# A pair and a single one, for programs that convert two channels at a time.
CHANNELS = 3


# A tone at exactly 0.4 of Nyquist repeats after five samples, and the rounding errors of a 32-bit file
# with it: they would be harmonics, or even fit as part of the tone. So every tone stands this far beside
# its nominal place, on the side where it belongs in its band, and repeats after 9973 samples at least.
ASIDE = Fraction(1, 9973)


def thousandths(*values: int) -> tuple[Fraction, ...]:
    return tuple(Fraction(value, 1000) for value in values)


# Nominal places, as fractions of the lower Nyquist frequency.
PASS_BAND = thousandths(45, *range(100, 950, 50), 910, 930, 950)
# Tones that need not pass, and whose images stand just beyond Nyquist.
EDGE = (*thousandths(960, 970, 980, 985, 990, 995), Fraction(9975, 10_000))
# From Nyquist on, close together at first.
STOP_BAND = (
    *(Fraction(value, 10_000) for value in (10_000, 10_005, 10_010, 10_025)),
    *thousandths(*range(1005, 1050, 5), *range(1050, 1100, 10), *range(1100, 12_000, 100)))
# Where the stop band may begin, beside STOP_BAND.
TRANSITION = tuple(Fraction(value, 10_000) for value in (10_000, 10_005, 10_010, *range(10_025, 11_000, 25)))


@dataclass(frozen=True)
class Conversion:
    """A pair of rates in Hz."""

    input_rate: int
    output_rate: int

    @property
    def nyquist(self) -> Fraction:
        """Half the lower rate, in Hz."""
        return Fraction(min(self.input_rate, self.output_rate), 2)

    @property
    def stop_band(self) -> tuple[Fraction, ...]:
        """The nominal places of what can alias: up to 0.4 % below what the input can hold."""
        last = Fraction(self.input_rate, 2) / self.nyquist * Fraction("0.996")
        return (*(value for value in STOP_BAND if value < last), last) if last > STOP_BAND[0] else ()

    def frequency(self, place: Fraction) -> Fraction:
        """In Hz, of the tone at this nominal place."""
        return self.nyquist * (place - ASIDE if place < 1 else place + ASIDE)

    def __str__(self) -> str:
        return f"{self.input_rate} → {self.output_rate} Hz"


@dataclass(frozen=True)
class PassedTone:
    """A tone that belongs into the output. Levels in dB relative to the input's tone."""

    place: Fraction
    channel: int
    gain: float
    residual: float
    delay: float  # in output samples


@dataclass(frozen=True)
class StoppedTone:
    """A tone above what the output can hold: all that comes out of it is alias."""

    place: Fraction
    channel: int
    level: float


@dataclass(frozen=True)
class Measurement:
    program: Program
    conversion: Conversion
    channels: int
    passed: tuple[PassedTone, ...]
    stopped: tuple[StoppedTone, ...]

    @property
    def worst_residual(self) -> PassedTone:
        return max(self.passed, key=lambda tone: tone.residual)

    @property
    def best_residual(self) -> PassedTone:
        return min(self.passed, key=lambda tone: tone.residual)

    @property
    def worst_delay(self) -> PassedTone:
        timed = (tone for tone in self.passed if tone.place <= PASS_BAND[-1])
        return max(timed, key=lambda tone: abs(tone.delay))

    @property
    def worst_alias(self) -> StoppedTone | None:
        return max(self.stopped, key=lambda tone: tone.level, default=None)

    def worst_gain(self, edge: Fraction) -> PassedTone:
        """Of all tones up to this place the one whose level changes most."""
        band = (tone for tone in self.passed if tone.place <= edge)
        return max(band, key=lambda tone: abs(tone.gain))

    def gain_at(self, place: Fraction) -> float:
        """Of all channels the one that changes most."""
        return max((tone.gain for tone in self.passed if tone.place == place), key=abs)


def measure(
    program: Program, conversion: Conversion, channels: int = CHANNELS
) -> Measurement:
    """Tones below Nyquist and, when going down, beyond it, in one run of the program."""
    parts = convert_tones(program, conversion, PASS_BAND + EDGE + conversion.stop_band, channels)
    stopped = (
        StoppedTone(place, part.channel, alias_level(part)) for place, part in parts if place >= 1
    )
    passed = measure_passed([(place, part) for place, part in parts if place < 1], conversion)
    return Measurement(program, conversion, channels, tuple(passed), tuple(stopped))


def measure_passed(parts: list[tuple[Fraction, Slice]], conversion: Conversion) -> list[PassedTone]:
    tones = []
    delays: dict[int, float] = {}
    for place, part in sorted(parts, key=lambda pair: pair[0]):
        rate = conversion.output_rate
        fit = fit_sine(part.samples, part.frequency, rate, part.times)
        # The lowest tone's period is longer than twice any delay to be expected; the others follow it.
        late = delay(fit.phase, part.frequency, rate, near=delays.get(part.channel, 0))
        delays.setdefault(part.channel, late)
        gain, residual = decibels(fit.amplitude / AMPLITUDE), decibels(fit.residual / TONE_LEVEL)
        tones.append(PassedTone(place, part.channel, gain, residual, late))
    return tones


def stop_band_begins(
    program: Program, conversion: Conversion, floors: Iterable[float]
) -> dict[float, Fraction]:
    """For each floor in dB the last of all places from Nyquist on whose alias is above it; 0 if there is none."""
    places = sorted({*TRANSITION, *conversion.stop_band})
    levels = [
        (place, alias_level(part))
        for place, part in convert_tones(program, conversion, tuple(places), CHANNELS)
    ]
    return {
        floor: max((place for place, level in levels if level > floor), default=Fraction(0))
        for floor in floors
    }


def convert_tones(
    program: Program, conversion: Conversion, places: tuple[Fraction, ...], channels: int
) -> list[tuple[Fraction, Slice]]:
    """Sends tones at these places through the program; what comes out for each, with its place."""
    place_of = {conversion.frequency(place): place for place in places}
    rates = (conversion.input_rate, conversion.output_rate)
    sequence = ToneSequence(tuple(place_of), *rates, channels)
    output = program.convert(sequence.samples, *rates)
    return [(place_of[part.frequency], part) for part in sequence.slices(output)]


def alias_level(part: Slice) -> float:
    return decibels(root_mean_square(part.samples) / TONE_LEVEL)
