# SPDX-License-Identifier: Apache-2.0
"""Many files at once."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from conftest import RATE, noise, served

import rawaudio as ra


@pytest.fixture
def sources(folder: Path) -> list[Path]:
    Path("in").mkdir()
    paths = [folder / "in" / f"{number}.wav" for number in range(8)]
    for number, path in enumerate(paths):
        ra.write(path, noise(3000 + number), RATE)
    return paths


def test_one_file_is_done_at_the_end_of_the_call(wav: Path) -> None:
    result = ra.convert(wav, "out.flac", rate=16000, channels=1)
    assert (result.status, result.rate, result.channels, result.samples) == ("done", 16000, 1, 48000)
    assert ra.info("out.flac").samples == 48000
    with pytest.raises(ra.Error) as caught:
        ra.convert(wav, "out.flac")
    assert (caught.value.action, caught.value.subject, caught.value.reason) == (
        "write to",
        "out.flac",
        "it exists already",
    )
    assert ra.convert(wav, "out.flac", skip_existing=True).status == "skipped"
    with pytest.raises(ra.Error, match="cannot open 'none.wav': no such file"):
        ra.convert("none.wav", "out2.flac")
    with pytest.raises(ra.Error) as caught:
        ra.convert(wav, "out3.flac", rate=3)
    assert caught.value.code == 64


def test_a_source_that_fails_stops_no_other(sources: list[Path]) -> None:
    sources[3].write_bytes(b"no sound")
    results = {Path(result.source).name: result for result in ra.convert(sources, "out/{stem}.flac")}
    assert len(results) == 8
    assert sorted(path.name for path in Path("out").iterdir()) == [f"{n}.flac" for n in range(8) if n != 3]
    error = results["3.wav"].error
    assert error and error.subject == str(sources[3]) and error.action == "read"
    assert [results[f"{n}.wav"].samples for n in (0, 7)] == [3000, 3007]


def test_an_item_has_its_part_and_its_fields(sources: list[Path]) -> None:
    items = [{"source": sources[0], "id": f"cut{n}", "start": n / 1000, "end": n / 1000 + 0.01} for n in range(5)]
    results = list(ra.convert(items, "cut/{id}.wav", rate=48000))
    assert sorted(result.output or "" for result in results) == [f"cut/cut{n}.wav" for n in range(5)]
    assert {result.samples for result in results} == {480}


def test_sources_are_taken_as_the_work_goes_on(sources: list[Path]) -> None:
    taken = 0

    def endless() -> Iterator[dict[str, object]]:
        nonlocal taken
        while True:
            taken += 1
            yield {"source": sources[0], "id": str(taken)}

    results = ra.convert_each(endless(), "many/{id}.wav")
    for count, result in enumerate(results):
        assert result.status == "done"
        if count == 100:
            break
    results.close()  # type: ignore[attr-defined]
    assert not list(Path("many").glob(".*"))


def test_an_exception_of_the_sources_is_raised(sources: list[Path]) -> None:
    def broken() -> Iterator[Path]:
        yield sources[0]
        raise RuntimeError("no more")

    def broken_at_once() -> Iterator[Path]:
        raise RuntimeError("no more")
        yield sources[0]

    for kind in (broken, broken_at_once):
        with pytest.raises(RuntimeError, match="no more"):
            ra.convert(kind(), "out/{stem}.wav")
        with pytest.raises(RuntimeError, match="no more"):
            list(ra.convert_each(kind(), "out2/{stem}.wav"))


@pytest.mark.parametrize("wrong", [None, 5, {"id": "x"}, {"source": None}, {"source": float("nan")}, [1]])
def test_an_item_that_is_none_is_an_error(sources: list[Path], wrong: object) -> None:
    with pytest.raises(ra.Error, match="cannot convert the item '.*': it (is no path, and has no keys|has no source)"):
        ra.convert([sources[0], wrong], "out/{stem}.wav")  # type: ignore[list-item]
    with pytest.raises(ra.Error, match="Object of type object is not JSON serializable"):
        ra.convert([{"source": sources[0], "start": object()}], "out/{stem}.wav")
    for many in (None, 5):
        with pytest.raises(ra.Error, match="they are neither a path nor many"):
            ra.convert(many, "out/{stem}.wav")  # type: ignore[call-overload]


def test_values_of_numpy_and_pandas_are_taken(sources: list[Path]) -> None:
    class Row:
        """As Series of pandas: keys, and no Mapping."""

        def keys(self) -> list[str]:
            return ["source", "start", "end", "id", "speaker"]

        def __getitem__(self, key: str) -> object:
            return dict(
                source=np.str_(sources[0]), start=np.float64(0.01), end=np.float32(0.02), id=np.int64(7), speaker=np.nan
            )[key]

    nothing = {"source": os.fsencode(sources[1]), "id": np.str_("b"), "end": float("nan"), "start": None}
    results = ra.convert([Row(), nothing], "out/{id}.wav")  # type: ignore[list-item]
    assert sorted((result.output, result.samples) for result in results) == [("out/7.wav", 441), ("out/b.wav", 3001)]
    assert len(ra.convert(np.array([str(path) for path in sources]), "o/{stem}.flac")) == 8


def test_a_list_is_done_without_being_iterated(sources: list[Path]) -> None:
    ra.convert(sources, "out/{stem}.flac")
    assert len(list(Path("out").iterdir())) == 8
    waiting = len(served())
    each = ra.convert_each(sources, "each/{stem}.flac")
    next(each)
    each.close()  # type: ignore[attr-defined]
    assert len(served()) == waiting


def test_one_path_follows_a_pattern(sources: list[Path]) -> None:
    for status, overwrite, skip in [("done", False, False), ("skipped", False, True), ("done", True, False)]:
        result = ra.convert(sources[3], "out/{stem}-%%.flac", overwrite=overwrite, skip_existing=skip)
        assert (result.output, result.status) == ("out/3-%.flac", status)
    assert ra.info("out/3-%.flac").samples == 3003
    with pytest.raises(ra.Error, match="it already exists"):
        ra.convert(sources[3], "out/{stem}-%%.flac")
    ra.write("loud.wav", np.full(10, 2.0), RATE)
    with pytest.warns(ra.Note, match="10 samples clipped") as warned:
        ra.convert("loud.wav", "{stem}-16.wav", encoding="s16")
    assert warned[0].filename == __file__


def test_a_failing_call_leaves_no_descriptor(sources: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    before = len(os.listdir("/proc/self/fd"))
    monkeypatch.setenv("RAWAUDIO_PROGRAM", "/bin/false")
    for _ in range(5):
        for call in (
            lambda: ra.convert(sources, "o/{stem}.wav"),
            lambda: next(iter(ra.capture())),
            lambda: ra.info(sources[0]),
        ):
            with pytest.raises(ra.Error):
                call()
    monkeypatch.setenv("RAWAUDIO_PROGRAM", "/none")
    with pytest.raises(ra.Error):
        ra.convert(sources, "o/{stem}.wav")
    monkeypatch.undo()
    assert len(os.listdir("/proc/self/fd")) <= before


def test_a_request_that_is_wrong_is_an_error(sources: list[Path]) -> None:
    with pytest.raises(ra.Error, match="a pattern gives each its own") as caught:
        list(ra.convert(sources, "out.wav"))
    assert caught.value.code == 64
