# SPDX-License-Identifier: Apache-2.0
"""How each program is told to do the same."""

import re
import subprocess


# JSON, what arecord and aplay are about to do, and the second line of their warning of another rate.
OF_NO_INTEREST = r"\{|(Recording|Playing) WAVE|please, try the plug plugin"


class Program:
    def __init__(self, name, command):
        self.name, self.command = name, str(command)

    def version(self):
        said = subprocess.run([self.command, "--version"], capture_output=True, text=True, check=True)
        return re.search(r"\d+\.\d+[\w.]*", said.stdout + said.stderr)[0]

    def message(self, said):
        """The last line for people."""
        lines = [line.strip() for line in re.split(r"[\r\n]", said)]
        lines = [line for line in lines if line and not re.match(OF_NO_INTEREST, line)]
        return lines[-1] if lines else ""


class Rawaudio(Program):
    player = "rawaudio"

    def record(self, seconds, path):
        return [self.command, "capture", "-D", "card", "-r", "48000", "-c", "2", "-f", "s32",
                "-d", str(seconds), "--json", "--force", "-t", "wav", "-o", path]

    def play(self, path):
        return [self.command, "play", "-D", "card", path]


class AlsaUtils(Program):
    player = "aplay"

    def record(self, seconds, path):
        output = [] if path == "-" else [path]
        return [self.command, "-D", "card", "-r", "48000", "-c", "2", "-f", "S32_LE",
                "-d", str(seconds), "-t", "wav", *output]

    def play(self, path):
        return ["aplay", "-D", "card", path]


class Sox(Program):
    player = "sox"

    def record(self, seconds, path):
        return [self.command, "-q", "-r", "48000", "-c", "2", "-e", "signed", "-b", "32",
                "-t", "alsa", "card", "-t", "wav", path, "trim", "0", str(seconds)]

    def play(self, path):
        return [self.command, "-q", "-t", "wav", path, "-t", "alsa", "card"]


class Ffmpeg(Program):
    def version(self):
        said = subprocess.run([self.command, "-version"], capture_output=True, text=True, check=True)
        return re.search(r"\d+\.\d+[\w.]*", said.stdout)[0]


def programs_of_all_commands(rawaudio):
    return [Rawaudio("rawaudio", rawaudio), Sox("sox", "sox"), Ffmpeg("ffmpeg", "ffmpeg")]


def all_programs(rawaudio):
    return [Rawaudio("rawaudio", rawaudio), AlsaUtils("arecord", "arecord"), Sox("sox", "sox")]
