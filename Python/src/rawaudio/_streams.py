# SPDX-License-Identifier: Apache-2.0
"""A program in a session: its source, the frames that it observes or edits, and the events."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _protocol
from ._arrays import Samples
from ._errors import Error
from ._protocol import FrameHeader, answer


class Connection:
    """A connection to a session's socket, after the first line of each side."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, subject: str, greeting: dict[str, Any]
    ) -> None:
        self.reader = reader
        self.writer = writer
        self.subject = subject
        #: The session's first line.
        self.greeting = greeting

    @classmethod
    async def open(cls, path: str, first: Mapping[str, Any], action: str, subject: str) -> Connection:
        """Connects.

        Raises:
            Error: there is no session, or it refuses.
        """
        try:
            reader, writer = await asyncio.open_unix_connection(path, limit=_protocol.MOST_PACKET_BYTES)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise Error(reason, action="join the session at", subject=path) from error
        try:
            text = b""
            with contextlib.suppress(ConnectionError):
                writer.write(_protocol.line(first))
                await writer.drain()
                text = await reader.readline()
            return cls(reader, writer, subject, answer(text, action, subject))
        except BaseException:
            writer.close()
            raise

    async def close(self) -> None:
        self.writer.close()
        with contextlib.suppress(ConnectionError):
            await self.writer.wait_closed()


class Source:
    """A source of a session that this program is. :meth:`Session.join` makes it.

    Attributes:
        name: its id, as in ``"anna"`` or ``"hall/anna"``.
        rate, channels: of the samples that it writes, in hertz.
    """

    def __init__(self, connection: Connection, name: str, rate: int, channels: int) -> None:
        self.name = name
        self.rate = rate
        self.channels = channels
        self._connection = connection
        self._watch = asyncio.ensure_future(connection.reader.read())

    async def write(self, samples: npt.ArrayLike, position: int | None = None) -> None:
        """Sends samples. Waits while the session has four seconds of them.

        Args:
            samples: (samples, channels), or (samples,) of one channel; full scale is ±1.
            position: of the first sample, in samples per channel of this source from any origin; a gap becomes
                silence. None follows the samples before.

        Raises:
            Error: the shape is another one, or the source has been removed.
        """
        array = np.asarray(samples, "<f4")
        if array.ndim == 1:
            array = array[:, np.newaxis]
        if array.ndim != 2 or array.shape[1] != self.channels:
            raise Error(
                f"its shape is {array.shape}, and the source has {self.channels} channels",
                action="write",
                subject=self.name,
                code=64,
            )
        most = _protocol.MOST_PACKET_BYTES // (4 * self.channels)
        for begin in range(0, len(array), most):
            block = np.ascontiguousarray(array[begin : begin + most])
            place = None if position is None else position + begin
            self._require_present()
            self._connection.writer.write(_protocol.packet(place, block.nbytes))
            self._connection.writer.write(block.data.cast("B"))
            try:
                await self._connection.writer.drain()
            except ConnectionError:
                await asyncio.wait([self._watch])
                self._require_present()

    def _require_present(self) -> None:
        if not self._watch.done():
            return
        words = b"" if self._watch.cancelled() or self._watch.exception() else self._watch.result()
        reason = json.loads(words)["error"] if words else "it was removed, or the session has ended"
        raise Error(reason, action="write to the source", subject=self.name)

    async def close(self) -> None:
        """Leaves the session. The samples that were written are still heard."""
        with contextlib.suppress(ConnectionError, OSError):
            self._connection.writer.write_eof()
            await self._connection.writer.drain()
        self._watch.cancel()
        with contextlib.suppress(asyncio.CancelledError, ConnectionError):
            await self._watch
        await self._connection.close()

    async def __aenter__(self) -> Source:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


@dataclass
class Frame:
    """Samples of one source, or of a sum.

    Attributes:
        samples: float32, (samples, channels), writable. Empty in the last frame of a source.
        position: of the first sample, in samples per channel at `rate` from the start of the session.
        rate: in hertz.
        source: the id, as in ``"anna"`` or ``"hall/anna"``. None for a sum.
        is_first: whether it is the first frame of its source.
        is_last: whether no frame of its source follows.
        lost: the samples per channel in front of this frame that were lost because this program read too slowly.
    """

    samples: Samples
    position: int
    rate: int
    source: str | None
    is_first: bool = False
    is_last: bool = False
    lost: int = 0


class Observer:
    """Frames of a session. :meth:`Session.observe` makes it; ``async with`` connects, ``async for`` gives frames.

    Attributes:
        lost: the samples per channel, of all sources together, that were lost because this program read too slowly.
    """

    def __init__(self, path: str, first: Mapping[str, Any], *, ends: bool = False) -> None:
        self.lost = 0
        self._path = path
        self._first = first
        self._ends = ends
        self._connection: Connection | None = None
        self._streams: dict[int, dict[str, Any]] = {}
        self._lost: dict[int, int] = {}
        self._header: FrameHeader | None = None
        self._is_closed = False

    async def __aenter__(self) -> Observer:
        await self._connected()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __aiter__(self) -> AsyncIterator[Frame]:
        return self

    async def __anext__(self) -> Frame:
        if self._is_closed:
            raise StopAsyncIteration
        reader = (await self._connected()).reader
        try:
            while True:
                # A cancelled call leaves the header for the next one.
                if self._header is None:
                    self._header = FrameHeader.read(await reader.readexactly(_protocol.FRAME_BYTES))
                payload = await reader.readexactly(self._header.byte_count)
                header, self._header = self._header, None
                if header.flags & _protocol.LINE:
                    self._take(json.loads(payload))
                elif frame := self._frame(header, payload):
                    return frame
        except (asyncio.IncompleteReadError, ConnectionError):
            await self.close()
            raise StopAsyncIteration from None

    async def close(self) -> None:
        """Ends it. The session goes on."""
        self._is_closed = True
        if self._connection:
            await self._connection.close()

    async def _connected(self) -> Connection:
        if self._connection is None:
            subject = self._first.get("source") or self._first["observe"]
            self._connection = await Connection.open(self._path, self._first, "observe", subject)
        return self._connection

    def _take(self, line: dict[str, Any]) -> None:
        number = line["source"]
        if line["event"] == "stream":
            self._streams[number] = line
        elif line["event"] == "lost":
            self.lost += line["samples"]
            self._lost[number] = self._lost.get(number, 0) + line["samples"]
        elif line["event"] == "refused":
            raise Error.of(line["error"], line.get("id") or "", 1)

    def _frame(self, header: FrameHeader, payload: bytes) -> Frame | None:
        """None for the end of a source that was not asked for."""
        stream = self._streams.get(header.source)
        is_last = bool(header.flags & _protocol.LAST)
        if stream is None or is_last and not self._ends:
            return None
        samples = np.frombuffer(bytearray(payload), "<f4").reshape(-1, stream["channels"])
        name = stream.get("id")
        if name is not None and stream.get("group") is not None:
            name = f"{stream['group']}/{name}"
        return Frame(
            samples,
            header.position,
            stream["rate"],
            name,
            bool(header.flags & _protocol.FIRST),
            is_last,
            self._lost.pop(header.source, 0),
        )


class Editor(Observer):
    """Frames that this program may change. :meth:`Session.edit` makes it.

    A frame goes back, as it then is, when the next one is asked for, or by :meth:`send` before that. It passes
    unchanged if that comes later than the latency allows.
    """

    def __init__(self, path: str, first: Mapping[str, Any]) -> None:
        super().__init__(path, first)
        self._open: Frame | None = None

    async def __anext__(self) -> Frame:
        await self.send()
        self._open = await super().__anext__()
        return self._open

    async def send(self) -> None:
        """Sends back the last frame.

        Raises:
            Error: its shape has changed.
        """
        frame, self._open = self._open, None
        if frame is None or self._connection is None:
            return
        samples = np.ascontiguousarray(frame.samples, "<f4")
        if samples.nbytes != self._byte_count:
            await self.close()
            raise Error("an edited frame keeps its shape", action="edit", subject=frame.source or "", code=64)
        try:
            self._connection.writer.write(samples.data.cast("B") if samples.size else b"")
            await self._connection.writer.drain()
        except ConnectionError:
            await self.close()

    def _frame(self, header: FrameHeader, payload: bytes) -> Frame | None:
        self._byte_count = header.byte_count
        return super()._frame(header, payload)


class Events:
    """The events of a session, a dictionary each: docs/joining.md. :meth:`Session.events` makes it.

    Events that this program does not read in time are dropped, and ``{"event": "lost"}`` counts them.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._connection: Connection | None = None

    async def __aenter__(self) -> Events:
        if self._connection is None:
            first = {"control": 1, "events": True}
            self._connection = await Connection.open(self._path, first, "follow", self._path)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __aiter__(self) -> AsyncIterator[dict[str, Any]]:
        return self

    async def __anext__(self) -> dict[str, Any]:
        await self.__aenter__()
        assert self._connection
        try:
            line = await self._connection.reader.readline()
        except (ConnectionError, ValueError):
            line = b""
        if not line.endswith(b"\n"):
            await self.close()
            raise StopAsyncIteration
        event: dict[str, Any] = json.loads(line)
        return event

    async def close(self) -> None:
        if self._connection:
            await self._connection.close()
