# SPDX-License-Identifier: Apache-2.0
"""Devices: which there are, and the sound of one."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

import numpy as np

from . import _run
from ._choices import DeviceEncoding
from ._errors import Error
from ._files import Block, length
from ._live import LiveCommand
from ._words import Time, option, time


@dataclass(frozen=True)
class Device:
    """A device of ALSA.

    Attributes:
        name: as :func:`capture` takes it.
        description: for people.
        is_default: whether it is the default device.
        capture_rates, capture_channels: what it offers for capture; empty if it does not capture, is in use, or was
            not asked.
        playback_rates, playback_channels: the same for playback.
        details: the whole object of ``rawaudio devices --json``.
    """

    name: str
    description: str
    is_default: bool
    capture_rates: tuple[int, ...]
    capture_channels: tuple[int, ...]
    playback_rates: tuple[int, ...]
    playback_channels: tuple[int, ...]
    details: dict[str, Any] = field(repr=False)


def devices() -> list[Device]:
    """Returns the devices of this machine.

    Raises:
        Error: ALSA cannot be asked.
    """
    output, reply = _run.run(["devices", "--json"])
    if reply.error:
        raise reply.error
    return [_device(value) for value in json.loads(output or b"[]")]


def _device(value: dict[str, Any]) -> Device:
    def offer(direction: str, name: str) -> tuple[int, ...]:
        return tuple((value[direction] or {}).get(name, ()))

    return Device(
        value["name"],
        value["description"],
        value["isDefault"],
        offer("capture", "sampleRates"),
        offer("capture", "channelCounts"),
        offer("playback", "sampleRates"),
        offer("playback", "channelCounts"),
        value,
    )


_TYPES = {"s16": ("<i2", 2.0**15), "s32": ("<i4", 2.0**31), "f32": ("<f4", 1.0)}


class Capture(LiveCommand):
    """The sound of a device, block by block. :func:`capture` makes it. One thread at a time, or one task.

    The first use begins the recording, and ``with`` ends it; iterating gives :class:`Block` objects. In asyncio ``async
    with`` and ``async for`` do; both, and ``await``, wait for the first block. Gaps are silence in their place, and are
    named in :attr:`Block.gaps` of the block in which they begin.

    Attributes:
        rate, channels: of the samples.
        summary: the summary of ``rawaudio capture --json`` (docs/events.md), after the end.
    """

    def __init__(self, words: Sequence[str], rate: int, channels: int, encoding: str, size: int) -> None:
        super().__init__(words)
        self.rate = rate
        self.channels = channels
        self.summary: dict[str, Any] | None = None
        self._size = size
        self._type, self._scale = _TYPES[encoding]
        self._position = 0
        self._gaps: list[tuple[int, int]] = []
        self._first: Block | None = None

    def __enter__(self) -> Capture:
        self._begun()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __iter__(self) -> Iterator[Block]:
        while (block := self.read()) is not None:
            yield block

    def __await__(self) -> Generator[Any, None, Capture]:
        return self._opened().__await__()

    async def __aenter__(self) -> Capture:
        return await self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def __aiter__(self) -> AsyncIterator[Block]:
        return self

    async def __anext__(self) -> Block:
        """A cancelled call loses no block: the next one gets it."""
        block, self._first = self._first, None
        if block is None and not self._is_over:
            block = _checked(*await self._call(self._next))
        if block is None:
            await self.aclose()
            raise StopAsyncIteration
        return block

    async def _opened(self) -> Capture:
        """Waits for the first block."""
        if self._run is None:
            try:
                self._first = _checked(*await self._call(self._next))
            except BaseException:
                await self.aclose()
                raise
        return self

    def read(self) -> Block | None:
        """Waits for the next block. Returns None at the end, and a shorter block before it.

        Raises:
            Error: the device cannot be opened, or is lost.
        """
        block, self._first = self._first, None
        return block or _checked(*self._next())

    def _next(self) -> tuple[Block | None, _run.Reply | None]:
        """The next block, and at the end the reply."""
        if self._is_over:
            return None, None
        data = np.empty((self._size, self.channels), self._type)
        used = self._begun().fill(data.data.cast("B"))
        samples = data[: used // (data.itemsize * self.channels)]
        reply = self._end() if len(samples) < self._size else None
        if not len(samples):
            return None, reply
        begin, self._position = self._position, self._position + len(samples)
        gaps = tuple(gap for gap in self._gaps if gap[0] < self._position)
        self._gaps = [gap for gap in self._gaps if gap[0] >= self._position]
        samples = (samples / np.float32(self._scale)).astype(np.float32, copy=False)
        return Block(samples, begin, self.rate, gaps), reply

    def _take(self, event: dict[str, Any]) -> None:
        if event["event"] == "gap" and event["lostSamples"] is not None:
            self._gaps.append((event["samplePosition"], event["lostSamples"]))
        elif event["event"] == "summary":
            self.summary = event


def _checked(block: Block | None, reply: _run.Reply | None) -> Block | None:
    if reply:
        reply.require_success()
    return block


def capture(
    device: str = "default",
    *,
    rate: int = 48000,
    channels: int = 1,
    encoding: DeviceEncoding = "s16",
    seconds: float | None = None,
    blocksize: int | None = None,
    duration: Time | None = None,
    options: Sequence[str] = (),
) -> Capture:
    """Describes a recording: ``with rawaudio.capture(…) as c: for block in c``, or both with ``async``.

    Args:
        device: the name of an ALSA PCM: ``"hw:1"``, ``"pulse"``, one of :func:`devices`; or ``"jack:PORTS"``,
            ``"rtp:FILE.sdp"``, ``"rtsp://HOST/PATH"``.
        rate: in hertz. The device has to offer it; ``options=["--rate-policy", "resample"]`` converts the nearest.
        channels: their number, which the device has to offer.
        encoding: of the device: ``"s16"``, ``"s32"`` or ``"f32"``. The blocks are float32 in any case.
        seconds, blocksize: the length of a block, in seconds or in samples per channel; 0.1 seconds by default.
        duration: when to end: seconds, or a text such as ``"1:30"``. None goes on until :meth:`Capture.close`.
        options: further words of ``rawaudio capture``.

    Raises:
        Error: a value is impossible. Errors of the device come with the first block.
    """
    if encoding not in _TYPES:
        raise Error("a device has s16, s32 or f32 here", action="use the encoding", subject=encoding, code=64)
    size = length(0.1 if seconds is None and blocksize is None else seconds, blocksize, rate, device)
    words = ["capture", "--json", f"--device={device}", f"--rate={rate}", f"--channels={channels}"]
    words += [f"--format={encoding}", "--type=raw", "--output=-"]
    words += [*option("duration", None if duration is None else time(duration)), *options]
    return Capture(words, rate, channels, encoding, size)
