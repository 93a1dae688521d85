# SPDX-License-Identifier: Apache-2.0
"""Speech in files and arrays, within this process."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import encoded
from ._errors import Error
from ._files import blocks
from ._library import setting_up
from ._program import program
from ._sources import SoundFile

_MODEL = "silero-vad-6.2.safetensors"
_SENTENCE_BYTES = 1024
# Samples of the network's step, and its rate in hertz.
_STEP, _RATE = 512, 16_000


@dataclass(frozen=True, eq=False)
class Voice:
    """The speech in a sound.

    Attributes:
        probabilities: of speech, from 0 to 1, for each 32 ms; float32.
        speech: the beginning and the end of each stretch of speech, in seconds.
        duration: of the sound, in seconds.
    """

    probabilities: npt.NDArray[np.float32]
    speech: tuple[tuple[float, float], ...]
    duration: float

    #: The seconds from one probability to the next.
    step = _STEP / _RATE

    @property
    def seconds(self) -> float:
        """The length of all speech."""
        return sum(end - begin for begin, end in self.speech)

    @property
    def share(self) -> float:
        """The share of the sound that is speech."""
        return self.seconds / self.duration if self.duration else 0.0

    @property
    def longest_pause(self) -> float:
        """The longest time without speech, in seconds, also at the start and at the end."""
        ends = [0.0, *(end for _, end in self.speech)]
        begins = [*(begin for begin, _ in self.speech), self.duration]
        return max(begin - end for end, begin in zip(ends, begins, strict=True))


def voice(
    sound: SoundFile | npt.NDArray[Any],
    rate: int | None = None,
    *,
    on: float = 0.5,
    off: float | None = None,
    hold: float = 0.2,
) -> Voice:
    """Tells speech from other sounds, as ``rawaudio measure --voice`` does.

    It works in the calling thread; other threads of Python go on meanwhile.

    Args:
        sound: a file as for :func:`read`, or samples as :func:`resample` takes them. Channels are averaged.
        rate: of samples in memory, in hertz.
        on: the probability from which it is speech.
        off: the probability below which it is none; None = 0.1 below `on`.
        hold: the longest pause within a stretch of speech, in seconds.

    Raises:
        Error: the file is missing or is no audio, the rate of an array is not known, or the numbers of the network are
            not installed.
    """
    low = max(0.01, on - 0.1) if off is None else off
    if isinstance(sound, np.ndarray):
        if rate is None:
            reason = "its rate is not known"
            subject, advice = "the array", "give rate="
            raise Error(reason, action="find speech in", subject=subject, advice=advice, code=64, kind=TypeError)
        parts: Iterable[npt.NDArray[Any]] = (sound,)
    else:
        blocks_of_file = blocks(sound, seconds=10)
        first = next(blocks_of_file, None)
        if first is None:
            return Voice(np.empty(0, np.float32), (), 0.0)
        rate = first.rate
        parts = _samples(first.samples, blocks_of_file)
    probabilities, count = _probabilities(parts, rate)
    return Voice(probabilities, _stretches(probabilities, on, low, hold, count / rate), count / rate)


def _samples(first: npt.NDArray[Any], others: Iterable[Any]) -> Iterator[npt.NDArray[Any]]:
    yield first
    for block in others:
        yield block.samples


def _probabilities(parts: Iterable[npt.NDArray[Any]], rate: int) -> tuple[npt.NDArray[np.float32], int]:
    """The probabilities, and the samples per channel."""
    found: list[npt.NDArray[np.float32]] = []
    stream: _Stream | None = None
    for part in parts:
        samples, encoding = encoded(part, action="find speech in")
        if stream is None:
            stream = _Stream(rate, samples.shape[1], encoding)
        found.append(stream.process(samples, is_last=False))
    if stream is None:
        return np.empty(0, np.float32), 0
    found.append(stream.process(np.empty((0, 1), np.float32), is_last=True))
    return np.concatenate(found), stream.count


class _Stream:
    """A stream in the library, whose memory goes with this object. One thread at a time."""

    _handle: int | None = None

    def __init__(self, rate: int, channels: int, encoding: str) -> None:
        path = Path(program()).parents[1] / "share/rawaudio" / _MODEL
        words = encoding.encode(), bytes(path) if path.is_file() else b""
        sentence = ctypes.create_string_buffer(_SENTENCE_BYTES)
        with setting_up() as library:
            self._handle = library.rawaudio_voice_make(rate, channels, *words, sentence, _SENTENCE_BYTES)
        if not self._handle:
            raise Error.of(sentence.value.decode(), "", 1)
        self._library = library
        self._rate = rate
        # Samples per channel, and probabilities.
        self.count, self._gone = 0, 0

    def process(self, samples: npt.NDArray[Any], is_last: bool) -> npt.NDArray[np.float32]:
        self.count += len(samples)
        # The conversion to the network's rate may hold back many steps until the end.
        room = math.ceil(self.count * _RATE / self._rate / _STEP) + 3 - self._gone
        result = np.empty(room, np.float32)
        number: int = self._library.rawaudio_voice_process(
            self._handle, samples.ctypes.data, len(samples), is_last, result.ctypes.data
        )
        self._gone += number
        return result[:number]

    def __del__(self) -> None:
        if self._handle:
            self._library.rawaudio_voice_free(self._handle)


def _stretches(
    probabilities: npt.NDArray[np.float32], on: float, off: float, hold: float, duration: float
) -> tuple[tuple[float, float], ...]:
    steps = np.empty((len(probabilities), 2), np.int64)
    pause = int(min(hold, duration) * _RATE)
    with setting_up() as library:
        count: int = library.rawaudio_voice_stretches(
            probabilities.ctypes.data, len(probabilities), on, off, pause, steps.ctypes.data
        )
    return tuple((begin * Voice.step, min(duration, end * Voice.step)) for begin, end in steps[:count].tolist())
