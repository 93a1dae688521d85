# SPDX-License-Identifier: Apache-2.0
"""Files: read, write, and a block after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _run, _worker
from ._arrays import Samples
from ._errors import Error
from ._shapes import described
from ._words import PathName, Time, flag, literal, option, part
from ._words import file as source_file
from ._words import tags as tag_words

_RAW = ["--type=raw", "--format=f32", "--output=-"]
_FIRST_BYTES = 1 << 18


@dataclass(frozen=True, eq=False)
class Block:
    """Samples that follow those of the block before.

    Attributes:
        samples: float32, (samples, channels); full scale is ±1.
        position: the first sample's place in the stream, in samples per channel.
        rate: in hertz.
        gaps: where silence stands for samples that a device lost: (position, samples) of each, in samples per channel.
    """

    samples: Samples
    position: int
    rate: int
    gaps: tuple[tuple[int, int], ...] = ()

    def __repr__(self) -> str:
        gaps = f", gaps={self.gaps}" if self.gaps else ""
        return f"Block({described(self.samples)}, position={self.position}, rate={self.rate}{gaps})"

    @property
    def time(self) -> float:
        """The first sample's place in seconds."""
        return self.position / self.rate


def read(
    file: PathName,
    rate: int | None = None,
    channels: int | None = None,
    *,
    start: Time | None = None,
    stop: Time | None = None,
    ends: bool = False,
    options: Sequence[str] = (),
) -> tuple[Samples, int]:
    """Reads a file, or a part of it.

    Args:
        file: any sound file, or a video.
        rate: in hertz; the samples are converted. None keeps the file's.
        channels: their number; the channels are mixed. None keeps the file's.
        start: where to begin: seconds, or a text such as ``"1:30.5"`` or ``"44100S"`` (samples). A negative number
            counts from the end.
        stop: where to stop, written as `start`.
        ends: whether `file` may be an end, too: ``"alsa:default"``, ``"rtsp://…"``, ``"tone:440"``. It needs `rate` and
            `channels`. Without it no name opens a device or a network.
        options: further words of ``rawaudio convert``, such as ``["--highpass", "80"]``.

    Returns:
        float32 samples of the shape (samples, channels), full scale ±1, and their rate in hertz.

    Raises:
        Error: the file cannot be read.
    """
    words = ["convert", *_RAW, *option("rate", rate), *option("channels", channels), *part(start, stop)]
    name = source_file(file, "read", ends=ends)
    words += [*options, "--", name]
    data = np.empty(_FIRST_BYTES, np.uint8)
    used = 0
    with _worker.pool.worker() as worker:
        run = _run.Run(worker, words)
        while count := run.fill(data.data[used:]):
            used += count
            if used == len(data):
                data = np.concatenate([data, np.empty(len(data), np.uint8)])
        reply = run.end()
    reply.require_success()
    if reply.result:
        rate, channels = reply.result["sampleRate"], reply.result["channels"]
    if rate is None or channels is None:
        raise Error("an end needs rate and channels", action="read", subject=name, code=64)
    if used < len(data) // 2:
        data = data[:used].copy()
    return data[:used].view("<f4").reshape(-1, channels), rate


def blocks(
    file: PathName,
    rate: int | None = None,
    channels: int | None = None,
    *,
    seconds: float | None = None,
    blocksize: int | None = None,
    start: Time | None = None,
    stop: Time | None = None,
    ends: bool = False,
    options: Sequence[str] = (),
) -> Iterator[Block]:
    """Reads a file of any length a block after the other.

    Args:
        seconds: the length of a block. The last one may be shorter.
        blocksize: the same in samples per channel.
        rate, channels, start, stop, ends, options: as for :func:`read`.

    Yields:
        blocks, each with memory of its own. Positions count from `start`.

    Raises:
        Error: the file cannot be read, or not to its end: the samples before that have come.
    """
    words = ["convert", *_RAW, *option("rate", rate), *option("channels", channels), *part(start, stop)]
    name = source_file(file, "read", ends=ends)
    if ends and (rate is None or channels is None):
        raise Error("an end needs rate and channels", action="read", subject=name, code=64)
    form = (rate, channels) if ends and rate and channels else None
    return _blocks([*words, *options, "--", name], form, seconds, blocksize, name)


def _blocks(
    words: Sequence[str], form: tuple[int, int] | None, seconds: float | None, blocksize: int | None, subject: str
) -> Iterator[Block]:
    """
    Args:
        form: rate and channels, if the program does not tell them.
    """
    if (seconds is None) == (blocksize is None):
        raise Error("give either seconds or blocksize", action="read", subject=subject, code=64)
    started: list[dict[str, Any]] = []
    with _worker.pool.worker() as worker:
        run = _run.Run(worker, words, started.append)
        if form is None:
            run.wait(lambda: bool(started))
        if started or form:
            rate, channels = form or (started[0]["sampleRate"], started[0]["channels"])
            size, position = length(seconds, blocksize, rate, subject), 0
            is_over = False
            while not is_over:
                samples = np.empty((size, channels), "<f4")
                samples = samples[: run.fill(samples.data.cast("B")) // samples[0].nbytes]
                is_over = len(samples) < size
                if len(samples):
                    yield Block(samples, position, rate)
                position += size
        reply = run.end()
    reply.require_success()


def length(seconds: float | None, blocksize: int | None, rate: int, subject: str) -> int:
    """The length of a block in samples per channel."""
    size = blocksize if blocksize is not None else round((seconds or 0) * rate)
    if size < 1:
        raise Error("a block has at least one sample", action="read", subject=subject, code=64)
    return size


def write(
    file: PathName,
    data: npt.ArrayLike,
    rate: int,
    *,
    container: str | None = None,
    encoding: str | None = None,
    loudness: float | None = None,
    tags: Mapping[str, str | Iterable[str] | None] | None = None,
    overwrite: bool = False,
    options: Sequence[str] = (),
) -> None:
    """Writes samples to a file, which has its name only when it is complete.

    Args:
        file: the output; its extension names the container.
        data: float32, float64, int8, int16, int32 or uint8; (samples, channels), or (samples,) of one channel. Nothing
            is changed where the encoding of the file holds it.
        rate: in hertz.
        container: ``"wav"``, ``"flac"``, … as of ``--type``.
        encoding: ``"s16"``, ``"s24"``, ``"f32"``, … as of ``--format``. None keeps that of `data` if the container
            has it.
        loudness: the integrated loudness that the file is to have, in LUFS.
        tags: texts of the file, such as ``{"title": "Dawn"}``.
        overwrite: whether a file that exists is replaced, as soon as the new one is complete. Otherwise it is an error,
            as in :func:`convert` and :func:`session`.
        options: further words of ``rawaudio convert``.

    Raises:
        Error: the file cannot be written. Nothing is left of it.
    """
    words = ["convert", f"--output={literal(file)}", *option("type", container), *option("format", encoding)]
    words += [*flag("force", overwrite), *option("loudness", loudness), *tag_words(tags), *options]
    _, reply = _run.run(words, (data, rate))
    reply.require_success()
