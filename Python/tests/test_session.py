# SPDX-License-Identifier: Apache-2.0
"""Sessions: what goes in comes out, and nothing stays behind."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import noise, others, run_python, served
from test_worker import until

import rawaudio as ra
from rawaudio import blocking

pytestmark = pytest.mark.usefixtures("event_loop_kind")

RATE = 16000


def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(work(), 60))


def from_start(samples: np.ndarray) -> np.ndarray:
    """The samples without the silence around them."""
    (heard,) = np.nonzero(samples[:, 0])
    return samples[heard[0] : heard[-1] + 1]


def test_a_source_is_heard_observed_and_recorded(folder: Path) -> None:
    spoken = noise(2 * RATE)

    async def work() -> None:
        async with ra.session(playback="mix.wav", tracks="track-%s.wav", rate=RATE, channels=1) as session:
            async with session.observe("before-mixing", rate=RATE, channels=1, seconds=0.1, ends=True) as frames:
                async with await session.join("anna", rate=RATE, group="hall") as anna:
                    assert anna.name == "hall/anna"
                    await anna.write(spoken[:9999])
                    await anna.write(spoken[9999:, 0])
                seen = []
                async for frame in frames:
                    seen.append(frame)
                    if frame.is_last:
                        break
        assert [frame.source for frame in seen] == ["hall/anna"] * len(seen)
        assert [frame.is_first for frame in seen] == [True] + [False] * (len(seen) - 1)
        assert all(
            one.position + len(one.samples) == other.position for one, other in zip(seen, seen[1:], strict=False)
        )
        np.testing.assert_array_equal(np.concatenate([frame.samples for frame in seen]), spoken)
        assert frames.lost == 0 and seen[0].samples.shape == (1600, 1) and seen[0].rate == RATE
        assert (
            session.summary
            and session.summary["outcome"] == "stopped"
            and not [note for note in session.notes if "took longer" not in note]
        )
        start = seen[0].position
        for name in ("mix.wav", "track-hall-anna.wav"):
            samples, _ = ra.read(name)
            np.testing.assert_array_equal(samples[start : start + len(spoken)], spoken)

    run(work)


def test_an_editor_changes_the_samples(folder: Path) -> None:
    spoken = noise(RATE)

    async def work() -> None:
        async with ra.session(playback="mix.wav", rate=RATE, channels=1, encoding="f32") as session:

            async def soften() -> None:
                async with session.edit(
                    "before-mixing", source="anna", rate=RATE, channels=1, seconds=0.02, latency=3
                ) as frames:
                    ready.set()
                    async for frame in frames:
                        frame.samples *= np.float32(0.5)

            ready = asyncio.Event()
            editing = asyncio.create_task(soften())
            await ready.wait()
            async with session.events() as events:
                async with await session.join("anna", rate=RATE) as anna:
                    await anna.write(spoken)
                async for event in events:
                    if isinstance(event, ra.events.Left):
                        break
        await editing

    run(work)
    heard = from_start(ra.read("mix.wav")[0])
    np.testing.assert_array_equal(heard, from_start(spoken * np.float32(0.5)))


def test_an_edited_frame_keeps_its_shape(folder: Path) -> None:
    async def work() -> None:
        async with ra.session(rate=RATE, channels=1) as session:
            async with session.edit("playback", rate=RATE, channels=1) as frames:
                with pytest.raises(ra.Error, match="an edited frame keeps its shape"):
                    async for frame in frames:
                        frame.samples = frame.samples[1:]

    run(work)


def test_a_position_leaves_a_gap(folder: Path) -> None:
    spoken = noise(1000)

    async def work() -> None:
        async with ra.session(tracks="track-%s.wav", rate=RATE, channels=1) as session, session.events() as events:
            async with await session.join("anna", rate=RATE) as anna:
                await anna.write(spoken, position=500)
                await anna.write(spoken, position=2000)
            async for event in events:
                if isinstance(event, ra.events.Left):
                    assert event.attendant.missing == 500
                    break

    run(work)
    track = from_start(ra.read("track-anna.wav")[0])
    expected = np.concatenate([spoken, np.zeros((500, 1), np.float32), spoken])
    np.testing.assert_array_equal(track, from_start(expected))


def test_control_changes_a_source(folder: Path) -> None:
    async def work() -> None:
        async with ra.session(rate=RATE, channels=1) as session:
            anna = await session.join("anna", rate=RATE)
            await anna.write(noise(RATE))
            while not (present := await session.status()):
                await asyncio.sleep(0.01)
            assert (present[0].name, present[0].rate, present[0].channels) == ("anna", RATE, 1)
            await session.gain("anna", -6)
            await session.mute("anna", everywhere=True)
            async with session.events() as events:
                await session.unmute("anna")
                await session.mute("anna")
                seen = []
                async for event in events:
                    seen.append(type(event))
                    # The first mute may come late.
                    if seen[-2:] == [ra.events.Unmuted, ra.events.Muted]:
                        break
            with pytest.raises(ra.Error) as caught:
                await session.gain("ben", -6)
            assert (caught.value.action, caught.value.subject) == ("set the gain of", "ben")
            with pytest.raises(ra.Error, match="the id is taken"):
                await session.join("anna", rate=RATE)
            with pytest.raises(ra.Error):
                await session.join("big", rate=768000, channels=64)
            with pytest.raises(ra.Error, match="no recording of this session is split"):
                await session.split()
            await session.remove("anna")
            with pytest.raises(ra.Error, match="removed"):
                for _ in range(10_000):
                    await anna.write(noise(RATE))
            with pytest.raises(ra.Error, match="has 1 channels"):
                await anna.write(np.zeros((5, 2)))

    run(work)


def test_a_session_that_cannot_begin_says_why(folder: Path) -> None:
    async def work() -> None:
        with pytest.raises(ra.Error, match="its directory does not exist"):
            async with ra.session(playback="none/mix.wav"):
                pass
        with pytest.raises(ra.Error) as caught:
            async with ra.session(options=["--none"]):
                pass
        assert caught.value.code == 64
        with pytest.raises(ra.Error, match="cannot join the session at 'none.sock'"):
            async with ra.connect("none.sock"):
                pass

    run(work)


@pytest.mark.parametrize("how", ["exception", "cancel"])
def test_an_exception_ends_the_session(folder: Path, how: str) -> None:
    async def fail() -> None:
        task = asyncio.current_task()
        assert task
        async with ra.session(playback="mix.wav", rate=RATE, channels=1) as session:
            anna = await session.join("anna", rate=RATE)
            await anna.write(noise(RATE))
            async with session.observe("playback") as frames:
                async for _ in frames:
                    if how == "exception":
                        raise RuntimeError
                    task.cancel()

    async def work() -> None:
        with pytest.raises((RuntimeError, asyncio.CancelledError)):
            await asyncio.create_task(fail())

    run(work)
    assert ra.info("mix.wav").details["truncated"] is False
    assert len(served()) <= (os.cpu_count() or 1)


def test_a_cancelled_frame_is_not_lost(folder: Path) -> None:
    async def work() -> None:
        async with ra.session(rate=RATE, channels=1) as session:
            async with session.observe("playback", rate=RATE, channels=1) as frames:
                positions: list[int] = []
                while len(positions) < 30:
                    try:
                        positions.append((await asyncio.wait_for(anext(frames), 0.003)).position)
                    except asyncio.TimeoutError:
                        pass
        assert positions == list(range(positions[0], positions[0] + 30 * 160, 160))

    run(work)


def test_a_session_ends_by_itself(folder: Path) -> None:
    async def work() -> None:
        async with ra.session(playback="mix.wav", rate=RATE, channels=1, until_empty=True) as session:
            async with await session.join("anna", rate=RATE) as anna:
                await anna.write(noise(1000))
            await session.wait()
            with pytest.raises(ra.Error, match="the session has ended"):
                await session.gain("anna", 1)
        async with ra.session(remotes={"one": "mix.wav"}, duration=0.1) as session:
            await session.wait()
        async with ra.session() as session:
            async with ra.connect(session.socket) as guest:
                await guest.stop()
            await session.wait()

    run(work)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_interpreter_leaves_no_session(folder: Path, number: signal.Signals) -> None:
    child = run_python(
        "import asyncio, rawaudio, numpy\n"
        "async def main():\n"
        "    async with rawaudio.session(playback='mix.wav', rate=16000, channels=1) as session:\n"
        "        anna = await session.join('anna', rate=16000)\n"
        "        await anna.write(numpy.ones(16000))\n"
        "        print('begun', flush=True)\n"
        "        await asyncio.sleep(60)\n"
        "asyncio.run(main())\n",
        folder=folder,
    )
    assert child.stdout
    assert child.stdout.readline() == "begun\n"
    # A session without a sample leaves no file.
    until(lambda: (folder / "mix.wav").stat().st_size > 4_096)
    child.send_signal(number)
    child.communicate()
    until(lambda: not list(folder.glob("*.sock")) and not others())
    assert ra.info("mix.wav").details["truncated"] is False


def test_the_blocking_twin_does_the_same(folder: Path) -> None:
    spoken = noise(RATE)
    with blocking.session(playback="mix.wav", rate=RATE, channels=1) as session:
        with session.observe("before-mixing", source="anna", rate=RATE, channels=1, seconds=0.1, ends=True) as frames:
            with session.join("anna", rate=RATE) as anna:
                anna.write(spoken)
            seen = []
            for frame in frames:
                seen.append(frame.samples)
                if frame.is_last:
                    break
            assert frames.lost == 0
        with session.events() as events:
            with pytest.raises(ra.Error):
                session.mute("carl")
            with blocking.connect(session.socket) as guest, guest.join("ben", rate=RATE) as ben:
                ben.write(spoken)
                assert isinstance(next(events), ra.events.Joined)
    assert session.summary
    np.testing.assert_array_equal(np.concatenate(seen), spoken)
    with pytest.raises(ra.Error), blocking.connect("none.sock"):
        pass


def test_a_session_of_another_version_says_so(folder: Path) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(b'{"schema":2,"ok":true,"control":1}\n')
        writer.close()

    async def work() -> None:
        async with await asyncio.start_unix_server(answer, "other"):
            with pytest.raises(ra.Error, match="speaks version 2 of joining, .* speaks version 1") as caught:
                async with ra.connect("other") as guest:
                    await guest.join("anna", rate=RATE)
        assert "install the package of its version" in caught.value.advice

    run(work)
