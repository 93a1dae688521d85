# SPDX-License-Identifier: Apache-2.0
"""Random joins, leaves, cancels and exceptions: nothing hangs, and nothing stays."""

from __future__ import annotations

import asyncio
import os
import random
from pathlib import Path

import numpy as np
import pytest
from conftest import noise

import rawaudio as ra

pytestmark = pytest.mark.usefixtures("event_loop_kind")

RATE = 16000
COUNT = int(os.environ.get("RAWAUDIO_DISORDERS", "40"))


class Trouble(Exception):
    pass


async def speak(session: ra.Session, name: str, dice: random.Random) -> None:
    source = await session.join(name, rate=RATE)
    try:
        for _ in range(dice.randrange(1, 6)):
            await source.write(noise(dice.randrange(1, 4000)))
            await asyncio.sleep(dice.random() * 0.02)
            if dice.random() < 0.1:
                raise Trouble
    finally:
        if dice.random() < 0.7:
            await source.close()


async def watch(session: ra.Session, dice: random.Random) -> None:
    positions: list[ra.EditPosition] = ["before-mixing", "playback", "mixed"]
    position = dice.choice(positions)
    chooses = session.edit if dice.random() < 0.4 else session.observe
    async with chooses(position, rate=RATE, channels=1, seconds=0.02) as frames:
        async for frame in frames:
            frame.samples *= 1
            if dice.random() < 0.02:
                raise Trouble
            if dice.random() < 0.02:
                return


async def command(session: ra.Session, name: str, dice: random.Random) -> None:
    await asyncio.sleep(dice.random() * 0.05)
    match dice.randrange(4):
        case 0:
            await session.mute(name)
        case 1:
            await session.unmute(name)
        case 2:
            await session.remove(name)
        case _:
            await session.gain(name, -6)


# All speak at once.
@pytest.mark.filterwarnings("ignore::rawaudio.Note")
def test_disorder_leaves_nothing(folder: Path) -> None:
    dice = random.Random(63)

    async def work() -> None:
        async with ra.session(playback="mix.wav", tracks="track-%s.wav", rate=RATE, channels=1) as session:
            running: set[asyncio.Task[None]] = set()
            for number in range(COUNT):
                name = f"p{dice.randrange(12)}"
                kind = dice.random()
                if kind < 0.5:
                    task = asyncio.create_task(speak(session, name, dice))
                elif kind < 0.8:
                    task = asyncio.create_task(watch(session, dice))
                else:
                    task = asyncio.create_task(command(session, name, dice))
                running.add(task)
                await asyncio.sleep(dice.random() * 0.02)
                if dice.random() < 0.3:
                    dice.choice(sorted(running, key=id)).cancel()
                if number % 10 == 9:
                    # Answers come, however many have left in the middle.
                    await asyncio.wait_for(session.status(), 5)
            for task in running:
                task.cancel()
            for end in await asyncio.wait_for(asyncio.gather(*running, return_exceptions=True), 5):
                assert end is None or isinstance(end, (Trouble, ra.Error, asyncio.CancelledError)), end
        assert session.summary

    asyncio.run(asyncio.wait_for(work(), 60 + COUNT))
    assert not ra.info("mix.wav").details["truncated"]
    assert np.isfinite(ra.read("mix.wav")[0]).all()
    names = os.listdir("/proc/self/fd")
    assert len(names) < 60, "descriptors stay open"
