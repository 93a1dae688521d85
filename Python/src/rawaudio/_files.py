# SPDX-License-Identifier: Apache-2.0
"""Files: read, write, and a block after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, overload

import numpy as np
import numpy.typing as npt

from . import _plain, _run
from ._arrays import Samples, SampleType, sample_type
from ._errors import Error
from ._shapes import described
from ._sources import SoundFile, Source, Writable, array, name_of, source, target
from ._words import PathName, Time, flag, option, part
from ._words import tags as tag_words

_FIRST_BYTES = 1 << 18


@dataclass(frozen=True, eq=False)
class Block:
    """Samples that follow those of the block before.

    Attributes:
        samples: (samples, channels), float32 with full scale ±1 if no other type was asked for.
        position: the first sample's place in the stream, in samples per channel.
        rate: in hertz.
        gaps: where silence stands for samples that a device lost: (position, samples) of each, in samples per channel.
    """

    samples: npt.NDArray[Any]
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


@overload
def read(
    file: SoundFile,
    rate: int | None = None,
    channels: int | None = None,
    *,
    start: Time | None = None,
    stop: Time | None = None,
    dtype: Literal["float32"] = "float32",
    container: str | None = None,
    ends: bool = False,
    options: Sequence[str] = (),
) -> tuple[Samples, int]: ...


@overload
def read(
    file: SoundFile,
    rate: int | None = None,
    channels: int | None = None,
    *,
    start: Time | None = None,
    stop: Time | None = None,
    dtype: SampleType,
    container: str | None = None,
    ends: bool = False,
    options: Sequence[str] = (),
) -> tuple[npt.NDArray[Any], int]: ...


def read(
    file: SoundFile,
    rate: int | None = None,
    channels: int | None = None,
    *,
    start: Time | None = None,
    stop: Time | None = None,
    dtype: SampleType = "float32",
    container: str | None = None,
    ends: bool = False,
    options: Sequence[str] = (),
) -> tuple[npt.NDArray[Any], int]:
    """Reads a file, or a part of it.

    Args:
        file: any sound file, or a video: its path, its bytes, or an object like a file that is open for reading bytes,
            which is read from where it stands and stays open.
        rate: in hertz; the samples are converted. None keeps the file's.
        channels: their number; the channels are mixed. None keeps the file's.
        start: where to begin: seconds, or a text such as ``"1:30.5"`` or ``"44100S"`` (samples). A negative number
            counts from the end.
        stop: where to stop, written as `start`.
        dtype: of the samples: ``"float32"``, ``"float64"``, ``"int16"`` or ``"int32"``. Integers have their full
            scale: samples of fewer bits are shifted up, all others rounded, and clipped with a note.
        container: ``"wav"``, ``"flac"``, …, as of ``--input-type``. None finds it in the content.
        ends: whether `file` may be an end, too: ``"alsa:default"``, ``"rtsp://…"``, ``"tone:440"``. It needs `rate` and
            `channels`. Without it no name opens a device or a network.
        options: further words of ``rawaudio convert``, such as ``["--highpass", "80"]``.

    Returns:
        samples of the shape (samples, channels), floats with full scale ±1, and their rate in hertz.

    Raises:
        Error: the file cannot be read, or `file` is nothing of that kind. Errors of an object are its own.
    """
    type_, encoding = sample_type(dtype, name_of(file))
    sound = source(file, "read", ends=ends).read_whole()
    if not (options or ends or container):
        plain = sound.path if sound.content is None else sound.content
        if plain and (found := _plain.read(plain, rate, channels, start, stop, type_)):
            return found
    words = _words(encoding, rate, channels, start, stop, container, options)
    data = np.empty(_FIRST_BYTES, np.uint8)
    used = 0
    with sound.lent() as (worker, place):
        run = _run.Run(worker, [*words, *place])
        while count := run.fill(data.data[used:]):
            used += count
            if used == len(data):
                data = np.concatenate([data, np.empty(len(data), np.uint8)])
        reply = run.end()
    reply.require_success()
    if reply.result:
        rate, channels = reply.result["sampleRate"], reply.result["channels"]
    if rate is None or channels is None:
        raise Error("an end needs rate and channels", action="read", subject=sound.name, code=64)
    if used < len(data) // 2:
        data = data[:used].copy()
    return data[:used].view(type_).reshape(-1, channels), rate


def _words(
    encoding: str,
    rate: int | None,
    channels: int | None,
    start: Time | None,
    stop: Time | None,
    container: str | None,
    options: Sequence[str],
) -> list[str]:
    words = ["convert", "--type=raw", f"--format={encoding}", "--output=-", *option("input-type", container)]
    return [*words, *option("rate", rate), *option("channels", channels), *part(start, stop), *options]


def blocks(
    file: SoundFile,
    rate: int | None = None,
    channels: int | None = None,
    *,
    seconds: float | None = None,
    blocksize: int | None = None,
    start: Time | None = None,
    stop: Time | None = None,
    dtype: SampleType = "float32",
    container: str | None = None,
    ends: bool = False,
    options: Sequence[str] = (),
) -> Iterator[Block]:
    """Reads a file of any length a block after the other.

    An object like a file is read while the blocks are asked for. Containers that need seeking, such as FLAC, wait in a
    temporary file for its end.

    Args:
        seconds: the length of a block. The last one may be shorter.
        blocksize: the same in samples per channel.
        file, rate, channels, start, stop, dtype, container, ends, options: as for :func:`read`.

    Yields:
        blocks, each with memory of its own. Positions count from `start`.

    Raises:
        Error: the file cannot be read, or not to its end: the samples before that have come.
    """
    type_, encoding = sample_type(dtype, name_of(file))
    sound = source(file, "read", ends=ends)
    if ends and (rate is None or channels is None):
        raise Error("an end needs rate and channels", action="read", subject=sound.name, code=64)
    if (seconds is None) == (blocksize is None):
        raise Error("give either seconds or blocksize", action="read", subject=sound.name, code=64)
    form = (rate, channels) if ends and rate and channels else None
    words = _words(encoding, rate, channels, start, stop, container, options)
    return _blocks(sound, words, form, type_, seconds, blocksize)


def _blocks(
    sound: Source,
    words: Sequence[str],
    form: tuple[int, int] | None,
    type_: np.dtype[Any],
    seconds: float | None,
    blocksize: int | None,
) -> Iterator[Block]:
    """
    Args:
        form: rate and channels, if the program does not tell them.
    """
    started: list[dict[str, Any]] = []
    with sound.lent() as (worker, place):
        run = _run.Run(worker, [*words, *place], started.append)
        if form is None:
            run.wait(lambda: bool(started))
        if started or form:
            rate, channels = form or (started[0]["sampleRate"], started[0]["channels"])
            size, position = length(seconds, blocksize, rate, sound.name), 0
            is_over = False
            while not is_over:
                samples = np.empty((size, channels), type_)
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
    file: PathName | Writable,
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
        file: the output; its extension names the container. Or an object like a file that is open for writing bytes:
            it gets them when they are complete, and stays open; without a name it gets WAV.
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
    sound = array(data, rate)
    with target(file) as (output, names):
        words = ["convert", f"--output={output}", *option("type", container), *option("format", encoding)]
        words += [*flag("force", overwrite), *option("loudness", loudness), *tag_words(tags), *options]
        _, reply = _run.run(words, sound, names)
        reply.require_success()
