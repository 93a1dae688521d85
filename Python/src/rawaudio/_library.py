# SPDX-License-Identifier: Apache-2.0
"""The shared library of the package: the engine's functions that work on arrays, within this process."""

from __future__ import annotations

import ctypes
import functools
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ._errors import Error

_PATH = Path(__file__).with_name("libAudioArrays.so")

_lock = threading.RLock()
# A child of fork must not begin with locks of the library that another thread held.
os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)


@functools.cache
def _loaded() -> ctypes.CDLL:
    """The library, whose calls let other threads run."""
    try:
        library = ctypes.CDLL(str(_PATH))
    except OSError as error:
        raise Error(str(error), action="load", subject=str(_PATH), advice="install the package again") from None
    number, text, address = ctypes.c_int64, ctypes.c_char_p, ctypes.c_void_p
    library.rawaudio_resampler_make.argtypes = [number] * 3 + [text] * 3 + [ctypes.c_bool, number, text, number]
    library.rawaudio_resampler_make.restype = address
    library.rawaudio_resampler_process.argtypes = [address, address, number, ctypes.c_bool, address]
    library.rawaudio_resampler_process.restype = number
    library.rawaudio_resampler_free.argtypes = [address]
    library.rawaudio_resampler_free.restype = None
    library.rawaudio_voice_make.argtypes = [number] * 2 + [text] * 3 + [number]
    library.rawaudio_voice_make.restype = address
    library.rawaudio_voice_process.argtypes = [address, address, number, ctypes.c_bool, address]
    library.rawaudio_voice_process.restype = number
    library.rawaudio_voice_stretches.argtypes = [address, number, ctypes.c_double, ctypes.c_double, number, address]
    library.rawaudio_voice_stretches.restype = number
    library.rawaudio_voice_free.argtypes = [address]
    library.rawaudio_voice_free.restype = None
    return library


@contextmanager
def setting_up() -> Iterator[ctypes.CDLL]:
    """Lends the library for calls that take its locks. No fork begins meanwhile."""
    with _lock:
        yield _loaded()
