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
import functools
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from types import TracebackType
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

import numpy.typing as npt

from . import _client, _session
from ._client import SessionClient
from ._streams import Events as AsyncEvents
from ._streams import Frame, Observer
from ._streams import Source as AsyncSource
from ._words import PathName

Item = TypeVar("Item")
Result = TypeVar("Result")
Parameters = ParamSpec("Parameters")


class _Loop:
    """An event loop in a thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="rawaudio session", daemon=True)
        self._thread.start()

    def run(self, work: Awaitable[Result]) -> Result:
        """Waits for a result. An exception here, such as Ctrl-C, cancels the work."""

        async def awaited() -> Result:
            return await work

        future = asyncio.run_coroutine_threadsafe(awaited(), self._loop)
        try:
            return future.result()
        except BaseException:
            if future.cancel():
                concurrent.futures.wait([future])
            raise

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class Stream(Generic[Item]):
    """Frames or events, for ``for``; ``with`` ends them."""

    def __init__(self, loop: _Loop, items: Observer | AsyncEvents) -> None:
        self._loop = loop
        self._items = items

    @property
    def lost(self) -> int:
        """The samples per channel that were lost because this program read too slowly."""
        return self._items.lost if isinstance(self._items, Observer) else 0

    def __enter__(self) -> Stream[Item]:
        self._loop.run(self._items.__aenter__())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __iter__(self) -> Iterator[Item]:
        return self

    def __next__(self) -> Item:
        try:
            item: Any = self._loop.run(self._items.__anext__())
        except StopAsyncIteration:
            raise StopIteration from None
        return item  # type: ignore[no-any-return]

    def close(self) -> None:
        self._loop.run(self._items.close())


class Source:
    """A source that this program is: :class:`rawaudio.Source`."""

    def __init__(self, loop: _Loop, source: AsyncSource) -> None:
        self._loop = loop
        self._source = source
        self.name = source.name
        self.rate = source.rate
        self.channels = source.channels

    def write(self, samples: npt.ArrayLike, position: int | None = None) -> None:
        self._loop.run(self._source.write(samples, position))

    def clear(self) -> None:
        self._loop.run(self._source.clear())

    def close(self) -> None:
        self._loop.run(self._source.close())

    def __enter__(self) -> Source:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.run(self._source.__aexit__(kind, error, trace))


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
        return Source(self.loop, self.run(method(self.session, *arguments, **named)))

    return call


def _framed(
    method: Callable[Concatenate[SessionClient, Parameters], Observer],
) -> Callable[Concatenate[Session, Parameters], Stream[Frame]]:
    """Makes a method that gives a stream of frames."""

    @functools.wraps(method)
    def call(self: Session, /, *arguments: Parameters.args, **named: Parameters.kwargs) -> Stream[Frame]:
        return Stream(self.loop, method(self.session, *arguments, **named))

    return call


class Session:
    """A session: :class:`rawaudio.Session`, or one that runs elsewhere. ``with`` begins and ends it.

    Attributes:
        session: that of asyncio, of which this is the twin.
    """

    def __init__(self, session: SessionClient) -> None:
        self.session = session
        self.loop = _Loop()

    def __enter__(self) -> Session:
        try:
            self.run(self.session.__aenter__())
        except BaseException:
            self.loop.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.run(self.session.__aexit__(kind, error, trace))
        finally:
            self.loop.close()

    def run(self, work: Awaitable[Result]) -> Result:
        """Waits for work in the session's event loop."""
        return self.loop.run(work)

    @property
    def socket(self) -> str:
        """The path of its socket."""
        return self.session.socket

    @property
    def summary(self) -> dict[str, Any] | None:
        """The summary of ``rawaudio session --json``, after the end. None if it runs elsewhere."""
        return self.session.summary if isinstance(self.session, _session.Session) else None

    def events(self) -> Stream[dict[str, Any]]:
        """Returns the events of the session: :meth:`rawaudio.Session.events`."""
        return Stream(self.loop, self.session.events())

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
    """Describes a session that runs elsewhere: :func:`rawaudio.connect`."""
    return Session(_client.connect(socket))
