# SPDX-License-Identifier: Apache-2.0
"""Which arrays are samples."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _notes
from ._errors import Error

# The most channels that the program takes.
_MOST_CHANNELS = 64
# So few samples of more channels are rather so many channels.
_FEW_SAMPLES = 8

_TYPE_ADVICE = {
    "b": "a truth value has no full scale; use x.astype(numpy.float32)",
    "c": "use numpy.stack([x.real, x.imag], axis=1) for two channels",
    "f": "use x.astype(numpy.float32)",
}


def as_samples(data: npt.ArrayLike, types: Container[str], subject: str, action: str) -> npt.NDArray[Any]:
    """Returns the array as (samples, channels), of any byte order and strides. It may share memory with `data`.

    Args:
        data: (samples, channels), or (samples,) of one channel.
        types: those that its samples may have, as in ``"f4"``.
        subject, action: its name in errors, and the work with it.

    Raises:
        Error: another type (also a `TypeError`), or a shape that is none of samples (also a `ValueError`).
    """
    try:
        array = np.asarray(data)
    except ValueError as error:
        raise Error("its rows differ in length", action=action, subject=subject, code=64) from error
    if array.dtype.str[1:] not in types:
        if array.dtype.kind == "O":
            reason = "it is None" if data is None else f"it is no array, but a {type(data).__name__}"
        else:
            reason = f"its samples are {array.dtype}"
        advice = _TYPE_ADVICE.get(array.dtype.kind, "use float32, float64, int8, int16, int32 or uint8")
        raise Error(reason, action=action, subject=subject, advice=advice, code=64, kind=TypeError)
    if array.ndim == 1:
        return array[:, np.newaxis]
    advice = ""
    if array.ndim != 2 or array.shape[1] == 0:
        advice = "use (samples, channels), or (samples,) for one channel"
    elif array.shape[1] > _MOST_CHANNELS:
        advice = f"that is {array.shape[1]} channels; if it is (channels, samples), use x.T"
    if advice:
        raise Error(f"its shape is {array.shape}", action=action, subject=subject, advice=advice, code=64)
    return array


def doubt(samples: npt.NDArray[Any]) -> None:
    """Warns about (samples, channels) that are probably (channels, samples)."""
    count, channels = samples.shape
    if 0 < count <= _FEW_SAMPLES < channels:
        _notes.issue(f"{count} samples of {channels} channels; if the array is (channels, samples), use x.T")


def described(samples: npt.NDArray[Any]) -> str:
    """The samples in a `repr`: type and shape."""
    return f"{samples.dtype}{list(samples.shape)}"
