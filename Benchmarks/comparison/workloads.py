# SPDX-License-Identifier: Apache-2.0
"""The pieces of work that the programs are compared by. Every one goes from files to files."""

import dataclasses

import goals
from corpora import Corpora
from edits import Edits
from loudness import Loudness
from workload import Contender, Workload
from tools import rate_tolerance


class Workloads:
    """All of them, for long files of `seconds` (600 unless it is a smoke test)."""

    def __init__(self, tools, inputs, launcher, seconds, smoke):
        self.tools = tools
        self.inputs = inputs
        self.launcher = launcher
        self.seconds = seconds
        self.smoke = smoke

    def all(self, long):
        yield self.mix()
        yield self.gain()
        yield self.resample("44.1 → 48 kHz, {} s stereo", self.music("a", 1), 48_000)
        yield self.resample(
            "48 → 16 kHz, {} s mono",
            self.inputs.sound("speech", 48_000, 1, self.seconds, 3), 16_000)
        yield self.resample("44.1 → 47.999 kHz, {} s mono", self.inputs.sound(
            "odd", 44_100, 1, self.seconds, 5), 47_999)
        yield self.flac_to_wave()
        yield self.wave_to_flac()
        yield self.start()
        yield self.many_files()
        yield self.many_inputs()
        corpora = Corpora(self.tools, self.inputs, self.launcher, self.smoke)
        yield from corpora.all()
        yield from Loudness(self.tools, self.inputs, corpora, self.seconds, self.smoke).all()
        yield from Edits(self.tools, self.inputs, self.launcher, self.smoke).all()
        if long:
            yield self.long_file()

    def music(self, name, seed):
        return self.inputs.sound(name, 44_100, 2, self.seconds, seed)

    def mix(self):
        a, b, length = self.music("a", 1), self.music("b", 2), self.seconds * 44_100
        ours = self.tools.ours("rawaudio mix", ["mix", a, b], length)
        sox = self.tools.sox(["-m", "-v", "1", a, "-v", "1", b], length, name="-m -v 1 -v 1")
        floor = self.tools.floor("mix", [a, b], length)
        return comparison(
            f"mix two, {self.seconds} s stereo", ours, [
                sox,
                self.tools.ffmpeg(
                    ["-i", a, "-i", b, "-filter_complex", "amix=inputs=2:normalize=0"], length,
                    name="amix=normalize=0"),
                floor,
            ], [("at_most", 2, "cpu", floor), ("at_least", 10, "cpu", sox)])

    def gain(self):
        a, length = self.music("a", 1), self.seconds * 44_100
        ours = self.tools.ours("rawaudio convert --gain -6", ["convert", "--gain", "-6", a], length)
        sox = self.tools.sox([a], length, ["vol", "-6dB"])
        floor = self.tools.floor("scale", [a], length)
        return comparison(
            f"gain −6 dB, {self.seconds} s stereo", ours, [
                sox,
                self.tools.sox(["-D", a], length, ["vol", "-6dB"]),
                self.tools.ffmpeg(["-i", a, "-af", "volume=-6dB"], length, name="volume=-6dB"),
                floor,
                self.tools.floor("copy", [a], length),
            ], [("at_most", 2, "cpu", floor), ("at_least", 10, "cpu", sox)])

    def resample(self, title, path, rate):
        length = self.seconds * rate
        ours = {quality: self.tools.ours(
            f"rawaudio convert -r {rate}" + (f" --resampler-quality {quality}"
                                             if quality != "high" else ""),
            ["convert", "-r", str(rate), "--resampler-quality", quality, path], length)
            for quality in ("high", "fast", "best")}
        soxes = [self.tools.sox([path], length, ["rate", option, str(rate)], rate_tolerance)
                 for option in ("-h", "-v")]
        ffmpeg = self.tools.ffmpeg(
            ["-i", path, "-ar", str(rate)], length, rate_tolerance, name=f"-ar {rate}")
        soxr, best_soxr = (self.tools.ffmpeg(
            ["-i", path, "-af", filter_words], length, rate_tolerance, name=filter_words)
            for filter_words in (
                f"aresample={rate}:resampler=soxr", f"aresample={rate}:resampler=soxr:precision=28"))
        workload = comparison(
            title.format(self.seconds), ours["high"],
            [ours["fast"], ours["best"], *soxes, ffmpeg, soxr, best_soxr],
            [("at_most", 1, "wall", ffmpeg)])
        if soxes[1] is not None:
            workload.goals.append(
                goals.at_least(3, "wall", ours["best"].name, soxes[1].name))
        if rate == 16_000 and best_soxr is not None:
            workload.goals.append(goals.at_most(1, "cpu", ours["best"].name, best_soxr.name))
        return workload

    def flac_to_wave(self):
        a, length = self.music("a", 1), self.seconds * 44_100
        packed = a.with_suffix(".flac")
        if not packed.exists():
            self.launcher.cost([[self.tools.program, "convert", a, "-o", packed]])
        return comparison(
            f"FLAC → WAV, {self.seconds} s stereo",
            self.tools.ours("rawaudio convert", ["convert", packed], length), [
                self.tools.sox([packed], length, name="(FLAC → WAV)"),
                self.tools.ffmpeg(["-i", packed], length, name="(FLAC → WAV)"),
                self.tools.flac(["--decode", packed], length, ".wav"),
            ])

    def wave_to_flac(self):
        a, length = self.music("a", 1), self.seconds * 44_100
        return comparison(
            f"WAV → FLAC, {self.seconds} s stereo",
            self.tools.ours("rawaudio convert", ["convert", a], length, ".flac"), [
                self.tools.sox([a, "-C", "5"], length, suffix=".flac"),
                self.tools.ffmpeg(["-i", a], length, suffix=".flac", name="(WAV → FLAC)"),
                self.tools.flac(["-5", a], length, ".flac"),
            ])

    def start(self):
        times = 5 if self.smoke else 200
        ours, nothing = (
            Contender(name, [words] * times, times=times) for name, words in (
                ("rawaudio --version", [self.tools.program, "--version"]),
                ("floor: a program that ends at once", [self.tools.floors / "nothing"])))
        sox = self.tools.sox([], 0, name="--version")
        if sox is not None:
            sox = Contender(sox.name, [[sox.commands[0][0], "--version"]] * times, times=times)
        return comparison("start-up, per process", ours, [sox, nothing])

    def many_files(self):
        count = 10 if self.smoke else 1000
        path = self.inputs.sound("second", 44_100, 2, 1, 4)
        title = f"{count} files of 1 s, 44.1 → 48 kHz, a process each"
        ours = self.repeated(count, self.tools.ours(
            "rawaudio convert -r 48000", ["convert", "-r", "48000", path], 48_000))
        sox = self.repeated(
            count, self.tools.sox([path], 48_000, ["rate", "-h", "48000"], rate_tolerance))
        goal = [("at_most", 1, figure, sox) for figure in ("cpu", "wall")]
        return dataclasses.replace(comparison(title, ours, [sox], goal), most_runs=3)

    def repeated(self, count, contender):
        """The same with an input and an output of its own for each of `count` processes."""
        if contender is None:
            return None
        [command], [output] = contender.commands, contender.outputs
        commands, outputs = [], []
        for number in range(count):
            path = output.path.with_stem(f"{output.path.stem}-{number}")
            outputs.append(dataclasses.replace(output, path=path))
            commands.append([path if word == output.path else word for word in command])
        return dataclasses.replace(contender, commands=commands, outputs=outputs)

    def many_inputs(self):
        counts = [2, 8] if self.smoke else [2, 8, 64, 256]
        seconds = 1 if self.smoke else 60
        files = [self.inputs.sound(f"voice{seed}", 44_100, 2, seconds, seed) for seed in range(8)]
        names = {count: f"rawaudio mix, {count} inputs" for count in counts}
        contenders = [self.tools.ours(
            names[count],
            ["mix", *(files[index % len(files)] for index in range(count))],
            seconds * 44_100) for count in counts]
        wanted = [goals.peak(names[count], (32 << 20) + count * (256 << 10)) for count in counts]
        if not self.smoke:
            wanted.append(goals.linear(names, *counts[1:]))
        return dataclasses.replace(
            Workload(f"mix many, {seconds} s stereo each", contenders, wanted), most_runs=3)

    def long_file(self):
        names = {hours: f"rawaudio convert -r 48000, {hours} h" for hours in (1, 10)}
        contenders = [self.tools.ours(
            names[hours],
            ["convert", "-r", "48000", self.inputs.silence("long", 44_100, 1, hours * 3600)],
            hours * 3600 * 48_000) for hours in names]
        goal = goals.same_peak(names[10], names[1])
        return Workload("long files, mono, 44.1 → 48 kHz", contenders, [goal], most_runs=1)


def comparison(title, ours, others, wanted=()):
    """Leaves out the programs that are missing, and the goals that speak of them."""
    makers = {"at_most": goals.at_most, "at_least": goals.at_least}
    return Workload(
        title, [ours, *(other for other in others if other is not None)],
        [makers[kind](times, figure, ours.name, other.name)
         for kind, times, figure, other in wanted if other is not None])
