# SPDX-License-Identifier: Apache-2.0
"""Collections of files through the command: broken ones, kills, shards, very long lists.

    python3 Tests/Corpora broken [FILES]     files of which one in a hundred is broken (2000)
    python3 Tests/Corpora killed [FILES]     the same, killed ten times at random and started again
    python3 Tests/Corpora list [LINES]       a list whose outputs are all there (1000000): memory and time

Exit 1 where anything is not as it should be. COMMAND_UNDER_TEST names the program.
"""

import json
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from proofs import riff
from proofs.command import PROGRAM, rawaudio
from proofs.measured import Runner

OPTIONS = ["-r", "16000", "-c", "1"]


class Collection:
    """Files in a folder, with what `convert` has to make of each."""

    def __init__(self, folder, count, seed=1):
        self.folder = folder
        self.numbers = random.Random(seed)
        self.names = [f"in/{place % 20:02}/{place:06}.wav" for place in range(count)]
        for part in range(20):
            (folder / f"in/{part:02}").mkdir(parents=True)
        for name in self.names:
            length = self.numbers.randrange(200, 8_000)
            samples = [self.numbers.randrange(-20_000, 20_000) for _ in range(length)]
            (folder / name).write_bytes(riff.wave(samples, 44_100))
        self.broken = {}
        for place, name in enumerate(self.numbers.sample(self.names, count // 100)):
            self.broken[name] = self.spoil(folder / name, place)

    def spoil(self, path, place):
        """Breaks a file, and gives what has to be told of it."""
        kinds = ["text", "empty", "folder", "dangling", "cut header", "noise"]
        kind = kinds[place % len(kinds)]
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
        elif kind == "cut header":
            path.write_bytes(whole[:30])
        else:
            path.write_bytes(self.numbers.randbytes(5_000))
        return kind

    def write_list(self):
        (self.folder / "list").write_text("".join(name + "\n" for name in self.names))

    def check(self, root):
        """What is wrong with the outputs below `root`, against each file converted alone."""
        errors = []
        alone = self.folder / "alone.flac"
        for name in self.names:
            output = root / pathlib.Path(name).with_suffix(".flac")
            if name in self.broken:
                if output.exists():
                    errors.append(f"{name} is broken ({self.broken[name]}) and has an output")
                continue
            rawaudio("convert", name, *OPTIONS, "-o", alone, "--force", "-q", cwd=self.folder).check_returncode()
            if not output.exists():
                errors.append(f"{name} has no output")
            elif output.read_bytes() != alone.read_bytes():
                errors.append(f"{output} is not what it is alone")
        partial = [path for path in root.rglob("*partial*")]
        return errors + [f"{path} is left" for path in partial]


def run_broken(folder, count):
    collection = Collection(folder, count)
    collection.write_list()
    # Two more with outputs that others have.
    doubles = [name for name in collection.names if name not in collection.broken][:2]
    with open(folder / "list", "a") as file:
        file.writelines(f"./{name}\n" for name in doubles)
    run = rawaudio("convert", "--list", "list", *OPTIONS, "-o", "out/{path}/{stem}.flac", "--results", "results",
                   cwd=folder)
    errors = collection.check(folder / "out")
    if run.returncode != 1:
        errors.append(f"exit {run.returncode}")
    told = run.stderr.splitlines()
    failures = len(collection.broken) + len(doubles)
    # The last lines count the failures of a kind behind the third one, and all.
    folded = [int(line.split()[1]) for line in told if " more file" in line]
    if len(told) - 1 - len(folded) + sum(folded) != failures:
        errors.append(f"{len(told)} lines on standard error")
    results = [json.loads(line) for line in (folder / "results").read_text().splitlines()]
    failed = [one["source"] for one in results if one["status"] == "failed"]
    for name, kind in collection.broken.items():
        if sum(name in source for source in failed) != 1:
            errors.append(f"{name} ({kind}) is not told once")
    if len(results) != count + len(doubles) or sum(one["status"] == "failed" for one in results) != failures:
        errors.append("the results are not one line an item")
    print(f"{count} files, {len(collection.broken)} broken and {len(doubles)} doubles: exit {run.returncode}, "
          f"{told[-1]}")
    return errors


def run_killed(folder, count):
    collection = Collection(folder, count)
    collection.write_list()
    def arguments(root):
        return [PROGRAM, "convert", "--list", "list", *OPTIONS, "-o", f"{root}/{{path}}/{{stem}}.flac", "--existing",
                "skip", "-q"]

    begin = time.monotonic()
    subprocess.run(arguments("timed"), cwd=folder, stderr=subprocess.DEVNULL)
    whole = time.monotonic() - begin
    left = []
    for _ in range(10):
        process = subprocess.Popen(arguments("out"), cwd=folder, stderr=subprocess.DEVNULL)
        time.sleep(collection.numbers.uniform(0, whole / 8))
        process.send_signal(signal.SIGKILL)
        process.wait()
        out = folder / "out"
        left.append((sum(1 for _ in out.rglob("[0-9]*.flac")), sum(1 for _ in out.rglob("*partial*"))))
    code = subprocess.run(arguments("out"), cwd=folder, stderr=subprocess.DEVNULL).returncode
    errors = collection.check(folder / "out")
    if code != 1:
        errors.append(f"exit {code}")
    print(f"{count} files, killed with so many (outputs, remainders) there: {left}; then exit {code}")
    return errors


def run_list(folder, lines):
    (folder / "in").mkdir()
    (folder / "in/x.wav").write_bytes(riff.wave([0] * 10, 44_100))
    (folder / "out").mkdir()
    (folder / "out/x.wav").write_bytes(b"")
    errors = []
    runner = Runner(folder / "run", within=folder)
    for count in (lines // 100, lines):
        with open(folder / "list", "w") as file:
            file.writelines(f'{{"source":"in/{number:08}.wav","id":"x"}}\n' for number in range(count))
        run = runner.run([PROGRAM, "convert", "--list", "list", "-o", "out/{id}.wav", "--existing", "skip"], patience=600)
        print(f"{count} lines: {run.user / count * 1e6:.2f} µs an item of its own, {run.system / count * 1e6:.2f} µs in the "
              f"system, {run.peak >> 10} KiB")
        if run.code != 0 or f"{count} skipped".encode() not in run.errors:
            errors.append(run.errors.decode())
    runner.close()
    return errors


def main():
    kinds = {"broken": (run_broken, 2_000), "killed": (run_killed, 2_000), "list": (run_list, 1_000_000)}
    run, count = kinds[sys.argv[1]]
    with tempfile.TemporaryDirectory(prefix="corpora-") as folder:
        errors = run(pathlib.Path(folder), int(sys.argv[2]) if len(sys.argv) > 2 else count)
    for error in errors[:20]:
        print(f"  {error}")
    print("nothing is wrong" if not errors else f"{len(errors)} errors")
    sys.exit(1 if errors else 0)


main()
