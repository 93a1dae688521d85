# SPDX-License-Identifier: Apache-2.0
"""Sound on a device."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Generator, Sequence
from types import TracebackType
from typing import Any

import numpy.typing as npt

from . import _run, _sources, _worker
from ._errors import Error
from ._live import LiveCommand
from ._words import PathName, Time, file, option, time


class Playback(LiveCommand):
    """Sound that is played. :func:`playback` makes it. One thread at a time, or one task.

    ``with`` begins it, and waits for its end; ``async with`` does so in asyncio, and ``await`` both at once. An
    exception and a cancellation end it at once.
    """

    def __init__(self, words: Sequence[str], samples: tuple[npt.ArrayLike, int] | None) -> None:
        super().__init__(words)
        self._samples = samples
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Playback:
        self._begun()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.wait()
        else:
            self.close()

    def __await__(self) -> Generator[Any, None, None]:
        return self._played().__await__()

    async def __aenter__(self) -> Playback:
        try:
            await self._call(self._begun)
        except BaseException:
            await self.aclose()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            await self._played()
        else:
            await self.aclose()

    def wait(self) -> None:
        """Waits until all of it is played. Begins it if nothing has.

        Raises:
            Error: the device or the source fails.
        """
        try:
            reply = self._finished()
        except BaseException:
            self.close()
            raise
        if reply:
            reply.require_success()

    async def _played(self) -> None:
        reply = None
        try:
            if not self._is_over:
                reply = await self._call(self._finished)
        finally:
            await self.aclose()
        if reply:
            reply.require_success()

    def _finished(self) -> _run.Reply | None:
        if self._is_over:
            return None
        self._begun()
        return self._end()

    def _command(self, worker: _worker.Worker) -> _run.Run:
        if self._samples is None:
            return _run.Run(worker, self._words, self._take)
        source = _sources.array(*self._samples)
        assert source.content is not None
        path = self._stack.enter_context(worker.holding(source.content, source.name))
        return _run.Run(worker, [*self._words, *source.words, "--", path], self._take)


def playback(
    source: PathName | npt.ArrayLike,
    rate: int | None = None,
    *,
    device: str = "default",
    start: Time | None = None,
    duration: Time | None = None,
    ends: bool = False,
    options: Sequence[str] = (),
) -> Playback:
    """Describes sound on a device: ``await rawaudio.playback(…)``, or ``with`` and ``async with``.

    Args:
        source: a path, or samples: (samples, channels), or (samples,) of one channel; integers have the full scale of
            their type.
        rate: of the samples, in hertz. None for a path.
        device: the name of an ALSA PCM: ``"hw:1"``, ``"pulse"``, one of :func:`devices`; or ``"jack:PORTS"``.
        start, duration: the part to play: seconds, or a text such as ``"1:30"``.
        ends: whether `source` may be a device, a network or a tone: ``"tone:440"``.
        options: further words of ``rawaudio play``.

    Raises:
        Error: a value is impossible. Errors of the device come with its use.
    """
    words = ["play", f"--device={device}"]
    words += option("start", None if start is None else time(start))
    words += option("duration", None if duration is None else time(duration))
    words += options
    if isinstance(source, (str, os.PathLike)):
        if rate is not None:
            raise Error("a file has its own rate", action="play", subject=str(source), code=64)
        return Playback([*words, "--", file(source, "play", ends=ends)], None)
    if rate is None:
        raise Error("samples need a rate", action="play", subject="the samples", advice="pass it second", code=64)
    return Playback(words, (source, rate))


def play(
    source: PathName | npt.ArrayLike,
    rate: int | None = None,
    *,
    device: str = "default",
    start: Time | None = None,
    duration: Time | None = None,
    ends: bool = False,
    options: Sequence[str] = (),
) -> None:
    """Plays sound on a device, and returns when all of it is played.

    Args:
        source, rate, device, start, duration, ends, options: as for :func:`playback`.

    Raises:
        Error: a value is impossible, or the device or the source fails.
    """
    playing = playback(source, rate, device=device, start=start, duration=duration, ends=ends, options=options)
    playing.wait()
