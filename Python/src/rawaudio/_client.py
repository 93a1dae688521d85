# SPDX-License-Identifier: Apache-2.0
"""Sessions that run: sources that come and go, observers, editors, control."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from types import TracebackType
from typing import Any

from ._choices import EditPosition, Position
from ._connection import Connection, Part
from ._errors import Error
from ._streams import Editor, Events, Observer, Source
from ._words import PathName, path
from .events import Attendant, attendant


class SessionClient:
    """A running session, seen from a program that joins it. :func:`connect` makes it. One event loop.

    Attributes:
        socket: the path of its socket.
    """

    def __init__(self, socket: str) -> None:
        self.socket = socket
        self._control: Connection | None = None
        self._lock = asyncio.Lock()
        self._parts: set[Part] = set()

    async def join(
        self,
        name: str,
        *,
        rate: int,
        channels: int = 1,
        group: str | None = None,
        shared: bool = False,
        latency: float = 0.1,
    ) -> Source:
        """Becomes a source. Returns when the session has it.

        Args:
            name: its id: letters from A to Z, digits, ``_`` and ``-``.
            rate, channels: of the samples that it will write, in hertz.
            group: the group of the source.
            shared: whether all participants share it, as music.
            latency: the allowed delay of its samples in seconds.

        Raises:
            Error: the session refuses, or is gone.
        """
        first = {
            "join": name,
            "group": group,
            "shared": shared or None,
            "rate": rate,
            "channels": channels,
            "encoding": "f32",
            "framing": "packets",
            "latency": round(latency * 1000),
        }
        connection = await self._open(first, "join", name)
        name = name if group is None else f"{group}/{name}"
        return Source(self._parts, connection, self._command, name, rate, channels)

    def observe(
        self,
        position: Position,
        *,
        source: str | None = None,
        rate: int | None = None,
        channels: int | None = None,
        seconds: float | None = None,
        blocksize: int | None = None,
        ends: bool = False,
    ) -> Observer:
        """Observes a position.

        Args:
            position: ``"before-mixing"``, ``"playback"``, ``"mixed"``, ``"record"``, ``"shared"`` or ``"mix-minus"``.
            source: the only source; of ``"mix-minus"`` the one that is left out.
            rate, channels: of the frames, in hertz; the stream is converted. None keeps the stream's.
            seconds, blocksize: the length of a frame, in seconds or in samples per channel; 10 ms by default. Needs
                `rate` and `channels`.
            ends: whether a frame without samples tells that a source has left.

        Returns:
            the frames, for ``async with`` and ``async for``. Errors come from there.

        Raises:
            Error: a length without `rate` and `channels`.
        """
        first = _observation(position, source, rate, channels, seconds, blocksize)
        return Observer(self._parts, self._open, first, ends=ends)

    def edit(
        self,
        position: EditPosition,
        *,
        source: str | None = None,
        rate: int | None = None,
        channels: int | None = None,
        seconds: float | None = None,
        blocksize: int | None = None,
        latency: float = 0.1,
    ) -> Editor:
        """Observes a position, and changes its samples: those that a frame has when the next one is asked for go on.

        Args:
            position, source, rate, channels, seconds, blocksize: as for :meth:`observe`.
            latency: how long a stream waits for this program, in seconds.

        Returns:
            the frames, for ``async with`` and ``async for``. Errors come from there.

        Raises:
            Error: a length without `rate` and `channels`.
        """
        first = _observation(position, source, rate, channels, seconds, blocksize)
        first |= {"mode": "read-write", "latency": round(latency * 1000)}
        return Editor(self._parts, self._open, first)

    def events(self) -> Events:
        """Returns the events of the session from now on, for ``async for``."""
        return Events(self._parts, self._open)

    async def gain(self, source: str, decibels: float) -> None:
        """Sets the gain of a source.

        Args:
            source: its id, as in ``"anna"`` or ``"hall/anna"``.
            decibels: −200 to 60.

        Raises:
            Error: there is no such source, the value is impossible, or the session is gone.
        """
        await self._command({"set": source, "gain": decibels}, "set the gain of", source)

    async def mute(self, source: str, *, everywhere: bool = False) -> None:
        """Mutes a source in the sum.

        Args:
            source: its id.
            everywhere: whether observers before mixing and its track get silence, too.

        Raises:
            Error: there is no such source, or the session is gone.
        """
        await self._command({"set": source, "muted": "everywhere" if everywhere else True}, "mute", source)

    async def unmute(self, source: str) -> None:
        """Lets a source be heard again.

        Args:
            source: its id.

        Raises:
            Error: there is no such source, or the session is gone.
        """
        await self._command({"set": source, "muted": False}, "unmute", source)

    async def remove(self, source: str, *, drain: bool = False) -> None:
        """Ends a source, and disconnects its program.

        Args:
            source: its id.
            drain: whether the samples that the session has received are still heard, 4 s at most. Otherwise the source
                is interrupted as by :meth:`Source.clear`.

        Raises:
            Error: there is no such source, or the session is gone.
        """
        await self._command({"remove": source, "drain": drain or None}, "remove", source)

    async def split(self) -> None:
        """Begins the next part of every recording in parts.

        Raises:
            Error: no recording of the session is in parts, or the session is gone.
        """
        await self._command({"split": True}, "split", "the session")

    async def status(self) -> list[Attendant]:
        """Returns the sources, as they were at most a tenth of a second ago.

        Raises:
            Error: the session is gone.
        """
        value = await self._command({"status": True}, "ask", "the session")
        return [attendant(source) for source in value["sources"]]

    async def stop(self) -> None:
        """Ends the session as Ctrl-C does: every file is complete.

        Raises:
            Error: the session is gone.
        """
        await self._command({"stop": True}, "stop", "the session")

    async def close(self) -> None:
        """Closes all that this object has opened. The session goes on."""
        control, self._control = self._control, None
        closing = [part.close() for part in list(self._parts)] + ([control.close()] if control else [])
        for error in await asyncio.gather(*closing, return_exceptions=True):
            if isinstance(error, BaseException):
                raise error

    def _abort(self) -> None:
        """Closes all of it at once."""
        control, self._control = self._control, None
        for part in list(self._parts):
            part.abort()
        if control:
            control.abort()

    async def __aenter__(self) -> SessionClient:
        await self._connect()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self._abort()
        await self.close()

    async def _open(self, first: Mapping[str, Any], action: str, subject: str) -> Connection:
        return await Connection.open(self.socket, first, action, subject)

    async def _connect(self) -> Connection:
        if self._control is None or self._control.is_closed:
            self._control = await self._open({"control": 1}, "control", "the session")
        return self._control

    async def _command(self, command: Mapping[str, Any], action: str, subject: str) -> dict[str, Any]:
        # A cancelled call must not leave its answer to the next one.
        return await asyncio.shield(self._exchange(command, action, subject))

    async def _exchange(self, command: Mapping[str, Any], action: str, subject: str) -> dict[str, Any]:
        async with self._lock:
            return await (await self._connect()).ask(command, action, subject)


def _observation(
    position: str,
    source: str | None,
    rate: int | None,
    channels: int | None,
    seconds: float | None,
    blocksize: int | None,
) -> dict[str, Any]:
    """The first line of an observer."""
    samples = None
    if seconds is not None or blocksize is not None:
        if rate is None or channels is None:
            raise Error("the length of a frame needs rate and channels", action="observe", subject=position, code=64)
        samples = (blocksize if blocksize is not None else round((seconds or 0) * rate)) * channels
    return {
        "observe": position,
        "source": source,
        "rate": rate,
        "channels": channels,
        "samplesPerCall": samples,
        "encoding": "f32",
    }


def connect(socket: PathName) -> SessionClient:
    """Describes a session that runs elsewhere: ``async with rawaudio.connect("/run/user/1000/meeting.sock") as s``.

    Args:
        socket: the path of ``rawaudio session --listen``.
    """
    return SessionClient(path(socket))
