# SPDX-License-Identifier: Apache-2.0
"""A collection of sounds, and what one machine makes of it.

Some files in the middle of shard 2 can be *held*: they last for hours then, of which the file stores no byte. A worker
of that shard begins them, and is busy with each for many seconds. A pipe would not do: the output of an input that
cannot be repeated has its own name from the start.
"""

import json
import os
import pathlib
import random
import struct
import subprocess

from processes import Failure

SHARDS = 3
SHARD_HELD = 2
# At 44,100 samples a second 13 hours, almost all that a WAV file can state.
HELD_BYTES = 4_200_000_000
OPTIONS = ["-r", "16000", "-c", "1", "-f", "s16", "-o", "wav16/{path}/{stem}.wav"]
# By their places from 0: three in shard 2 and before those that are held, the others in shard 1.
BROKEN = {10: "text", 61: "empty", 90: "folder", 91: "dangling", 162: "cut header"}


def header(byte_count, rate, channels):
    return struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + byte_count, b"WAVE", b"fmt ", 16, 1, channels, rate,
                       2 * channels * rate, 2 * channels, 16, b"data", byte_count)


def wave(samples, rate, channels):
    data = struct.pack(f"<{len(samples)}h", *samples)
    return header(len(data), rate, channels) + data


def spoil(path, kind):
    whole = path.read_bytes()
    path.unlink()
    if kind == "text":
        path.write_text("This is no sound.\n")
    elif kind == "empty":
        path.write_bytes(b"")
    elif kind == "folder":
        path.mkdir()
    elif kind == "dangling":
        path.symlink_to("nowhere")
    else:
        path.write_bytes(whole[:30])


class Corpus:
    """Files below `folder`/corpus, and a list of them; `whole` is what one machine made of it."""

    def __init__(self, folder):
        self.folder = folder
        # Every worker of shard 2 meets one that is held.
        held_count = os.cpu_count()
        self.sources = [f"corpus/{place % 7}/{place:04}.wav" for place in range(240 + 2 * SHARDS * held_count)]
        shard = self.shard(SHARD_HELD)
        middle = len(shard) // 2
        self.before_held, self.held = shard[:middle], shard[middle:][:held_count]
        self.broken = [self.sources[place] for place in BROKEN]
        self.write()
        self.whole = self.make_folder("one machine")

    def write(self):
        for part in range(7):
            (self.folder / f"corpus/{part}").mkdir(parents=True)
        numbers = random.Random(1)
        for name in self.sources:
            rate, channels = numbers.choice([(44_100, 1), (44_100, 2), (48_000, 1), (16_000, 1)])
            length = numbers.randrange(200, 8_000)
            samples = [numbers.randrange(-20_000, 20_000) for _ in range(channels * length)]
            (self.folder / name).write_bytes(wave(samples, rate, channels))
        for place, kind in BROKEN.items():
            spoil(self.folder / self.sources[place], kind)

    def shard(self, number):
        """Its sources, in order."""
        return self.sources[number - 1::SHARDS]

    def make_folder(self, name):
        """A folder to work in: the list, and the corpus. Its name has a space in it, as users' have."""
        folder = self.folder / name
        folder.mkdir()
        (folder / "corpus").symlink_to("../corpus")
        with open(folder / "corpus.jsonl", "w") as file:
            for source in self.sources:
                file.write(json.dumps({"source": source, "id": pathlib.Path(source).stem}) + "\n")
        return folder

    def convert_whole(self, program):
        """The run on one machine that the others are compared with."""
        words = [program, "convert", "--list", "corpus.jsonl", *OPTIONS, "--results", "results.jsonl", "-q"]
        done = subprocess.run(words, cwd=self.whole, capture_output=True, text=True)
        if done.returncode != 1 or len(done.stderr.splitlines()) != len(self.broken):
            raise Failure(f"one machine: exit {done.returncode}: {done.stderr}")

    def hold(self):
        for source in self.held:
            path = self.folder / source
            path.rename(path.with_suffix(".whole"))
            head = header(HELD_BYTES, 44_100, 1)
            path.write_bytes(head)
            os.truncate(path, len(head) + HELD_BYTES)

    def release(self):
        """Puts the whole files in their places."""
        for source in self.held:
            path = self.folder / source
            path.with_suffix(".whole").rename(path)
