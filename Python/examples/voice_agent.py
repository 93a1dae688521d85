# SPDX-License-Identifier: Apache-2.0
"""voice_agent.py: ten callers interrupt ten agents, by the voices of 'espeak-ng'; one is cancelled, one is killed.

The files tell that every sample was heard, or dropped on request, and that an agent was silent within 60 ms.
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic, time

import numpy as np

import rawaudio as ra

RATE, STEP, LATENCY = 22050, 441, 0.1
CALLS, CANCELLED, KILLED = 10, 4, 7
TEXTS = {"goodbye": "Goodbye, then.", "caller": "Stop, please."}
TEXTS["sentence"] = "Thank you for your call. All of our agents are busy at the moment, and would like to talk to you."


def say(text: str) -> np.ndarray:
    """Speech as int16, as most engines give it."""
    return np.frombuffer(subprocess.check_output(["espeak-ng", "--stdout", text])[44:], "<i2")


def loud(samples: np.ndarray) -> np.ndarray:
    return np.flatnonzero(np.abs(samples) > 0.03)


async def speak(session: ra.SessionClient, caller: str, speech: np.ndarray) -> float:
    """A caller, who speaks in real time. Returns when the first loud samples were sent."""
    await asyncio.sleep(0.3)
    spoken, begin = 0.0, monotonic()
    async with await session.join(caller, rate=RATE, latency=LATENCY) as source:
        for place in range(0, len(speech), STEP):
            await asyncio.sleep(begin + place / RATE - monotonic())
            block = speech[place : place + STEP]
            spoken = spoken or (monotonic() if len(loud(block / 32768)) else 0.0)
            await source.write(block)
    return spoken


async def answer(
    session: ra.Session, number: int, speech: dict[str, np.ndarray], hang_up: Callable[[], object]
) -> float:
    """An agent, who is interrupted. Returns when the session knew that."""
    caller = f"caller-{number}"
    async with session.observe("before-mixing", source=caller, rate=RATE, channels=1, seconds=0.02) as frames:
        async with await session.join(f"agent-{number}", rate=RATE) as bot:
            talk = asyncio.create_task(bot.write(speech["sentence"]))
            async for frame in frames:
                if len(loud(frame.samples)):
                    break
            await bot.clear()
            told = monotonic()
            hang_up()
            await talk
            await bot.write(speech["goodbye"])
    return told


async def day(speech: dict[str, np.ndarray]) -> dict[int, float]:
    """Returns for each call how long after the caller's first loud samples the agent was interrupted."""
    delays = {}
    async with ra.session(playback="mix.wav", tracks="track-%s.wav", rate=RATE, channels=1, encoding="f32") as session:
        for number in range(CALLS):
            caller = f"caller-{number}"
            if number == KILLED:
                with subprocess.Popen([sys.executable, __file__, session.socket, caller]) as child:
                    await answer(session, number, speech, child.kill)
                continue
            speaking = asyncio.create_task(speak(session, caller, speech["caller"]))
            told = await answer(session, number, speech, speaking.cancel if number == CANCELLED else time)
            await asyncio.wait([speaking])
            if not speaking.cancelled():
                delays[number] = told - speaking.result()
    return delays


def check(speech: dict[str, np.ndarray], delays: dict[int, float]) -> float:
    """Compares the files with the speech. Returns how long an agent was heard beside its caller at most, in seconds."""
    mix = ra.read("mix.wav")[0][:, 0]
    tracks = {path.stem: np.append(ra.read(path)[0], 0 * mix)[: len(mix)] for path in Path().glob("track-*.wav")}
    said = {name: (samples[samples != 0] / 32768).astype("f4") for name, samples in speech.items()}
    times: list[float] = []
    for number in range(CALLS):
        caller, agent = tracks[f"track-caller-{number}"], tracks[f"track-agent-{number}"]
        words, places, end = caller[caller != 0], np.flatnonzero(agent), len(said["goodbye"])
        assert np.array_equal(words, said["caller"][: len(words) if number in (CANCELLED, KILLED) else None])
        assert np.array_equal(agent[places[-end:]], said["goodbye"])
        assert np.array_equal(agent[places[:-end]], said["sentence"][: len(places) - end])
        # What the mix has of the agent: all but the end of the sentence, which was taken back.
        heard = mix - (sum(tracks.values()) - agent)
        assert np.abs(heard - agent)[places[-end] : places[-1]].max() < 1e-5
        audible = np.flatnonzero(np.abs(heard[: places[-end]]) > 1e-4)
        # On a busy machine all of a sentence may be taken back, and this program itself is late.
        beside = (audible[-1] - loud(caller)[0]) / RATE if audible.size else 0.0
        times.append(beside - max(0, delays.get(number, 9) - LATENCY))
        assert times[-1] < 0.06, f"it was heard for {beside} s"
    return max(times)


def left() -> tuple[str, list[str]]:
    """The children and the descriptors of this program."""
    return "".join(task.read_text() for task in Path("/proc/self/task").glob("*/children")), os.listdir("/proc/self/fd")


if __name__ == "__main__":
    asyncio.run(asyncio.sleep(0))  # uvloop keeps two descriptors of its first loop.
    speech, before = {name: say(text) for name, text in TEXTS.items()}, left()
    if len(sys.argv) > 1:
        asyncio.run(speak(ra.connect(sys.argv[1]), sys.argv[2], speech["caller"]))
    else:
        delays = asyncio.run(day(speech))
        assert left() == before
        print(f"{CALLS} calls: an agent is heard for {1000 * check(speech, delays):.0f} ms beside its caller at most")
