# SPDX-License-Identifier: Apache-2.0
"""Runs a program on a pseudo-terminal and tells what a person would see there.

    python3 Tests/Terminal PLAN COMMAND...

PLAN is JSON: {"columns": 80, "rows": 24, "pixels": [640, 480], "output": true, "steps": [{"after": 3, "columns": 160},
{"after": 6, "signal": 2}, {"after": 8, "touch": "seen"}]}. A step is taken when so many frames were seen: the terminal
gets another width, the process a signal, or a file is made. Where `output` is true, the process has standard output
there, too, and the terminal has so many pixels. Standard output is JSON: the screens after each frame (only those that
differ), the last screen, the bytes, and how the process ended. A frame is over when the next one begins, with a
carriage return: until then a part of it may still be on its way.
"""

import codecs
import fcntl
import json
import os
import pty
import select
import signal
import struct
import sys
import termios
import time


class Screen:
    """As much of a terminal as a status needs; anything else is an error."""

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.lines = [""]
        self.x = self.y = 0
        self.attributes = ""
        self.rest = ""
        self.frames = []

    def end_frame(self):
        shown = [line.rstrip() for line in self.lines]
        if not self.frames or shown != self.frames[-1]["screen"]:
            self.frames.append({"columns": self.columns, "screen": shown, "attributes": self.attributes})

    def feed(self, text):
        text = self.rest + text
        self.rest = ""
        index = 0
        while index < len(text):
            character = text[index]
            if text.startswith("\x1bP", index):
                # Graphics move nothing that is looked at here.
                end = text.find("\x1b\\", index)
                if end < 0:
                    self.rest = text[index:]
                    return
                index = end + 2
                continue
            if character == "\x1b":
                end = index + 2
                while end < len(text) and not text[end].isalpha():
                    end += 1
                if end >= len(text):
                    self.rest = text[index:]
                    return
                self.control(text[index + 1], text[index + 2 : end], text[end])
                index = end + 1
                continue
            if character == "\r":
                # The terminal puts one more in front of every line feed.
                behind = text[index:].lstrip("\r")[:1]
                if not behind:
                    self.rest = text[index:]
                    return
                if behind != "\n" and text[index + 1] == behind:
                    self.end_frame()
            index += 1
            if character == "\r":
                self.x = 0
            elif character == "\n":
                self.down()
            else:
                self.put(character)

    def down(self):
        self.y += 1
        while len(self.lines) <= self.y:
            self.lines.append("")

    def put(self, character):
        if self.x == self.columns:
            self.x = 0
            self.down()
        line = self.lines[self.y].ljust(self.x)
        self.lines[self.y] = line[: self.x] + character + line[self.x + 1 :]
        self.x += 1

    def control(self, opening, value, name):
        assert opening == "[", repr((opening, value, name))
        if name == "K":
            self.lines[self.y] = self.lines[self.y][: self.x]
        elif name == "J":
            self.lines[self.y] = self.lines[self.y][: self.x]
            del self.lines[self.y + 1 :]
        elif name == "A":
            self.y = max(0, self.y - int(value or 1))
        elif name == "m":
            self.attributes = "" if value in ("", "0") else value
        else:
            raise AssertionError(repr((opening, value, name)))

    def resize(self, columns):
        """Lines that are too wide are broken, as terminals do."""
        lines = []
        for number, line in enumerate(self.lines):
            pieces = [line[i : i + columns] for i in range(0, len(line), columns)] or [""]
            if number == self.y:
                self.y = len(lines) + len(pieces) - 1
                self.x = len(pieces[-1])
            lines += pieces
        self.lines, self.columns = lines, columns

    def shown(self):
        return [line.rstrip() for line in self.lines]


def set_size(descriptor, columns, rows, pixels=(0, 0)):
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, *pixels))


def main():
    plan = json.loads(sys.argv[1])
    columns, rows = plan["columns"], plan.get("rows", 24)
    master, slave = pty.openpty()
    set_size(slave, columns, rows, plan.get("pixels", (0, 0)))
    before = termios.tcgetattr(slave)
    child = os.fork()
    if child == 0:
        os.close(master)
        os.dup2(slave, 2)
        os.dup2(slave if plan.get("output") else os.open("/dev/null", os.O_RDWR), 1)
        os.execvp(sys.argv[2], sys.argv[2:])
    screen = Screen(columns, rows)
    decoder = codecs.getincrementaldecoder("utf-8")()
    seen = b""
    steps = list(plan.get("steps", []))
    deadline = time.monotonic() + 240
    status = None
    while time.monotonic() < deadline:
        readable, _, _ = select.select([master], [], [], 0.05)
        if readable:
            data = os.read(master, 65536)
            seen += data
            screen.feed(decoder.decode(data))
            while steps and len(screen.frames) >= steps[0]["after"]:
                step = steps.pop(0)
                if "columns" in step:
                    screen.resize(step["columns"])
                    set_size(slave, step["columns"], rows)
                if "touch" in step:
                    open(step["touch"], "w", encoding="utf-8").close()
                if "signal" in step:
                    os.kill(child, step["signal"])
        elif status is not None:
            break
        if status is None:
            ended, value = os.waitpid(child, os.WNOHANG)
            if ended:
                status = value
    else:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    screen.end_frame()
    json.dump(
        {
            "frames": screen.frames,
            "last": screen.shown(),
            "attributes": screen.attributes,
            "isRestored": termios.tcgetattr(slave) == before,
            "text": seen.decode("utf-8"),
            "exit": None if status is None else os.waitstatus_to_exitcode(status),
        },
        sys.stdout,
    )


main()
