# SPDX-License-Identifier: Apache-2.0
"""A collection of sounds, and whether several machines make of it what one machine makes.

Some files in the middle of shard 2 can be *held*: they last for hours then, of which the file stores no byte. A worker
of that shard begins them, and is busy with each for many seconds. A pipe would not do: the output of an input that
cannot be repeated has its own name from the start.
"""

import collections
import json
import os
import pathlib
import random

from proofs import riff
from proofs.command import rawaudio
from proofs.processes import Failure

SHARDS = 3
SHARD_HELD = 2
# At 44,100 samples a second 13 hours, almost all that a WAV file can state.
HELD_BYTES = 4_200_000_000
OPTIONS = ["-r", "16000", "-c", "1", "-f", "s16", "-o", "wav16/{path}/{stem}.wav"]
# By their places from 0: three in shard 2 and before those that are held, the others in shard 1.
BROKEN = (10, 61, 90, 91, 162)


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def outputs(folder):
    root = folder / "wav16"
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


class Corpus:
    """Files below `folder`/corpus, and a list of them; `whole` is the folder of one machine."""

    def __init__(self, folder):
        self.folder = folder
        # Every worker of shard 2 meets one that is held.
        held = os.cpu_count()
        self.sources = [f"corpus/{place % 7}/{place:04}.wav" for place in range(240 + 2 * SHARDS * held)]
        shard = self.shard(SHARD_HELD)
        middle = len(shard) // 2
        self.before_held, self.held = shard[:middle], shard[middle:][:held]
        self.broken = {self.sources[place] for place in BROKEN}
        numbers = random.Random(1)
        for name in self.sources:
            rate, channels = numbers.choice([(44_100, 1), (44_100, 2), (48_000, 1), (16_000, 1)])
            data = numbers.randbytes(2 * channels * numbers.randrange(200, 8_000))
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(b"This is no sound.\n" if name in self.broken else riff.wave(data, rate, channels))
        self.whole = self.make_folder("one machine")
        done = rawaudio("convert", "--list", "corpus.jsonl", *OPTIONS, "--results", "results.jsonl", "-q", cwd=self.whole)
        # The first three failures of a kind, and a count.
        if done.returncode != 1 or len(done.stderr.splitlines()) != min(len(self.broken), 4):
            raise Failure(f"one machine: exit {done.returncode}: {done.stderr}")

    def shard(self, number):
        """Its sources, in order."""
        return self.sources[number - 1::SHARDS]

    def make_folder(self, name):
        """A folder to work in: the list, and the corpus. Its name has a space in it, as users' have."""
        folder = self.folder / name
        folder.mkdir()
        (folder / "corpus").symlink_to("../corpus")
        (folder / "corpus.jsonl").write_text("".join(
            json.dumps({"source": source, "id": pathlib.Path(source).stem}) + "\n" for source in self.sources))
        return folder

    def hold(self):
        for path in map(self.folder.joinpath, self.held):
            path.rename(path.with_suffix(".whole"))
            path.write_bytes(riff.header(HELD_BYTES, 44_100, 1))
            os.truncate(path, path.stat().st_size + HELD_BYTES)

    def release(self):
        """Puts the whole files in their places."""
        for path in map(self.folder.joinpath, self.held):
            path.with_suffix(".whole").rename(path)

    def is_held(self, folder):
        """Whether shard 2 is at the files that are held: everything before them is done, and one of them is begun."""
        begun = {path.name.split(".")[1] for path in folder.rglob(".*.rawaudio-partial")}
        return (len(lines(folder / f"results/{SHARD_HELD}.jsonl")) == len(self.before_held)
                and any(pathlib.Path(name).stem in begun for name in self.held))

    def forget_line(self, folder):
        """Takes the last line from the shard that was killed, as if it had been killed before it could write it."""
        path = folder / f"results/{SHARD_HELD}.jsonl"
        told = path.read_text().splitlines(keepends=True)
        if json.loads(told[-1])["status"] != "done":
            raise Failure(f"the last line of {path.name} is not that of an item that is done: {told[-1]}")
        path.write_text("".join(told[:-1]))

    def check(self, folder):
        """Every byte is that of one machine, and each item was done once. Gives the number of outputs."""
        if left := list(folder.rglob(".*.rawaudio-partial")):
            raise Failure(f"{left[0]} is left")
        ours, whole = outputs(folder), outputs(self.whole)
        wrong = [name for name in ours.keys() | whole.keys() if ours.get(name) != whole.get(name)]
        if wrong or len(whole) != len(self.sources) - len(self.broken):
            raise Failure(f"{len(wrong)} of {len(whole)} outputs differ from those of one machine: {sorted(wrong)[:5]}")
        for number in range(1, SHARDS + 1):
            self.check_once(number, lines(folder / f"results/{number}.jsonl"))

        def merged(path):
            return sorted(lines(path / "results.jsonl"), key=lambda line: line["source"])
        if merged(folder) != merged(self.whole):
            raise Failure("the merged results are not those of one machine")
        return len(whole)

    def check_once(self, number, told):
        """The shard has told of its own items and of no others; each was done once, or failed, and then skipped."""
        counts = collections.defaultdict(collections.Counter)
        for line in told:
            counts[line["source"]][line["status"]] += 1
        wrong = set(self.shard(number)) ^ counts.keys()
        for source, count in counts.items():
            again = count.total() - 1
            right = {"failed": 1 + again} if source in self.broken else {"done": 1, "skipped": again}
            if count != collections.Counter(right):
                wrong.add(source)
        if wrong:
            raise Failure(f"shard {number}: not done exactly once: {sorted(wrong)[:5]}")
