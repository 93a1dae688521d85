# SPDX-License-Identifier: Apache-2.0
"""The files that are mutated: every container and encoding that the command writes, and odd ones made by hand."""

import re
import struct
from dataclasses import dataclass

from proofs.command import run
from proofs.riff import chunk, riff

CONTAINERS = ["wav", "wavex", "rf64", "w64", "aiff", "au", "caf", "flac", "ogg", "opus", "mp3", "raw", "nist", "ircam",
              "mat4", "mat5", "htk"]
# The command only reads these; sox writes them.
READ_ONLY = ["voc", "8svx", "paf", "pvf", "xi", "avr", "wve"]
RATES = {"opus": 16_000}
STEREO = {"wav", "caf", "flac", "ogg", "opus", "mp3", "w64", "aiff", "rf64"}
RATE = 8_000
PLAIN = {"u8", "s8", "s16", "s24", "s32", "f32", "f64", "ulaw", "alaw"}


@dataclass
class Original:
    name: str
    container: str
    data: bytes
    headerless: tuple = ()  # the options that say what it is
    length: object = None  # in samples per channel, where samples are stored one by one


def make(program, folder):
    """Each is a seventh of a second, short enough for many runs and longer than a codec's block."""
    originals = [original for container in CONTAINERS for encoding in encodings(program, folder, container)
                 for original in written(program, folder, container, encoding)]
    assert len({original.container for original in originals}) == len(CONTAINERS)
    originals += [original for container in READ_ONLY for original in by_sox(folder, container)]
    return originals + list(by_hand({original.name: original.data for original in originals}))


def encodings(program, folder, container):
    """As the command lists them when it is asked for one that no container of that name holds."""
    impossible = "mp3" if container == "opus" else "opus"
    said = run([program, "convert", "silence:", "-d", "1S", "-t", container, "-f", impossible,
                "-o", str(folder / "impossible")]).stderr
    found = re.search(r"it holds only (.*)", said)
    if found:
        return found[1].split(", ")
    raise SystemExit(f"mutations: cannot learn what {container} holds: {said}")


def written(program, folder, container, encoding):
    rate = RATES.get(container, RATE)
    for channels in (1, 2) if container in STEREO else (1,):
        path = folder / f"original.{container}"
        made = run([program, "convert", "noise:pink", "-d", f"{rate // 7}S", "-r", str(rate), "-c", str(channels),
                    "--gain", "-12", "-f", encoding, "-t", container, "-o", str(path), "--force"])
        if made.returncode:
            # Not every encoding holds two channels.
            assert channels == 2, made.stderr
            continue
        headerless = ()
        if container == "raw":
            headerless = ("--input-type", "raw", "--input-rate", str(rate), "--input-channels", str(channels),
                          "--input-format", encoding)
        yield Original(f"{container} {encoding} {channels}", container, path.read_bytes(), headerless,
                       rate // 7 if encoding in PLAIN else None)


def by_sox(folder, container):
    path = folder / f"original.{container}"
    made = run(["sox", "-R", "-n", "-r", str(RATE), "-c", "1", "-b", "16", path, "synth", f"{RATE // 7}s", "pinknoise"])
    # Some builds of sox write fewer formats.
    if made.returncode == 0:
        yield Original(f"{container} by sox", container, path.read_bytes())


# By hand


def by_hand(written):
    wave = written["wav s16 1"]
    sound = wave[wave.index(b"data"):]
    shape = wave[wave.index(b"fmt "):][:24]
    texts = chunk(b"LIST", b"INFO" + chunk(b"INAM", "Übung".encode() + b"\0") + chunk(b"ICMT", b"\x1b[2J\0"))
    cues = (chunk(b"cue ", struct.pack("<I", 2) + b"".join(
        struct.pack("<II4sIII", number, 100 * number, b"data", 0, 0, 100 * number) for number in (1, 2)))
        + chunk(b"LIST", b"adtl" + chunk(b"labl", struct.pack("<I", 1) + b"here\0")))
    tag = b"ID3\4\0\0" + bytes([0, 0, 1, 0]) + b"TIT2\0\0\0\6\0\0\3title" + bytes(112)
    old_tag = b"TAG" + b"title".ljust(125, b"\0")
    yield from (Original(name, name.split()[0], data) for name, data in {
        "wav texts": riff(shape + texts + sound),
        "wav cues": riff(shape + sound + cues),
        "wav broadcast": riff(chunk(b"bext", b"take 1".ljust(602, b"\0")) + shape + sound),
        "wav many chunks": riff(shape + chunk(b"JUNK", b"") * 500 + chunk(b"PAD ", bytes(1_001)) + sound),
        "wav without length": riff(shape + b"data" + b"\xff" * 4 + sound[8:]),
        "wav without samples": riff(shape + b"data" + bytes(4)),
        "wav behind a tag": tag + wave,
        "wav with a tag": riff(shape + chunk(b"id3 ", tag) + sound),
        "wav big-endian": b"RIFX" + struct.pack(">I", 4 + 24 + 808) + b"WAVEfmt " + struct.pack(
            ">IHHIIHH", 16, 1, 1, RATE, 2 * RATE, 2, 16) + b"data" + struct.pack(">I", 800) + bytes(800),
        "wav twice": wave + wave,
        "mp3 behind a tag": tag + written["mp3 mp3 1"],
        "mp3 before a tag": written["mp3 mp3 1"] + old_tag,
        "aiff behind a tag": tag + written["aiff s16 1"],
        "flac behind a tag": tag + written["flac s16 1"],
        "ogg chained": written["ogg vorbis 1"] + written["ogg vorbis 2"],
        "text": b"This is no sound.\n" * 40,
        "nothing": b"",
        "zeros": bytes(2_000),
    }.items())
