# SPDX-License-Identifier: Apache-2.0
"""Where sound comes from and goes to: paths, bytes, objects like files, arrays."""

from __future__ import annotations

import contextlib
import io
import os
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy.typing as npt

from . import _worker
from ._arrays import encoded
from ._errors import Error
from ._program import environment
from ._shapes import doubt
from ._words import PathName, literal
from ._words import file as file_name

_PIECE_BYTES = 1 << 20


class Readable(Protocol):
    """An object like a file that is open for reading bytes: ``io.BytesIO``, a body of HTTP, a member of an archive."""

    def read(self, size: int, /) -> Any:
        """Returns at most `size` bytes; none at the end."""


class Writable(Protocol):
    """An object like a file that is open for writing bytes."""

    def write(self, data: bytes, /) -> Any:
        """Returns how many bytes it took. None stands for all."""


#: A sound in a file, in memory, or in an object like a file, which is read from where it stands.
SoundFile = PathName | bytes | bytearray | memoryview | Readable


@dataclass
class Source:
    """A sound that the program is to read: exactly one of `path`, `content` and `stream`.

    Attributes:
        name: for errors.
        words: those of the command line that describe it.
    """

    name: str
    path: str | None = None
    content: memoryview | None = None
    stream: Readable | None = None
    words: tuple[str, ...] = ()

    def read_whole(self) -> Source:
        """The source without a stream: its bytes are read to their end."""
        if self.stream is None:
            return self
        content = bytearray()
        while piece := next_piece(self.stream, self.name):
            content += piece
        return Source(self.name, content=memoryview(content), words=self.words)

    @contextlib.contextmanager
    def lent(self) -> Iterator[tuple[_worker.Worker, list[str]]]:
        """Lends a process that can read the source, and the words that name it: the last ones of a command line.

        A stream is read while the process works, and by the thread that waits for it.
        """
        if self.stream is not None:
            with _streaming(self.stream, self.name) as (worker, path):
                yield worker, [*self.words, "--", path]
            return
        with _worker.pool.worker() as worker:
            if self.path is not None:
                yield worker, [*self.words, "--", self.path]
                return
            assert self.content is not None
            with worker.holding(self.content, self.name) as path:
                yield worker, [*self.words, "--", path]


def source(file: SoundFile, action: str, *, ends: bool = False) -> Source:
    """
    Args:
        action: for errors, such as ``"read"``.
        ends: whether a name may be an end, too.

    Raises:
        Error: the name is no file's, or it is no sound, or an object that gives texts (also a `TypeError`).
    """
    if isinstance(file, (str, os.PathLike)):
        name = file_name(file, action, ends=ends)
        return Source(name, path=name)
    name = name_of(file)
    if isinstance(file, (bytes, bytearray, memoryview)):
        view = memoryview(file)
        return Source(name, content=(view if view.c_contiguous else memoryview(view.tobytes())).cast("B"))
    if not callable(getattr(file, "read", None)):
        raise _wrong_type(action, name, "it is no path, no bytes, and no object that is open for reading them")
    _require_bytes(file, action, "rb")
    if path := _path_of(file):
        return Source(path, path=path)
    return Source(name, stream=file)


def array(data: npt.ArrayLike, rate: int) -> Source:
    """
    Args:
        data: as :func:`encoded` takes it.
        rate: in hertz.

    Raises:
        Error: another type or shape.
    """
    samples, encoding = encoded(data)
    doubt(samples)
    words = [f"--input-rate={rate}", f"--input-channels={samples.shape[1]}", f"--input-format={encoding}"]
    content = samples.data.cast("B") if samples.size else memoryview(b"")
    return Source("the array", content=content, words=("--input-type=raw", *words))


def name_of(file: object) -> str:
    """How errors and notes call an object: by its name, or by its type as in ``<BytesIO>``."""
    name = getattr(file, "name", None)
    return name if isinstance(name, str) and name else f"<{type(file).__name__}>"


def _wrong_type(action: str, name: str, reason: str, advice: str = "") -> Error:
    return Error(reason, action=action, subject=name, advice=advice, code=64, kind=TypeError)


def _require_bytes(file: object, action: str, mode: str) -> None:
    if isinstance(file, io.TextIOBase):
        raise _wrong_type(action, name_of(file), "it is open for texts", f"open it with mode {mode}")


def _path_of(file: object) -> str | None:
    """The path of a file that is open at its beginning: the program reads as much of it as it needs."""
    name = getattr(file, "name", None)
    if not isinstance(file, (io.FileIO, io.BufferedReader)) or not isinstance(name, (str, bytes)):
        return None
    try:
        opened = os.fstat(file.fileno())
        if stat.S_ISREG(opened.st_mode) and file.tell() == 0 and os.path.samestat(opened, os.stat(name)):
            return os.path.abspath(os.fsdecode(name))
    except (OSError, ValueError, AttributeError):
        # Members of archives are of these classes, too.
        pass
    return None


def next_piece(stream: Readable, name: str, size: int = _PIECE_BYTES) -> memoryview:
    """Reads some bytes, none at the end. Its errors are those of the object.

    Raises:
        Error: the object gives something else (also a `TypeError`).
        BlockingIOError: it has nothing yet, and does not wait.
    """
    data = stream.read(size)
    if data is None:
        raise BlockingIOError(f"cannot read '{name}': it has nothing yet, and does not wait")
    try:
        return memoryview(data).cast("B")
    except TypeError:
        raise _wrong_type("read", name, f"its read() gives {type(data).__name__}, and not bytes") from None


class Feed:
    """The bytes of a stream on their way into a pipe, which its reader empties.

    Attributes:
        number: the descriptor to wait for; negative behind the last byte.
    """

    # A live stream gives few bytes a second, and its samples wait for a whole piece.
    _PIECE_BYTES = 1 << 14

    def __init__(self, stream: Readable, name: str, number: int) -> None:
        self.number = number
        self._stream = stream
        self._name = name
        self._rest = memoryview(b"")
        os.set_blocking(number, False)

    def step(self) -> None:
        """Moves some bytes."""
        if not self._rest:
            self._rest = next_piece(self._stream, self._name, self._PIECE_BYTES)
        if not self._rest:
            self.close()
            return
        try:
            self._rest = self._rest[os.write(self.number, self._rest) :]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self.close()

    def close(self) -> None:
        if self.number >= 0:
            os.close(self.number)
            self.number = -1


@contextlib.contextmanager
def _streaming(stream: Readable, name: str) -> Iterator[tuple[_worker.Worker, str]]:
    """Lends a process of its own, and the path of a pipe into which the stream goes."""
    reading, writing = os.pipe()
    feed = Feed(stream, name, writing)
    try:
        worker = _worker.Worker(environment(), descriptors=[reading])
    except BaseException:
        feed.close()
        raise
    finally:
        os.close(reading)
    path = f"/proc/self/fd/{reading}"
    worker.feed = feed
    # The process waits for bytes, and ends only when the pipe does.
    with contextlib.closing(worker), contextlib.closing(feed), worker.naming({path: name}):
        yield worker, path


@contextlib.contextmanager
def target(file: PathName | Writable) -> Iterator[tuple[str, dict[str, str]]]:
    """Gives the name of an output, as a word, and the names that stand for paths in errors.

    An object gets the bytes at the end, if nothing fails. Its name tells the container, without one it is WAV.

    Raises:
        Error: the name is no file's, or the object takes no bytes (also a `TypeError`).
    """
    if isinstance(file, (str, os.PathLike)):
        yield literal(file), {}
        return
    name = name_of(file)
    if not callable(getattr(file, "write", None)):
        raise _wrong_type("write to", name, "it is no path, and no object that is open for writing bytes")
    _require_bytes(file, "write to", "wb")
    with tempfile.TemporaryDirectory(prefix="rawaudio-") as folder:
        extension = os.path.splitext(name)[1] if isinstance(getattr(file, "name", None), str) else ""
        path = os.path.join(folder, f"sound{extension or '.wav'}")
        yield literal(path), {path: name}
        with open(path, "rb") as complete:
            while piece := complete.read(_PIECE_BYTES):
                _write_whole(file, piece, name)


def _write_whole(file: Writable, piece: bytes, name: str) -> None:
    while piece:
        count = file.write(piece)
        if count is None and isinstance(file, io.RawIOBase):
            raise BlockingIOError(f"cannot write to '{name}': it takes nothing now, and does not wait")
        # Many objects say nothing, and take all.
        piece = piece[count:] if isinstance(count, int) else b""
