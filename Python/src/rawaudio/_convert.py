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

from . import _run, _worker
from ._errors import Error
from ._words import PathName, option, path
from ._words import tags as tag_words


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
    status: str
    error: Error | None
    rate: int | None
    channels: int | None
    samples: int | None
    details: dict[str, Any] = field(repr=False)

    @staticmethod
    def of(line: dict[str, Any]) -> Result:
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
    encoding: str | None = None,
    existing: str = "fail",
    jobs: int | None = None,
    loudness: float | None = None,
    tags: Mapping[str, str | Iterable[str] | None] | None = None,
    options: Sequence[str] = (),
) -> Result: ...


@overload
def convert(
    sources: Iterable[PathName | Mapping[str, Any]],
    output: PathName,
    *,
    rate: int | None = None,
    channels: int | None = None,
    encoding: str | None = None,
    existing: str = "fail",
    jobs: int | None = None,
    loudness: float | None = None,
    tags: Mapping[str, str | Iterable[str] | None] | None = None,
    options: Sequence[str] = (),
) -> Iterator[Result]: ...


def convert(
    sources: PathName | Iterable[PathName | Mapping[str, Any]],
    output: PathName,
    *,
    rate: int | None = None,
    channels: int | None = None,
    encoding: str | None = None,
    existing: str = "fail",
    jobs: int | None = None,
    loudness: float | None = None,
    tags: Mapping[str, str | Iterable[str] | None] | None = None,
    options: Sequence[str] = (),
) -> Result | Iterator[Result]:
    """Converts one file, or many at the same time.

    Args:
        sources: a path; or any number of them, each a path or an item of a list: ``{"source": …, "id": …, "start": …,
            "end": …}``. They are taken as the work goes on, so an endless generator is possible.
        output: the path of the only output, or a pattern: ``"out/{stem}.wav"``, ``"out/{id}.flac"``.
        rate, channels, encoding, loudness, tags: of the outputs.
        existing: for an output that exists: ``"fail"``, ``"skip"`` or ``"replace"``.
        jobs: files at the same time. None = one for each processor.
        options: further words of ``rawaudio convert``.

    Returns:
        for one path its result, at the end of the work. For many an iterator of results, as they are done: a source
        that fails does not stop the others. The work goes on while the iterator is asked.

    Raises:
        Error: the only source fails, or the request is wrong.
    """
    words = [*option("rate", rate), *option("channels", channels), *option("format", encoding)]
    words += [*option("loudness", loudness), *tag_words(tags), *option("jobs", jobs), *options]
    if isinstance(sources, (str, os.PathLike)):
        return _convert_one(path(sources), path(output), existing, words)
    # The results say what the notes would.
    return _convert_all(sources, ["convert", "--quiet", f"--output={path(output)}", f"--existing={existing}", *words])


def _convert_one(source: str, output: str, existing: str, words: list[str]) -> Result:
    words = ["convert", f"--output={output}", *words]
    if existing in ("fail", "replace"):
        words += ["--force"] if existing == "replace" else []
        _, reply = _run.run([*words, "--", source])
        reply.require_success()
        return Result.of({**(reply.result or {}), "output": output})
    # Only a list skips.
    lines, reply = _run.run([*words, "--quiet", f"--existing={existing}", "--results=-", "--", source])
    if not lines:
        reply.require_success()
    result = Result.of(json.loads(lines))
    if result.error:
        raise result.error
    return result


def _convert_all(sources: Iterable[PathName | Mapping[str, Any]], words: list[str]) -> Iterator[Result]:
    reading, writing = os.pipe()
    failure: list[BaseException] = []

    def feed() -> None:
        try:
            with open(writing, "wb") as file:
                for item in sources:
                    members = dict(item) if isinstance(item, Mapping) else {"source": path(item)}
                    members = {
                        name: _worker.escape(path(value)) if isinstance(value, (str, os.PathLike)) else value
                        for name, value in members.items()
                    }
                    file.write(json.dumps(members).encode() + b"\n")
                    file.flush()
        except BrokenPipeError:
            pass
        except BaseException as error:
            failure.append(error)

    feeder = threading.Thread(target=feed, name="rawaudio list", daemon=True)
    with _worker.pool.worker() as worker:
        try:
            run = _run.Run(worker, [*words, f"--list=/proc/{os.getpid()}/fd/{reading}", "--results=-"])
            feeder.start()
            rest = b""
            buffer = memoryview(bytearray(1 << 16))
            while count := run.read(buffer):
                *done, rest = (rest + bytes(buffer[:count])).split(b"\n")
                for line in done:
                    yield Result.of(json.loads(line))
                if failure:
                    raise failure[0]
            reply = run.end()
        finally:
            with contextlib.suppress(OSError):
                os.close(reading)
    # Sources that fail are results; this is the failure of the whole.
    if reply.error:
        raise reply.error
