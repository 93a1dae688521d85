# SPDX-License-Identifier: Apache-2.0
"""How each program is called for the same piece of work."""

import shutil
from pathlib import Path

from workload import Contender, Output

rate_tolerance = 64
"""Other resamplers than ours end a few samples early or late."""


class Tools:
    """The programs there are. Each method gives a contender, or None where the program is missing."""

    def __init__(self, program, floors, outputs):
        self.program = program
        self.floors = floors
        self.outputs = outputs
        outputs.mkdir(parents=True, exist_ok=True)

    def ours(self, name, words, length, suffix=".wav"):
        return self.contender(
            name, [self.program, *words], lambda path: ["-o", path], length, 0, suffix)

    def floor(self, name, words, length):
        return self.contender(
            f"floor: {name}", [self.floors / name, *words], lambda path: [path], length)

    def sox(self, words, length, effects=(), tolerance=0, suffix=".wav", name=None):
        return self.peer(
            "sox", name or shown(words, effects), words, lambda path: [path, *effects], length,
            tolerance, suffix)

    def ffmpeg(self, words, length, tolerance=0, suffix=".wav", name=None):
        quiet = ["-nostdin", "-hide_banner", "-loglevel", "error"]
        return self.peer(
            "ffmpeg", name or shown(words), [*quiet, *words], lambda path: [path], length,
            tolerance, suffix)

    def flac(self, words, length, suffix):
        return self.peer(
            "flac", shown(words), ["--silent", *words], lambda path: ["-o", path], length, 0, suffix)

    def of_several(self, program, name, runs, outputs):
        """Several outputs, or several runs."""
        path = shutil.which(program)
        if path is None:
            return None
        quiet = {"ffmpeg": ["-nostdin", "-hide_banner", "-loglevel", "error"]}.get(program, [])
        return Contender(f"{program} {name}", [[path, *quiet, *map(str, words)] for words in runs], outputs)

    def peer(self, program, name, words, tail, length, tolerance, suffix):
        path = shutil.which(program)
        if path is None:
            return None
        return self.contender(f"{program} {name}", [path, *words], tail, length, tolerance, suffix)

    def contender(self, name, words, tail, length, tolerance=0, suffix=".wav"):
        path = self.outputs / f"output{suffix}"
        return Contender(name, [[*words, *tail(path)]], [Output(path, length, tolerance)])


def shown(words, effects=()):
    """The words of a command without its files."""
    return " ".join(str(word) for word in (*words, *effects) if not isinstance(word, Path))
