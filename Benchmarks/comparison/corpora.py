# SPDX-License-Identifier: Apache-2.0
"""Many files: one command against a process for each file."""

import random
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import goals

from tools import rate_tolerance
from workload import Contender, Output, Workload


class Corpora:
    """The workloads of many files."""

    def __init__(self, tools, inputs, launcher, smoke):
        self.tools = tools
        self.inputs = inputs
        self.launcher = launcher
        self.smoke = smoke

    def all(self):
        yield self.seconds()
        yield self.speech()
        yield self.items()

    def seconds(self):
        """A second each, which is mostly set-up."""
        count = 10 if self.smoke else 1_000
        folder, lengths = self.folder("seconds", count, lambda numbers: 44_100, ".wav")
        outputs = self.outputs(folder, lengths, 44_100, 48_000)
        ours = self.ours(folder, outputs, ["-r", "48000"])
        one = self.ours(folder, outputs, ["-r", "48000"], jobs=1)
        each = self.each(
            "rawaudio, a process a file", folder, outputs,
            [self.tools.program, "convert", "-r", "48000", "-q", "{in}", "-o", "{out}"])
        others = [self.parallel(folder, outputs, "sox", ["sox", "{in}", "{out}", "rate", "-h", "48000"])]
        return self.workload(
            f"{count} WAV files of 1 s, 44.1 → 48 kHz", ours, [one, each, *others],
            [(5, each), (6, others[0])])

    def speech(self):
        """From 5 to 15 seconds each, to mono at 16 kHz."""
        count = 10 if self.smoke else 2_000
        folder, lengths = self.folder(
            "speech", count, lambda numbers: numbers.randrange(5 * 44_100, 15 * 44_100), ".flac")
        outputs = self.outputs(folder, lengths, 44_100, 16_000)
        ours = self.ours(folder, outputs, ["-r", "16000", "-c", "1"])
        one = self.ours(folder, outputs, ["-r", "16000", "-c", "1"], jobs=1)
        ffmpeg = self.parallel(
            folder, outputs, "ffmpeg", ["ffmpeg", "-nostdin", "-loglevel", "error", "-i", "{in}", "-ar", "16000", "-ac",
                                        "1", "{out}"])
        sox = self.parallel(
            folder, outputs, "sox", ["sox", "{in}", "{out}", "rate", "-h", "16000", "remix", "-"])
        pool = self.pool(folder, outputs)
        workload = self.workload(
            f"{count} FLAC files of 5…15 s → 16 kHz mono WAV", ours, [one, ffmpeg, sox, pool],
            [(3, ffmpeg), (2, pool)])
        workload.goals.append(goals.at_least(1.85, "wall", ours.name, one.name))
        return workload

    def items(self):
        """A sample each: what an item costs beside its audio, and beside what any file costs."""
        count = 10 if self.smoke else 5_000
        folder, lengths = self.folder("samples", count, lambda numbers: 1, ".wav")
        outputs = self.outputs(folder, lengths, 44_100, 44_100)
        ours = self.ours(folder, outputs, [], jobs=1)
        ours = Contender(ours.name, ours.commands, ours.outputs, times=count)
        floor = Contender(
            "floor: items",
            [["/bin/sh", "-c", f"find {folder} -type f | {shlex.quote(str(self.tools.floors / 'items'))} "
              f"{shlex.quote(str(self.tools.outputs))}"]], outputs, times=count)

        def measured(results):
            cost = (results.median(ours.name, "cpu") - results.median(floor.name, "cpu")) * 1e3
            return f"{cost:.2f} ms", cost <= 0.3
        return Workload(
            f"{count} WAV files of one sample, per file", [ours, floor],
            [goals.Goal(ours.name, "CPU ≤ 0.3 ms more than the floor", measured)], most_runs=3)

    def workload(self, title, ours, others, wanted):
        found = [other for other in others if other is not None]
        return Workload(
            title, [ours, *found],
            [goals.at_least(times, "wall", ours.name, other.name) for times, other in wanted if other is not None],
            most_runs=3)

    def folder(self, name, count, length, suffix):
        """So many files, each with a part of one sound, and their lengths."""
        numbers = random.Random(7)
        lengths = [length(numbers) for _ in range(count)]
        folder = self.inputs.folder / f"{name}-{count}"
        if not folder.exists():
            sound = self.inputs.sound("corpus", 44_100, 2, 60, 9)
            unfinished = folder.with_suffix(".part")
            shutil.rmtree(unfinished, ignore_errors=True)
            lines = "".join(
                f'{{"source":"{sound}","id":"{place:05}","offset":{numbers.randrange(0, 40)},'
                f'"duration":{(frames + 0.5) / 44_100}}}\n' for place, frames in enumerate(lengths))
            subprocess.run(
                [self.tools.program, "convert", "--list", "-", "-o", f"{unfinished}/{{id}}{suffix}", "-q"],
                input=lines, text=True, check=True, cwd="/")
            unfinished.rename(folder)
        return folder, lengths

    def outputs(self, folder, lengths, rate, output_rate):
        return [
            Output(self.tools.outputs / f"{place:05}.wav", -(-frames * output_rate // rate), rate_tolerance)
            for place, frames in enumerate(lengths)]

    def ours(self, folder, outputs, words, jobs=None):
        name = f"rawaudio convert{' --jobs 1' if jobs else ''}"
        count = ["--jobs", str(jobs)] if jobs else []
        command = shlex.join(
            [str(self.tools.program), "convert", "--list", "-", *words, *count, "-q", "-o",
             f"{self.tools.outputs}/{{stem}}.wav"])
        return Contender(name, [["/bin/sh", "-c", f"find {folder} -type f | {command}"]], outputs)

    def each(self, name, folder, outputs, words):
        files = sorted(folder.iterdir())
        commands = [
            [str(word).replace("{in}", str(path)).replace("{out}", str(output.path)) for word in words]
            for path, output in zip(files, outputs)]
        return Contender(name, commands, outputs)

    def parallel(self, folder, outputs, program, words):
        if shutil.which(program) is None or shutil.which("parallel") is None:
            return None
        line = " ".join(words).replace("{in}", "{}").replace("{out}", f"{self.tools.outputs}/{{/.}}.wav")
        return Contender(
            f"{program} under parallel", [["/bin/sh", "-c", f"find {folder} -type f | parallel '{line}'"]], outputs)

    def pool(self, folder, outputs):
        if subprocess.run([sys.executable, "-c", "import soundfile, soxr"], capture_output=True).returncode != 0:
            return None
        return Contender(
            "Python, soundfile and soxr HQ",
            [[sys.executable, Path(__file__).with_name("pool.py"), str(folder), self.tools.outputs]], outputs)
