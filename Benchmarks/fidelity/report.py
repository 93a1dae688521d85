# SPDX-License-Identifier: Apache-2.0
"""The result as Markdown: what `make fidelity` writes."""

import os
import platform
import subprocess
from fractions import Fraction

import numpy

import dither
import instrument
from check import OURS
from programs import PEERS, Program
from promises import Promise
from rate_quality import (
    ASIDE, EDGE, PASS_BAND, STOP_BAND, TRANSITION, Conversion, Measurement, measure, stop_band_begins)
from tones import AMPLITUDE, FADE, GUARD

UP = Conversion(44_100, 48_000)
DOWN = Conversion(48_000, 16_000)
PLACES = tuple(Fraction(place) for place in ("0.80", "0.91", "0.93", "0.95"))
FLOORS = (-100, -140, -180)


def comparison() -> str:
    """The table with ours beside the peers."""
    rows = [
        ["44.1 → 48 kHz, tones at 0.045…0.9975 of Nyquist", "residual",
         *(f"at {float(place):.2f} of Nyquist" for place in PLACES), "time error in samples",
         "alias when going down (48 → 16 kHz)",
         "alias above " + " / ".join(map(minus, FLOORS)) + " dB up to"]
    ]
    for program in (*(program for program, _ in OURS), *PEERS):
        up, down = measure(program, UP), measure(program, DOWN)
        rows.append([
            program.name,
            f"{minus(up.best_residual.residual)}…{minus(up.worst_residual.residual)} dB",
            *(f"{gain(up.gain_at(place))} dB" for place in PLACES),
            power_of_ten(up.worst_delay.delay),
            f"{minus(down.worst_alias.level)} dB",
            " / ".join(map(beginning, stop_band_begins(program, DOWN, FLOORS).values())),
        ])
    return table(rows)


def floors(measurements: list[tuple[Measurement, Promise]]) -> str:
    """The table of everything that is checked of ours."""
    rows = [["", "rates", "largest residual", "promised", "pass band", "promised", "largest alias",
             "time error in samples"]]
    for measurement, promise in measurements:
        alias = measurement.worst_alias
        rows.append([
            measurement.program.name,
            str(measurement.conversion),
            f"{minus(measurement.worst_residual.residual, 1)} dB",
            f"≤ {minus(promise.floor)} dB",
            f"±{power_of_ten(measurement.worst_gain(promise.edge).gain)} dB",
            f"±{promise.ripple} dB to {float(promise.edge):.2f}",
            f"{minus(alias.level, 1)} dB" if alias else "",
            power_of_ten(measurement.worst_delay.delay),
        ])
    return table(rows)


def document(comparison: str, floors: str, broken: list[str]) -> str:
    programs = (*(program for program, _ in OURS), *PEERS)
    verdict = "\n".join(f"- **Broken:** {line}" for line in broken) or "Every promise holds."
    return f"""# Fidelity

Written by `make fidelity`: rate conversions of rawaudio and of its peers, measured from outside by
[a program](fidelity) in Python and numpy. `make fidelity-floors` checks ours alone.

{comparison}

Every figure is that of the worst channel. What they mean:

- **Residual**: a tone of known frequency goes through the program as 64-bit floats (f32: as 32-bit
  floats), and the nearest sine of that frequency is subtracted from what comes out. The root mean
  square of the rest, relative to that of the tone; the best and the worst of {len(PASS_BAND + EDGE)} tones. Noise,
  distortion and images all count.
- **At 0.80…0.95 of Nyquist**: the level of that sine, relative to the tone. Nyquist is half the lower
  rate.
- **Time error**: from the phase of that sine, the largest of all tones up to 0.95.
- **Alias**: tones from Nyquist (8 kHz) to 23.9 kHz; all that comes out, relative to the tone.
- **Alias above … dB up to**: where the stop band begins, for a floor of −100, −140 and −180 dB: the last
  tone that is above it, as a fraction of Nyquist, in steps of {float(TRANSITION[-1] - TRANSITION[-2])} to 1.1, at first of
  {float(TRANSITION[1] - TRANSITION[0])}; `below 1` if
  all from Nyquist on are below it, `never` if a tone beyond 1.1 is above it. rawaudio promises `below 1`, each quality
  for its own floor: −100 dB for `fast`, −140 dB for `high`, −180 dB for `best`.

Tones stand at {places(PASS_BAND[:3])} and so on to {places(PASS_BAND[-4:])} of
Nyquist, and at {places(EDGE)}, whose images are nearest to it; for aliases
at {places(STOP_BAND[:6])} and so on to 1.1, then every 0.1. Each is
{float(ASIDE):.4f} beside that place, so that no tone repeats after a few samples. Three channels have the
tones in different orders. The amplitude is {AMPLITUDE}; nothing clips. Of each tone the first and the last {GUARD}
samples (at the lower rate) are left out, {FADE} of which fade in or out. Of an ideal tone the instrument
reads a residual of {minus(instrument.floor())} dB.

What limits the peers: sox has 32-bit integers inside, about −193 dB for these tones. libsamplerate takes
and gives 32-bit floats, about −150 dB, whatever file `sndfile-resample` writes; so does rawaudio in the
row f32. ffmpeg has 64-bit floats throughout.

## Ours, for every pair of rates

{verdict} Promised besides, and checked: a click at second 10 stays there to 1/1000 of
a sample, half a minute has no seam, n samples become exactly ⌈n × output rate / input rate⌉.

{floors}

## Ours, dither

{dither_result()}

## Machine, versions, commands

{machine()}

{versions(programs)}

```
{commands(programs)}
```
"""


def places(fractions: tuple[Fraction, ...]) -> str:
    return ", ".join(f"{float(fraction):g}" for fraction in fractions)


def dither_result() -> str:
    variance, dithered, plain = dither.summary()
    return (
        f"To 16 bits with `--dither tpdf`, a tone of −90 dBFS, {dither.SAMPLES:,} samples: the error's\n"
        f"variance is {variance:.4f} step² (1/4 in theory). The tone's harmonics in the error are at most\n"
        f"{minus(dithered)} dB above the mean of its spectrum; with `--dither none` the largest is\n"
        f"{minus(plain)} dB above that. The spectrum is flat to ±0.24 dB, as checked."
    )


def machine() -> str:
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as lines:
        models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    name = models[0] if models else platform.machine()
    system = platform.freedesktop_os_release()["PRETTY_NAME"]
    return f"{name}, {os.cpu_count()} cores, {system}."


def versions(programs: tuple[Program, ...]) -> str:
    packages = sorted({program.package for program in programs if program.package})
    return ", ".join([
        "rawaudio " + output_of("rawaudio", "--version"),
        *(f"{package} {output_of('dpkg-query', '-Wf', '${Version}', package)}" for package in packages),
    ]) + f"; measured with Python {platform.python_version()} and numpy {numpy.__version__}."


def commands(programs: tuple[Program, ...]) -> str:
    return "\n".join(
        program.command.format(input="in.wav", output="out.wav", rate=48_000) for program in programs
    )


def output_of(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def minus(level: float, digits: int = 0) -> str:
    """A level in decibels, with the minus sign of print."""
    return f"{level:.{digits}f}".replace("-", "−")


def gain(level: float) -> str:
    """As many digits as tell something: 0.0000 is within ±0.00005 dB."""
    return f"{level:+.4f}".replace("-", "−") if abs(level) >= 0.00005 else "0.0000"


def power_of_ten(value: float) -> str:
    return f"{abs(value):.0e}".replace("-", "−") if value else "0"


def beginning(place: Fraction) -> str:
    if place > TRANSITION[-1] + Fraction(1, 400):
        return "never"
    return f"{float(place):.4f}" if place >= 1 else "below 1"


def table(rows: list[list[str]]) -> str:
    head, *body = rows
    lines = [head, ["---"] * len(head), *body]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
