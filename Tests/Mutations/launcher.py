# SPDX-License-Identifier: Apache-2.0
"""Runs the commands on standard input one after another, and prints the cost of each.

A line is JSON: the words, the file of standard output and the file of standard error. The answer is a line, too: the exit
code (negative = the signal that ended it, null = it had to be killed), seconds of the processor, and the peak in bytes.

The peak memory of a process begins with that of the process that started it: the kernel keeps the old program's peak
across exec. So this is a small program, and not part of the one that holds the damaged files.
"""

import json
import os
import select
import signal
import sys
import time

PATIENCE = 60  # seconds until a run that does nothing counts as one that never ends
FLAGS = os.O_WRONLY | os.O_CREAT | os.O_TRUNC


def cost(command, output, errors):
    process = os.posix_spawn(command[0], command, os.environ, setsigdef=signal.valid_signals(), file_actions=[
        (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, output, FLAGS, 0o600),
        (os.POSIX_SPAWN_OPEN, 2, errors, FLAGS, 0o600)])
    ended = has_ended(process, PATIENCE)
    if not ended:
        os.kill(process, signal.SIGKILL)
    _, status, used = os.wait4(process, 0)
    return os.waitstatus_to_exitcode(status) if ended else None, used.ru_utime + used.ru_stime, 1024 * used.ru_maxrss


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


for line in sys.stdin:
    print(json.dumps(cost(*json.loads(line))), flush=True)
