# SPDX-License-Identifier: Apache-2.0
"""meeting.py WORD NAME=FILE …: a meeting of speakers with a track each, in which WORD mutes its speaker in the mix."""

import asyncio
import sys

import numpy as np
from pocketsphinx import Decoder

import rawaudio as ra

RATE = 16000


async def speak(session: ra.Session, name: str, path: str) -> None:
    """A participant, who speaks for as long as the file."""
    async with await session.join(name, rate=RATE) as source:
        for block in ra.blocks(path, RATE, 1, seconds=0.1):
            await source.write(block.samples)


class Spotter:
    """Hears a word in the sound of one participant."""

    def __init__(self, word: str) -> None:
        self.decoder = Decoder(keyphrase=word, kws_threshold=1e-20, loglevel="FATAL")
        self.decoder.start_utt()

    def hears(self, samples: ra.Samples) -> bool:
        self.decoder.process_raw((samples * 32767).astype(np.int16).tobytes(), no_search=False, full_utt=False)
        return self.decoder.hyp() is not None


async def listen(session: ra.Session, word: str) -> None:
    """Takes every participant at 16 kHz, a tenth of a second at a time, and mutes those who say the word."""
    spotters: dict[str, Spotter] = {}
    muted: set[str] = set()
    async with session.observe("before-mixing", rate=RATE, channels=1, seconds=0.1) as frames:
        async for frame in frames:
            name = frame.source or ""
            if name not in spotters:
                spotters[name] = Spotter(word)
            if name not in muted and spotters[name].hears(frame.samples):
                muted.add(name)
                await session.mute(name)
                print(f"{frame.position / RATE:.1f} s: muted {name}", flush=True)


async def main(word: str, speakers: dict[str, str]) -> None:
    meeting = ra.session(playback="mix.wav", tracks="track-%s.wav", rate=RATE, encoding="f32", until_empty=True)
    async with meeting as session:
        parts = [speak(session, name, path) for name, path in speakers.items()]
        await asyncio.gather(listen(session, word), *parts)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], dict(word.split("=", 1) for word in sys.argv[2:])))
