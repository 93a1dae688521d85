# SPDX-License-Identifier: Apache-2.0
"""One run of the program, and what it cost."""

import os
import select
import shlex
import time
from dataclasses import dataclass

PATIENCE = 60  # seconds until a run that does nothing counts as one that never ends


@dataclass
class Run:
    command: list
    code: object  # negative = the signal that ended it, nothing = it had to be killed
    output: bytes
    errors: bytes
    seconds: float  # of the processor
    peak: int  # bytes

    @property
    def line(self):
        return shlex.join(self.command)


class Runner:
    """Runs commands in a folder of its own. `wait4` tells what each has used."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.output, self.errors = folder / "stdout", folder / "stderr"

    def run(self, command):
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        process = os.posix_spawn(command[0], command, os.environ, setsigdef=[25], file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, str(self.output), flags, 0o600),
            (os.POSIX_SPAWN_OPEN, 2, str(self.errors), flags, 0o600)])
        ended = has_ended(process, PATIENCE)
        if not ended:
            os.kill(process, 9)
        _, status, used = os.wait4(process, 0)
        return Run(command, os.waitstatus_to_exitcode(status) if ended else None, self.output.read_bytes(),
                   self.errors.read_bytes(), used.ru_utime + used.ru_stime, 1024 * used.ru_maxrss)


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
