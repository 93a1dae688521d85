# SPDX-License-Identifier: Apache-2.0
"""Many files at once."""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

import numpy as np

from . import _notes, _run, _worker
from ._choices import Status
from ._errors import Error
from ._program import environment
from ._words import PathName, file, option, path
from ._words import tags as tag_words

#: A path, or an item of a list: anything with keys, such as a dictionary or a row of pandas.
Item = PathName | Mapping[str, Any]


@dataclass(frozen=True)
class Result:
    """The result of a source.

    Attributes:
        source, output: their paths. `output` is None if there is none.
        status: ``"done"``, ``"skipped"`` or ``"failed"``.
        error: the reason of a failure.
        rate, channels, samples: of the output, in hertz and samples per channel.
        details: the whole line of ``--results``: docs/corpora.md.
    """

    source: str
    output: str | None
    status: Status
    error: Error | None
    rate: int | None
    channels: int | None
    samples: int | None
    details: dict[str, Any] = field(repr=False)

    @staticmethod
    def of(line: dict[str, Any]) -> Result:
        """Reads a `line` of ``--results``."""
        source = line["source"] or ""
        failure = line["error"]
        return Result(
            source,
            line["output"],
            line["status"],
            Error.of(failure, source, 1) if failure else None,
            line["sampleRate"],
            line["channels"],
            line["samplesPerChannel"],
            line,
        )


@overload
def convert(  # type: ignore[overload-overlap]
    sources: str | os.PathLike[str],
    output: PathName,
    *,
    rate: int | None = None,
    channels: int | None = None,
    container: str | None = None,
    encoding: str | None = None,
    overwrite: bool = False,
    skip_existing: bool = False,
    jobs: int | None = None,
    loudness: float | None = None,
    tags: Mapping[str, str | Iterable[str] | None] | None = None,
    options: Sequence[str] = (),
) -> Result: ...


@overload
def convert(
    sources: Iterable[Item],
    output: PathName,
    *,
    rate: int | None = None,
    channels: int | None = None,
    container: str | None = None,
    encoding: str | None = None,
    overwrite: bool = False,
    skip_existing: bool = False,
    jobs: int | None = None,
    loudness: float | None = None,
    tags: Mapping[str, str | Iterable[str] | None] | None = None,
    options: Sequence[str] = (),
) -> list[Result]: ...


def convert(
    sources: PathName | Iterable[Item],
    output: PathName,
    *,
    rate: int | None = None,
    channels: int | None = None,
    container: str | None = None,
    encoding: str | None = None,
    overwrite: bool = False,
    skip_existing: bool = False,
    jobs: int | None = None,
    loudness: float | None = None,
    tags: Mapping[str, str | Iterable[str] | None] | None = None,
    options: Sequence[str] = (),
) -> Result | list[Result]:
    """Converts one file, or many at the same time, and returns when all are done.

    Args:
        sources: a path; or any number of them, each a path or an item of a list: ``{"source": …, "id": …, "start": …,
            "end": …}``. NaN and None are no value.
        output: the path of the only output, or a pattern: ``"out/{stem}.wav"``, ``"out/{id}.flac"``.
        rate, channels, container, encoding, loudness, tags: of the outputs, as for :func:`write`.
        overwrite: whether an output that exists is replaced, as soon as the new one is complete. Otherwise it is an
            error, as in :func:`write` and :func:`session`.
        skip_existing: whether a source is skipped if its output exists.
        jobs: files at the same time. None = one for each processor.
        options: further words of ``rawaudio convert``.

    Returns:
        for one path its result; for many their results, in the order in which they were done: a source that fails does
        not stop the others. :func:`convert_each` gives each result when it is there.

    Raises:
        Error: the only source fails, or the request is wrong.
    """
    words = _words(rate, channels, container, encoding, jobs, loudness, tags, options)
    existing = _existing(overwrite, skip_existing)
    if isinstance(sources, (str, os.PathLike)):
        return _convert_one(file(sources, "convert"), file(output, "write to"), existing, words)
    return list(_convert_all(sources, output, existing, words))


def convert_each(
    sources: Iterable[Item],
    output: PathName,
    *,
    rate: int | None = None,
    channels: int | None = None,
    container: str | None = None,
    encoding: str | None = None,
    overwrite: bool = False,
    skip_existing: bool = False,
    jobs: int | None = None,
    loudness: float | None = None,
    tags: Mapping[str, str | Iterable[str] | None] | None = None,
    options: Sequence[str] = (),
) -> Iterator[Result]:
    """Converts many files while its results are asked for, and no longer: :func:`convert`, a result after the other.

    Args:
        sources: they are taken as the work goes on, so an endless generator is possible.
        output, rate, channels, container, encoding, overwrite, skip_existing, jobs, loudness, tags, options: as for
            :func:`convert`.

    Yields:
        results, as they are done. Closing the iterator ends the work.

    Raises:
        Error: the request is wrong.
    """
    words = _words(rate, channels, container, encoding, jobs, loudness, tags, options)
    existing = _existing(overwrite, skip_existing)
    return _convert_all(sources, output, existing, words)


def _words(
    rate: int | None,
    channels: int | None,
    container: str | None,
    encoding: str | None,
    jobs: int | None,
    loudness: float | None,
    tags: Mapping[str, str | Iterable[str] | None] | None,
    options: Sequence[str],
) -> list[str]:
    words = [*option("rate", rate), *option("channels", channels), *option("type", container)]
    words += [*option("format", encoding), *option("jobs", jobs)]
    return [*words, *option("loudness", loudness), *tag_words(tags), *options]


def _existing(overwrite: bool, skip: bool) -> str:
    if overwrite and skip:
        raise Error("overwrite and skip_existing exclude each other", action="convert", code=64)
    return "replace" if overwrite else "skip" if skip else "fail"


def _convert_one(source: str, output: str, existing: str, words: list[str]) -> Result:
    words = ["convert", f"--output={output}", *words]
    if existing in ("fail", "replace") and "{" not in output and "%" not in output:
        words += ["--force"] if existing == "replace" else []
        _, reply = _run.run([*words, "--", source])
        reply.require_success()
        return Result.of({**(reply.result or {}), "output": output})
    # Only a list skips, and has the names that follow a pattern.
    lines, reply = _run.run([*words, f"--existing={existing}", "--results=-", "--", source])
    if not lines:
        reply.require_success()
    result = Result.of(json.loads(lines))
    if result.error:
        raise result.error
    for note in reply.notes:
        # The result says it.
        if result.status == "done":
            _notes.issue(note)
    return result


def _plain(value: object) -> object:
    """A value of an item as JSON takes it. None for no value."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (str, bytes, os.PathLike)):
        return _worker.escape(path(value))
    return None if isinstance(value, float) and value != value else value


def _entry(item: Any) -> bytes:
    """The line of a list."""
    members = {key: _plain(item[key]) for key in item.keys()} if hasattr(item, "keys") else {"source": _plain(item)}
    source = members.get("source")
    if not isinstance(source, str):
        if hasattr(item, "keys"):
            raise Error("it has no source", action="convert the item", subject=repr(item), code=64)
        reason = "it is no path, and has no keys"
        raise Error(reason, action="convert the item", subject=repr(item), code=64, kind=TypeError)
    members["source"] = file(source, "convert")
    try:
        return json.dumps({name: value for name, value in members.items() if value is not None}).encode() + b"\n"
    except TypeError as error:
        raise Error(str(error), action="convert the item", subject=repr(item), code=64, kind=TypeError) from error


def _convert_all(sources: Iterable[Item], output: PathName, existing: str, words: list[str]) -> Iterator[Result]:
    if isinstance(sources, bytes) or not hasattr(sources, "__iter__"):
        reason = "they are neither a path nor many"
        raise Error(reason, action="convert", subject=repr(sources), code=64, kind=TypeError)
    # The results say what the notes would.
    words = ["convert", "--quiet", f"--output={file(output, 'write to')}", f"--existing={existing}", *words]
    return _results(sources, words)


def _results(sources: Iterable[Item], words: list[str]) -> Iterator[Result]:
    failure: list[BaseException] = []
    reading, writing = os.pipe()

    def feed() -> None:
        # The end of the list comes after its failure.
        with contextlib.suppress(BrokenPipeError), open(writing, "wb", buffering=0) as list_:
            try:
                for item in sources:
                    list_.write(_entry(item))
            except BrokenPipeError:
                raise
            except BaseException as error:
                failure.append(error)

    try:
        worker = _worker.Worker(environment(), descriptors=[reading])
    except BaseException:
        os.close(writing)
        raise
    finally:
        os.close(reading)
    feeder = threading.Thread(target=feed, name="rawaudio list", daemon=True)
    feeder.start()
    try:
        run = _run.Run(worker, [*words, f"--list=/proc/self/fd/{reading}", "--results=-"])
        rest = b""
        buffer = memoryview(bytearray(1 << 16))
        while count := run.read(buffer):
            *done, rest = (rest + bytes(buffer[:count])).split(b"\n")
            for line in done:
                yield Result.of(json.loads(line))
            if failure:
                break
        reply = None if failure else run.end()
    finally:
        worker.close()
    if failure:
        raise failure[0]
    # Sources that fail are results; this is the failure of the whole.
    if reply and reply.error:
        raise reply.error
