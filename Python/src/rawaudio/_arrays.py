# SPDX-License-Identifier: Apache-2.0
"""Samples in memory: on their way to the program, and from it."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from ._errors import Error
from ._shapes import as_samples

#: Samples as every function returns them: shape (samples, channels), full scale is ±1.
Samples = npt.NDArray[np.float32]

#: A type of samples in memory. Integers have their full scale, and are rounded and clipped where the file has more.
SampleType = Literal["float32", "float64", "int16", "int32"]

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


def sample_type(dtype: npt.DTypeLike, subject: str) -> tuple[np.dtype[Any], str]:
    """Returns the type of samples that a caller asks for, and its encoding.

    Raises:
        Error: it is none of :data:`SampleType`.
    """
    try:
        found = np.dtype(dtype).newbyteorder("<") if dtype is not None else None
    except TypeError:
        found = None
    if found is None or found.name not in get_args(SampleType):
        raise Error(
            f"dtype={dtype!r} is no type of samples here",
            action="read",
            subject=subject,
            advice="use float32, float64, int16 or int32",
            code=64,
        )
    return found, _ENCODINGS[found.str[1:]]
