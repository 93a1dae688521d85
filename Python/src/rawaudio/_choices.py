# SPDX-License-Identifier: Apache-2.0
"""The words that an argument or an attribute may be."""

from __future__ import annotations

from typing import Literal, TypeAlias

#: A position of a session that is observed. ``"mix-minus"`` is that which one source hears.
Position: TypeAlias = Literal["record", "before-mixing", "playback", "mixed", "shared", "mix-minus"]
#: A position at which samples are changed.
EditPosition: TypeAlias = Literal["record", "before-mixing", "playback", "mixed"]
#: How a device gives its samples.
DeviceEncoding: TypeAlias = Literal["s16", "s32", "f32"]
#: What became of a source of :func:`convert`.
Status: TypeAlias = Literal["done", "skipped", "failed"]
