# SPDX-License-Identifier: Apache-2.0
"""The jobs of docs/coming-from.md, as printed, and what comes out of each.

    python3 Tests/Jobs [NUMBER…]

Every command of a job runs in a folder of its own beside the same material. The results are compared sample by
sample. Exit 1 where a command fails or a result is not what is expected. COMMAND_UNDER_TEST names the program.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import expectations
import material
from proofs import command

PROGRAM = pathlib.Path(command.PROGRAM)
DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs/coming-from.md"
TOOLS = ["sox", "ffmpeg", "rawaudio"]
"""Who does a job; arecord and the programs beside sox and ffmpeg count as theirs."""
FAMILY = {"soxi": "sox", "arecord": "sox", "ffprobe": "ffmpeg"}


def jobs():
    """Number, title and the commands by tool of every job in the document."""
    for part in re.split(r"^### ", DOCUMENT.read_text(), flags=re.M)[1:]:
        title, _, body = part.partition("\n")
        number, _, name = title.partition(". ")
        commands = {}
        for line in re.findall(r"^    (.+)$", body, flags=re.M):
            word = re.search(r"\b(soxi|sox|arecord|ffmpeg|ffprobe|rawaudio)\b", line).group(1)
            commands[FAMILY.get(word, word)] = line
        yield int(number), name, {tool: line for tool, line in commands.items() if not line.endswith(" -")}


class Result:
    """What a command left in its folder."""

    def __init__(self, folder, command):
        for path in material.FOLDER.iterdir():
            (folder / path.name).symlink_to(path)
        (folder / "out").mkdir()
        environment = dict(os.environ, PATH=f"{PROGRAM.parent}:{os.environ['PATH']}")
        run = subprocess.run(["/bin/sh", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                             capture_output=True, text=True, errors="replace")
        self.exit, self.text, self.errors = run.returncode, run.stdout + run.stderr, run.stderr
        self.files = sorted(path for path in folder.rglob("*") if path.name.startswith("out") and path.is_file()
                            and not path.is_symlink())
        self.files += sorted(path for path in (folder / "out").iterdir() if path not in self.files)

    @property
    def file(self):
        return self.files[0]

    def stream(self, *entries):
        """What ffprobe says of the file."""
        run = subprocess.run(["ffprobe", "-v", "error", "-show_entries", ":".join(entries), "-of", "default=nw=1",
                              self.file], capture_output=True, text=True, check=True)
        return dict(line.split("=", 1) for line in run.stdout.splitlines() if "=" in line)

    def samples(self):
        """All samples, a column a channel."""
        channels = int(self.stream("stream=channels")["channels"])
        run = subprocess.run(["ffmpeg", "-v", "error", "-i", self.file, "-f", "f64le", "-"], capture_output=True,
                             check=True)
        return numpy.frombuffer(run.stdout).reshape(-1, channels)


def compare(ours, theirs, edge=0):
    """How far two sounds are apart, in words and as a level in dB (−inf: the same), but for so many samples at each
    end."""
    ours, theirs = ours.samples(), theirs.samples()
    if ours.shape[1] != theirs.shape[1]:
        return f"{theirs.shape[1]} channels, not {ours.shape[1]}", numpy.inf
    more = len(theirs) - len(ours)
    length = "" if more == 0 else f", {abs(more)} samples {'more' if more > 0 else 'less'}"
    count = min(len(ours), len(theirs))
    difference = numpy.max(numpy.abs(ours[:count] - theirs[:count])[edge:count - edge], initial=0)
    if difference == 0:
        return f"the same{length}", -numpy.inf
    level = 20 * numpy.log10(difference)
    return f"{level:.0f} dB{length}", level


def run(number, name, commands, folder):
    """Runs a job, prints its line, and gives what is wrong."""
    expected = expectations.OF.get(number, expectations.Same())
    results, errors = {}, []
    for tool, text in commands.items():
        place = folder / f"{number}-{tool}"
        place.mkdir()
        results[tool] = Result(place, text)
    words = {tool: "-" for tool in TOOLS}
    for tool, result in list(results.items()):
        if result.exit != 0:
            words[tool] = f"exit {result.exit}"
            lines = result.errors.strip().splitlines() or [""]
            errors.append(f"{number}. {tool}: exit {result.exit}: {lines[0 if tool == 'rawaudio' else -1]}")
            del results[tool]
    if "rawaudio" in results:
        errors += [f"{number}. {error}" for error in expected.check(results, words, compare)]
    print(f"{number:2}. {name:45} {words['sox']:28} {words['ffmpeg']:28} {words['rawaudio']}")
    return errors


def main():
    wanted = {int(word) for word in sys.argv[1:]}
    errors = []
    with tempfile.TemporaryDirectory(prefix="jobs-") as folder:
        folder = pathlib.Path(folder)
        material.make(folder / "material")
        print(f"    {'':45} {'sox':28} {'ffmpeg':28} rawaudio")
        for number, name, commands in jobs():
            if not wanted or number in wanted:
                errors += run(number, name, commands, folder)
    for error in errors:
        print(f"  {error}")
    print("nothing is wrong" if not errors else f"{len(errors)} errors")
    sys.exit(1 if errors else 0)


main()
