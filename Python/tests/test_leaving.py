# SPDX-License-Identifier: Apache-2.0
"""What was written is heard, or dropped on request; nothing is said twice, and nothing is left behind."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import tempfile
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import others, run_python, served
from test_worker import until

import rawaudio as ra
from rawaudio import blocking

pytestmark = pytest.mark.usefixtures("event_loop_kind")

RATE = 16000


def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(work(), 60))


def tone(seconds: float) -> np.ndarray:
    """No sample of it is silence."""
    return np.full(round(seconds * RATE), 0.25, np.float32)


def heard(name: str) -> int:
    """The samples of a file that are no silence."""
    return int(np.count_nonzero(ra.read(name)[0]))


def test_what_was_written_is_heard(folder: Path) -> None:
    async def work() -> None:
        async with ra.session(playback="mix.wav", tracks="track-%s.wav", rate=RATE, channels=1) as session:
            closed = await session.join("closed", rate=RATE)
            await closed.write(tone(1))
            await closed.close()
            left = await session.join("left", rate=RATE, latency=0.3)
            await left.write(tone(1.5))
            await session.join("silent", rate=RATE)
        assert session.summary and session.summary["outcome"] == "stopped"

    run(work)
    assert heard("track-closed.wav") == RATE
    assert heard("track-left.wav") == 1.5 * RATE
    assert heard("mix.wav") == 2.5 * RATE
    with blocking.session(playback="mix2.wav", rate=RATE, channels=1) as session:
        session.join("bot", rate=RATE).write(tone(1))
    assert heard("mix2.wav") == RATE


@pytest.mark.filterwarnings("ignore:.*no sample came")
def test_an_end_need_not_wait(folder: Path) -> None:
    async def work() -> None:
        async with ra.session(playback="mix.wav", rate=RATE, channels=1, drain=False) as session:
            source = await session.join("bot", rate=RATE)
            await source.write(tone(3))
            await session.status()
            begun = time.monotonic()
        assert time.monotonic() - begun < 2.5
        with pytest.raises(ra.Error, match="it has left"):
            await source.write(tone(1))
        await source.close()

    run(work)
    assert not Path("mix.wav").exists() or heard("mix.wav") < 2 * RATE


def test_a_source_that_cannot_join_is_an_error(folder: Path) -> None:
    async def work() -> None:
        async with ra.session(duration=0.3, rate=RATE, channels=1) as session:
            await session.wait()
            with pytest.raises(ra.Error, match="the session has ended"):
                await session.join("late", rate=RATE)
        with pytest.raises(ra.Error, match="the session has ended"):
            await session.join("later", rate=RATE)
        with pytest.raises(ra.Error, match="it has been entered before"):
            async with session:
                pass
        other = ra.session()
        for call in (other.join("early", rate=RATE), other.wait(), other.status()):
            with pytest.raises(ra.Error, match="it has not begun; use 'async with' first"):
                await call

    run(work)


def test_the_first_error_is_raised(folder: Path) -> None:
    Path("mix.wav").touch()

    async def work() -> None:
        with pytest.raises(ra.Error, match="cannot write to 'mix.wav': it exists already"):
            async with ra.session(playback="mix.wav", rate=RATE, channels=1) as session:
                await session.join("bot", rate=RATE)
                await session.wait()

        async def kill() -> None:
            async with ra.session(rate=RATE, channels=1) as session:
                source = await session.join("bot", rate=RATE)
                assert session._worker
                os.kill(session._worker.result().process, signal.SIGKILL)
                with pytest.raises(ra.Error, match="signal 9 ended it"):
                    while True:
                        await session.status()
                await source.close()

        with pytest.raises(ra.Error, match="signal 9 ended it"):
            await kill()

    run(work)


def test_a_session_that_does_nothing_is_killed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rawaudio._session._PATIENCE", 0.3)
    monkeypatch.setattr("rawaudio._protocol.PATIENCE", 0.3)

    async def work() -> None:
        with pytest.raises(ra.Error, match="cannot end 'the session': it did nothing for 0.3 s, and was killed"):
            async with ra.session(rate=RATE, channels=1) as session:
                assert session._worker
                os.kill(session._worker.result().process, signal.SIGSTOP)
                with pytest.raises(ra.Error, match="the session did not answer within 0.3 s"):
                    await session.status()
                with pytest.raises(ra.Error, match="cannot join 'bot': the session did not answer within 0.3 s"):
                    await session.join("bot", rate=RATE)

    run(work)


def test_a_source_is_interrupted(folder: Path) -> None:
    async def work() -> None:
        async with ra.session(playback="mix.wav", tracks="t-%s.wav", rate=RATE, channels=1) as session:
            source = await session.join("bot", rate=RATE, latency=0.02)
            # More than the session, the socket and the event loop hold.
            writing = asyncio.create_task(source.write(tone(60)))
            while not (present := await session.status()) or present[0].samples < RATE // 10:
                await asyncio.sleep(0.005)
            await source.clear()
            before = (await session.status())[0].samples
            await asyncio.wait_for(writing, 1)
            await source.write(np.full(100, -0.25, np.float32))
            await source.close()
        assert before < RATE

    run(work)
    samples = ra.read("t-bot.wav")[0][:, 0]
    # A second at most is heard of the minute, and all that comes then.
    assert RATE // 10 <= np.count_nonzero(samples > 0) < RATE
    assert np.count_nonzero(samples < 0) == 100
    assert samples[-1] < 0


@pytest.mark.parametrize("drain", [True, False])
def test_a_removed_source_may_end(folder: Path, drain: bool) -> None:
    async def work() -> None:
        async with ra.session(playback="mix.wav", tracks="t-%s.wav", rate=RATE, channels=1) as session:
            source = await session.join("bot", rate=RATE)
            await source.write(tone(2))
            while not await session.status():
                await asyncio.sleep(0.005)
            async with session.events() as events:
                await session.remove("bot", drain=drain)
                async for event in events:
                    if isinstance(event, ra.events.Left):
                        break
            await source.close()

    run(work)
    assert heard("t-bot.wav") == 2 * RATE if drain else heard("t-bot.wav") < RATE


@pytest.mark.parametrize("how", ["close", "block"])
def test_a_close_may_be_cancelled(folder: Path, how: str) -> None:
    async def leave(session: ra.Session) -> None:
        source = await session.join("bot", rate=RATE)
        await source.write(tone(3))
        if how == "close":
            await source.close()
        else:
            async with source:
                await asyncio.sleep(60)

    async def work() -> None:
        async with ra.session(rate=RATE, channels=1) as session:
            task = asyncio.create_task(leave(session))
            while not await session.status():
                await asyncio.sleep(0.005)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert task.cancelled() and not session._parts
            # Nothing of it is raised elsewhere.
            await session.status()
            await session.join("other", rate=RATE)

    run(work)


def test_a_part_that_is_closed_is_forgotten(folder: Path) -> None:
    async def work() -> None:
        async with ra.session(rate=RATE, channels=1) as session:
            async with session.observe("playback") as frames, session.events() as events:
                for number in range(20):
                    async with await session.join(f"p{number}", rate=RATE) as source:
                        await source.write(tone(0.001))
                    await source.close()
                assert session._parts == {frames, events}
            for part in (frames, events):
                await part.close()
            assert not session._parts

    run(work)
    assert len(os.listdir("/proc/self/fd")) < 40


def test_notes_are_warnings(folder: Path) -> None:
    async def work() -> None:
        with pytest.warns(ra.Note, match="samples clipped in 'mix.wav'") as warned:
            async with ra.session(playback="mix.wav", rate=RATE, channels=1, encoding="s16") as session:
                async with await session.join("loud", rate=RATE) as source:
                    await source.write(np.full(1000, 2.0))
        assert warned[0].filename == __file__
        assert any("clipped" in note for note in session.notes)

    run(work)


@pytest.mark.parametrize(
    "type_, value", [("i1", 32), ("u1", 160), ("i2", 8192), ("i4", 2**29), ("f4", 0.25), ("f8", 0.25)]
)
def test_each_type_has_its_full_scale(folder: Path, type_: str, value: float) -> None:
    data = np.full(RATE // 10, value, type_)

    async def work() -> None:
        async with ra.session(playback="mix.wav", rate=RATE, channels=1, encoding="f32") as session:
            async with session.edit("playback", rate=RATE, channels=1, latency=1) as frames:

                async def pass_on() -> None:
                    async for frame in frames:
                        setattr(frame, "samples", (frame.samples * 32768).astype(np.int16))  # noqa: B010

                editing = asyncio.create_task(pass_on())
                async with await session.join("bot", rate=RATE) as bot:
                    await bot.write(data)
                    for wrong in (np.zeros(5, np.int64), np.zeros(5, np.uint16), ["a"], np.zeros((1, 1, 1))):
                        with pytest.raises(ra.Error) as caught:
                            await bot.write(wrong)
                        assert caught.value.code == 64 and caught.value.subject == "bot"
        await editing

    run(work)
    ra.write("direct.wav", data, RATE)
    for name in ("mix.wav", "direct.wav"):
        samples = ra.read(name)[0]
        assert set(samples[samples != 0]) == {0.25}
        assert np.count_nonzero(samples) == RATE // 10


def test_no_other_user_comes_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr("tempfile.tempdir", None)

    async def work() -> None:
        async with ra.session() as session:
            place = Path(session.socket)
            assert place.parent.parent == folder
            assert place.parent.stat().st_mode & 0o777 == 0o700
            assert place.stat().st_mode & 0o777 == 0o600
            # Another program takes its place.
            place.unlink()
            with contextlib.closing(socket.socket(socket.AF_UNIX)) as stranger:
                stranger.bind(str(place))
                stranger.listen()
                with pytest.raises(ra.Error, match="another program listens there"):
                    await session.join("bot", rate=RATE)

    run(work)
    os.chmod(folder / f"rawaudio-{os.geteuid()}", 0o777)
    with pytest.raises(ra.Error, match="others may write there; remove it, or set XDG_RUNTIME_DIR"):
        run(work)


@pytest.mark.skipif(os.geteuid() != 0, reason="becomes another user")
def test_the_user_at_the_other_end_is_checked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    become = "import os, socket, sys\nos.setgid(65534); os.setuid(65534)\nwire = socket.socket(socket.AF_UNIX)\n"

    async def work(place: Path) -> None:
        async with ra.session() as session:
            # Whatever the modes say.
            os.chmod(session.socket, 0o666)
            os.chmod(Path(session.socket).parent, 0o755)
            guest = run_python(
                f"{become}wire.connect({session.socket!r})\n"
                "try: wire.sendall(b'{\"control\":1}\\n'); print(wire.recv(99))\n"
                "except OSError: print(b'')",
                folder=Path("/"),
            )
            assert await asyncio.to_thread(guest.communicate) == ("b''\n", "")
        host = run_python(
            f"{become}wire.bind({str(place / 's')!r}); wire.listen(); os.chmod({str(place / 's')!r}, 0o777)\n"
            "print('here', flush=True); wire.accept()[0].recv(9)",
            folder=Path("/"),
        )
        assert host.stdout and host.stdout.readline() == "here\n"
        with pytest.raises(ra.Error, match="user 65534 listens there, not this one"):
            async with ra.connect(place / "s"):
                pass
        assert host.communicate() == ("", "")

    with tempfile.TemporaryDirectory(dir="/tmp") as place:
        os.chmod(place, 0o777)
        own = Path(place, "own")
        own.mkdir(0o700)
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(own))
        run(lambda: work(Path(place)))


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_keeps_no_session(folder: Path) -> None:
    child = run_python(
        "import asyncio, os, time, rawaudio, numpy\n"
        "async def main():\n"
        "    async with rawaudio.session(playback='mix.wav', rate=16000, channels=1) as session:\n"
        "        anna = await session.join('anna', rate=16000)\n"
        "        await anna.write(numpy.ones(16000))\n"
        "        number = os.fork()\n"
        "        if number == 0:\n"
        "            time.sleep(60)\n"
        "            os._exit(0)\n"
        "        print(number, flush=True)\n"
        "        await asyncio.sleep(60)\n"
        "asyncio.run(main())\n",
        folder=folder,
    )
    assert child.stdout
    forked = int(child.stdout.readline())
    until(lambda: Path("mix.wav").exists() and Path("mix.wav").stat().st_size > 4_096)
    child.kill()
    until(lambda: not others())
    os.kill(forked, signal.SIGKILL)
    child.communicate()
    assert ra.info("mix.wav").details["truncated"] is False
    assert len(served()) <= len(os.sched_getaffinity(0))
