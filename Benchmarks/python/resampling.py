# SPDX-License-Identifier: Apache-2.0
"""Compares rawaudio.resample with soxr: speed and fidelity of both, on arrays.

    python resampling.py RESULT.md     writes the tables, minutes
    python resampling.py --short       does all once, with short arrays: says only whether it still works

A round converts one array with each, one after the other; the first round is not counted. A cell has the least time of the
rounds, and the least processor time of all threads, in milliseconds.
"""

import argparse
import os
import pathlib
import sys
import time
from dataclasses import dataclass

import numpy as np
import soxr

import rawaudio as ra

sys.path += [str(pathlib.Path(__file__).parents[1] / name) for name in ("fidelity", "comparison")]

import machine  # noqa: E402
from rate_quality import Conversion, measure  # noqa: E402

RATES = [(44_100, 48_000), (48_000, 44_100), (48_000, 16_000), (16_000, 48_000), (44_100, 16_000), (44_100, 47_999)]
# The seconds of an array, the rounds, and the pairs of rates.
WORKS = [(1, 51, RATES), (600, 2, [RATES[0], RATES[2]])]


@dataclass(frozen=True)
class Way:
    """A call with a quality, and the type of the samples that it gets."""

    package: str
    quality: str
    type: str

    @property
    def name(self):
        return f"{self.package} `{self.quality}`, {self.type}"

    def __call__(self, samples, input_rate, output_rate):
        return (ra if self.package == "rawaudio" else soxr).resample(samples, input_rate, output_rate, quality=self.quality)

    def convert(self, samples, input_rate, output_rate):
        """As the measurements of fidelity ask."""
        return self(samples.astype(self.type), input_rate, output_rate)


WAYS = [
    Way("rawaudio", "fast", "float32"), Way("rawaudio", "high", "float32"), Way("soxr", "HQ", "float32"),
    Way("soxr", "VHQ", "float32"), Way("rawaudio", "best", "float64"), Way("soxr", "VHQ", "float64"),
]


def speed(seconds, rounds, pairs):
    """A line for each pair of rates and number of channels, with the times of each way."""
    for channels in (1, 2):
        for rates in pairs:
            noise = np.random.default_rng(1).normal(0, 0.1, (rates[0] * seconds, channels))
            arrays = {name: (noise[:, 0] if channels == 1 else noise).astype(name) for name in ("float32", "float64")}
            times = {way: [] for way in WAYS}
            for number in range(rounds + 1):
                for way in WAYS:
                    began = time.perf_counter(), time.process_time()
                    way(arrays[way.type], *rates)
                    if number or not rounds:
                        times[way].append((time.perf_counter() - began[0], time.process_time() - began[1]))
            length = f"{seconds} s" if seconds < 60 else f"{seconds // 60} min"
            yield [f"{rates[0]} → {rates[1]}, {length}, {'mono' if channels == 1 else 'stereo'}",
                   *(" / ".join(milliseconds(min(kind)) for kind in zip(*times[way])) for way in WAYS)]


def milliseconds(seconds):
    return f"{seconds * 1000:,.0f}" if seconds >= 0.1 else f"{seconds * 1000:.3g}"


def fidelity(ways):
    """A line for each way: the worst residual, the level near the edge, and the worst alias."""
    up, down = Conversion(44_100, 48_000), Conversion(48_000, 16_000)
    for way in ways:
        rising, falling = measure(way, up), measure(way, down)
        edge = max(tone.place for tone in rising.passed if tone.place <= 0.91)
        levels = [f"{rising.worst_residual.residual:.0f} dB", f"{falling.worst_residual.residual:.0f} dB",
                  f"{rising.worst_gain(edge).gain:+.4f} dB", f"{falling.worst_alias.level:.0f} dB"]
        yield [way.name, *(level.replace("-", "−") for level in levels)]


def table(*lines):
    head, *body = lines
    return "".join("| " + " | ".join(line) + " |\n" for line in (head, ["---", *["---:"] * (len(head) - 1)], *body))


def document(fidelities, speeds):
    return f"""# Rate conversion of arrays, beside soxr

Written by `make resample-figures`: [a program](python/resampling.py) that calls `rawaudio.resample` and `soxr.resample`
{soxr.__version__} on arrays of noise, one after the other in each round. Time and processor time of all threads, in
milliseconds: each the least of {WORKS[0][1]} rounds for 1 s, and of {WORKS[1][1]} for 10 min. {os.cpu_count()} processors.

{table(["ms", *(way.name for way in WAYS)], *speeds)}
The fidelity is measured as in [FIDELITY.md](FIDELITY.md): residuals of tones up and down, the largest change of level up to
0.91 of Nyquist, and the largest alias from 48 to 16 kHz.

{table(["", "residual, 44.1 → 48 kHz", "residual, 48 → 16 kHz", "level to 0.91", "alias"], *fidelities)}
{machine.processor()}, Python {sys.version.split()[0]}, numpy {np.__version__}, load {os.getloadavg()[0]:.1f} at the end.
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--short", action="store_true")
    parser.add_argument("result", nargs="?", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.short:
        document(list(fidelity(WAYS[:1])), list(speed(1, 0, RATES)))
        return
    text = document(list(fidelity(WAYS)), [line for work in WORKS for line in speed(*work)])
    arguments.result.write_text(text, encoding="utf-8") if arguments.result else print(text)


main()
