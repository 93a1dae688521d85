# SPDX-License-Identifier: Apache-2.0
"""Samples in memory: on their way to the program, and from it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ._shapes import as_samples

#: Samples as every function returns them: shape (samples, channels), full scale is ±1.
Samples = npt.NDArray[np.float32]

_ENCODINGS = {"f4": "f32", "f8": "f64", "i1": "s8", "i2": "s16", "i4": "s32", "u1": "u8"}


def encoded(data: npt.ArrayLike, subject: str = "the array", action: str = "write") -> tuple[npt.NDArray[Any], str]:
    """Returns the samples as (samples, channels), one behind the other in memory, and their encoding.

    Args:
        data: float32, float64, int8, int16, int32 or uint8; (samples, channels), or (samples,) of one channel.
        subject, action: its name in errors, and the work with it.

    Raises:
        Error: another type or shape.
    """
    array = as_samples(data, _ENCODINGS, subject, action)
    return np.ascontiguousarray(array, array.dtype.newbyteorder("<")), _ENCODINGS[array.dtype.str[1:]]


def floating(data: npt.ArrayLike, subject: str) -> Samples:
    """Returns samples of any type that :func:`encoded` takes as float32: the smallest integer of a type is −1."""
    array, encoding = encoded(data, subject)
    if array.dtype.kind == "f":
        return array.astype("<f4", copy=False)
    scale = np.float32(2.0 ** (8 * array.dtype.itemsize - 1))
    samples = array.astype("<f4")
    samples /= scale
    if encoding == "u8":
        samples -= np.float32(1)
    return samples
