# SPDX-License-Identifier: Apache-2.0
"""The command on processors of all levels of x86-64, and on arm64: every one has to write the same bytes.

    python3 Tests/Processors [ARM64_PROGRAM]      compares only that one, which the kernel starts under an emulator

The levels that this machine knows are chosen by RAWAUDIO_PROCESSOR; older processors are emulated by qemu-x86_64.
One thing may differ: without FMA (before 2013) glibc's sine rounds the last bit of a few filter coefficients
differently. The outputs of rate conversions in double precision are then held to 1e-15 of full scale instead.
Which copy of the kernels runs under the emulator is taken from its own record of what it translates. The functions
that a copy shares with the rest of the program by their names are read in the program: each has to be one for every
processor. Exit 1 if any output differs, a copy is not the expected one, a shared function is one for newer processors,
or the program ends. COMMAND_UNDER_TEST names the program, which lies beside the objects of its build.
"""

import itertools
import os
import pathlib
import platform
import re
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from proofs import command
from proofs.command import PROGRAM

ENCODINGS = ["u8", "s16", "s24", "s32", "f32", "f64", "ulaw", "alaw"]
QUALITIES = ["fast", "high", "best"]
RATES = [(44_100, 48_000), (48_000, 16_000), (44_100, 47_999), (8_000, 44_100)]


def cases():
    """Command lines that reach every kernel in both precisions; OUT is the file to write, IN the folder of sources."""
    noise = ["noise:white", "-d", "4001S"]
    for encoding, channels in itertools.product(ENCODINGS, [1, 2]):
        name = f"{encoding}-{channels}.wav"
        yield name, ["convert", *noise, "-f", encoding, "-c", str(channels), "-r", "44100"]
        yield f"read-{name}", ["convert", f"IN/{name}", "-f", "f64"]
    for precision in ("s16", "f64"):
        source = f"IN/{precision}-2.wav"
        yield f"gain-{precision}.wav", ["convert", source, "--gain", "-3.3", "-f", "f64"]
        yield f"dither-{precision}.wav", ["convert", source, "--gain", "-3.3", "-f", "s16", "--dither", "tpdf"]
        yield f"fade-{precision}.wav", ["convert", source, "--fade-in", "2000S", "-f", "f64"]
        yield f"filter-{precision}.wav", [
            "convert", source, "--highpass", "80,order=3", "--eq", "peak=3000,gain=5", "-f", "f64"]
        yield f"limit-{precision}.wav", ["convert", source, "--gain", "12", "--limit", "-1", "-f", "f64"]
        yield f"mono-{precision}.wav", ["convert", source, "-c", "1", "-f", "f64"]
        yield f"six-{precision}.wav", ["convert", source, "-c", "6", "-f", "f64"]
        yield f"two-{precision}.wav", ["convert", f"IN/six-{precision}.wav", "-c", "2", "-f", "f64"]
        yield f"mix-{precision}.wav", ["mix", source, f"IN/gain-{precision}.wav", "-f", "f64"]
        for (before, after), quality, channels in itertools.product(RATES, QUALITIES, [1, 3]):
            yield f"rate-{before}-{after}-{quality}-{channels}-{precision}.wav", [
                "convert", f"IN/{precision}-{min(channels, 2)}.wav", "--input-rate", str(before), "-r", str(after),
                "--resampler-quality", quality, "-c", str(channels), "-f", "f64" if precision == "f64" else "f32"]


def run(folder, environment, program):
    """Runs all cases in a folder; the reports of `measure` are files, too."""
    folder.mkdir()
    for name, words in cases():
        words = [word.replace("IN/", f"{folder}/") for word in words]
        if "--input-rate" in words:
            place = words.index("--input-rate")
            source, rate = pathlib.Path(words[1]), int(words[place + 1])
            words[1] = str(with_rate(source, rate))
            del words[place:place + 2]
        done = command.run(
            [*program, *words, "-o", folder / name, "-q", "--force"], env={**os.environ, **environment})
        if done.returncode != 0:
            sys.exit(f"{name}: exit {done.returncode}: {done.stderr}")
    for name in ("s16-2.wav", "f64-2.wav", "six-f64.wav"):
        done = subprocess.run(
            [*program, "measure", "--json", name], cwd=folder, env={**os.environ, **environment},
            capture_output=True, check=True)
        (folder / f"{name}.json").write_bytes(done.stdout)


def with_rate(source, rate):
    """A copy of a WAV file whose header states another rate."""
    data = bytearray(source.read_bytes())
    place = data.index(b"fmt ") + 12
    data[place:place + 4] = rate.to_bytes(4, "little")
    target = source.with_name(f"at-{rate}-{source.name}")
    target.write_bytes(data)
    return target


def copies(folder, program):
    """The copies of the kernels that a run under the emulator came to."""
    record = folder / "translated.log"
    subprocess.run(
        [*program[:-1], "-d", "in_asm", "-D", record, PROGRAM, "convert", "noise:white", "-d", "100S", "--gain", "-1", "-o",
         folder / "x.wav", "-q", "--force"], check=True, capture_output=True)
    found = set()
    for line in record.open(errors="replace"):
        match = line.startswith("IN: ") and re.search(r"AudioKernelsV(\d)", line)
        if match:
            found.add(f"x86-64-v{match[1]}")
    return found


def shared_functions():
    """The functions of the copies that other modules may have by the same name: the linker keeps one of each."""
    found = set()
    for copy in ("AudioKernelsV3", "AudioKernelsV4"):
        objects = sorted((pathlib.Path(PROGRAM).parent / f"{copy}.build").glob("*.o"))
        lines = subprocess.run(
            ["nm", "--defined-only", "--format=posix", *objects], capture_output=True, text=True,
            check=True).stdout.splitlines()
        words = [line.split() for line in lines]
        found |= {word[0] for word in words if len(word) > 1 and word[1] == "W" and copy not in word[0]}
    return found


def instructions(function):
    """The names of the instructions of a function in the program; none if it was left out."""
    lines = subprocess.run(
        ["objdump", "--no-show-raw-insn", f"--disassemble={function}", PROGRAM], capture_output=True, text=True,
        check=True).stdout.splitlines()
    return {match[1] for line in lines if (match := re.match(r" +[0-9a-f]+:\t(\w+)", line))}


def newer_functions():
    """The shared functions that have an instruction of AVX or BMI."""
    functions = shared_functions()
    if not any(map(instructions, functions)):
        sys.exit(f"processors: {PROGRAM} has none of the {len(functions)} functions that its copies share")
    newer = re.compile(r"v[a-z]+\d?.*|andn|bextr|bls.*|bzhi|[lt]zcnt|movbe|mulx|pdep|pext|rorx|s[ah][lr]x")
    return sorted(name for name in functions if any(map(newer.fullmatch, instructions(name))))


def distance(one, other):
    """The largest difference of the samples of two WAV files of 64 bits; None where anything else differs."""
    if len(one) != len(other):
        return None
    start = one.index(b"data") + 8
    if one[:start] != other[:start]:
        return None
    length = (len(one) - start) // 8
    return max(abs(a - b) for a, b in zip(*(struct.unpack_from(f"<{length}d", data, start) for data in (one, other))))


def levels():
    """Titles, the kernels that should run, the environment, the program with its emulator, and how far apart samples may be."""
    yield from ((f"this one, up to {level}", level, {"RAWAUDIO_PROCESSOR": level}, [PROGRAM], 0)
                for level in ("x86-64", "x86-64-v3", "x86-64-v4"))
    if emulator := shutil.which("qemu-x86_64"):
        yield "Nehalem (2008), emulated", "x86-64", {}, [emulator, "-cpu", "Nehalem", PROGRAM], 1e-15
        yield "Haswell (2013), emulated", "x86-64-v3", {}, [emulator, "-cpu", "Haswell", PROGRAM], 0


def main():
    if platform.machine() != "x86_64":
        print("processors: there is one kind of kernels for this machine")
        return 0
    failures = 0
    for name in newer_functions():
        print(f"{name}: the linker took one for newer processors", file=sys.stderr)
        failures += 1
    print(f"{'processor':34} {'kernels':10} files  different  largest difference")
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        run(root / "here", {}, [PROGRAM])
        expected = {path.name: path.read_bytes() for path in (root / "here").iterdir()}
        print(f"{'this one, all that it knows':34} {'':10} {len(expected):5}")
        rows = [("arm64, emulated", "NEON", {}, sys.argv[1:], 0)] if len(sys.argv) > 1 else levels()
        for place, (title, level, environment, program, allowed) in enumerate(rows):
            folder = root / str(place)
            run(folder, environment, program)
            if len(program) > 1:
                found = copies(root, program)
                if found != ({level} - {"x86-64"}):
                    print(f"{title}: ran the kernels {sorted(found)}", file=sys.stderr)
                    failures += 1
            different, largest = 0, 0.0
            for name in sorted(expected):
                found = (folder / name).read_bytes()
                if found == expected[name]:
                    continue
                different += 1
                apart = distance(found, expected[name]) if re.match("rate-.*-f64.wav", name) else None
                if apart is None or apart > allowed:
                    failures += 1
                    print(f"  {name} differs by {apart}", file=sys.stderr)
                else:
                    largest = max(largest, apart)
            print(f"{title:34} {level:10} {len(expected):5}  {different:9}  {largest:.1g}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
