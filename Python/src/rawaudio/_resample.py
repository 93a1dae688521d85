# SPDX-License-Identifier: Apache-2.0
"""Rate conversion of arrays, within this process."""

from __future__ import annotations

import ctypes
import functools
import operator
import threading
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ._arrays import encoded
from ._errors import Error
from ._library import setting_up
from ._worker import processors

#: The qualities, from the cheapest to the best.
Quality = Literal["fast", "high", "best"]

_SENTENCE_BYTES = 512
# Shorter arrays are ready before threads have started.
_SIZE_FOR_HELPERS = 1 << 18
# With more, the calling thread's own part limits the speed.
_MOST_HELPERS = 7


def resample(
    data: npt.ArrayLike, from_rate: int, to_rate: int, quality: Quality = "high"
) -> npt.NDArray[np.floating[Any]]:
    """Converts an array to another sample rate, as ``rawaudio convert --rate`` does, bit for bit.

    It works in the calling thread, with the help of others if the array has more than some seconds. Other threads of
    Python go on meanwhile.

    Args:
        data: float32, float64, int8, int16, int32 or uint8; (samples, channels), or (samples,) of one channel.
        from_rate: of `data`, in hertz.
        to_rate: of the result, in hertz.
        quality: as of ``--resampler-quality``. ``"best"`` is worth it for float64.

    Returns:
        n samples per channel become ⌈n × to_rate / from_rate⌉, and the first stands at the first: no delay is left.
        float64 if `data` is, else float32; full scale ±1; (samples,) if `data` is.

    Raises:
        Error: a type, a shape, a rate or a quality that there is not.
    """
    array = np.asarray(data)
    samples, encoding = encoded(array, action="resample")
    helpers = min(_MOST_HELPERS, processors() - 1) if samples.size >= _SIZE_FOR_HELPERS else 0
    conversion = _Conversion(from_rate, to_rate, samples.shape[1], quality, encoding, False, helpers)
    result = conversion.process(samples, is_last=True)
    return result.reshape(-1) if array.ndim == 1 else result


class Resampler:
    """Converts a stream to another sample rate, a block after the other. One thread at a time.

    An output comes as soon as half the filter's length of input has come behind it: 2.2 ms for ``"high"`` and 44.1 to
    48 kHz. All blocks together become as many samples as :func:`resample` makes of the whole, wherever the stream is
    cut. They are computed as in a live session, and agree with those of a file to the floor of the quality at usual
    ratios up to 8 to 1.

    Args:
        from_rate: of the blocks, in hertz.
        to_rate: of the results, in hertz.
        channels: of both.
        quality: as for :func:`resample`.

    Raises:
        Error: a rate, a number of channels or a quality that there is not.
    """

    def __init__(self, from_rate: int, to_rate: int, channels: int = 1, quality: Quality = "high") -> None:
        self._begin = functools.partial(_Conversion, from_rate, to_rate, channels, quality)
        self._conversion = self._begin("f32")
        self._channels = channels
        # Of the blocks, from the first one on.
        self._encoding = ""
        self._is_flat = False
        self._is_over = False
        self._use = threading.Lock()

    def process(self, block: npt.ArrayLike, last: bool = False) -> npt.NDArray[np.floating[Any]]:
        """Converts the next samples of the stream.

        Args:
            block: any number of samples, as for :func:`resample`. All blocks have the type of the first.
            last: whether the stream ends with them.

        Returns:
            the samples that are complete now, in the form of :func:`resample`. There may be none.

        Raises:
            Error: a block of another type or shape, one behind the last, or another thread is at work here.
        """
        array = np.asarray(block)
        samples, encoding = encoded(array, "the block", "resample")
        if samples.shape[1] != self._channels:
            is_turned = samples.shape[0] == self._channels
            raise _refusal(
                f"its shape is {array.shape}",
                f"the stream has {self._channels} channels" + (": its transpose, block.T, fits" if is_turned else ""),
            )
        return self._convert(samples, encoding, array.ndim == 1, last)

    def flush(self) -> npt.NDArray[np.floating[Any]]:
        """Ends the stream, and returns its last samples.

        Raises:
            Error: it has ended, or another thread is at work here.
        """
        return self._convert(np.empty((0, self._channels), np.float32), self._encoding, self._is_flat, True)

    def _convert(
        self, samples: npt.NDArray[Any], encoding: str, is_flat: bool, is_last: bool
    ) -> npt.NDArray[np.floating[Any]]:
        if not self._use.acquire(blocking=False):
            raise _refusal("another thread converts one", "give each stream a Resampler of its own")
        try:
            if self._is_over:
                raise _refusal("its stream has ended", "a Resampler is for one stream")
            if not self._encoding and encoding not in ("", "f32"):
                self._conversion = self._begin(encoding)
            elif encoding != (self._encoding or encoding):
                raise _refusal(f"its samples are {encoding}", f"those before are {self._encoding}")
            self._encoding, self._is_flat, self._is_over = encoding, is_flat, is_last
            result = self._conversion.process(samples, is_last)
        finally:
            self._use.release()
        return result.reshape(-1) if is_flat else result


class _Conversion:
    """A stream in the library, whose memory goes with this object. One thread at a time."""

    _handle: int | None = None

    def __init__(
        self,
        from_rate: int,
        to_rate: int,
        channels: int,
        quality: str,
        encoding: str,
        is_live: bool = True,
        helpers: int = 0,
    ) -> None:
        self._rates = _whole(from_rate, "rate"), _whole(to_rate, "rate")
        self._channels = _whole(channels, "number of channels")
        self._type = np.dtype("f8" if encoding == "f64" else "f4")
        words = str(quality).encode(), encoding.encode(), b"f64" if encoding == "f64" else b"f32"
        sentence = ctypes.create_string_buffer(_SENTENCE_BYTES)
        with setting_up() as library:
            _use_once(library, self._rates, words, is_live)
            self._handle = library.rawaudio_resampler_make(
                *self._rates, self._channels, *words, is_live, helpers, sentence, _SENTENCE_BYTES
            )
        if not self._handle:
            raise Error.of(sentence.value.decode(), "", 64)
        self._library = library
        # Samples per channel.
        self._came, self._gone = 0, 0

    def process(self, samples: npt.NDArray[Any], is_last: bool) -> npt.NDArray[Any]:
        """Returns the samples that are complete now: (samples, channels)."""
        self._came += len(samples)
        room = -(-self._came * self._rates[1] // self._rates[0]) - self._gone
        result = np.empty((room, self._channels), self._type)
        count: int = self._library.rawaudio_resampler_process(
            self._handle, samples.ctypes.data, len(samples), is_last, result.ctypes.data
        )
        self._gone += count
        return result[:count]

    def __del__(self) -> None:
        if self._handle:
            self._library.rawaudio_resampler_free(self._handle)


@functools.lru_cache(maxsize=256)
def _use_once(library: ctypes.CDLL, rates: tuple[int, int], words: tuple[bytes, ...], is_live: bool) -> None:
    """Converts one sample, so that the library's runtime has made all types of such a conversion.

    It takes locks for that, which a child of fork would find locked if another thread did it later.
    """
    memory = ctypes.create_string_buffer(_SENTENCE_BYTES)
    if handle := library.rawaudio_resampler_make(*rates, 1, *words, is_live, 1, memory, len(memory)):
        result = np.empty(-(-rates[1] // rates[0]))
        library.rawaudio_resampler_process(handle, memory, 1, True, result.ctypes.data)
        library.rawaudio_resampler_free(handle)


def _whole(number: int, name: str) -> int:
    """A number in the range of the library's."""
    try:
        return min(max(operator.index(number), -1), 1 << 62)
    except TypeError:
        raise Error(f"a {name} is a whole number", action=f"use {name}", subject=str(number), code=64) from None


def _refusal(reason: str, advice: str) -> Error:
    return Error(reason, action="resample", subject="the block", advice=advice, code=64)
