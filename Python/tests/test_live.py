# SPDX-License-Identifier: Apache-2.0
"""capture and playback in asyncio and without it, on a card made of software: nothing is lost, and nothing stays."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from conftest import noise, served
from test_capture import filled
from test_worker import until

import rawaudio as ra

pytestmark = pytest.mark.usefixtures("event_loop_kind")


def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(work(), 60))


def test_a_recording_in_asyncio_is_exact(card: Path) -> None:
    expected = filled(card, 50_000)
    waiting = served()

    async def work() -> None:
        async with ra.capture("card", seconds=0.1, duration="50000S") as capture:
            blocks = [block async for block in capture]
        np.testing.assert_array_equal(np.concatenate([block.samples for block in blocks]), expected)
        assert [block.position for block in blocks] == list(range(0, 50_000, 4800))
        assert capture.summary and capture.summary["outcome"] == "finished"
        again = await ra.capture("card", blocksize=1000)
        first = await anext(again)
        await again.aclose()
        np.testing.assert_array_equal(first.samples, expected[:1000])
        with pytest.raises(StopAsyncIteration):
            await anext(again)
        assert again.summary and again.summary["outcome"] == "stopped"

    run(work)
    assert served() == waiting


def test_the_forms_without_asyncio_stay(card: Path) -> None:
    expected = filled(card, 3_000)
    capture = ra.capture("card", blocksize=1000)
    np.testing.assert_array_equal(capture.read().samples, expected[:1000])  # type: ignore[union-attr]
    capture.close()
    assert capture.read() is None

    async def leave() -> None:
        # One that was never begun.
        await ra.capture("card").aclose()
        with pytest.raises(RuntimeError):
            async with ra.capture("card") as capture:
                async for _ in capture:
                    raise RuntimeError

    run(leave)


def test_errors_come_when_it_is_awaited(card: Path) -> None:
    async def work() -> None:
        with pytest.raises(ra.Error) as caught:
            await ra.capture("none")
        assert (caught.value.subject, caught.value.code) == ("none", 1)
        with pytest.raises(ra.Error, match="48000 Hz"):
            async with ra.capture("cd", rate=48000, channels=2):
                pass
        with pytest.raises(ra.Error, match="none"):
            await ra.playback(np.zeros(10), 48000, device="none")
        with pytest.raises(ra.Error, match="no such file"):
            async with ra.playback("none.wav", device="card"):
                pass

    run(work)
    with pytest.raises(ra.Error, match="samples need a rate"):
        ra.play(np.zeros(10))
    with pytest.raises(ra.Error, match="a file has its own rate"):
        ra.play("x.wav", 48000)
    with pytest.raises(ra.Error, match="it is an end, and no file"):
        ra.play("tone:440")


def test_a_cancelled_block_is_not_lost(card: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VIRTUAL_CARD_SPEED", "1")
    monkeypatch.delenv("VIRTUAL_CARD_INFILE")

    async def work() -> None:
        async with ra.capture("card", seconds=0.05, encoding="s32") as capture:
            blocks: list[ra.Block] = []
            while len(blocks) < 10:
                with contextlib.suppress(asyncio.TimeoutError):
                    blocks.append(await asyncio.wait_for(anext(capture), 0.01))
        assert [block.position for block in blocks] == list(range(0, 24_000, 2_400))

    run(work)


@pytest.mark.parametrize("how", ["open", "next", "block", "play", "played"])
def test_a_cancelled_task_leaves_nothing(card: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    monkeypatch.setenv("VIRTUAL_CARD_SPEED", "1")
    waiting = served()

    async def live(begun: asyncio.Event) -> None:
        if how == "open":
            begun.set()
            # No block is ever complete.
            await ra.capture("card", seconds=3600)
        elif how == "next":
            async with ra.capture("card", seconds=0.01) as capture:
                async for _ in capture:
                    begun.set()
        elif how == "block":
            async with ra.capture("card", seconds=0.01):
                begun.set()
                await asyncio.sleep(3600)
        elif how == "play":
            begun.set()
            await ra.playback("tone:440", device="card", ends=True)
        else:
            async with ra.playback(np.zeros(48000 * 3600), 48000, device="card"):
                begun.set()

    async def work(delay: float) -> None:
        begun = asyncio.Event()
        task = asyncio.create_task(live(begun))
        await begun.wait()
        await asyncio.sleep(delay)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert served() == waiting

    for delay in (0, 0.001, 0.01, 0.1):
        run(lambda delay=delay: work(delay))  # type: ignore[misc]
    assert len(os.listdir("/proc/self/fd")) < 40


@pytest.mark.parametrize("kind", ["f4", "i2", "file", "part"])
@pytest.mark.parametrize("form", ["play", "with", "await", "async with"])
def test_all_is_played(card: Path, monkeypatch: pytest.MonkeyPatch, form: str, kind: str) -> None:
    played = card.with_name("played.raw")
    monkeypatch.setenv("VIRTUAL_CARD_OUTFILE", str(played))
    sound = noise(30_000)
    soundfile.write("sound.wav", sound, 48000, subtype="PCM_16")
    given: Any = {"f4": sound, "i2": (sound * 32768).astype("<i2")}.get(kind, "sound.wav")
    words: dict[str, Any] = {"device": "card", "options": []}
    if kind == "part":
        words |= {"start": "1000S", "duration": "2000S"}
        sound = sound[1000:3000]
    rate = None if kind in ("file", "part") else 48000

    async def work() -> None:
        if form == "await":
            await ra.playback(given, rate, **words)
        else:
            async with ra.playback(given, rate, **words):
                pass

    if form == "play":
        ra.play(given, rate, **words)
    elif form == "with":
        with ra.playback(given, rate, **words):
            pass
    else:
        run(work)
    # An array of floats is played as float, a file in its own encoding.
    data = np.fromfile(played, "<f4" if kind == "f4" else "<i2").astype("f8")
    if kind != "f4":
        data /= 32768
    np.testing.assert_array_equal(data[: len(sound)], sound[:, 0])
    assert not data[len(sound) :].any()


def test_a_playback_may_be_left(card: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VIRTUAL_CARD_SPEED", "1")
    waiting = served()
    with pytest.raises(RuntimeError), ra.playback(np.zeros(48000 * 60), 48000, device="card"):
        raise RuntimeError
    playing = ra.playback(np.zeros(48000 * 60), 48000, device="card")
    with playing:
        playing.close()
    playing.wait()
    assert served() == waiting


def test_an_abandoned_recording_ends_with_the_interpreter(card: Path, folder: Path) -> None:
    from conftest import others, run_python

    child = run_python(
        "import asyncio, os, rawaudio\n"
        "async def main():\n"
        "    capture = await rawaudio.capture('card')\n"
        "    print('begun', flush=True)\n"
        "asyncio.run(main())\n",
        folder=folder,
    )
    output, errors = child.communicate(timeout=60)
    assert (output, errors, child.returncode) == ("begun\n", "", 0)
    until(lambda: not others())
