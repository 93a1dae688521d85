# SPDX-License-Identifier: Apache-2.0
"""How arguments of Python are written as words of a command line."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

PathName = str | os.PathLike[str]
# Seconds, or a text in any form of --start: "1:30.5", "500ms", "44100S" (samples), "@13:37" (by the clock).
Time = float | str


def path(name: PathName) -> str:
    return os.fspath(name)


def literal(name: PathName) -> str:
    """The name of one output, in which a brace is no field."""
    text = path(name)
    if "{" not in text and "}" not in text:
        return text
    return text.replace("%", "%%").replace("{", "{{").replace("}", "}}")


def time(value: Time) -> str:
    """The text of a time. Seconds get nine decimals: a sample at 768 kHz lasts 1.3 µs."""
    return value if isinstance(value, str) else f"{value:.9f}"


def option(name: str, value: object | None) -> list[str]:
    """Returns ``--name=value``, and nothing for None."""
    return [] if value is None else [f"--{name}={value}"]


def part(start: Time | None, stop: Time | None) -> list[str]:
    return option("start", None if start is None else time(start)) + option("end", None if stop is None else time(stop))


def tags(texts: Mapping[str, str | Iterable[str] | None] | None) -> list[str]:
    """Returns ``--tag=KEY=VALUE`` for each text. None removes a key."""
    words: list[str] = []
    for key, values in (texts or {}).items():
        if values is None or isinstance(values, str):
            values = [values or ""]
        words += [f"--tag={key}={value}" for value in values]
    return words
