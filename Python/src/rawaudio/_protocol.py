# SPDX-License-Identifier: Apache-2.0
"""The lines and headers of a session's socket: docs/joining.md."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ._errors import Error, SessionEnded

#: The version of all lines and headers, which is the member `schema` of each line.
SCHEMA = 1
_FRAME = struct.Struct("<QqIIII")
_PACKET = struct.Struct("<QII")
FRAME_BYTES = _FRAME.size
#: The position of a packet that begins right after the last one.
NEXT = 2**64 - 1
#: The largest payload of a packet.
MOST_PACKET_BYTES = 1 << 24
#: How long a session may take for an answer, in seconds.
PATIENCE = 5.0

PARTIAL, FIRST, LAST, LINE = 1, 2, 4, 8


@dataclass(frozen=True)
class FrameHeader:
    """The 32 bytes in front of each frame. Positions are in samples per channel at the observer's rate."""

    position: int
    milliseconds: int
    byte_count: int
    source: int
    flags: int

    @staticmethod
    def read(data: bytes) -> FrameHeader:
        position, milliseconds, byte_count, source, flags, _ = _FRAME.unpack(data)
        return FrameHeader(position, milliseconds, byte_count, source, flags)


def packet(position: int | None, byte_count: int) -> bytes:
    """The 16 bytes in front of a block of samples."""
    return _PACKET.pack(NEXT if position is None else position, byte_count, 0)


def line(value: Mapping[str, Any]) -> bytes:
    """A line of JSON without the members that are None."""
    return json.dumps({name: member for name, member in value.items() if member is not None}).encode() + b"\n"


def answer(text: bytes, action: str, subject: str) -> dict[str, Any]:
    """Reads an answer.

    Raises:
        Error: the session refuses, speaks another version than this package, or is gone.
    """
    if not text.endswith(b"\n"):
        raise SessionEnded(action, subject)
    value: dict[str, Any] = json.loads(text)
    if value.get("schema") != SCHEMA:
        raise Error(
            f"the session speaks version {value.get('schema')} of joining, and this package speaks version {SCHEMA}",
            action=action,
            subject=subject,
            advice="start it with the rawaudio that this package runs, or install the package of its version",
        )
    if not value["ok"]:
        error = Error.of(value["error"], subject, 1)
        is_end = error.reason in ("the session has ended", "the session is about to end")
        raise SessionEnded(action, subject) if is_end else error
    return value
