# SPDX-License-Identifier: Apache-2.0
"""capture, on a card made of software."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from conftest import noise, served

import rawaudio as ra


def filled(card: Path, count: int) -> np.ndarray:
    samples = noise(count)
    card.write_bytes((samples * 32768).astype("<i2").tobytes())
    return samples


def test_blocks_are_what_the_card_records(card: Path) -> None:
    expected = filled(card, 50_000)
    with ra.capture("card", rate=48000, channels=1, seconds=0.1, duration="50000S") as capture:
        blocks = list(capture)
    np.testing.assert_array_equal(np.concatenate([block.samples for block in blocks]), expected)
    assert [block.position for block in blocks] == list(range(0, 50_000, 4800))
    assert blocks[0].samples.dtype == np.float32 and blocks[0].gaps == ()
    assert capture.summary and capture.summary["outcome"] == "finished"
    assert capture.read() is None


@pytest.mark.parametrize("encoding, type_, scale", [("s32", "<i4", 2**31), ("f32", "<f4", 1)])
def test_other_encodings_have_the_same_scale(card: Path, encoding: ra.DeviceEncoding, type_: str, scale: int) -> None:
    expected = noise(9_600)
    card.write_bytes((expected.astype("f8") * scale).astype(type_).tobytes())
    with ra.capture("card", encoding=encoding, blocksize=9_600) as capture:
        np.testing.assert_array_equal(capture.read().samples, expected)  # type: ignore[union-attr]


def test_a_gap_is_silence_in_its_place(card: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(card, 96_000)
    monkeypatch.setenv("VIRTUAL_CARD_EVENTS", "20000:xrun")
    monkeypatch.setenv("VIRTUAL_CARD_SPEED", "1")
    with pytest.warns(ra.Note, match=r"\d+ overruns?"), ra.capture("card", seconds=0.1, duration=1) as capture:
        blocks = list(capture)
    gaps = [(block, gap) for block in blocks for gap in block.gaps]
    assert gaps, "the card lost nothing"
    block, (position, samples) = gaps[0]
    assert block.position <= position < block.position + len(block.samples)
    whole = np.concatenate([block.samples for block in blocks])
    assert len(whole) == 48_000
    assert not whole[position : position + samples].any()
    assert whole[position - 10 : position].any()


def test_a_recording_may_be_left(card: Path) -> None:
    filled(card, 10)
    waiting = served()
    with pytest.raises(RuntimeError), ra.capture("card") as capture:
        for _ in capture:
            raise RuntimeError
    assert capture.summary and capture.summary["outcome"] == "stopped"
    assert served() == waiting


def test_a_recording_may_be_left_at_once(card: Path) -> None:
    for _ in range(20):
        with ra.capture("card"):
            pass


def test_errors_come_with_the_first_block(card: Path) -> None:
    with ra.capture("none") as capture, pytest.raises(ra.Error) as caught:
        capture.read()
    assert (caught.value.subject, caught.value.code) == ("none", 1)
    with ra.capture("cd", rate=48000, channels=2) as capture, pytest.raises(ra.Error, match="48000 Hz"):
        capture.read()
    with pytest.raises(ra.Error, match="a device has s16, s32 or f32 here"):
        ra.capture("card", encoding="s24")  # type: ignore[arg-type]
    with ra.capture("card", options=["--none"]) as capture, pytest.raises(ra.Error) as caught:
        capture.read()
    assert caught.value.code == 64
