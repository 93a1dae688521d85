# SPDX-License-Identifier: Apache-2.0
"""How loud files are: every contender reads them and prints what it found."""

import dataclasses
import shlex
import shutil

import goals

from workload import Contender, Goal, Workload


class Loudness:
    """The workloads of `measure`."""

    def __init__(self, tools, inputs, corpora, seconds, smoke):
        self.tools = tools
        self.inputs = inputs
        self.corpora = corpora
        self.seconds = seconds
        self.smoke = smoke

    def all(self):
        yield self.one()
        yield self.many()

    def one(self):
        """Integrated loudness, range and true peak of a long file."""
        path = self.inputs.sound("programme", 48_000, 2, self.seconds, 8)
        ours = Contender("rawaudio measure", [[self.tools.program, "measure", path]])
        reading = Contender(
            "rawaudio convert, read and dropped", [[self.tools.program, "convert", path, "-o", "null:"]])
        others = [
            self.peer("ffmpeg", "ebur128=peak=true", [
                "-nostdin", "-hide_banner", "-nostats", "-loglevel", "error", "-i", path, "-af",
                "ebur128=peak=true", "-f", "null", "-"]),
            self.peer("loudgain", "", ["-q", path]),
        ]
        found = [other for other in others if other is not None]

        def measured(results):
            cost = results.median(ours.name, "cpu") - results.median(reading.name, "cpu")
            return f"{cost:.2f} s", cost <= 0.25 * self.seconds / 600
        return Workload(
            f"loudness and true peak, {self.seconds} s stereo", [ours, reading, *found], [
                Goal(ours.name, "CPU beyond reading ≤ 0.25 s for 600 s", measured),
                *(goals.at_least(5, "cpu", ours.name, other.name) for other in found)])

    def many(self):
        """Short files: one command against a process for each file."""
        count = 10 if self.smoke else 1_000
        folder, _ = self.corpora.folder("seconds", count, lambda numbers: 44_100, ".wav")
        command = shlex.join([str(self.tools.program), "measure", "--json-lines", "--list", "-", "-q"])
        ours = Contender("rawaudio measure --list", [self.shell(f"find {folder} -type f | {command}")])
        others = []
        if shutil.which("loudgain") and shutil.which("parallel"):
            others.append(Contender(
                "loudgain under parallel", [self.shell(f"find {folder} -type f | parallel loudgain -q")]))
        workload = Workload(
            f"loudness of {count} WAV files of 1 s", [ours, *others],
            [goals.at_least(5, "wall", ours.name, other.name) for other in others])
        return dataclasses.replace(workload, most_runs=3)

    def peer(self, program, name, words):
        path = shutil.which(program)
        return None if path is None else Contender(f"{program} {name}".strip(), [[path, *words]])

    def shell(self, line):
        return ["/bin/sh", "-c", line]
