# SPDX-License-Identifier: Apache-2.0
"""One run of a program, and its cost.

The peak memory of a process begins with that of the process that started it: the kernel keeps the old program's peak across
exec. So this file is also a small program, which runs the commands on its standard input, and prints the cost of each.
"""

import json
import os
import select
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import dataclass

FLAGS = os.O_WRONLY | os.O_CREAT | os.O_TRUNC


@dataclass
class Run:
    command: list
    code: object  # negative = the signal that ended it, nothing = it had to be killed
    output: bytes
    errors: bytes
    user: float  # seconds of the processor in the program, and in the system for it
    system: float
    peak: int  # bytes

    @property
    def seconds(self):
        return self.user + self.system

    @property
    def line(self):
        return shlex.join(self.command)


class Runner:
    """Runs commands one after another, `within` a folder or the current one; `folder` keeps their outputs."""

    def __init__(self, folder, within=None):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.output, self.errors = folder / "stdout", folder / "stderr"
        self.launcher = subprocess.Popen([sys.executable, "-I", "-S", "-B", __file__], stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, text=True, cwd=within)

    def run(self, command, patience=60):
        """patience: seconds until a run counts as one that never ends."""
        print(json.dumps([command, str(self.output), str(self.errors), patience]), file=self.launcher.stdin, flush=True)
        code, *cost = json.loads(self.launcher.stdout.readline())
        return Run(command, code, self.output.read_bytes(), self.errors.read_bytes(), *cost)

    def close(self):
        self.launcher.communicate()


def cost(command, output, errors, patience):
    process = os.posix_spawn(command[0], command, os.environ, setsigdef=signal.valid_signals(), file_actions=[
        (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, output, FLAGS, 0o600),
        (os.POSIX_SPAWN_OPEN, 2, errors, FLAGS, 0o600)])
    ended = has_ended(process, patience)
    if not ended:
        os.kill(process, signal.SIGKILL)
    _, status, used = os.wait4(process, 0)
    return os.waitstatus_to_exitcode(status) if ended else None, used.ru_utime, used.ru_stime, 1024 * used.ru_maxrss


def has_ended(process, seconds):
    descriptor = os.pidfd_open(process)
    try:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if poll.poll(1000 * left):
                return True
        return False
    finally:
        os.close(descriptor)


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(cost(*json.loads(line))), flush=True)
