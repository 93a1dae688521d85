# SPDX-License-Identifier: Apache-2.0
"""The edits of every day, each beside sox and ffmpeg where these can do it: one row for each."""

import goals
from inputs import bytes_per_sample, header, piece
from tools import rate_tolerance
from workload import Contender, Output, Workload

RATE = 44_100


class Edits:
    """Of `seconds` of stereo at 16 bits and 44.1 kHz, where a title says nothing else."""

    def __init__(self, tools, inputs, launcher, smoke):
        self.tools = tools
        self.inputs = inputs
        self.launcher = launcher
        self.seconds = 10 if smoke else 300
        self.length = self.seconds * RATE
        self.a, self.b = (inputs.sound(name, RATE, 2, self.seconds, seed)
                          for seed, name in enumerate("ab", 1))

    def all(self):
        yield from self.levels()
        yield from self.fades()
        yield from self.cuts()
        yield from self.joins()
        yield from self.channels()
        yield from self.encodings()
        yield from self.rates()

    def levels(self):
        yield self.edit("copy", [], [], [])
        yield self.edit("gain", ["--gain", "-6"], ["vol", "-6dB"], ["-af", "volume=-6dB"])
        yield self.edit(
            "gain, most samples clip", ["--gain", "20"], ["vol", "20dB"], ["-af", "volume=20dB"])
        yield self.edit(
            "normalise", ["--normalize", "-1"], ["gain", "-n", "-1"],
            self.in_two_passes("volumedetect", "volume=5dB"))
        yield self.edit(
            "to a loudness", ["--loudness", "-16"], None, self.in_two_passes("ebur128=peak=true", "volume=5dB"))
        yield self.edit(
            "invert", ["--invert"], ["vol", "-1"], ["-af", "pan=stereo|c0=-1*c0|c1=-1*c1"])

    def in_two_passes(self, measuring, changing):
        """The words of ffmpeg where it has to know the whole first."""
        return [["-af", measuring, "-f", "null", "-"], ["-af", changing]]

    def fades(self):
        seconds = self.seconds
        for name, length in (("5 s", 5), ("all of it", seconds)):
            yield self.edit(
                f"fade-in, {name}", ["--fade-in", length], ["fade", "t", length],
                ["-af", f"afade=t=in:d={length}"])
            yield self.edit(
                f"fade-out, {name}", ["--fade-out", length], ["fade", "t", 0, "-0", length],
                ["-af", f"afade=t=out:st={seconds - length}:d={length}"])
        yield self.edit(
            "fade-in, all of it, equal power", ["--fade-in", seconds, "--fade-curve", "equal-power"],
            ["fade", "q", seconds], ["-af", f"afade=t=in:d={seconds}:curve=qsin"])
        yield self.edit(
            "fade-out, all of it, logarithmic", ["--fade-out", seconds, "--fade-curve", "logarithmic"],
            ["fade", "l", 0, "-0", seconds], ["-af", f"afade=t=out:d={seconds}:curve=exp"])

    def cuts(self):
        fifth = self.seconds // 5
        yield self.edit(
            "trim", ["--start", fifth, "-d", 3 * fifth], ["trim", fifth, 3 * fifth],
            ["-ss", fifth, "-t", 3 * fifth], length=3 * fifth * RATE)
        yield self.edit(
            "pad", ["--pad", "1,2"], ["pad", 1, 2], ["-af", "adelay=1000:all=1,apad=pad_dur=2"],
            length=self.length + 3 * RATE)
        yield self.edit(
            "trim silence", ["--trim-silence", "-60"],
            ["silence", 1, "1s", "-60d", "reverse", "silence", 1, "1s", "-60d", "reverse"],
            # Only in front: behind areverse it leaves nothing.
            ["-af", "silenceremove=start_periods=1:start_threshold=-60dB"],
            tolerance=RATE)
        yield self.split(fifth)
        yield self.edit(
            "only what is loud", ["--threshold", "-20", "--pre-roll", 0, "--hold", "0.5"],
            ["silence", 1, "1s", "-20d", -1, "0.5", "-20d"],
            ["-af", "silenceremove=start_periods=1:start_threshold=-20dB:stop_periods=-1"
                    ":stop_duration=0.5:stop_threshold=-20dB"],
            source=self.bursts(), length=self.length // 2, tolerance=self.length // 2 - 1)

    def bursts(self):
        """A second of sound in every two."""
        def write(file):
            second = 2 * RATE * bytes_per_sample
            file.write(header(RATE, 2, self.seconds * second))
            sound = piece(RATE, 2, 4)[:second]
            file.write((sound + bytes(second)) * (self.seconds // 2))
        return self.inputs.made(f"bursts-{RATE}-2-{self.seconds}.wav", write)

    def split(self, length):
        count = self.seconds // length
        folder = self.tools.outputs

        def outputs(pattern, first):
            return [Output(folder / (pattern % number), length * RATE)
                    for number in range(first, first + count)]
        a = self.a
        ours = Contender(
            "rawaudio --split", [[self.tools.program, "convert", a, "--split", str(length), "-o",
                                  folder / "part-%03d.wav"]], outputs("part-%03d.wav", 0))
        # What sox begins last is empty.
        effects = [word for _ in range(count - 1) for word in ("trim", 0, length, ":", "newfile", ":")]
        return self.workload(f"split into {count}", ours, [
            self.tools.of_several("sox", "trim : newfile", [[
                a, folder / "piece.wav", *effects, "trim", 0, length]], outputs("piece%03d.wav", 1)),
            self.tools.of_several("ffmpeg", "-f segment", [[
                "-i", a, "-f", "segment", "-segment_time", length, "-c", "copy",
                folder / "segment-%03d.wav"]], [
                    Output(output.path, output.samples_per_channel, RATE // 10)
                    for output in outputs("segment-%03d.wav", 0)]),
        ])

    def joins(self):
        a, b, seconds = self.a, self.b, self.seconds
        yield self.of_two(
            "join", ["concat"], [a, b], [], "concat=n=2:v=0:a=1", length=2 * self.length)
        # ffmpeg's are not longer than a minute.
        for overlap in (5, min(60, seconds - 1)):
            yield self.of_two(
                f"crossfade, {overlap} s", ["concat", "--crossfade", overlap], [a, b],
                ["splice", "-q", f"{seconds},{overlap / 2},0"],
                f"acrossfade=d={overlap}:c1=qsin:c2=qsin", length=2 * self.length - overlap * RATE)
        yield self.of_two(
            "mix", ["mix"], ["-m", "-v", 1, a, "-v", 1, b], [], "amix=inputs=2:normalize=0")
        yield self.of_two(
            "mix with gain and balance", ["mix", "--gain", "-3", "--pan", "0.3"], None, [],
            "[0:a]pan=stereo|c0=0.5*c0|c1=0.7*c1[l];[1:a]pan=stereo|c0=0.5*c0|c1=0.7*c1[r];"
            "[l][r]amix=inputs=2:normalize=0")
        yield self.of_two(
            "mix, one under the other", ["mix", "--duck", "2:1,-12dB"], None, [],
            "[0:a]asplit=2[key][voice];[1:a][key]sidechaincompress=threshold=0.01:ratio=4[music];"
            "[voice][music]amix=inputs=2:normalize=0")

    def of_two(self, name, words, soxes, effects, graph, length=None):
        """Of both files: the words of ours, sox's in front of its output and behind, ffmpeg's filter graph.

        A `soxes` of None: sox cannot do it.
        """
        length = length or self.length
        a, b = self.a, self.b
        return self.workload(
            name, self.tools.ours(
                f"rawaudio {shown(words)}", [*map(str, words), a, b], length), [
                    soxes and self.tools.sox(texts(soxes), length, texts(effects), RATE),
                    self.tools.ffmpeg(
                        ["-i", a, "-i", b, "-filter_complex", graph], length, RATE,
                        name=graph.split("=", maxsplit=1)[0] if graph[0] != "[" else "graph")])

    def channels(self):
        mono = self.inputs.sound("mono", RATE, 1, self.seconds, 6)
        six = self.inputs.sound("six", RATE, 6, self.seconds // 2, 7)
        half = self.length // 2
        yield self.edit("to mono", ["-c", 1], ["remix", "-"], ["-ac", 1])
        yield self.edit(
            "mono to stereo", ["-c", 2], ["channels", 2], ["-ac", 2], source=mono)
        yield self.edit(
            "left and right changed", ["--channel-map", "2,1"], ["remix", 2, 1],
            ["-af", "pan=stereo|c0=c1|c1=c0"])
        yield self.edit(
            "one channel of two", ["--channel-map", "1"], ["remix", 1], ["-af", "pan=mono|c0=c0"])
        yield self.edit(
            "six channels to stereo, half as long", ["-c", 2],
            ["remix", "1v0.4,3v0.3,5v0.3", "2v0.4,3v0.3,6v0.3"], ["-ac", 2], source=six, length=half)
        yield self.edit(
            "six channels in another order, half as long", ["--channel-map", "3,1,2,6,4,5"],
            ["remix", 3, 1, 2, 6, 4, 5],
            ["-af", "pan=5.1|c0=c2|c1=c0|c2=c1|c3=c5|c4=c3|c5=c4"], source=six, length=half)
        yield self.workload(
            "balance", self.tools.ours(
                "rawaudio mix --pan 0.3", ["mix", "--pan", "0.3", self.a], self.length), [
                    self.tools.sox([self.a], self.length, texts(["remix", "1v0.7", "2"])),
                    self.tools.ffmpeg(
                        ["-i", self.a, "-af", "pan=stereo|c0=0.7*c0|c1=c1"], self.length, name="pan")])

    def encodings(self):
        for ours, sox, ffmpeg in (
                ("u8", ["-e", "unsigned", "-b", 8], "pcm_u8"), ("s24", ["-b", 24], "pcm_s24le"),
                ("s32", ["-b", 32], "pcm_s32le"), ("f32", ["-e", "float", "-b", 32], "pcm_f32le"),
                ("f64", ["-e", "float", "-b", 64], "pcm_f64le"), ("ulaw", ["-e", "mu-law"], "pcm_mulaw"),
                ("alaw", ["-e", "a-law"], "pcm_alaw")):
            yield self.edit(
                f"to {ours}", ["-f", ours], [], ["-c:a", ffmpeg], before_output=["-D", *sox])
        wide = self.inputs.folder / f"a-s24-{RATE}-2-{self.seconds}.wav"
        if not wide.exists():
            self.launcher.cost([[
                self.tools.program, "convert", self.a, "--gain", "-1", "-f", "s24", "-o", wide]])
        yield self.edit(
            "s24 to s16", ["-f", "s16"], [], ["-c:a", "pcm_s16le"], source=wide,
            before_output=["-D", "-b", 16])
        yield self.edit(
            "s24 to s16 with dither", ["-f", "s16", "--dither", "tpdf"], ["dither"],
            ["-af", "aresample=dither_method=triangular", "-c:a", "pcm_s16le"], source=wide,
            before_output=["-b", 16])

    def rates(self):
        for rate in (48_000, 16_000):
            yield self.edit(
                f"to {rate} Hz", ["-r", rate], ["rate", "-h", rate],
                ["-af", f"aresample={rate}:resampler=soxr"], length=self.seconds * rate,
                tolerance=rate_tolerance)

    def edit(self, name, ours, sox, ffmpeg, source=None, length=None, tolerance=0, before_output=()):
        """Of one file.

        `sox`: its effects; None where it has none for this. `ffmpeg`: its words between input and output; a list of
        lists where it takes several runs.
        """
        source, length = source or self.a, length or self.length
        others = []
        if sox is not None:
            others.append(self.tools.sox(
                [source, *texts(before_output)], length, texts(sox), tolerance,
                name=shown([*before_output, *sox]) or "(copy)"))
        runs = ffmpeg if ffmpeg and isinstance(ffmpeg[0], list) else [ffmpeg]
        last = self.tools.ffmpeg(
            ["-i", source, *texts(runs[-1])], length, tolerance, name=shown(sum(runs, [])) or "(copy)")
        if last is not None:
            first = [[last.commands[0][0], "-nostdin", "-hide_banner", "-loglevel", "error", "-i", source,
                      *texts(run)] for run in runs[:-1]]
            last = Contender(last.name, [*first, *last.commands], last.outputs)
        contender = self.tools.ours(
            f"rawaudio {shown(ours)}".strip(), ["convert", *texts(ours), source], length)
        if tolerance:
            [output] = contender.outputs
            contender = Contender(
                contender.name, contender.commands, [Output(output.path, length, tolerance)])
        return self.workload(name, contender, [*others, last])

    def workload(self, name, ours, others):
        found = [other for other in others if other is not None]
        wanted = [goals.at_most_fastest(1, ours.name, [other.name for other in found])] if found else []
        return Workload(f"edit: {name}", [ours, *found], wanted, is_edit=True)


def texts(words):
    """Numbers as words."""
    return [word if hasattr(word, "is_file") else str(word) for word in words]


def shown(words):
    return " ".join(map(str, words))
