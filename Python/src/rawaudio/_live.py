# SPDX-License-Identifier: Apache-2.0
"""A command line that goes on while the program works, such as a recording: without asyncio, or with it."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import signal
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from . import _run, _worker
from ._errors import Error
from ._program import environment

Result = TypeVar("Result")


class _Thread:
    """Makes calls that wait, one after the other, for an event loop."""

    def __init__(self) -> None:
        self._calls: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        # Not of an executor, which the interpreter waits for at its end.
        threading.Thread(target=self._work, name="rawaudio", daemon=True).start()

    def call(self, function: Callable[[], Result]) -> asyncio.Future[Result]:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        # An error that is not asked for is no fault.
        future.add_done_callback(lambda future: future.cancelled() or future.exception())

        def settle(result: Result | None, error: BaseException | None) -> None:
            if future.cancelled():
                return
            if error is None:
                future.set_result(result)  # type: ignore[arg-type]
            else:
                future.set_exception(error)

        def work() -> None:
            result, failure = None, None
            try:
                result = function()
            except BaseException as error:
                failure = error
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(settle, result, failure)

        self._calls.put(work)
        return future

    def end(self) -> None:
        """Ends it after the calls so far."""
        self._calls.put(None)

    def _work(self) -> None:
        while work := self._calls.get():
            work()


class LiveCommand:
    """A command line, from its first use to its end. One thread at a time, or one task."""

    # Whether it is to end as soon as it has begun.
    _is_closing = False

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._worker: _worker.Worker | None = None
        self._run: _run.Run | None = None
        self._is_over = False
        self._thread: _Thread | None = None
        # The call of the thread that no task has taken yet.
        self._pending: asyncio.Future[Any] | None = None

    def close(self) -> None:
        """Ends it as Ctrl-C does, and waits for that."""
        if self._run and not self._is_over:
            self._interrupt()
            # It may not handle signals yet.
            with contextlib.suppress(Error):
                self._end()
        self._is_over = True

    async def aclose(self) -> None:
        """Like :meth:`close`, for asyncio. A cancelled call ends it at once."""
        self._is_over = self._is_over or self._run is None and self._thread is None
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._is_closing = True
        ending = thread.call(self.close)
        thread.end()
        try:
            self._interrupt()
            await asyncio.wait([ending], timeout=_worker.PATIENCE)
        finally:
            self._kill()
            await asyncio.wait([ending])

    def _begun(self) -> _run.Run:
        """Begins, the first time."""
        if self._run is None:
            self._worker = _worker.Worker(environment())
            try:
                if self._is_closing:
                    self._kill()
                self._run = self._command(self._worker)
            except BaseException:
                self._worker.close()
                self._is_over = True
                raise
        return self._run

    def _command(self, worker: _worker.Worker) -> _run.Run:
        """Begins in a process."""
        return _run.Run(worker, self._words, self._take)

    def _take(self, event: dict[str, Any]) -> None:
        """Takes a line about it."""

    def _end(self) -> _run.Reply:
        assert self._worker and self._run
        try:
            return self._run.end()
        finally:
            self._is_over = True
            self._worker.close()

    def _interrupt(self) -> None:
        if self._worker and not self._is_over:
            self._worker.signal(signal.SIGINT)

    def _kill(self) -> None:
        if self._worker and not self._is_over:
            self._worker.signal(signal.SIGKILL)

    async def _call(self, function: Callable[[], Result]) -> Result:
        """Awaits a call of the thread. A cancelled one goes on, and the next one gets its result."""
        if self._thread is None:
            self._thread = _Thread()
            weakref.finalize(self, self._thread.end).atexit = False
        if self._pending is None:
            self._pending = self._thread.call(function)
        await asyncio.wait([self._pending])
        pending, self._pending = self._pending, None
        result: Result = pending.result()
        return result
