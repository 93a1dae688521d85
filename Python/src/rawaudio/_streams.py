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
from ._arrays import Samples, floating
from ._connection import Command, Connection, Opening, Part
from ._errors import Error
from ._protocol import FrameHeader
from ._shapes import described
from .events import Event, event_of

# Of one packet. A write that is interrupted ends between two of them.
_PACKET_BYTES = 1 << 16


class Source(Part):
    """A source of a session that this program is. :meth:`Session.join` makes it.

    Attributes:
        name: its id, as in ``"anna"`` or ``"hall/anna"``.
        rate, channels: of the samples that it writes, in hertz.
    """

    def __init__(
        self, parts: set[Part], connection: Connection, command: Command, name: str, rate: int, channels: int
    ) -> None:
        super().__init__(parts)
        self.name = name
        self.rate = rate
        self.channels = channels
        self._connection = self._line = connection
        self._command = command
        self._watch = asyncio.ensure_future(connection.reader.read())
        self._is_leaving = False
        # One write after the other. None begins while the source is cleared, and those before that end.
        self._turn = asyncio.Lock()
        self._clearing = asyncio.Lock()
        self._clears = 0

    async def write(self, samples: npt.ArrayLike, position: int | None = None) -> None:
        """Sends samples. Waits while the session has four seconds of them.

        Args:
            samples: float32, float64, int8, int16, int32 or uint8; (samples, channels), or (samples,) of one channel.
                Full scale is ±1, or that of the integers.
            position: of the first sample, in samples per channel of this source from any origin; a gap becomes
                silence. None follows the samples before.

        Raises:
            Error: the shape or the type is another one, or the source has left.
        """
        array = floating(samples, self.name)
        if array.shape[1] != self.channels:
            reason = f"its shape is {array.shape}, and the source has {self.channels} channels"
            advice = "use x.T for (channels, samples)" if len(array) == self.channels else ""
            raise Error(reason, action="write", subject=self.name, advice=advice, code=64)
        async with self._clearing:
            clears = self._clears
        most = max(1, _PACKET_BYTES // (4 * self.channels))
        writer = self._line.writer
        async with self._turn:
            for begin in range(0, max(1, len(array)), most):
                block = np.ascontiguousarray(array[begin : begin + most])
                place = None if position is None else position + begin
                if clears != self._clears:
                    return
                self._require_present()
                writer.write(_protocol.packet(place, block.nbytes))
                writer.write(block.data.cast("B") if block.size else b"")
                try:
                    await writer.drain()
                except ConnectionError:
                    await asyncio.wait([self._watch])
                    self._require_present()

    async def clear(self) -> None:
        """Drops what was written and is not in the sum yet, and goes on: the source is interrupted (barge-in).

        A write that waits ends. The source is heard for at most 60 ms more on a machine that keeps up, whatever its
        `latency`, and fades out; a playing device plays its own buffer, too. Observers before mixing and the source's
        track have up to `latency` and 60 ms that are not heard.
        """
        async with self._clearing:
            self._clears += 1
            is_sent = False
            while not is_sent:
                # The session drops what is in its socket; what is still here takes its place.
                is_sent = not self._line.writer.transport.get_write_buffer_size()
                await self._command({"clear": self.name}, "clear", self.name)

    def _require_present(self) -> None:
        if self._is_leaving or self._line.is_closed:
            raise Error("it has left", action="write to the source", subject=self.name)
        if self._watch.done():
            raise Error(
                self._refusal or "it was removed, or the session has ended",
                action="write to the source",
                subject=self.name,
            )

    @property
    def _refusal(self) -> str | None:
        """The session's last words to the source."""
        words = b"" if self._watch.cancelled() or self._watch.exception() else self._watch.result()
        return str(json.loads(words)["error"]) if words else None

    async def close(self) -> None:
        """Leaves the session, and waits until everything that was written is in the sum: at most 4 s and `latency`.

        A cancelled call leaves, too, and does not wait.

        Raises:
            Error: the session could not take the samples.
        """
        is_first, self._is_leaving = not self._is_leaving, True
        try:
            if is_first and not self._watch.done():
                with contextlib.suppress(OSError):
                    self._line.writer.write_eof()
            if not self._line.is_closed:
                await asyncio.wait([self._watch])
        finally:
            await super().close()
        if is_first and (refusal := self._refusal):
            raise Error.of(refusal, self.name, 1)

    def abort(self) -> None:
        self._is_leaving = True
        super().abort()

    async def __aenter__(self) -> Source:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            await self.close()
        else:
            self.abort()
            await super().close()


@dataclass(eq=False)
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

    def __repr__(self) -> str:
        told = [f"source={self.source!r}"] + [name for name in ("is_first", "is_last") if getattr(self, name)]
        told += [f"lost={self.lost}"] if self.lost else []
        return f"Frame({described(self.samples)}, position={self.position}, rate={self.rate}, {', '.join(told)})"


class Observer(Part):
    """Frames of a session. :meth:`Session.observe` makes it; ``async with`` connects, ``async for`` gives frames.

    Attributes:
        lost: the samples per channel, of all sources together, that were lost because this program read too slowly.
    """

    def __init__(self, parts: set[Part], opening: Opening, first: Mapping[str, Any], *, ends: bool = False) -> None:
        super().__init__(parts)
        self.lost = 0
        self._opening = opening
        self._first = first
        self._ends = ends
        self._streams: dict[int, dict[str, Any]] = {}
        self._lost: dict[int, int] = {}
        self._header: FrameHeader | None = None
        self._is_closed = False

    async def __aenter__(self) -> Observer:
        await self._connected()
        return self

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
        await super().close()

    def abort(self) -> None:
        self._is_closed = True
        super().abort()

    async def _connected(self) -> Connection:
        if self._connection is None:
            subject = self._first.get("source") or self._first["observe"]
            self._connection = await self._opening(self._first, "observe", subject)
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

    def __init__(self, parts: set[Part], opening: Opening, first: Mapping[str, Any]) -> None:
        super().__init__(parts, opening, first)
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
        samples = np.ascontiguousarray(floating(frame.samples, frame.source or "the frame"))
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


class Events(Part):
    """The events of a session, each of a class of :mod:`rawaudio.events`. :meth:`Session.events` makes it.

    ``async with`` connects, ``async for`` gives events. Those that this program does not read in time are dropped, and
    :class:`rawaudio.events.Lost` counts them.
    """

    def __init__(self, parts: set[Part], opening: Opening) -> None:
        super().__init__(parts)
        self._opening = opening

    async def __aenter__(self) -> Events:
        if self._connection is None:
            self._connection = await self._opening({"control": 1, "events": True}, "follow", "the session")
        return self

    def __aiter__(self) -> AsyncIterator[Event]:
        return self

    async def __anext__(self) -> Event:
        await self.__aenter__()
        assert self._connection
        event = None
        while event is None:
            try:
                line = await self._connection.reader.readline()
            except (ConnectionError, ValueError):
                line = b""
            if not line.endswith(b"\n"):
                await self.close()
                raise StopAsyncIteration
            event = event_of(json.loads(line))
        return event
