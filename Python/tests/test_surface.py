# SPDX-License-Identifier: Apache-2.0
"""Type checkers see mistakes in a user's program, and every public name is documented."""

from __future__ import annotations

import dataclasses
import inspect
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from conftest import RATE, noise

import rawaudio as ra
from rawaudio import blocking

PROGRAM = """\
import asyncio
from pathlib import Path

import numpy as np

import rawaudio as ra
from rawaudio import blocking, events


def kept(event: ra.Event) -> int:
    match event:
        case events.Left(source=name, attendant=events.Attendant(samples=samples), reason=None):
            return len(name) + samples
        case events.Muted():
            return event.attendant.rate
        case events.Lost(count):
            return count
        case _:
            return 0


async def main() -> None:
    async with ra.session(playback="mix.wav", overwrite=True, encoding="f32") as session:
        async with session.observe("before-mixing", rate=16000, channels=1, seconds=0.1) as frames:
            async for frame in frames:
                print(frame.samples.mean(), frame.source or "")
        async with session.edit("playback") as edited:
            async for frame in edited:
                frame.samples *= 0.5
        async for event in session.events():
            kept(event)
        await (await session.join("bot", rate=24000)).write(np.zeros(100, np.int16))
        print([one.gain for one in await session.status()])


def plain(path: Path) -> float | None:
    with ra.capture(encoding="s32") as capture:
        for block in capture:
            print(block.time, block.gaps)
    with blocking.session(duration=1) as session, session.observe("mixed") as frames:
        for frame in frames:
            print(frame.position)
        for event in session.events():
            kept(event)
    samples, rate = ra.read(path, 16000, 1)
    ra.write(str(path), samples.T @ samples, rate)
    result = ra.convert(path, "a.wav")
    results = ra.convert([path], "{stem}.wav", skip_existing=True)
    if result.status == "done" and results[0].error:
        return results[0].error.code
    try:
        return ra.measure(path).loudness
    except FileNotFoundError as error:
        print(error.filename)
    except ra.Error as error:
        print(error.advice)
    return ra.info(path).duration


asyncio.run(main())
"""

# A mistake in place of a piece of the program.
MISTAKES = [
    ('session.observe("before-mixing"', 'session.observe("before_mixing"'),
    ('session.observe("mixed")', 'session.observe("mix")'),
    ('session.edit("playback")', 'session.edit("shared")'),
    ('encoding="s32"', 'encoding="s24"'),
    ('result.status == "done"', 'result.status == "finished"'),
    ("event.attendant.rate", "event.source"),
    ("frame.source or", "frame.source +"),
    ("results[0].error.code", "results.error.code"),
]


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """What mypy and pyright say of each program, which is checked in a folder of its own."""
    folder = tmp_path_factory.mktemp("programs")
    (folder / "correct.py").write_text(PROGRAM)
    for number, (piece, mistake) in enumerate(MISTAKES):
        assert PROGRAM.count(piece) == 1, piece
        (folder / f"wrong{number}.py").write_text(PROGRAM.replace(piece, mistake))
    (folder / "pyrightconfig.json").write_text('{"reportUnnecessaryComparison": "error"}')
    said = {}
    for words in (["mypy", "--strict", f"--cache-dir={folder}/cache"], ["pyright", f"--pythonpath={sys.executable}"]):
        done = subprocess.run(
            [sys.executable, "-m", *words, *sorted(path.name for path in folder.glob("*.py"))],
            cwd=folder,
            env={**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 1, done.stdout + done.stderr
        said[words[0]] = done.stdout
    yield said


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_a_type_checker_sees_a_mistake_and_no_other(checked: dict[str, str], checker: str) -> None:
    lines = [line.strip() for line in checked[checker].splitlines() if "error" in line and ".py:" in line]
    names = {Path(line.partition(":")[0]).stem for line in lines}
    assert names == {f"wrong{number}" for number in range(len(MISTAKES))}, checked[checker]


def public(module: ModuleType, prefix: str) -> Iterator[tuple[str, Any]]:
    """The public names of a module, and those of its classes."""
    for name in module.__all__:
        value: Any = getattr(module, name)
        if inspect.ismodule(value):
            yield prefix + name, value
            yield from public(value, f"{prefix}{name}.")
        elif inspect.isfunction(value):
            yield prefix + name, value
        elif inspect.isclass(value) and value.__module__.startswith("rawaudio"):
            yield prefix + name, value
            own = {member for base in value.__mro__ if base.__module__.startswith("rawaudio") for member in vars(base)}
            for member in sorted(own):
                attribute = inspect.getattr_static(value, member)
                is_method = callable(attribute) or isinstance(attribute, (property, staticmethod, classmethod))
                if is_method and not member.startswith("_"):
                    yield f"{prefix}{name}.{member}", getattr(value, member)


def test_every_public_name_is_documented() -> None:
    names = [*public(ra, ""), *public(blocking, "blocking.")]
    assert len(names) > 100
    for name, value in names:
        text = inspect.getdoc(value) or ""
        assert text and text[0].isupper() and "." in text, name
        if inspect.isclass(value):
            told = text.partition("Attributes:")[2]
            for field in dataclasses.fields(value) if dataclasses.is_dataclass(value) else ():
                assert field.name in told, f"{name}.{field.name}"
        elif inspect.isfunction(value):
            for parameter in inspect.signature(value).parameters:
                assert parameter == "self" or parameter in text, f"{name}({parameter})"


def test_blocks_and_frames_are_short_and_compared_by_identity() -> None:
    samples = noise(48000, 2)
    block = ra.Block(samples, 7, RATE, gaps=((8, 1),))
    frame = ra.Frame(samples, 7, RATE, "hall/anna", is_first=True, lost=3)
    assert repr(block) == "Block(float32[48000, 2], position=7, rate=44100, gaps=((8, 1),))"
    assert repr(frame) == "Frame(float32[48000, 2], position=7, rate=44100, source='hall/anna', is_first, lost=3)"
    assert block != ra.Block(samples, 7, RATE, gaps=((8, 1),)) and block in {block}
    assert frame != ra.Frame(samples, 7, RATE, "hall/anna") and frame in [frame]


TYPE, VALUE = TypeError, ValueError


@pytest.mark.parametrize(
    "data, kind, words",
    [
        (np.zeros((2, 100)), VALUE, r"its shape is \(2, 100\); that is 100 channels; .* use x.T"),
        (np.zeros((2, 5, 2)), VALUE, r"its shape is \(2, 5, 2\); use \(samples, channels\)"),
        (np.float32(0.5), VALUE, r"its shape is \(\); use \(samples, channels\)"),
        (np.zeros((5, 0)), VALUE, r"its shape is \(5, 0\)"),
        ([[1.0], [1.0, 2.0]], VALUE, "its rows differ in length"),
        (np.zeros(5, np.complex64), TYPE, "its samples are complex64; use numpy.stack"),
        (np.zeros(5, bool), TYPE, "its samples are bool; a truth value has no full scale"),
        (np.zeros(5, np.float16), TYPE, r"its samples are float16; use x.astype\(numpy.float32\)"),
        (np.zeros(5, np.longdouble), TYPE, r"its samples are float128; use x.astype\(numpy.float32\)"),
        (np.zeros(5, np.int64), TYPE, "its samples are int64; use float32, float64, int8, int16, int32 or uint8"),
        (np.zeros(5, object), TYPE, "it is no array, but a ndarray"),
        (None, TYPE, "it is None"),
        ({"a": 1}, TYPE, "it is no array, but a dict"),
        (["a"], TYPE, "its samples are <U1"),
    ],
)
def test_an_array_that_is_no_sound_is_refused(folder: Path, data: object, kind: type[Exception], words: str) -> None:
    for call in (lambda: ra.write("a.wav", data, RATE), lambda: ra.measure(np.asarray(data), RATE)):  # type: ignore[arg-type]
        try:
            np.asarray(data)
        except ValueError:
            call = lambda: ra.write("a.wav", data, RATE)  # type: ignore[arg-type] # noqa: E731
        with pytest.raises(kind, match=f"cannot write 'the array': {words}|it is no array, but a ndarray") as caught:
            call()
        assert isinstance(caught.value, ra.Error) and caught.value.code == 64
    assert not Path("a.wav").exists()


def test_any_layout_in_memory_is_taken(folder: Path) -> None:
    data = noise(100, 4)
    wide = np.zeros((200, 8), np.float32)
    wide[::2, ::2] = data
    read_only = data.copy()
    read_only.flags.writeable = False
    reversed_ = np.ascontiguousarray(data[::-1])[::-1]
    for array in (
        data.astype(">f4"),
        np.asfortranarray(data),
        wide[::2, ::2],
        reversed_,
        read_only,
        data.tolist(),
    ):
        ra.write("a.wav", array, RATE, overwrite=True)
        np.testing.assert_array_equal(ra.read("a.wav")[0], data)
    ra.write("b.wav", (data * 32768).astype(">i2"), RATE)
    np.testing.assert_array_equal(ra.read("b.wav")[0], data)


def test_a_transposed_array_is_doubted(folder: Path) -> None:
    with pytest.warns(ra.Note, match="2 samples of 50 channels; .* use x.T") as warned:
        ra.write("a.wav", noise(2, 50), RATE)
    assert warned[0].filename == __file__
    assert ra.read("a.wav")[0].shape == (2, 50)
