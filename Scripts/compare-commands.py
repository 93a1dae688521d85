#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Runs many command lines with two builds of rawaudio, and tells where they behave differently.

    python3 Scripts/compare-commands.py OLD NEW [--only TEXT]
    python3 Scripts/compare-commands.py CODES.txt NEW [--only TEXT] [--write]

The command lines stand in compare-commands.txt beside this file, one a line. Each runs once with OLD and once with NEW,
both times in a fresh copy of a small folder of sound files that OLD itself has made. Compared are the exit code, standard
output, standard error, and the bytes of every file in the folder afterwards. Exit 1 if there is a difference.

OLD with OLD must not differ: a line that is not the same twice does not belong into the list, unless `steady` can take
out of its output what the clock or the system put there. --only runs the lines that contain TEXT.

CODES.txt stands for OLD: exit codes, each in front of its line; a line that is not there has 0. Each line then runs once, with
NEW, and nothing else is compared. --write writes the codes.
"""

import argparse
import concurrent.futures
import difflib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

LINES = pathlib.Path(__file__).with_suffix(".txt")
AT_A_TIME = 2
SECONDS_PER_LINE = 20
# Of a difference in text, so many lines are shown.
LINES_OF_A_DIFFERENCE = 16

# What makes the folder in which each line runs. Every sound is at most 0.3 s long.
FOLDER = r"""
set -e
made() { rawaudio convert -q "$@"; }
made noise:white,seed=7 -d 0.3 -r 8000 -c 1 --gain -12 -o mono.wav
made noise:pink,seed=3 -d 0.2 -r 44100 -c 2 -f s16 --gain -9 -o stereo.wav
made sweep:100-9000 -d 0.2 -r 48000 -c 6 -f s24 --gain -6 -o six.wav
made tone:440 -d 0.2 -r 48000 -c 2 -f f32 --gain -6 -o float.wav
made tone:330 -d 0.3 -r 16000 -c 1 -f u8 --gain -6 -o bytes.wav
made tone:1k -d 0.1 -r 44100 -c 2 --gain 12 -o clipped.wav
for name in flac ogg mp3 aiff caf au w64; do made stereo.wav -o stereo.$name; done
made mono.wav -o mono.opus
made stereo.wav -t raw -o stereo.raw
made stereo.wav --tag TITLE=Dawn --tag ARTIST=Ünal --tag DATE=2024-05-06 --tag COMMENT='two words' -o tagged.wav
made tagged.wav -o tagged.flac
made tone:500 -d 0.1 -r 8000 -c 1 --gain -3 -o loud.wav
made silence: -d 0.1 -r 8000 -c 1 -o silent.wav
rawaudio concat -q silent.wav loud.wav silent.wav --marks -o marks.wav
rawaudio concat -q silent.wav loud.wav silent.wav -o pause.wav
head -c 9000 stereo.wav >cut.wav
head -c 20000 stereo.flac >cut.flac
head -c 2000 /dev/zero | tr '\0' 'x' >no-audio.wav
printf 'hello\n' >words.txt
: >empty.wav
printf 'mono.wav\nstereo.wav\nfloat.wav\n' >list.txt
printf 'mono.wav\0stereo.wav\0' >list.null
printf 'mono.wav\nmissing.wav\nno-audio.wav\nstereo.wav\n' >list-bad.txt
printf '%s\n' '{"source":"mono.wav","id":"a","output":"one.wav"}' \
    '{"source":"stereo.wav","id":"b","offset":0.05,"duration":0.1,"output":"two.flac"}' >list.json
cp mono.wav 'two words.wav'
cp mono.wav existing.wav
cp mono.wav ./-dash.wav
mkdir folder
cp mono.wav folder/inner.wav
cp stereo.wav folder/other.wav
rm silent.wav
cat >ask.py <<'END'
import socket, sys, time
asking = socket.socket(socket.AF_UNIX)
while asking.connect_ex("x.sock"):
    time.sleep(0.02)
asking.sendall("".join(line + "\n" for line in sys.argv[1:]).encode())
asking.shutdown(socket.SHUT_WR)
print(asking.makefile().read(), end="")
END
# libpulse, which looks for devices, would make a folder with a random name, and one in /tmp beside it.
: >.config
"""
# What the clock and chance put into the output of every build. The groups stay, what is between them becomes a zero.
UNSTEADY = [
    # The serial number of a stream in Ogg is a random one, and is in the checksum of each page.
    rb"(OggS.{10}).{4}(.{4}).{4}",
    # The peaks of an AIFF file of floating point stand behind the time of writing.
    rb"(PEAK.{8}).{4}",
    # A MATLAB 5 file says when it was written.
    rb"(MAT-file, written by libsndfile-[0-9.]+, ).{19}",
    # When a recording began: date, time of day, and the same in samples.
    rb"(bext.{324}).{26}",
    # -v tells how long the calls of an observer took.
    rb"(samples per channel; mean )[0-9.]+( ms, longest )[0-9.]+( ms)",
    # Calls of an observer that were late in a live session, where the machine was busy.
    rb"rawaudio: observer '[^']*': \d+ of \d+ calls? took longer than their audio lasts\n",
    rb'("late":)\d+',
]


def steady(data):
    """The bytes without what differs between two runs of the same build."""
    for pattern in UNSTEADY:
        data = re.sub(pattern, lambda found: b"0".join(found.groups(b"") + (b"",)), data, flags=re.DOTALL)
    return data


class Run:
    """What one build did with one command line."""

    def __init__(self, line, program, folder, place):
        """place is the same for both builds, so that paths in what they print are the same too."""
        programs, home = place / "bin", place / "home"
        programs.mkdir(parents=True)
        (programs / "rawaudio").symlink_to(program)
        if folder:
            shutil.copytree(folder, home, symlinks=True)
        else:
            home.mkdir()
        environment = {"PATH": f"{programs}:/usr/bin:/bin", "HOME": str(home), "TZ": "UTC", "LC_ALL": "C.UTF-8",
                       "COLUMNS": "80"}
        with subprocess.Popen(["/bin/bash", "-o", "pipefail", "-c", line], cwd=home, env=environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              start_new_session=True) as process:
            try:
                output, errors = process.communicate(timeout=SECONDS_PER_LINE)
                self.code = process.returncode
            except subprocess.TimeoutExpired:
                end(process)
                output, errors = process.communicate()
                self.code = f"none within {SECONDS_PER_LINE} s"
            end(process)
        self.output, self.errors = output, errors
        self.files = {str(path.relative_to(home)): contents(path) for path in sorted(home.rglob("*"))}


def end(process):
    """Ends whatever a line has left running: it is a process group of its own."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def contents(path):
    if path.is_symlink():
        return b"link to " + os.fsencode(os.readlink(path))
    if path.is_file():
        return path.read_bytes()
    return b"folder" if path.is_dir() else b"neither file nor folder"


def differences(old, new):
    """What differs, as lines to print."""
    found = []
    if old.code != new.code:
        found.append(f"exit code: {old.code}, {new.code}")
    found += difference("standard output", old.output, new.output)
    found += difference("standard error", old.errors, new.errors)
    for name in sorted(old.files.keys() | new.files.keys()):
        if name not in new.files:
            found.append(f"{name}: only with OLD")
        elif name not in old.files:
            found.append(f"{name}: only with NEW")
        else:
            found += difference(name, old.files[name], new.files[name])
    return found


def difference(what, old, new):
    if old == new:
        return []
    old, new = steady(old), steady(new)
    if old == new:
        return []
    try:
        if b"\0" in old + new:
            raise ValueError("sound, not text")
        texts = old.decode().splitlines(), new.decode().splitlines()
    except ValueError:
        first = next((index for index, pair in enumerate(zip(old, new)) if pair[0] != pair[1]), min(len(old), len(new)))
        return [f"{what}: {len(old)} and {len(new)} bytes, which differ from byte {first} on"]
    lines = list(difflib.unified_diff(*texts, "OLD", "NEW", n=1, lineterm=""))
    left = len(lines) - LINES_OF_A_DIFFERENCE
    return [f"{what}:", *lines[:LINES_OF_A_DIFFERENCE], *([f"... and {left} lines more"] if left > 0 else [])]


class Codes:
    """The exit codes that are kept."""

    def __init__(self, path):
        self.path, self.found = path, {}
        entries = (entry.split(" ", 1) for entry in path.read_text().splitlines()) if path.exists() else ()
        self.kept = {line: code for code, line in entries}

    def differences(self, line, run):
        self.found[line] = str(run.code)
        old = self.kept.get(line, "0")
        return [] if old == str(run.code) else [f"exit code: {old}, {run.code}"]

    def write(self, lines):
        found = ((self.found.get(line, "0"), line) for line in lines)
        self.path.write_text("".join(f"{code} {line}\n" for code, line in found if code != "0"))


def compare(line, programs, folder, place, codes):
    runs = []
    for program in programs:
        runs.append(Run(line, program, folder, place))
        shutil.rmtree(place)
    return codes.differences(line, *runs) if codes else differences(*runs)


def prepared(program, place):
    """The folder that the lines find, made by a build."""
    made = Run(FOLDER, program, None, place)
    if made.code != 0:
        sys.exit(f"{program} cannot make the folder: exit code {made.code}\n{made.errors.decode(errors='replace')}")
    return place / "home"


def main():
    parser = argparse.ArgumentParser(description="Compares what two builds of rawaudio do with many command lines.")
    parser.add_argument("old", metavar="OLD", type=pathlib.Path, help="a program, or a text (.txt) of exit codes")
    parser.add_argument("new", metavar="NEW", type=pathlib.Path)
    parser.add_argument("--only", metavar="TEXT", default="", help="only the lines that contain TEXT")
    parser.add_argument("--write", action="store_true", help="write the exit codes")
    arguments = parser.parse_args()
    codes = Codes(arguments.old) if arguments.old.suffix == ".txt" else None
    programs = [path.resolve() for path in (arguments.old, arguments.new)[1 if codes else 0:]]
    for path in programs:
        if not os.access(path, os.X_OK) or path.is_dir():
            parser.error(f"{path} is no program")
    every = [line for line in LINES.read_text().splitlines() if line.strip() and not line.startswith("#")]
    lines = [line for line in every if arguments.only in line]
    if not lines:
        parser.error(f"no command line contains '{arguments.only}'")
    gone = sorted(codes.kept.keys() - set(every)) if codes else []
    differing = len(gone)
    print(*(f"{line}\n    is kept, and is no longer in {LINES.name}" for line in gone), sep="\n", end="\n" if gone else "")
    with tempfile.TemporaryDirectory(prefix="compare-commands-") as work:
        work = pathlib.Path(work)
        folder = prepared(programs[0], work / "prepared")
        with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
            for line, found in zip(lines, pool.map(
                    lambda item: compare(item[1], programs, folder, work / str(item[0]), codes), enumerate(lines))):
                if found:
                    differing += 1
                    print(line, *(f"    {text}" for text in found), sep="\n", flush=True)
    print(f"{len(lines)} command lines, {differing} differ")
    if arguments.write:
        codes.write(lines)
        return 0
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
