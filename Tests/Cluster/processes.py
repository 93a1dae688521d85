# SPDX-License-Identifier: Apache-2.0
"""The processes of a test: servers, what they start, and the end of all of them."""

import ctypes
import os
import random
import signal
import socket
import subprocess
import time

SET_PARENT_DEATH_SIGNAL = 1  # <linux/prctl.h>
SET_CHILD_SUBREAPER = 36
SYSTEM = ctypes.CDLL(None)


class Failure(Exception):
    """Something that should have happened has not."""


def adopt_orphans():
    """Makes this process the parent of everything below it whose own parent has ended, so that nothing gets lost."""
    SYSTEM.prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def die_with_parent(number):
    """This process gets the signal when the one that started it ends."""
    SYSTEM.prctl(SET_PARENT_DEATH_SIGNAL, number, 0, 0, 0)


def give_children_default_signals():
    """What this process starts begins with the default action of every signal. Call it before other threads start any.

    A program inherits the signals that are ignored: SIGINT from `make simulate &` in a script, SIGHUP from nohup. A signal
    with a handler has its default action in a program that is started (execve(2)). So each ignored one gets a handler
    that does nothing, and this process goes on as if it were ignored. Python's own two are left to subprocess.
    """
    for number in signal.valid_signals() - {signal.SIGPIPE, signal.SIGXFSZ}:
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


def start(words, log, **options):
    """Starts a server: not of our group, so that Ctrl-C leaves its end to us, and it ends where we are killed."""
    with open(log, "ab") as file:
        return subprocess.Popen(
            [str(word) for word in words], stdin=subprocess.DEVNULL, stdout=file, stderr=file, start_new_session=True,
            preexec_fn=lambda: die_with_parent(signal.SIGKILL), **options)


def run(words, **options):
    """What a program prints."""
    done = subprocess.run([str(word) for word in words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          **options)
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, words))}: exit {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def wait_until(condition, what, seconds=120):
    """Waits for an event, and gives what `condition` says of it."""
    end = time.monotonic() + seconds
    while not (answer := condition()):
        if time.monotonic() > end:
            raise Failure(f"{what}: has not happened in {seconds} s")
        time.sleep(0.05)
    return answer


def parents():
    """The parent of every process that has not ended."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                # The program's name stands in brackets, and may have any character in it.
                state, parent = file.read().rpartition(")")[2].split()[:2]
        except OSError:
            continue
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


def text(process, name):
    """A file of the process in /proc; empty where it has ended."""
    try:
        with open(f"/proc/{process}/{name}", errors="surrogateescape") as file:
            return file.read()
    except OSError:
        return ""


def kill(processes):
    """Kills them, in this order, and waits until none is there."""
    for process in processes:
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass
    wait_until(lambda: not set(processes) & set(parents()), "processes that were killed end", 20)


def kill_all():
    """Ends everything that was started, and what that has started meanwhile. Leaves no zombies either."""
    while left := descendants(os.getpid()):
        kill(left)
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def free_port():
    """A port that nobody uses, and that the system gives nobody by itself."""
    with open("/proc/sys/net/ipv4/ip_local_port_range") as file:
        lowest = int(file.read().split()[0])
    for _ in range(1_000):
        port = random.randrange(10_000, max(lowest, 20_000))
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                pass
    raise Failure("no port is free")
