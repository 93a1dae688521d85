# SPDX-License-Identifier: Apache-2.0
"""Notes as warnings, which point at the line of the program that called the package."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import os
import sys
import threading
import warnings
from collections.abc import Iterator
from contextvars import ContextVar
from types import ModuleType
from typing import Any, NamedTuple

from ._errors import Note


class Place(NamedTuple):
    """A line of a program, as :func:`warnings.warn_explicit` takes it."""

    file: str
    line: int
    module: str
    registry: dict[Any, Any]


def _folder(module: ModuleType) -> str:
    return os.path.dirname(module.__file__ or "") + os.sep


# Frames of this package, and of the library that runs its coroutines, are not the caller's.
_INNER = (
    os.path.dirname(__file__) + os.sep,
    _folder(asyncio),
    _folder(concurrent.futures),
    contextlib.__file__,
    threading.__file__,
)

# For work in the thread of an event loop, which has no frame of the caller.
_called_at: ContextVar[Place | None] = ContextVar("rawaudio caller", default=None)


def _place() -> Place:
    """The innermost line outside the package."""
    if place := _called_at.get():
        return place
    frame = sys._getframe(1)
    while frame.f_back and frame.f_code.co_filename.startswith(_INNER):
        frame = frame.f_back
    values = frame.f_globals
    registry = values.setdefault("__warningregistry__", {})
    return Place(frame.f_code.co_filename, frame.f_lineno, values.get("__name__", "<unknown>"), registry)


@contextlib.contextmanager
def called_here() -> Iterator[None]:
    """Makes the caller's line that of all work which is handed to another thread meanwhile."""
    token = _called_at.set(_place())
    try:
        yield
    finally:
        _called_at.reset(token)


def issue(text: str) -> None:
    """Warns with a note.

    Args:
        text: in the words of the package.

    Raises:
        Note: the warning filters make it an exception.
    """
    file, line, module, registry = _place()
    warnings.warn_explicit(text, Note, file, line, module, registry)
