# SPDX-License-Identifier: Apache-2.0
"""Plain WAV files, read without the program: a request to it takes longer than a short file.

A file is plain if all of it is as Microsoft's "Multiple Channel Audio Data and WAVE Files" has it, and its samples need
no rounding. The program reads all others, and tells of their faults.
"""

from __future__ import annotations

import os
import re
import stat
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ._words import Time, time

#: Bytes of a file: their offset and their number; fewer at its end.
BytesAt = Callable[[int, int], bytes | memoryview]

_MOST_CHUNKS = 100
# From here on some programs write sizes that are none.
_LARGEST = 0x7FFF_F000
_SUBFORMAT = bytes.fromhex("000000001000800000aa00389b71")
# By the format's tag and the bits of a sample.
_ENCODINGS = {(1, 8): "u1", (1, 16): "<i2", (1, 24): "u3", (1, 32): "<i4", (3, 32): "<f4", (3, 64): "<f8"}


@dataclass(frozen=True)
class Wave:
    """The facts of a plain file. `begin` and `size` are in bytes."""

    rate: int
    channels: int
    encoding: str
    sample_bytes: int
    begin: int
    size: int

    @staticmethod
    def of(at: BytesAt, size: int) -> Wave | None:
        """Returns None for a file that is not plain.

        Args:
            size: of the file, in bytes.
        """
        head = bytes(at(0, 12))
        if len(head) < 12 or head[:4] != b"RIFF" or head[8:] != b"WAVE" or head[4:8] != struct.pack("<I", size - 8):
            return None
        form, data, position = b"", (0, 0), 12
        for _ in range(_MOST_CHUNKS):
            if position == size:
                return Wave._of(form, *data) if data[1] else None
            chunk = bytes(at(position, 8))
            if len(chunk) < 8:
                return None
            length = int.from_bytes(chunk[4:], "little")
            position += 8
            if chunk[:4] == b"fmt ":
                if form or length > 40:
                    return None
                form = bytes(at(position, length))
            elif chunk[:4] == b"data":
                if data[1] or not form or not 0 < length < _LARGEST:
                    return None
                data = position, length
            position += length + length % 2
        return None

    @staticmethod
    def _of(form: bytes, begin: int, size: int) -> Wave | None:
        if len(form) not in (16, 18, 40):
            return None
        tag, channels, rate, byte_rate, block, bits = struct.unpack_from("<HHIIHH", form)
        if len(form) == 40:
            if tag != 0xFFFE or form[16:20] != struct.pack("<HH", 22, bits) or form[26:] != _SUBFORMAT:
                return None
            tag = int.from_bytes(form[24:26], "little")
        elif form[16:].strip(b"\0"):
            return None
        encoding = _ENCODINGS.get((tag, bits))
        is_whole = block == channels * bits // 8 and byte_rate == rate * block and block and size % block == 0
        if not encoding or not is_whole or not 1000 <= rate <= 768_000 or channels > 64:
            return None
        return Wave(rate, channels, encoding, bits // 8, begin, size)


def read(
    file: str | memoryview,
    rate: int | None,
    channels: int | None,
    start: Time | None,
    stop: Time | None,
    dtype: np.dtype[Any],
) -> tuple[npt.NDArray[Any], int] | None:
    """Reads samples as the program does, bit for bit.

    Args:
        file: a path, or the bytes of a file.
        rate, channels, start, stop, dtype: as for :func:`rawaudio.read`.

    Returns:
        the samples, and their rate. None if the file is not plain, or the samples are to be converted.
    """

    def part(at: BytesAt, size: int) -> tuple[npt.NDArray[Any], int] | None:
        wave = Wave.of(at, size)
        if not wave or rate not in (None, wave.rate) or channels not in (None, wave.channels):
            return None
        frame = wave.channels * wave.sample_bytes
        end = wave.size // frame
        first, last = (_place(point, wave.rate, usual) for point, usual in ((start, 0), (stop, end)))
        if first is None or last is None or not first < last <= end:
            return None
        data = np.frombuffer(at(wave.begin + first * frame, (last - first) * frame), np.uint8)
        if len(data) != (last - first) * frame:
            return None
        samples = _converted(data, wave.encoding, dtype)
        return None if samples is None else (samples.reshape(-1, wave.channels), wave.rate)

    if isinstance(file, memoryview):
        return part(lambda offset, count: file[offset : offset + count], len(file))
    try:
        # No pipe or device is opened.
        if not stat.S_ISREG(os.stat(file).st_mode):
            return None
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    try:
        size = os.fstat(descriptor).st_size
        # The header is read at once.
        head = os.pread(descriptor, 4096, 0)

        def at(offset: int, count: int) -> bytes:
            held = head[offset : offset + count]
            return held if len(held) == count else os.pread(descriptor, count, offset)

        return part(at, size)
    except OSError:
        return None
    finally:
        os.close(descriptor)


def _place(point: Time | None, rate: int, usual: int) -> int | None:
    """The sample at a point, to the nearest, as the program rounds. None for all that is not simple."""
    if point is None:
        return usual
    text = time(point)
    if found := re.fullmatch(r"([0-9]{1,15})S", text):
        return int(found[1])
    if found := re.fullmatch(r"([0-9]{1,9})\.([0-9]{9})", text):
        return int(found[1]) * rate + (int(found[2]) * rate + 500_000_000) // 1_000_000_000
    return None


def _converted(data: npt.NDArray[np.uint8], encoding: str, dtype: np.dtype[Any]) -> npt.NDArray[Any] | None:
    """Samples as another type. None if they would be rounded."""
    if encoding.startswith("<f"):
        return data.view(encoding).copy() if dtype == encoding else None
    if encoding == "u1":
        values: npt.NDArray[Any] = (data ^ 0x80).view(np.int8)
    elif encoding == "u3":
        wide = np.zeros((len(data) // 3, 4), np.uint8)
        wide[:, 1:] = data.reshape(-1, 3)
        values = wide.view("<i4")[:, 0]
    else:
        values = data.view(encoding)
    if dtype.kind == "f":
        # The smallest integer is −1. 32 bits are rounded to those of a float32, to nearest.
        scale = dtype.type(2.0 ** (1 - 8 * values.itemsize))
        floats: npt.NDArray[Any] = np.multiply(values, scale, dtype=dtype, casting="same_kind")
        return floats
    if dtype.itemsize < values.itemsize:
        return None
    integers: npt.NDArray[Any] = np.left_shift(values, 8 * (dtype.itemsize - values.itemsize), dtype=dtype)
    return integers
