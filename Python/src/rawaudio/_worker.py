# SPDX-License-Identifier: Apache-2.0
"""Processes of the program that stay and take one command line after another.

A process ends when its standard input closes: with this interpreter, however that ends. The lines of the exchange are
described in docs/architecture/command.md of the sources.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import json
import os
import re
import select
import subprocess
import threading
import time
import weakref
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy.typing as npt

from ._arrays import encoded
from ._errors import Error
from ._program import command_line, environment, program, require_version, version_of
from ._shapes import doubt

_LINE_BYTES = 1 << 16
_PIPE_BYTES = 1 << 20
# Of a process that begins, or has been asked to end, in seconds. Then it is killed.
PATIENCE = 5.0
# How long a process of the pool waits for work, in seconds. It ends by itself a little later.
IDLE = 60

_CONTROL_GROUPS = Path("/sys/fs/cgroup")
_OWN_CONTROL_GROUP = Path("/proc/self/cgroup")


def escape(word: str) -> str:
    """Writes a word in UTF-8: a byte that is not part of it becomes ``\\xe9``, as in all JSON of the program."""
    text = re.sub(r"\\(?=x(?:[89a-f][0-9a-f]|5c))", r"\\x5c", word)
    return re.sub("[\udc80-\udcff]", lambda match: f"\\x{ord(match[0]) - 0xDC00:02x}", text)


def request(words: Sequence[str]) -> bytes:
    """The line that asks for a command line, in the folder where this interpreter is now."""
    value: dict[str, Any] = {"words": [escape(word) for word in words]}
    with contextlib.suppress(FileNotFoundError):
        value["folder"] = escape(os.getcwd())
    return json.dumps(value).encode() + b"\n"


# All of this interpreter.
_workers: weakref.WeakSet[Worker] = weakref.WeakSet()


class Worker:
    """One process. One thread at a time.

    Args:
        variables: its environment.
        descriptors: those of this interpreter that it gets too, under the same numbers.
        idle: after how many seconds without work it ends. None = never.
    """

    def __init__(self, variables: dict[str, str], descriptors: Sequence[int] = (), idle: int | None = None) -> None:
        path = program()
        self.variables = variables
        self.begun = time.monotonic()
        # The process inherits it: after a change of user it may open nothing in /proc of this interpreter.
        self._memory = os.memfd_create("rawaudio")
        try:
            self._process = self._start([] if idle is None else [str(idle)], descriptors)
        except BaseException:
            os.close(self._memory)
            raise
        # One that is forgotten ends, too.
        self._end = weakref.finalize(self, _end, self._process, self._memory)
        # A thread may use it until the interpreter ends.
        self._end.atexit = False
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._requests = self._process.stdin.fileno()
        self._output = self._process.stdout.fileno()
        self._lines = self._process.stderr.fileno()
        self._rest = b""
        # The last line for people.
        self._last = ""
        with contextlib.suppress(OSError):
            fcntl.fcntl(self._output, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
        os.set_blocking(self._output, False)
        self._poll = select.poll()
        self._poll.register(self._output, select.POLLIN)
        self._poll.register(self._lines, select.POLLIN)
        _workers.add(self)
        try:
            self._greet(path)
        except BaseException:
            self.kill()
            raise

    def _start(self, words: Sequence[str], descriptors: Sequence[int]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            command_line("serve", *words),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.variables,
            bufsize=0,
            pass_fds=[self._memory, *descriptors],
            # Ctrl-C of a terminal goes to this interpreter, which ends the process as it needs.
            start_new_session=True,
        )

    @contextlib.contextmanager
    def source(self, data: npt.ArrayLike, rate: int) -> Iterator[list[str]]:
        """Gives the words of a command line that make the samples its source."""
        array, encoding = encoded(data)
        doubt(array)
        rest = array.data.cast("B") if array.size else memoryview(b"")
        while rest:
            rest = rest[os.write(self._memory, rest) :]
        yield [
            "--input-type=raw",
            f"--input-rate={rate}",
            f"--input-channels={array.shape[1]}",
            f"--input-format={encoding}",
            "--",
            f"/proc/self/fd/{self._memory}",
        ]
        # Not after a failure: the process, which then ends, must not take what is left for the whole.
        os.ftruncate(self._memory, 0)
        os.lseek(self._memory, 0, os.SEEK_SET)

    def _greet(self, path: str) -> None:
        try:
            lines: list[str] = []
            greeting = select.poll()
            greeting.register(self._lines, select.POLLIN)
            while not lines or not lines[-1].startswith("{"):
                if not greeting.poll(PATIENCE * 1000):
                    reason = f"it did not answer within {PATIENCE:g} s, and was killed"
                    raise Error(reason, action="run", subject=path)
                lines += self._read_lines()
        except Error:
            if self._process.poll() is not None:
                require_version(version_of(path))
            raise
        require_version(str(json.loads(lines[-1])["version"]))

    def is_alive(self) -> bool:
        return self._process.poll() is None

    @property
    def process(self) -> int:
        """The number of the process."""
        return self._process.pid

    def begin(self, words: Sequence[str]) -> None:
        """Sends a command line."""
        line = request(words)
        self._last = ""
        try:
            while line:
                line = line[os.write(self._requests, line) :]
        except BrokenPipeError:
            raise self._death() from None

    def step(self, buffer: memoryview) -> tuple[int, list[str]]:
        """Waits until something comes.

        Args:
            buffer: takes bytes of the standard output. If it is empty, only lines are read.

        Returns:
            the number of bytes that are in `buffer` now, and complete lines of standard error.

        Raises:
            Error: the process died.
        """
        if len(buffer):
            self._poll.register(self._output, select.POLLIN)
        else:
            with contextlib.suppress(KeyError):
                self._poll.unregister(self._output)
        ready = dict(self._poll.poll())
        # Behind the reply all bytes are there, so they are read first.
        count = self.rest(buffer) if self._output in ready else 0
        return count, self._read_lines() if self._lines in ready else []

    def rest(self, buffer: memoryview) -> int:
        """Reads without waiting. Returns 0 if there is nothing."""
        try:
            return os.readv(self._output, [buffer])
        except BlockingIOError:
            return 0

    def _read_lines(self) -> list[str]:
        """Returns complete lines, at least one.

        Raises:
            Error: the process died.
        """
        while b"\n" not in self._rest:
            block = os.read(self._lines, _LINE_BYTES)
            if not block:
                raise self._death()
            self._rest += block
        *lines, self._rest = self._rest.split(b"\n")
        texts = [line.decode(errors="surrogateescape") for line in lines]
        self._last = next((text for text in reversed(texts) if not text.startswith("{")), self._last)
        return texts

    def _death(self) -> Error:
        """The error about a process that ended by itself."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(PATIENCE)
        code = self._process.returncode
        if error := Error.printed(self._last, code or 1):
            return error
        words = self._rest.decode(errors="replace").strip()
        how = f"signal {-code} ended it" if code is not None and code < 0 else f"it ended with exit code {code}"
        return Error(how + (f" ({words})" if words else ""), action="run", subject=program(), code=code or 1)

    def interrupt(self) -> None:
        """Does as Ctrl-C does: a recording is completed, an unfinished output removed."""
        self._process.send_signal(2)

    def close(self) -> None:
        """Ends the process. A conversion that still runs is abandoned, and its output removed."""
        if self._end.detach():
            _end(self._process, self._memory)

    def kill(self) -> None:
        self._process.kill()
        self.close()

    def signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(number)

    def forget(self) -> None:
        """Leaves the process to the parent: called in a child of fork."""
        self._process.returncode = 0
        if self._end.detach():
            _close_pipes(self._process, self._memory)


def _close_pipes(process: subprocess.Popen[bytes], memory: int) -> None:
    os.close(memory)
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream:
            stream.close()


def _end(process: subprocess.Popen[bytes], memory: int) -> None:
    """Ends a process. One that does not end is killed."""
    _close_pipes(process, memory)
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def processors() -> int:
    """The processors that this interpreter may use: those of its affinity, and of its control group's limit."""
    count = float(len(os.sched_getaffinity(0)))
    # cgroup.rst of Linux, cpu.max: '50000 100000' is half a processor, and each group above may have its own limit.
    with contextlib.suppress(OSError, IndexError):
        group = _CONTROL_GROUPS / _OWN_CONTROL_GROUP.read_text().split("0::/")[1].strip()
        for folder in (group, *group.parents):
            with contextlib.suppress(OSError, ValueError):
                quota, period = (folder / "cpu.max").read_text().split()
                count = min(count, float(quota) / float(period))
    return max(1, round(count))


class Pool:
    """The processes that wait for work. Any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[Worker] = []

    @contextlib.contextmanager
    def worker(self) -> Iterator[Worker]:
        """Lends a process. One that is given back by an exception ends, and one of another environment, too."""
        variables = environment()
        while True:
            with self._lock:
                worker = self._idle.pop() if self._idle else None
            # One that is about to end by itself is not asked.
            is_late = worker is not None and time.monotonic() - worker.begun > IDLE
            if worker is None or worker.variables == variables and not is_late and worker.is_alive():
                break
            worker.close()
        worker = worker or Worker(variables, idle=IDLE + 5)
        try:
            yield worker
        except BaseException:
            worker.close()
            raise
        worker.begun = time.monotonic()
        with self._lock:
            if len(self._idle) < processors():
                self._idle.append(worker)
                return
        worker.close()

    def forget(self) -> None:
        """Begins anew in a child of fork: a lock may be held, and the processes are the parent's."""
        self._lock = threading.Lock()
        self._idle = []
        for worker in list(_workers):
            worker.forget()

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.close()


def _end_all() -> None:
    """Ends those that are left: by an iterator or a recording that was not closed."""
    pool.close()
    for worker in list(_workers):
        worker.close()


pool = Pool()
os.register_at_fork(after_in_child=pool.forget)
atexit.register(_end_all)
