# SPDX-License-Identifier: Apache-2.0
"""Many files at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import RATE, noise

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
    assert ra.convert(wav, "out.flac", existing="skip").status == "skipped"
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

    with pytest.raises(RuntimeError, match="no more"):
        list(ra.convert(broken(), "out/{stem}.wav"))


def test_a_request_that_is_wrong_is_an_error(sources: list[Path]) -> None:
    with pytest.raises(ra.Error, match="a pattern gives each its own") as caught:
        list(ra.convert(sources, "out.wav"))
    assert caught.value.code == 64
