# SPDX-License-Identifier: Apache-2.0
"""Errors are those of Python, too, and speak of arguments."""

from __future__ import annotations

import copy
import errno
import functools
import os
import pickle
import re
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from conftest import RATE, noise

import rawaudio as ra
from rawaudio._wording import worded


@pytest.mark.parametrize(
    "reason, kind, number",
    [
        ("no such file", FileNotFoundError, errno.ENOENT),
        ("no such file (did you mean 'a.wav'?)", FileNotFoundError, errno.ENOENT),
        ("its directory does not exist", FileNotFoundError, errno.ENOENT),
        ("it exists already", FileExistsError, errno.EEXIST),
        ("it already exists", FileExistsError, errno.EEXIST),
        ("it is a directory", IsADirectoryError, errno.EISDIR),
        ("a part of the path is not a directory", NotADirectoryError, errno.ENOTDIR),
        ("permission denied", PermissionError, errno.EACCES),
        ("connection refused", ConnectionRefusedError, errno.ECONNREFUSED),
        ("no space left on device", OSError, errno.ENOSPC),
        ("device or resource busy", OSError, errno.EBUSY),
        ("file name too long", OSError, errno.ENAMETOOLONG),
        ("it did not answer within 5 s, and was killed", TimeoutError, errno.ETIMEDOUT),
        ("the server does not answer", TimeoutError, errno.ETIMEDOUT),
    ],
)
def test_a_reason_of_the_system_is_its_exception(reason: str, kind: type[OSError], number: int) -> None:
    error = ra.Error(reason, action="open", subject="a.wav", advice="go on")
    assert isinstance(error, kind) and isinstance(error, ra.Error)
    assert not isinstance(error, ValueError)
    assert isinstance(error, OSError)
    assert (error.errno, error.strerror, error.filename) == (number, reason, "a.wav")
    assert str(error) == f"cannot open 'a.wav': {reason}; go on"


def test_other_errors_are_none_of_the_system() -> None:
    for error in (ra.Error("it holds no sound", action="read", subject="a"), ra.Error("x", code=2), ra.Error("")):
        assert type(error) is ra.Error
    for value in (ra.Error("a rate is a whole number", code=64), ra.Error("too large", action="use the rate")):
        assert isinstance(value, ValueError) and not isinstance(value, OSError)
    wrong = ra.Error("it is None", code=64, kind=TypeError)
    assert isinstance(wrong, TypeError) and not isinstance(wrong, ValueError)


@pytest.mark.parametrize(
    "error",
    [
        ra.Error("no such file", action="open", subject="a.wav", advice="look", code=1),
        ra.Error("it is None", action="write", code=64, kind=TypeError),
        ra.Error("a rate", code=64),
        ra.Error("it holds no sound", action="read", subject="it's"),
    ],
)
def test_an_error_can_be_pickled(error: ra.Error) -> None:
    error.__dict__["__notes__"] = ["more"]
    for other in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert type(other) is type(error)
        assert (str(other), other.__dict__, other.args) == (str(error), error.__dict__, error.args)
        assert getattr(other, "errno", 0) == getattr(error, "errno", 0)


def test_the_package_raises_what_python_raises(folder: Path) -> None:
    with pytest.raises(FileNotFoundError) as missing:
        ra.read("none.wav")
    assert (missing.value.errno, missing.value.filename) == (errno.ENOENT, "none.wav")
    ra.write("a.wav", noise(10), RATE)
    Path("plain").write_text("text")
    calls: list[tuple[type[Exception], Callable[[], object]]] = [
        (FileNotFoundError, lambda: ra.info("none.wav")),
        (FileNotFoundError, lambda: ra.measure("none.wav")),
        (FileNotFoundError, lambda: next(iter(ra.blocks("none.wav", seconds=1)))),
        (FileNotFoundError, lambda: ra.convert("none.wav", "b.wav")),
        (FileNotFoundError, lambda: ra.write("none/a.wav", noise(10), RATE)),
        (IsADirectoryError, lambda: ra.read(".")),
        (NotADirectoryError, lambda: ra.read("plain/a.wav")),
        (FileExistsError, lambda: ra.write("a.wav", noise(10), RATE)),
        (FileExistsError, lambda: ra.convert("a.wav", "a.wav" + "")),
        (ValueError, lambda: ra.read("a.wav", rate=5)),
        (ValueError, lambda: ra.read("a.wav", start="x")),
        (ValueError, lambda: ra.convert("a.wav", "b.wav", overwrite=True, skip_existing=True)),
        (ValueError, lambda: ra.capture(encoding="s24")),  # type: ignore[arg-type]
        (TypeError, lambda: ra.measure(noise(10))),
        (TypeError, lambda: ra.read(None)),  # type: ignore[arg-type]
        (TypeError, lambda: ra.read("a.wav", start=[1])),  # type: ignore[arg-type]
        (TypeError, lambda: ra.convert(5, "x.wav")),  # type: ignore[call-overload]
        (TypeError, lambda: ra.write("b.wav", None, RATE)),  # type: ignore[arg-type]
    ]
    for kind, call in calls:
        with pytest.raises(kind):
            call()
    results = ra.convert(["none.wav", "a.wav"], "out/{stem}.wav")
    assert [isinstance(result.error, FileNotFoundError) for result in results if result.error] == [True]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_of_another_is_a_permission_error(folder: Path) -> None:
    ra.write("a.wav", noise(10), RATE)
    os.chmod("a.wav", 0)
    with pytest.raises(PermissionError):
        ra.read("a.wav")


@pytest.mark.parametrize(
    "text, expected",
    [
        ("use --force to overwrite", "pass overwrite=True"),
        ("use --existing skip or --existing replace", "pass overwrite=True or skip_existing=True"),
        ("The value '5' is invalid for '--rate <hertz>': no", "The value '5' is invalid for 'rate': no"),
        ("'--last <time>' does not go with '--split'", 'options=["--last"] does not go with options=["--split"]'),
        ("give it with --duration", "give it with duration="),
        ("the start is --start TIME", "the start is start=TIME"),
        ("for headerless data say --input-type raw", 'for headerless data pass options=["--input-type", "raw"]'),
        ("'--rate' needs '--playback <sink>' or '--shared <source>'",
         "'rate' needs 'playback' or options=[\"--shared\"]"),
        ("3 came later than --jitter allows", '3 came later than options=["--jitter"] allows'),
        ("GSM without a header is read with --input-type raw --input-rate 8000",
         'GSM without a header is read with options=["--input-type", "raw", "--input-rate", "8000"]'),
        # Names of files, and mistakes of the caller.
        ("10 samples clipped in 'it is --force.wav'", "10 samples clipped in 'it is --force.wav'"),
        ("Unknown option '--none'. Did you mean '--name'?", "Unknown option '--none'. Did you mean '--name'?"),
    ],
)  # fmt: skip
def test_options_become_arguments(text: str, expected: str) -> None:
    assert worded(text) == expected


def test_no_message_speaks_of_options(folder: Path) -> None:
    ra.write("a.wav", noise(RATE), RATE)
    Path("text.wav").write_text("no sound " * 100)
    Path("a.gsm").write_bytes(bytes(330))
    Path("a.sln").write_bytes(bytes(330))
    Path("empty.wav").touch()
    loud = np.full((100, 1), 3.0)
    calls: list[Callable[[], object]] = [
        lambda: ra.write("a.wav", noise(10), RATE),
        lambda: ra.write("b.flac", loud, 0),
        lambda: ra.write("b.flac", loud, RATE, encoding="none"),
        lambda: ra.write("b.flac", loud, RATE, encoding="f32"),
        lambda: ra.write("b.flac", loud, RATE, container="none"),
        lambda: ra.write("b.flac", loud, RATE, loudness=90),
        lambda: ra.write("b.none", loud, RATE),
        lambda: ra.write("b", loud, RATE),
        lambda: ra.write("b.wav", loud, RATE, tags={"": "x"}),
        lambda: ra.write("loud.wav", loud, RATE, encoding="s16"),
        lambda: ra.write("b.wav", np.zeros((10, 65)), RATE),
        lambda: ra.read("none.wav"),
        lambda: ra.read("rate"),
        lambda: ra.read("text.wav"),
        lambda: ra.read("a.gsm"),
        lambda: ra.read("a.sln"),
        lambda: ra.read("empty.wav"),
        lambda: ra.read("a.wav", rate=5),
        lambda: ra.read("a.wav", rate="x"),  # type: ignore[arg-type]
        lambda: ra.read("a.wav", channels=65),
        lambda: ra.read("a.wav", start="x"),
        lambda: ra.read("a.wav", start=0.9, stop=0.1),
        lambda: ra.read("a.wav", start=5),
        lambda: ra.read("a.wav", stop="x"),
        lambda: ra.read("tone:440", RATE, 1, ends=True),
        lambda: ra.read("alsa:none", RATE, 1, ends=True),
        lambda: ra.read("rtsp://127.0.0.1:1/x", RATE, 1, ends=True),
        lambda: ra.info("none.wav"),
        lambda: ra.info("text.wav"),
        lambda: ra.measure("text.wav"),
        lambda: ra.convert("a.wav", "a.wav"),
        lambda: ra.convert("a.wav", "loud.wav"),
        lambda: ra.convert("a.wav", "{stem}.wav"),
        lambda: ra.convert("a.wav", "b-{none}.wav"),
        lambda: ra.convert("a.wav", "b.wav", encoding="none"),
        lambda: ra.convert(["a.wav"], "b.wav", jobs=-1),
        lambda: ra.convert(["a.wav", "a.wav"], "b.wav"),
    ]
    results = ra.convert(["a.wav", "text.wav", "none.wav", "empty.wav"], "{stem}.wav")
    calls += [functools.partial(raised, result.error) for result in results]
    told = 0
    for call in calls:
        with warnings.catch_warnings(record=True) as notes:
            warnings.simplefilter("always")
            messages = []
            try:
                call()
            except ra.Error as error:
                messages = [str(error)]
        messages += [str(note.message) for note in notes]
        told += len(messages) > 0
        for message in messages:
            print(message)
            bare = re.sub(r"options=\[.*?\]", "", message)
            assert not re.search(r"(^|[\s'\"(])--?[a-z]", bare), message
    assert told > len(calls) - 8


def raised(error: ra.Error | None) -> None:
    if error:
        raise error
