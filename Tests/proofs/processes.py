# SPDX-License-Identifier: Apache-2.0
"""Processes: the signals that they begin with, those below another one, and waits for events."""

import os
import signal
import subprocess
import time


class Failure(Exception):
    """Something that should have happened has not."""


def give_children_default_signals():
    """What this process starts begins with the default action of every signal. Call it before other threads start any.

    A program inherits the signals that are ignored: SIGINT from `make simulate &` in a script, SIGHUP from nohup. A signal
    with a handler has its default action in a program that is started (execve(2)). So each ignored one gets a handler
    that does nothing, and this process goes on as if it were ignored. Python's own two are left to subprocess.
    """
    for number in signal.valid_signals() - {signal.SIGPIPE, signal.SIGXFSZ}:
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


def wait_until(condition, what, seconds=120):
    """Waits for an event, and gives what `condition` says of it."""
    end = time.monotonic() + seconds
    while not (answer := condition()):
        if time.monotonic() > end:
            raise Failure(f"{what}: has not happened in {seconds} s")
        time.sleep(0.05)
    return answer


def text(process, name):
    """A file of the process in /proc; empty where it has ended."""
    try:
        with open(f"/proc/{process}/{name}", errors="surrogateescape") as file:
            return file.read()
    except OSError:
        return ""


def processor_time(process):
    """Of the process and its threads so far, in seconds: proc(5)."""
    fields = text(process, "stat").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ended(process, seconds):
    """The exit code of a `Popen` that was to end within this time. None if it had to be killed."""
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return None


def with_variable(setting):
    """Every process that was started with this variable, `NAME=value`, and has not ended."""
    return [int(name) for name in os.listdir("/proc") if name.isdigit()
            and f"\0{setting}\0" in "\0" + text(name, "environ")]


def parents():
    """The parent of every process that has not ended."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        # The program's name stands in brackets, and may have any character in it.
        state, parent, *_ = text(name, "stat").rpartition(")")[2].split() or ("X", 0)
        if state not in "ZX":
            found[int(name)] = int(parent)
    return found


def descendants(ancestor):
    """All processes below `ancestor`, those nearest to it first."""
    above = parents()
    found = [ancestor]
    for process in found:
        found += [child for child, parent in above.items() if parent == process]
    return found[1:]


def kill(processes):
    """Kills them, in this order, and waits until none is there."""
    for process in processes:
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass
    wait_until(lambda: not set(processes) & set(parents()), "processes that were killed end", 20)
