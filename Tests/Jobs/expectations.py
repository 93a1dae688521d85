# SPDX-License-Identifier: Apache-2.0
"""What each job has to give, told by what the others give."""

import re
import struct
import subprocess

import numpy

import material

UNIT = 20 * numpy.log10(1 / 32_768)
"""A step of 16 bits, in dB."""


class Same:
    """Sounds of one length that are as near as `level` says, in dB; by default one step of 16 bits. Those of `longer` may
    have more at their end."""

    def __init__(self, level=UNIT + 0.1, *, but=(), longer=(), edge=0, **levels):
        self.level, self.levels, self.but, self.longer, self.edge = level, levels, but, longer, edge

    def check(self, results, words, compare):
        for tool in results:
            if tool == "rawaudio":
                words[tool] = "done"
                continue
            words[tool], level = compare(results["rawaudio"], results[tool], self.edge)
            differs = level > self.levels.get(tool, self.level) or "less" in words[tool]
            differs = differs or "more" in words[tool] and tool not in self.longer
            if differs and tool not in self.but:
                yield f"{tool}: {words[tool]}"


class Figures:
    """Files whose figures by ffprobe agree within a part of each."""

    def __init__(self, part, *entries, but=()):
        self.part, self.entries, self.but = part, entries, but

    def check(self, results, words, compare):
        figures = {tool: result.stream(*self.entries) for tool, result in results.items()}
        for tool, values in figures.items():
            words[tool] = " ".join(values.values())
            for name, value in figures["rawaudio"].items():
                near = abs(float(values.get(name, "nan")) - float(value)) <= self.part * float(value)
                if not near and tool not in self.but:
                    yield f"{tool}: {name} is {values.get(name)}, ours {value}"


class Tells:
    """Text that has these words in it."""

    def __init__(self, *patterns):
        self.patterns = patterns

    def check(self, results, words, compare):
        for tool, result in results.items():
            missing = [pattern for pattern in self.patterns if not re.search(pattern, result.text)]
            words[tool] = f"without {missing}" if missing else "told"
            if missing:
                yield f"{tool}: does not tell {missing}"


class Done:
    """No results to compare: it is enough that the commands succeed."""

    def check(self, results, words, compare):
        for tool in results:
            words[tool] = "done"
        return []


class Files:
    """As many files."""

    def __init__(self, count, but=()):
        self.count, self.but = count, but

    def check(self, results, words, compare):
        counts = {tool: len(result.files) for tool, result in results.items()}
        for tool, count in counts.items():
            words[tool] = f"{count} files"
            if count != self.count and tool not in self.but:
                yield f"{tool}: {count} files"


class Tags:
    """Tags that a file has, or has not."""

    def __init__(self, *, absent=False, lost=(), **tags):
        self.tags, self.absent, self.lost = tags, absent, lost

    def check(self, results, words, compare):
        for tool, result in results.items():
            values = result.stream("format_tags", "stream_tags")
            found = {name.split(":")[-1].lower(): value for name, value in values.items()}
            kept = [name for name, value in self.tags.items() if found.get(name) == value]
            words[tool] = f"{len(kept)} of {len(self.tags)} tags"
            wanted = 0 if self.absent else len(self.tags)
            if tool == "rawaudio" and len(kept) != wanted:
                yield f"{tool}: {found}"


class Ducked:
    """Music that is 12 dB lower where somebody has been speaking for half a second, and as it was before."""

    def check(self, results, words, compare):
        talk, music = (material.samples(name) for name in ("talk.wav", "music.wav"))
        for tool, result in results.items():
            level = self.level(result.samples(), talk, music, slice(33_075, 44_100))
            words[tool] = f"{level:.1f} dB"
            if tool == "rawaudio" and abs(level + 12) > 0.1:
                yield f"{tool}: the music is at {level:.1f} dB"

    def level(self, mix, talk, music, part):
        """How loud the music is in a part of the mix, in dB."""
        rest = mix[part] - talk[part]
        return 20 * numpy.log10(numpy.sum(rest * music[part]) / numpy.sum(music[part] ** 2))


class TimeReference:
    """A bext chunk whose time went on by what was cut off."""

    def __init__(self, value):
        self.value = value

    def check(self, results, words, compare):
        for tool, result in results.items():
            body = result.file.read_bytes()
            place = body.find(b"bext")
            value = None if place < 0 else struct.unpack_from("<Q", body, place + 8 + 338)[0]
            words[tool] = "no bext" if value is None else f"time reference {value}"
            if tool == "rawaudio" and value != self.value:
                yield f"{tool}: {words[tool]}"


class Pieces:
    """The places of labels.txt, sample by sample."""

    def check(self, results, words, compare):
        talk = material.samples("talk.wav")
        files = results["rawaudio"].files
        words["rawaudio"] = f"{len(files)} files"
        for path, (start, end) in zip(files, [(0.5, 1.25), (1, 3.5), (0, 0.5)], strict=True):
            piece = material.samples(path)
            if not numpy.array_equal(piece, talk[round(start * 44_100):round(end * 44_100)]):
                yield f"rawaudio: {path.name} is another piece"


class QuietParts:
    """Parts of at most some seconds, cut at quieter places than those of the others."""

    def __init__(self, length, quiet):
        self.length, self.quiet = length, quiet

    def check(self, results, words, compare):
        talk = material.samples("talk.wav")
        parts = [material.samples(path) for path in results["rawaudio"].files if path.suffix == ".wav"]
        lengths = [len(part) / 44_100 for part in parts]
        words["rawaudio"] = "parts of " + ", ".join(f"{length:.2f} s" for length in lengths)
        if not numpy.array_equal(numpy.concatenate(parts), talk):
            yield "rawaudio: the parts together are not the source"
        if max(lengths) > self.length or min(lengths[:-1]) < self.length - self.quiet:
            yield f"rawaudio: {words['rawaudio']}"


class Kept:
    """The stretches of the table, one behind the other."""

    def check(self, results, words, compare):
        talk = material.samples("talk.wav")
        result = results["rawaudio"]
        table = next(path for path in result.files if path.suffix == ".csv").read_text().splitlines()[1:]
        rows = [[round(float(cell) * 44_100) for cell in row.split(",")[1:3]] for row in table]
        kept = numpy.concatenate([talk[start:end] for start, end in rows])
        words["rawaudio"] = f"{len(rows)} sounds, {len(kept) / 44_100:.2f} s"
        if not numpy.array_equal(material.samples(next(path for path in result.files if path.suffix == ".wav")), kept):
            yield "rawaudio: the result is not the stretches of the table"


class Clock:
    """The last second of one file and the first one of the next."""

    def check(self, results, words, compare):
        intro, outro = (material.samples(name) for name in ("intro.wav", "outro.wav"))
        words["rawaudio"] = "two seconds of two files"
        if not numpy.array_equal(material.samples(results["rawaudio"].file), numpy.concatenate([intro[44_100:], outro])):
            yield "rawaudio: the result is another part"


class Packets:
    """The packets of a source, bit for bit."""

    def __init__(self, source):
        self.source = source

    def check(self, results, words, compare):
        wanted = self.digest(material.FOLDER / self.source)
        for tool, result in results.items():
            words[tool] = "the packets" if self.digest(result.file) == wanted else "other packets"
            if tool == "rawaudio" and words[tool] != "the packets":
                yield f"{tool}: {words[tool]}"

    def digest(self, path):
        return subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-map", "0:a", "-c", "copy", "-f", "md5", "-"],
                              capture_output=True, check=True).stdout


class Later:
    """Sound so many samples later than that of clip.mp4, beside its pictures."""

    def __init__(self, delay):
        self.delay = delay

    def check(self, results, words, compare):
        source = material.samples("in.wav")[:, 0]
        for tool, result in results.items():
            sound = result.samples()[:, 0]
            part = source[44_100:88_200]
            places = range(44_100, 44_100 + 2 * self.delay)
            found = max(places, key=lambda place: numpy.dot(sound[place:place + len(part)], part)) - 44_100
            words[tool] = f"{found} samples later"
            if tool == "rawaudio" and found != self.delay:
                yield f"{tool}: {words[tool]}"
            if result.stream("stream=codec_name").get("codec_name") is None:
                yield f"{tool}: no streams"


class Loud:
    """A loudness in LUFS within 0.1 LU, and a true peak, as ffmpeg's ebur128 finds them."""

    def __init__(self, loudness, peak):
        self.loudness, self.peak = loudness, peak

    def check(self, results, words, compare):
        for tool, result in results.items():
            text = subprocess.run(["ffmpeg", "-hide_banner", "-nostdin", "-i", result.file, "-af", "ebur128=peak=true", "-f",
                                   "null", "-"], capture_output=True, text=True, check=True).stderr
            summary = text[text.rindex("Summary:"):]
            loudness = float(re.search(r"I:\s+(\S+)", summary).group(1))
            peak = float(re.search(r"Peak:\s+(\S+)", summary).group(1))
            words[tool] = f"{loudness} LUFS, {peak} dBTP"
            if tool == "rawaudio" and (abs(loudness - self.loudness) > 0.1 or peak > self.peak):
                yield f"{tool}: {words[tool]}"


class ChapterTitles:
    """Chapters by their starts and titles, as ffprobe lists them."""

    def __init__(self, *chapters):
        self.chapters = list(chapters)

    def check(self, results, words, compare):
        for tool, result in results.items():
            listed = subprocess.run(
                ["ffprobe", "-v", "error", "-show_entries", "chapter=start_time:chapter_tags=title", "-of", "csv=p=0",
                 result.file], capture_output=True, text=True, check=True).stdout.split()
            words[tool] = f"{len(listed)} chapters"
            if listed != self.chapters:
                yield f"{tool}: {listed}"


class Chapters:
    """Each source is a chapter, as ffprobe lists them."""

    def check(self, results, words, compare):
        lengths = [len(material.samples(name)) / 44_100 for name in ("intro.wav", "outro.wav")]
        listed = subprocess.run(
            ["ffprobe", "-v", "error", "-show_entries", "chapter=start_time,end_time:chapter_tags=title", "-of", "csv=p=0",
             results["rawaudio"].file], capture_output=True, text=True, check=True).stdout.split()
        starts = [0, lengths[0], sum(lengths)]
        expected = [f"{start:.3f}000,{end:.3f}000,{name}" for start, end, name in zip(starts, starts[1:], ["intro", "outro"])]
        words["rawaudio"] = "two chapters"
        if listed != expected:
            yield f"rawaudio: the chapters are {listed}, not {expected}"


OF = {
    1: Tells("44100", r"(?i)\b(2|stereo)\b", "4\\.0|00:00:04"),
    2: Figures(0.01, "stream=bit_rate,sample_rate,channels"),
    3: Figures(0.15, "format=bit_rate"),
    5: Same(UNIT + 6.1),
    10: Same(sox=UNIT + 0.1, ffmpeg=-20),
    # ffmpeg cuts a sample too much at each end.
    11: Same(but=["ffmpeg"]),
    13: Ducked(),
    15: Files(3),
    16: Tags(title="Pilot", artist="Ada"),
    17: Tags(title="Kept", artist="Ada", absent=True),
    18: Tags(title="Kept", artist="Ada", isrc="XX0000000001"),
    # ffmpeg decodes the encoder's last packet beyond the length that the edit list states.
    20: Same(UNIT + 6.1, longer=("ffmpeg",)),
    # The null device gives ffmpeg no times that it could count by.
    21: Figures(0.001, "format=duration", but=["ffmpeg"]),
    22: Files(2, but=["ffmpeg"]),
    23: Done(),
    # What lies beyond the ends is silence to each, and each filter reaches as far as it likes.
    25: Same(-120, edge=4_800),
    26: Same(UNIT + 14),
    33: Same(-120),
    34: TimeReference(48_000 + 44_100),
    35: Pieces(),
    36: QuietParts(2, 1),
    37: Kept(),
    38: Clock(),
    39: Same(UNIT + 6.1),
    41: Files(4),
    42: Chapters(),
    43: Packets("show.mp3"),
    44: Packets("clip.mp4"),
    # The noise of AAC, which encodes other packets from other samples.
    45: Same(-12, longer=("ffmpeg",)),
    46: Later(5_292),
    48: Loud(-16, -1),
    49: Same(UNIT + 6.1),
    50: ChapterTitles("0.000000,Intro", "1.000000,News", "2.500000,Weather"),
    51: Files(3),
    52: Same(UNIT + 6.1, sox=-70),
    53: Figures(0.01, "stream=sample_rate,channels"),
    54: Packets("film.mkv"),
}
