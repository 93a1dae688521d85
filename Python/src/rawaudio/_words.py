# SPDX-License-Identifier: Apache-2.0
"""How arguments of Python are written as words of a command line."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping

from ._errors import Error

_OWN_STREAMS = re.compile("/dev/std(in|out|err)|/dev/fd/[0-2]|/proc/self/fd/[0-2]")

PathName = str | os.PathLike[str]
# Seconds, or a text in any form of --start: "1:30.5", "500ms", "44100S" (samples), "@13:37" (by the clock).
Time = float | str


def path(name: PathName | bytes) -> str:
    return os.fsdecode(name)


def file(name: PathName, action: str, *, ends: bool = False) -> str:
    """The path of a file in the program's words.

    Args:
        ends: whether the name may be an end, too: a device, a network, a tone.

    Raises:
        Error: the name is no file's.
    """
    text = path(name)
    if text == "-" or _OWN_STREAMS.fullmatch(text):
        advice = "give the path of a file; samples in memory have no path"
        raise Error("the program's own streams carry its requests", action=action, subject=text, advice=advice, code=64)
    if action in ("read", "measure") and os.path.isdir(text):
        raise Error("it is a directory", action=action, subject=text)
    if ends or ":" not in text.partition("/")[0]:
        return text
    if re.match("[a-z]+:", text) and not os.path.lexists(text):
        advice = f"'./{text}' is a file" if action == "write to" else "ends=True opens devices, networks and tones"
        raise Error("it is an end, and no file", action=action, subject=text, advice=advice, code=64)
    return f"./{text}"


def literal(name: PathName) -> str:
    """The name of one output, which is a file, and in which a brace is no field."""
    text = file(name, "write to")
    if "{" not in text and "}" not in text:
        return text
    return text.replace("%", "%%").replace("{", "{{").replace("}", "}}")


def time(value: Time) -> str:
    """The text of a time. Seconds get nine decimals: a sample at 768 kHz lasts 1.3 µs."""
    try:
        return value if isinstance(value, str) else f"{value:.9f}"
    except TypeError:
        reason = "a time is a number of seconds, or a text such as 1:30.5"
        raise Error(reason, action="use the time", subject=repr(value), code=64, kind=TypeError) from None


def option(name: str, value: object | None) -> list[str]:
    """Returns ``--name=value``, and nothing for None."""
    return [] if value is None else [f"--{name}={value}"]


def flag(name: str, is_set: bool) -> list[str]:
    """Returns ``--name`` if it is set."""
    return [f"--{name}"] if is_set else []


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
