# SPDX-License-Identifier: Apache-2.0
"""A command of each program under a condition, and what came of it."""

import os
import re
import shutil
import signal
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import card
from conditions import LIVE
from sound import Recording
from trial import communicate, namespaces

PATIENCE = 60
MANY = 4_096
RATE, FRAME_BYTES = card.RATE, card.FRAME_BYTES


def words(program, command, source, others, output):
    """How a program is told; nothing where it has no such command."""
    name, path = program.name, program.command
    tap = str(Path(output).with_name("track-%s.wav"))
    if name == "rawaudio":
        return {"convert": [path, "convert", source, "-o", output],
                "convert -": [path, "convert", "-", "-o", output],
                "mix": [path, "mix", source, *others, "-o", output],
                "session": [path, "session", "--remote", f"a={source}", "--remote", f"b={others[0]}",
                            "--playback", output, "--observe", f"before-mixing:tap={tap}"],
                "info": [path, "info", source, *others],
                "play": [path, "play", "-D", "card", source, *others[1:]],
                "capture": [path, "capture", "-D", "card", "-r", "48000", "-c", "2", "-f", "s32", "-d", "2",
                            "-o", output],
                "devices": [path, "devices"]}[command]
    if name == "sox":
        alsa = ["-t", "alsa", "card"]
        return {"convert": [path, source, output] if source != "-" else [path, "-t", "wav", "-", output],
                "convert -": [path, "-t", "wav", "-", output],
                "mix": [path, "-m", source, *others, output],
                "info": [path, "--i", source, *others],
                "play": [path, "-q", source, *others[1:], *alsa],
                "capture": [path, "-q", "-r", "48000", "-c", "2", "-e", "signed", "-b", "32", *alsa, output,
                            "trim", "0", "2"]}.get(command)
    head, encoded = [path, "-v", "error", "-nostdin", "-y"], ["-c:a", "pcm_s32le", output]
    inputs = [word for name in [source, *others] for word in ("-i", name)]
    return {"convert": [*head, "-i", source, *encoded],
            "convert -": [*head, "-i", "-", *encoded],
            "mix": [*head, *inputs, "-filter_complex", f"amix=inputs={1 + len(others)}:normalize=0", *encoded],
            "info": ["ffprobe", "-v", "error", "-show_streams", source],
            "play": [*head, "-i", source, "-f", "alsa", "card"],
            "capture": [*head, "-f", "alsa", "-sample_rate", "48000", "-channels", "2", "-i", "card",
                        "-t", "2", *encoded]}.get(command)


@dataclass
class Result:
    condition: object
    program: object
    command: str
    code: object
    said: str
    told: bytes  # on standard output
    sound: object  # the output, as far as it is there
    played: int
    left: list  # the names of all new files

    def is_as(self, usual):
        """Whether all came of it that comes of it without the condition."""
        if self.command == "capture":
            return self.code == 0 and self.sound.is_valid and abs(len(self.sound.frames) - 2 * RATE) < 4_800
        if self.command == "play":
            return self.code == 0 and self.played == usual.played
        if self.command in ("info", "devices"):
            return self.code == 0 and self.told == usual.told
        return self.code == 0 and self.sound.is_valid and list(self.sound.frames) == list(usual.sound.frames)


class Under:
    """What all runs share: the inputs, the card, and how each command ends without any condition."""

    def __init__(self, programs, configuration, folder, storm):
        self.programs, self.configuration, self.folder, self.storm = programs, configuration, folder, storm
        make_inputs(programs[0].command, folder)
        self.usual = {}

    def without(self, condition, program, command):
        key = (program.name, command, condition.input)
        if key not in self.usual:
            self.usual[key] = self.run(type(condition)("", input=condition.input), program, command)
        return self.usual[key]

    def run(self, condition, program, command):
        folder = self.folder / f"{program.name}-{command}-{threading.get_ident()}"
        folder.mkdir()
        (folder / "disk").mkdir()
        for name in ("in.wav", "other.wav", "long.wav", "many"):
            (folder / name).symlink_to(self.folder / name)
        output = str(Path(condition.folder) / "out.wav") if condition.folder else "out.wav"
        if condition.folder == "removed":
            (folder / "removed").mkdir()
        source, others = self.inputs(condition, command)
        line = words(program, command, source, others, output)
        if line is None:
            shutil.rmtree(folder)
            return None
        known = {path.name for path in folder.iterdir()}
        line = [*[word.format(folder=self.folder, storm=self.storm) for word in condition.wrapper], *line]
        if condition.folder == "disk":
            keep = 'disk=$?; cp disk/* . 2>/dev/null; exit $disk'
            line = ["unshare", *namespaces(), "sh", "-c", f'"$@"; {keep}', "sh", *line]
        line = [word.replace(str(self.folder / "out.wav"), str(folder / "out.wav")) for word in line]
        code, told, said = self.communicate(condition, line, folder, command)
        data = (folder / "out.wav").read_bytes() if (folder / "out.wav").is_file() else b""
        left = sorted({path.name for path in folder.iterdir()} - known - {"card.log", "said", "stdout"})
        result = Result(condition, program, command, code, said, told, Recording(data),
                        card.Log(folder / "card.log").played(), left)
        shutil.rmtree(folder)
        return result

    def inputs(self, condition, command):
        if condition.input == "many":
            return "many/0.wav", [f"many/{number}.wav" for number in range(1, MANY)]
        if condition.input == "slowly":
            return "-", ["other.wav"]
        return condition.input, ["other.wav"]

    def communicate(self, condition, line, folder, command):
        environment = card.environment(self.configuration, folder / "card.log", {})
        (folder / "stdout").touch()
        source, feed = subprocess.DEVNULL, None
        if command == "convert -":
            source = subprocess.Popen(["cat", str(folder / "in.wav")], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        elif condition.input == "slowly":
            source, data = subprocess.PIPE, b"" if command == "capture" else self.sound()

            def feed(process):
                self.feed_and_remove(process, folder, data)
        with open(condition.standard_output or folder / "stdout", "wb") as output:
            code, said = communicate(line, folder, environment, PATIENCE, feed, stdin=source, stdout=output)
        return code, (folder / "stdout").read_bytes(), said

    def sound(self):
        return (self.folder / "in.wav").read_bytes()

    def feed_and_remove(self, process, folder, data):
        """Half of the input, then, when the output has surely begun, its folder goes; then the other half."""
        self.feed(process, data[:len(data) // 2])
        time.sleep(0.7)
        shutil.rmtree(folder / "removed", ignore_errors=True)
        self.feed(process, data[len(data) // 2:])
        process.stdin.close()

    def feed(self, process, data):
        try:
            process.stdin.write(data)
            process.stdin.flush()
        except BrokenPipeError:
            pass


def make_inputs(program, folder):
    def make(name, seconds, signal_, *options):
        subprocess.run([program, "convert", signal_, "-d", str(seconds), "-r", "48000", *options,
                        "-o", str(folder / name)], check=True, capture_output=True)

    shape = ("-c", "2", "-f", "s32", "--gain", "-12")
    make("in.wav", 2, "noise:white", *shape)
    make("other.wav", 2, "noise:pink", *shape)
    make("long.wav", 20, "noise:white", *shape)
    many = folder / "many"
    many.mkdir()
    make("many/0.wav", 0.05, "tone:440", "-f", "s16")
    for number in range(1, MANY):
        os.link(many / "0.wav", many / f"{number}.wav")


# What it is called in the table.


def cell(result, usual):
    if result is None:
        return "–"
    ending = ("hangs" if result.code is None else f"exit {result.code}" if result.code >= 0
              else signal.Signals(-result.code).name)
    # Of a shell, a program that a signal ended.
    if result.code is not None and result.code > 128:
        ending = signal.Signals(result.code - 128).name
    return f"{ending}, {what_came(result, usual)}"


def what_came(result, usual):
    if result.is_as(usual):
        return "as ever"
    if result.command == "play":
        return f"{result.played / RATE:.2f} s heard"
    if result.command in ("info", "devices"):
        return "told" if result.told == usual.told else "nothing told" if not result.told else "a part told"
    sound = result.sound
    if not result.left or sound.size == 0 and "out.wav" not in result.left:
        return "nothing left"
    if sound.held is None:
        return f"{sound.size} bytes without a header"
    length = f"{sound.held / FRAME_BYTES / RATE:.2f} s"
    return f"{length} left" if sound.is_valid else f"{length} left, header wrong"


def shortcomings(result, usual):
    """What rawaudio must not do and did."""
    condition, command = result.condition, result.command
    if result.code is None:
        yield "does not end"
        return
    ended_by = -result.code if result.code < 0 else result.code - 128 if result.code > 128 else 0
    may_fail = condition.may_fail or command in condition.failing
    if ended_by and ended_by not in condition.signals:
        yield f"ended by signal {ended_by}"
    if result.code == 0 and not result.is_as(usual):
        yield "exit code 0, but not all is there"
    if result.code == 0 and command in condition.failing:
        yield "exit code 0"
    if result.code == 1:
        if not may_fail:
            yield "fails"
        lines = result.said.strip().splitlines()
        if len(lines) != (0 if "error" in condition.title and "closed" in condition.title else 1):
            yield f"{len(lines)} lines of error"
        if condition.must_say and not re.search(condition.must_say, result.said, re.IGNORECASE):
            yield f"does not say '{condition.must_say}'"
    if result.code != 0:
        partial = [name for name in result.left if command not in LIVE or name != "out.wav"]
        if partial:
            yield f"leaves {', '.join(partial)}"
        if command in LIVE and result.left and not result.sound.is_valid:
            yield "leaves a file with a wrong header"
