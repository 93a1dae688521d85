# SPDX-License-Identifier: Apache-2.0
"""Samples in memory: on their way to the program, and from it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ._errors import Error

#: Samples as every function returns them: shape (samples, channels), full scale is ±1.
Samples = npt.NDArray[np.float32]

_ENCODINGS = {"f4": "f32", "f8": "f64", "i2": "s16", "i4": "s32", "u1": "u8"}


def encoded(data: npt.ArrayLike) -> tuple[npt.NDArray[Any], str]:
    """Returns the samples as (samples, channels), one behind the other in memory, and their encoding.

    Args:
        data: float32, float64, int16, int32 or uint8; (samples, channels), or (samples,) of one channel.

    Raises:
        Error: another type or shape.
    """
    array = np.asarray(data)
    if array.ndim == 1:
        array = array[:, np.newaxis]
    encoding = _ENCODINGS.get(array.dtype.str[1:])
    if encoding is None:
        raise Error(
            f"its samples are {array.dtype}",
            action="write",
            subject="the array",
            advice="use float32, float64, int16, int32 or uint8",
            code=64,
        )
    if array.ndim != 2 or array.shape[1] == 0:
        raise Error(
            f"its shape is {array.shape}",
            action="write",
            subject="the array",
            advice="use (samples, channels), or (samples,) for one channel",
            code=64,
        )
    return np.ascontiguousarray(array, array.dtype.newbyteorder("<")), encoding


@contextlib.contextmanager
def as_input(data: npt.ArrayLike, rate: int) -> Iterator[list[str]]:
    """Gives the words of a command line that make the samples its source."""
    array, encoding = encoded(data)
    file = os.memfd_create("rawaudio")
    try:
        rest = array.data.cast("B") if array.size else memoryview(b"")
        while rest:
            rest = rest[os.write(file, rest) :]
        yield [
            "--input-type=raw",
            f"--input-rate={rate}",
            f"--input-channels={array.shape[1]}",
            f"--input-format={encoding}",
            "--",
            f"/proc/{os.getpid()}/fd/{file}",
        ]
    finally:
        os.close(file)
