# SPDX-License-Identifier: Apache-2.0
"""The sounds that the jobs work on, written without any of the programs that are compared where that can be."""

import pathlib
import struct
import subprocess
import wave

import numpy

from proofs import riff

FOLDER = pathlib.Path()


def make(folder):
    global FOLDER
    FOLDER = folder
    folder.mkdir()
    numbers = numpy.random.default_rng(5)
    write("in.wav", music(numbers, 4, 44_100, 2))
    write("music.wav", music(numbers, 5, 44_100, 2))
    write("intro.wav", music(numbers, 2, 44_100, 2))
    write("talk.wav", speech(numbers, 4, 44_100, 2))
    write("outro.wav", music(numbers, 1, 44_100, 2))
    write("left.wav", music(numbers, 2, 44_100, 1))
    write("right.wav", music(numbers, 2, 44_100, 1))
    write("four.wav", music(numbers, 2, 48_000, 4), 48_000)
    write("field.wav", music(numbers, 3, 96_000, 2, noise=0), 96_000, width=3)
    silence = numpy.zeros((22_050, 2))
    write("quiet-ends.wav", numpy.concatenate([silence, loud(numbers, 44_100), silence]))
    (folder / "samples.raw").write_bytes(numpy.round(music(numbers, 1, 48_000, 2) * 32_767).astype("<i2").tobytes())
    (folder / "day").mkdir()
    for name in ["a", "b c", "d"]:
        write(f"day/{name}.wav", music(numbers, 1, 44_100, 2))
    (folder / "labels.txt").write_text("0.5\t1.25\tone\n1.0\t3.5\ttwo\n0\t0.5\t\n")
    for name, source in [("m_20260502_040000.wav", "intro.wav"), ("m_20260502_040002.wav", "outro.wav")]:
        (folder / name).write_bytes((folder / source).read_bytes())
    broadcast("bwf.wav", folder / "in.wav", time_reference=48_000)
    ffmpeg("-i", folder / "in.wav", "-metadata", "title=Kept", "-metadata", "artist=Ada", "-metadata", "isrc=XX0000000001",
           folder / "tagged.flac")
    ffmpeg("-i", folder / "in.wav", "-f", "lavfi", "-i", "testsrc=d=4:s=64x48:r=5", "-c:a", "aac", folder / "film.mkv")
    ffmpeg("-i", folder / "in.wav", "-c:a", "aac", folder / "memo.m4a")
    ffmpeg("-i", folder / "in.wav", "-b:a", "128k", "-metadata", "title=Old", folder / "show.mp3")
    ffmpeg("-i", folder / "in.wav", "-f", "lavfi", "-i", "testsrc=d=4:s=64x48:r=25", "-map", "1", "-map", "0", "-c:a", "aac",
           "-b:a", "192k", "-c:v", "libx264", "-preset", "ultrafast", folder / "clip.mp4")
    (folder / "chapters.txt").write_text("The show of today\n0:00 Intro\n0:01 News\n0:02.5 Weather\n")
    starts = [0, 1_000, 2_500, 4_000]
    (folder / "chapters.ffmetadata").write_text(";FFMETADATA1\n" + "".join(
        f"[CHAPTER]\nTIMEBASE=1/1000\nSTART={start}\nEND={end}\ntitle={title}\n"
        for start, end, title in zip(starts, starts[1:], ["Intro", "News", "Weather"])))


def ffmpeg(*arguments):
    subprocess.run(["ffmpeg", "-v", "error", *arguments], check=True, stdin=subprocess.DEVNULL)


def music(numbers, seconds, rate, channels, noise=0.1):
    """Tones up to 12 kHz, other ones in every channel, and a little noise; peaks at half of full scale."""
    times = numpy.arange(round(seconds * rate)) / rate
    columns = []
    for _ in range(channels):
        tones = sum(numpy.sin(2 * numpy.pi * (pitch * times + phase))
                    for pitch, phase in zip(numbers.uniform(60, 12_000, 8), numbers.uniform(0, 1, 8)))
        columns.append(tones + noise * numbers.standard_normal(len(times)))
    samples = numpy.stack(columns, axis=1)
    return 0.5 * samples / numpy.max(numpy.abs(samples))


def speech(numbers, seconds, rate, channels):
    """Music that comes and goes, with pauses."""
    samples = music(numbers, seconds, rate, channels)
    times = numpy.arange(len(samples)) / rate
    return samples * (numpy.sin(2 * numpy.pi * 0.5 * times) > 0)[:, None]


def loud(numbers, count):
    """Noise that is never near silence, so that where it begins does not depend on a threshold."""
    return numbers.choice([-1, 1], (count, 2)) * numbers.uniform(0.2, 0.5, (count, 2))


def samples(name):
    """What was written, a column a channel; 16 bits only."""
    with wave.open(str(FOLDER / name)) as file:
        return numpy.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, file.getnchannels()) / 32_768


def write(name, samples, rate=44_100, width=2):
    full = 1 << (8 * width - 1)
    values = numpy.round(samples * (full - 1)).astype("<i4")
    data = values.astype("<i4").tobytes()
    data = b"".join(data[place:place + width] for place in range(0, len(data), 4)) if width == 3 else \
        values.astype("<i2").tobytes()
    (FOLDER / name).write_bytes(riff.wave(data, rate, samples.shape[1], 8 * width))


def broadcast(name, source, time_reference):
    """A copy of a WAV file with a bext chunk (EBU Tech 3285) of version 1."""
    text = struct.pack("<256s32s32s10s8sQH", b"Scene 1", b"Recorder", b"REF", b"2026-11-22", b"10:00:00",
                       time_reference, 1) + bytes(64 + 190)
    (FOLDER / name).write_bytes(riff.riff(riff.chunk(b"bext", text) + source.read_bytes()[12:]))
