# SPDX-License-Identifier: Apache-2.0
"""Sound in memory and in objects like files, beside the sound of the path."""

from __future__ import annotations

import functools
import http.server
import io
import tarfile
import tempfile
import threading
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from conftest import RATE, noise, served

import rawaudio as ra
from rawaudio import _worker


class Body:
    """Bytes that come once, some at a time, as those of a network."""

    def __init__(self, data: bytes, sizes: Iterator[int] | None = None) -> None:
        self.data = io.BytesIO(data)
        self.sizes = sizes
        self.reads = 0

    def read(self, size: int) -> bytes:
        self.reads += 1
        return self.data.read(min(size, next(self.sizes)) if self.sizes else size)


def small_sizes() -> Iterator[int]:
    number = 1
    while True:
        number = number * 7919 % 10007
        yield number


FORMATS = [("a.wav", "PCM_16"), ("b.wav", "PCM_24"), ("a.flac", "PCM_16"), ("a.ogg", "VORBIS"), ("a.aiff", "PCM_16")]


@pytest.fixture(params=FORMATS, ids=lambda param: f"{param[0]}-{param[1]}")
def path(request: pytest.FixtureRequest, folder: Path) -> Path:
    name: str
    name, subtype = request.param
    soundfile.write(name, noise(2 * RATE, 2), RATE, subtype=subtype)
    return folder / name


def test_bytes_are_read_as_their_file(path: Path) -> None:
    data = path.read_bytes()
    whole, rate = ra.read(path)
    wide = bytearray(2 * len(data))
    wide[::2] = data
    for content in (data, bytearray(data), memoryview(data), memoryview(wide)[::2]):
        samples, found = ra.read(content)
        assert found == rate
        np.testing.assert_array_equal(samples, whole)
    np.testing.assert_array_equal(ra.read(data, 16000, 1, start=0.5)[0], ra.read(path, 16000, 1, start=0.5)[0])
    np.testing.assert_array_equal(ra.read(data, start=-0.5)[0], whole[-RATE // 2 :])


def test_objects_are_read_as_their_file(path: Path) -> None:
    data = path.read_bytes()
    whole, _ = ra.read(path)
    quiet, _ = ra.read(path, 16000, 1, stop=0.5)
    bodies: list[Callable[[], Any]] = [
        lambda: io.BytesIO(data),
        lambda: io.BufferedReader(io.BytesIO(data)),
        lambda: Body(data),
        lambda: Body(data, small_sizes()),
    ]
    for make in bodies:
        np.testing.assert_array_equal(ra.read(make())[0], whole)
        np.testing.assert_array_equal(ra.read(make(), 16000, 1, stop=0.5)[0], quiet)
        blocks = list(ra.blocks(make(), blocksize=10_000))
        np.testing.assert_array_equal(np.concatenate([block.samples for block in blocks]), whole)
        assert [block.position for block in blocks] == list(range(0, 2 * RATE, 10_000))
    assert ra.info(io.BytesIO(data)).samples == 2 * RATE
    assert ra.info(Body(data, small_sizes())).encoding == ra.info(path).encoding
    assert ra.info(data).path == "<bytes>"
    assert ra.measure(data).loudness == ra.measure(Body(data)).loudness == ra.measure(path).loudness
    assert not io.BytesIO(data).closed


def test_an_open_file_is_read_from_where_it_stands(path: Path, folder: Path) -> None:
    whole, _ = ra.read(path)
    behind = folder / "behind"
    behind.write_bytes(b"head" + path.read_bytes())
    with open(behind, "rb") as file, open(behind, "rb", buffering=0) as raw:
        for source in (file, raw):
            for call in (
                lambda source: ra.read(source)[0],
                lambda source: np.concatenate([block.samples for block in ra.blocks(source, blocksize=5000)]),
            ):
                source.seek(4)
                np.testing.assert_array_equal(call(source), whole)
                assert not source.closed
    with open(path, "rb") as file, tempfile.TemporaryFile() as nameless:
        assert ra.info(file).path == str(path)
        np.testing.assert_array_equal(ra.read(file)[0], whole)
        nameless.write(path.read_bytes())
        nameless.seek(0)
        np.testing.assert_array_equal(ra.read(nameless)[0], whole)
    # A file that took the name of the open one is another one.
    with open(path, "rb") as file:
        path.unlink()
        path.write_bytes(b"")
        np.testing.assert_array_equal(ra.read(file)[0], whole)


def test_members_of_archives_are_read(wav: Path, folder: Path) -> None:
    whole, _ = ra.read(wav)
    with zipfile.ZipFile("a.zip", "w", zipfile.ZIP_DEFLATED) as packed, tarfile.open("a.tar.gz", "w:gz") as tar:
        packed.write(wav, "in/a.wav")
        tar.add(wav, "in/a.wav")
    with zipfile.ZipFile("a.zip") as packed, packed.open("in/a.wav") as member:
        np.testing.assert_array_equal(ra.read(member)[0], whole)
    with zipfile.ZipFile("a.zip") as packed, packed.open("in/a.wav") as member:
        assert len(list(ra.blocks(member, seconds=1))) == 3
    # As a stream: what was read is gone.
    with tarfile.open("a.tar.gz", "r|gz") as tar:
        for entry in tar:
            opened = tar.extractfile(entry)
            assert opened
            np.testing.assert_array_equal(np.concatenate([b.samples for b in ra.blocks(opened, seconds=1)]), whole)


def test_a_body_of_http_is_read(wav: Path, folder: Path) -> None:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *arguments: object) -> None: ...

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        address = f"http://127.0.0.1:{server.server_address[1]}/{wav.name}"
        with urllib.request.urlopen(address) as body:
            np.testing.assert_array_equal(ra.read(body)[0], ra.read(wav)[0])
        with urllib.request.urlopen(address) as body:
            assert sum(len(block.samples) for block in ra.blocks(body, 16000, seconds=0.5)) == 48000
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize("suffix", ["wav", "aiff", "ogg"])
def test_blocks_of_a_stream_come_before_its_end(folder: Path, suffix: str) -> None:
    with soundfile.SoundFile(f"long.{suffix}", "w", RATE, 1) as long:
        for _ in range(60):
            long.write(noise(RATE))
    # More than pipes hold on its way: Ogg goes on with another stream.
    data = Path(f"long.{suffix}").read_bytes() * (20 if suffix == "ogg" else 1)
    body = Body(data)
    blocks = ra.blocks(body, seconds=1)
    first = next(blocks)
    assert len(first.samples) == RATE
    assert body.data.tell() < len(data)
    blocks.close()  # type: ignore[attr-defined]
    assert len(served()) == len(_worker.pool._idle)


def test_a_stream_without_an_end_is_read_for_a_while(folder: Path) -> None:
    soundfile.write("a.wav", noise(RATE), RATE)
    head = bytearray(Path("a.wav").read_bytes()[:44])
    head[4:8] = head[40:44] = b"\xff\xff\xff\xff"

    class Endless:
        def __init__(self) -> None:
            self.rest = bytes(head)

        def read(self, size: int) -> bytes:
            data, self.rest = self.rest[:size], self.rest[size:]
            return data or bytes(size)

    blocks = ra.blocks(Endless(), seconds=10)
    assert [next(blocks).position for _ in range(20)] == [10 * RATE * number for number in range(20)]


class Failing:
    def __init__(self, data: bytes, error: BaseException) -> None:
        self.data = io.BytesIO(data)
        self.error = error

    def read(self, size: int) -> bytes:
        if data := self.data.read(size):
            return data
        raise self.error


def test_errors_of_an_object_pass_on(wav: Path) -> None:
    error = ConnectionResetError("it hung up")
    for begin in (b"", wav.read_bytes()[:100_000]):
        calls: list[Callable[[Any], object]] = [ra.read, ra.info, ra.measure]
        calls.append(lambda source: list(ra.blocks(source, seconds=0.1)))
        for call in calls:
            with pytest.raises(ConnectionResetError) as caught:
                call(Failing(begin, error))
            assert caught.value is error
    assert len(ra.read(wav)[0]) == 3 * RATE


def test_errors_name_the_object(folder: Path) -> None:
    calls: list[Callable[[Any], object]] = [ra.read, ra.info, ra.measure]
    calls.append(lambda source: list(ra.blocks(source, seconds=0.1)))
    for call in calls:
        for content, name in ((b"no sound " * 100, "<bytes>"), (io.BytesIO(b"no sound " * 100), "<BytesIO>")):
            with pytest.raises(ra.Error, match=f"cannot read '{name}': it is text, not sound") as caught:
                call(content)
            assert caught.value.subject == name
        with pytest.raises(ra.Error, match="'<BytesIO>'"):
            call(io.BytesIO())
    named = io.BytesIO(b"no sound " * 100)
    named.name = "upload.wav"
    with pytest.raises(ra.Error, match="cannot read 'upload.wav'"):
        ra.read(named)
    soundfile.write("a.wav", noise(RATE), RATE)
    with pytest.warns(ra.Note, match="'<bytes>'"):
        assert len(ra.read(Path("a.wav").read_bytes()[:-1000])[0]) == RATE - 500


@pytest.mark.parametrize("call", [ra.read, ra.info, ra.measure, lambda source: list(ra.blocks(source, seconds=1))])
def test_objects_that_give_no_bytes_are_refused(wav: Path, call: Callable[[Any], object]) -> None:
    class Texts:
        def read(self, size: int) -> str:
            return "text"

    class Waits:
        def read(self, size: int) -> None: ...

    with (
        open(wav, encoding="latin-1") as file,
        pytest.raises(TypeError, match="open for texts; open it with mode rb"),
    ):
        call(file)
    with pytest.raises(TypeError, match="open for texts"):
        call(io.StringIO("a"))
    with pytest.raises(TypeError, match="'<Texts>': its read.. gives str, and not bytes"):
        call(Texts())
    with pytest.raises(BlockingIOError, match="<Waits>"):
        call(Waits())
    for thing in (None, 5, object(), [b"a"]):
        with pytest.raises(TypeError, match="it is no path, no bytes, and no object"):
            call(thing)


def test_the_type_may_be_given(folder: Path) -> None:
    soundfile.write("a.flac", noise(RATE), RATE)
    data = Path("a.flac").read_bytes()
    assert len(ra.read(data, container="flac")[0]) == RATE
    with pytest.raises(ra.Error, match="'<bytes>': it is flac, not wav"):
        ra.read(data, container="wav")
    raw = noise(RATE).astype("<f4").tobytes()
    options = ["--input-rate=44100", "--input-channels=1", "--input-format=f32"]
    np.testing.assert_array_equal(ra.read(io.BytesIO(raw), container="raw", options=options)[0], noise(RATE))


@pytest.mark.parametrize("container", ["wav", "flac", "ogg", None])
def test_an_object_is_written_as_a_file(folder: Path, container: str | None) -> None:
    ra.write("a", noise(RATE, 2), RATE, container=container or "wav", tags={"title": "A"})
    file = io.BytesIO()
    ra.write(file, noise(RATE, 2), RATE, container=container, tags={"title": "A"})
    # A stream of Ogg has a random number.
    if container == "ogg":
        np.testing.assert_array_equal(ra.read(file.getvalue())[0], ra.read("a")[0])
    else:
        assert file.getvalue() == Path("a").read_bytes()
    assert ra.info(file.getvalue()).tags == {"TITLE": ["A"]}


def test_an_object_with_a_name_gets_its_container(folder: Path) -> None:
    with open("a.flac", "wb") as file:
        file.write(b"")
        ra.write(file, noise(RATE), RATE)
        assert not file.closed
    assert ra.info("a.flac").container == "flac"
    with open("a.xyz", "wb") as file, pytest.raises(ra.Error, match="'a.xyz'"):
        ra.write(file, noise(RATE), RATE)


def test_an_object_gets_all_or_nothing(folder: Path) -> None:
    class Slow(io.RawIOBase):
        def __init__(self) -> None:
            self.data = b""

        def write(self, data: Any) -> int:
            self.data += bytes(data[:1000])
            return min(1000, len(data))

    class Silent:
        def __init__(self) -> None:
            self.data = b""

        def write(self, data: bytes) -> None:
            self.data += data

    whole = io.BytesIO()
    ra.write(whole, noise(RATE), RATE)
    slow, silent = Slow(), Silent()
    ra.write(slow, noise(RATE), RATE)
    ra.write(silent, noise(RATE), RATE)
    assert slow.data == silent.data == whole.getvalue()
    file = io.BytesIO()
    for container, encoding in (("mp3", "s24"), ("none", None)):
        with pytest.raises(ra.Error):
            ra.write(file, noise(10), RATE, container=container, encoding=encoding)
    assert not file.getvalue()
    for wrong in (io.StringIO(), None, 5):
        with pytest.raises(TypeError, match="cannot write to"):
            ra.write(wrong, noise(10), RATE)  # type: ignore[arg-type]


def test_an_error_of_an_object_that_is_written_passes_on(folder: Path) -> None:
    with open("/dev/full", "wb", buffering=0) as full, pytest.raises(OSError, match="No space left"):
        ra.write(full, noise(RATE), RATE, container="wav")
