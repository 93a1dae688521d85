# SPDX-License-Identifier: Apache-2.0
"""Sessions without asyncio.

``with`` and ``for`` stand in place of ``async with`` and ``async for``, and ``await`` is left out:

    from rawaudio import blocking

    with blocking.session(playback="mix.wav") as s:
        bot = s.join("bot", rate=24000)
        bot.write(samples)
        for frame in s.observe("before-mixing", rate=16000, channels=1, seconds=0.1):
            print(frame.source, frame.position)

An event loop of its own runs in a thread of its own. Every call may come from any thread.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import functools
import queue
import threading
import weakref
from collections.abc import Callable, Coroutine, Iterator
from types import TracebackType
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

import numpy.typing as npt

from . import _client, _session
from ._client import SessionClient
from ._errors import Error
from ._notes import called_here
from ._streams import Events as AsyncEvents
from ._streams import Frame, Observer
from ._streams import Source as AsyncSource
from ._words import PathName
from .events import Event

__all__ = ["Session", "Source", "Stream", "connect", "session"]

Item = TypeVar("Item")
Result = TypeVar("Result")
Parameters = ParamSpec("Parameters")


class _Loop:
    """An event loop in a thread, which begins with the first work. Any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_over = False

    @property
    def has_begun(self) -> bool:
        return self._thread is not None

    @property
    def is_here(self) -> bool:
        """Whether this is its thread."""
        return threading.current_thread() is self._thread

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Waits for a result. An exception here, such as Ctrl-C, cancels the work."""
        if self._is_over:
            work.close()
            raise Error("it has ended", action="use", subject="the session", advice="make another one", code=64)
        with called_here():
            future = asyncio.run_coroutine_threadsafe(work, self._begun())
        try:
            return future.result()
        except BaseException:
            if future.cancel():
                concurrent.futures.wait([future])
            raise

    def _begun(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                loops: queue.SimpleQueue[asyncio.AbstractEventLoop] = queue.SimpleQueue()
                self._thread = threading.Thread(
                    target=lambda: asyncio.run(self._serve(loops)), name="rawaudio session", daemon=True
                )
                self._thread.start()
                self._loop = loops.get()
            return self._loop

    async def _serve(self, loops: queue.SimpleQueue[asyncio.AbstractEventLoop]) -> None:
        self._stop = asyncio.Event()
        loops.put(asyncio.get_running_loop())
        await self._stop.wait()

    def close(self) -> None:
        """Ends it, with all work that is left. Harmless a second time."""
        self._is_over = True
        if self._thread and self._loop and self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
            if not self.is_here:
                self._thread.join()


def _leave(loop: _Loop, session: SessionClient) -> None:
    """Ends a session that was left without ``with``, as an exception does: its files are complete."""

    def end() -> None:
        with contextlib.suppress(Error):
            loop.run(session.__aexit__(GeneratorExit, GeneratorExit(), None))
        loop.close()

    if loop.is_here:
        # The garbage collector works in any thread.
        threading.Thread(target=end, name="rawaudio end").start()
    elif loop.has_begun:
        end()


class Stream(Generic[Item]):
    """Frames or events of a session, for ``for``; ``with`` connects and ends them. Any thread.

    It ends with the session, too. Errors of the position or the format come with the first one.
    """

    def __init__(self, session: Session, items: Observer | AsyncEvents) -> None:
        # The session stays as long as it is used.
        self._session = session
        self._items = items

    @property
    def lost(self) -> int:
        """The samples per channel that were lost because this program read too slowly."""
        return self._items.lost if isinstance(self._items, Observer) else 0

    def __enter__(self) -> Stream[Item]:
        self._session.run(self._items.__aenter__())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __iter__(self) -> Iterator[Item]:
        return self

    def __next__(self) -> Item:
        try:
            item: Any = self._session.run(self._items.__anext__())
        except StopAsyncIteration:
            raise StopIteration from None
        return item  # type: ignore[no-any-return]

    def close(self) -> None:
        """Ends it. The session goes on. Harmless a second time, and after the end of the session."""
        if not self._session.has_ended:
            self._session.run(self._items.close())


class Source:
    """A source that this program is: :class:`rawaudio.Source`. :meth:`Session.join` makes it. Any thread.

    Attributes:
        name: its id, as in ``"anna"`` or ``"hall/anna"``.
        rate, channels: of the samples that it writes, in hertz.
    """

    def __init__(self, session: Session, source: AsyncSource) -> None:
        self._session = session
        self._source = source
        self.name = source.name
        self.rate = source.rate
        self.channels = source.channels

    def write(self, samples: npt.ArrayLike, position: int | None = None) -> None:
        """Sends samples, the first of them for `position`: :meth:`rawaudio.Source.write`."""
        self._session.run(self._source.write(samples, position))

    def clear(self) -> None:
        """Drops what was written and is not in the sum yet: :meth:`rawaudio.Source.clear`."""
        self._session.run(self._source.clear())

    def close(self) -> None:
        """Leaves, and waits until everything is in the sum: :meth:`rawaudio.Source.close`.

        Harmless a second time, and after the end of the session.
        """
        if not self._session.has_ended:
            self._session.run(self._source.close())

    def __enter__(self) -> Source:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._session.has_ended:
            self._session.run(self._source.__aexit__(kind, error, trace))


def _waiting(
    method: Callable[Concatenate[SessionClient, Parameters], Coroutine[Any, Any, Result]],
) -> Callable[Concatenate[Session, Parameters], Result]:
    """Makes a method that waits for that of asyncio."""

    @functools.wraps(method)
    def call(self: Session, /, *arguments: Parameters.args, **named: Parameters.kwargs) -> Result:
        return self.run(method(self.session, *arguments, **named))

    return call


def _joined(
    method: Callable[Concatenate[SessionClient, Parameters], Coroutine[Any, Any, AsyncSource]],
) -> Callable[Concatenate[Session, Parameters], Source]:
    """Makes a method that waits for a source."""

    @functools.wraps(method)
    def call(self: Session, /, *arguments: Parameters.args, **named: Parameters.kwargs) -> Source:
        return Source(self, self.run(method(self.session, *arguments, **named)))

    return call


def _framed(
    method: Callable[Concatenate[SessionClient, Parameters], Observer],
) -> Callable[Concatenate[Session, Parameters], Stream[Frame]]:
    """Makes a method that gives a stream of frames."""

    @functools.wraps(method)
    def call(self: Session, /, *arguments: Parameters.args, **named: Parameters.kwargs) -> Stream[Frame]:
        return Stream(self, method(self.session, *arguments, **named))

    return call


class Session:
    """A session: :class:`rawaudio.Session`, or one that runs elsewhere. ``with`` begins and ends it, once. Any thread.

    One that is left without ``with`` ends with this object, or with the interpreter, and does not wait until everything
    is heard.

    Attributes:
        session: that of asyncio, of which this is the twin.
    """

    def __init__(self, session: SessionClient) -> None:
        self.session = session
        self._loop = _Loop()
        self._end = weakref.finalize(self, _leave, self._loop, session)

    def __enter__(self) -> Session:
        try:
            self.run(self.session.__aenter__())
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.run(self.session.__aexit__(kind, error, trace))
        finally:
            self._close()

    def _close(self) -> None:
        self._end.detach()
        self._loop.close()

    @property
    def has_ended(self) -> bool:
        """Whether its block has ended."""
        return not self._end.alive

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Waits for work in the session's event loop, and returns its result."""
        return self._loop.run(work)

    @property
    def socket(self) -> str:
        """The path of its socket."""
        return self.session.socket

    @property
    def summary(self) -> dict[str, Any] | None:
        """The summary of ``rawaudio session --json``, after the end. None if it runs elsewhere."""
        return self.session.summary if isinstance(self.session, _session.Session) else None

    def events(self) -> Stream[Event]:
        """Returns the events of the session from now on, for ``for``: :meth:`rawaudio.Session.events`."""
        return Stream(self, self.session.events())

    def wait(self) -> None:
        """Waits until the session has ended by itself: :meth:`rawaudio.Session.wait`."""
        if isinstance(self.session, _session.Session):
            self.run(self.session.wait())

    join = _joined(SessionClient.join)
    observe = _framed(SessionClient.observe)
    edit = _framed(SessionClient.edit)
    gain = _waiting(SessionClient.gain)
    mute = _waiting(SessionClient.mute)
    unmute = _waiting(SessionClient.unmute)
    remove = _waiting(SessionClient.remove)
    split = _waiting(SessionClient.split)
    status = _waiting(SessionClient.status)
    stop = _waiting(SessionClient.stop)


def _twin(make: Callable[Parameters, _session.Session]) -> Callable[Parameters, Session]:
    @functools.wraps(make)
    def call(*arguments: Parameters.args, **named: Parameters.kwargs) -> Session:
        return Session(make(*arguments, **named))

    return call


session = _twin(_session.session)


def connect(socket: PathName) -> Session:
    """Describes a session that runs elsewhere, by the path of its socket: :func:`rawaudio.connect`."""
    return Session(_client.connect(socket))
