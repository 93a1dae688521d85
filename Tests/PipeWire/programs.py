# SPDX-License-Identifier: Apache-2.0
"""The programs that are compared, and how each is told to play on a node or to record from one."""

import re
from dataclasses import dataclass

from proofs.command import PROGRAM, summary

RAW = ["-t", "raw", "-f", "S16_LE", "-r", "48000", "-c", "2"]
HEADERLESS = ["--input-type", "raw", "--input-rate", "48000", "--input-channels", "2", "--input-format", "s16"]

# What tells the ALSA plugin to record what a sink plays. arecord has no word for it.
OF_MONITOR = {"PIPEWIRE_ALSA": "{ stream.capture.sink = true }"}


@dataclass(frozen=True)
class Client:
    """A program that plays or records, with the period that it is to ask for; its default where None."""

    name: str
    period: int | None = None

    def __str__(self):
        return self.name if self.period is None else f"{self.name}, {self.period}"

    def play(self, sink):
        """Plays the file `track` on a sink."""
        if self.name == "aplay":
            return ["aplay", "-D", f"pipewire:NODE={sink}", *RAW, *self.alsa_period(), "track.raw"]
        if self.name == "pw-cat":
            return ["pw-cat", "--playback", "--target", sink, *self.latency(), "track.wav"]
        return [PROGRAM, "play", "-D", f"pipewire:NODE={sink}", *self.own_period(), "track.raw", *HEADERLESS]

    def record(self, sink, path):
        """Records the monitor of a sink: the command, and what its environment needs besides."""
        if self.name == "arecord":
            return ["arecord", "-D", f"pipewire:NODE={sink}", *RAW, *self.alsa_period(), path], OF_MONITOR
        if self.name == "pw-cat":
            of_sink = ["--properties", "{ stream.capture.sink = true }"]
            shape = ["--format", "s16", "--rate", "48000", "--channels", "2"]
            return ["pw-cat", "--record", "--target", sink, *of_sink, *shape, *self.latency(), path], {}
        shape = ["-r", "48000", "-c", "2", "-f", "s16", "-t", "raw", "-o", path]
        return [PROGRAM, "capture", "--json", "-D", f"pipewire:NODE={sink}.monitor", *self.own_period(), *shape], {}

    def alsa_period(self):
        """As many periods in the buffer as there are by default."""
        return [] if self.period is None else [f"--period-size={self.period}", f"--buffer-size={4 * self.period}"]

    def latency(self):
        return [] if self.period is None else [f"--latency={self.period}"]

    def own_period(self):
        return [] if self.period is None else [f"--period-size={self.period}"]

    def told(self, messages):
        """How many faults a program told of, and how many samples per channel it said were lost, by its messages."""
        if self.name in ("aplay", "arecord"):
            faults = [float(length or 0) for length in re.findall(r"run!!!(?: \(at least ([0-9.]+) ms)?", messages)]
            # Where a plugin states no time they print one of thousands of years.
            return len(faults), round(sum(length for length in faults if length < 1e6) * 48)
        if self.name == "pw-cat":
            return 0, 0
        last = summary(messages)
        if last is None:
            return sum(int(count) for count in re.findall(r"([0-9]+) underruns?", messages)), 0
        source = last["sources"][0]
        return source["gaps"]["count"], source["gaps"]["lostSamples"]
