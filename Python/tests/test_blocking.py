# SPDX-License-Identifier: Apache-2.0
"""The blocking interface leaves nothing behind, with 'with' and without."""

from __future__ import annotations

import gc
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import served, warnings_of
from test_worker import until

import rawaudio as ra
from rawaudio import _session, blocking

RATE = 16000
TONE = np.full(RATE // 10, 0.25, np.float32)


def threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("rawaudio")]


def test_what_is_left_without_with_ends(folder: Path) -> None:
    waiting = served()
    blocking.session()
    assert not threads()
    session = blocking.session(playback="mix.wav", rate=RATE, channels=1).__enter__()
    guest = blocking.connect(session.socket)
    assert guest.status() == []
    bot = guest.join("bot", rate=RATE)
    bot.write(TONE)
    frames = session.observe("playback", rate=RATE, channels=1)
    while not next(frames).samples.any():
        pass
    events = session.events().__enter__()
    session.mute("bot")
    assert isinstance(next(events), ra.events.Muted)
    del guest
    gc.collect()
    # Its source keeps it.
    bot.write(TONE)
    del bot, frames, events, session
    gc.collect()
    until(lambda: not threads())
    assert served() == waiting
    assert ra.info("mix.wav").details["truncated"] is False


def test_the_end_is_one_clear_error(folder: Path) -> None:
    with blocking.session(playback="mix.wav", rate=RATE, channels=1) as session:
        bot = session.join("bot", rate=RATE)
        events = session.events()
        bot.write(TONE)
    for _ in range(2):
        bot.close()
        events.close()
    for call in (session.status, session.wait, lambda: bot.write(TONE), lambda: next(events), session.__enter__):
        with pytest.raises(ra.Error, match="cannot use 'the session': it has ended; make another one"):
            call()
    assert session.has_ended and session.summary and not threads()


def test_the_end_waits_for_a_slow_thread(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    follow = _session.Session._follow

    def follow_slowly(*arguments: Any) -> None:
        follow(*arguments)
        time.sleep(0.2)

    monkeypatch.setattr(_session.Session, "_follow", follow_slowly)
    with blocking.session(playback="mix.wav", rate=RATE, channels=1) as session, session.join("bot", rate=RATE) as bot:
        bot.write(TONE)
    assert not threads()


@pytest.mark.parametrize(
    "program",
    [
        "with blocking.session(playback='mix.wav') as s, s.join('bot', rate=16000) as bot: bot.write(tone)",
        "with blocking.session(playback='mix.wav') as s:\n"
        "    bot = s.join('bot', rate=16000); bot.write(tone); frames = s.observe('playback'); next(frames)\n"
        "    events = s.events().__enter__(); s.mute('bot'); next(events)",
        "s = blocking.session(playback='mix.wav').__enter__(); bot = s.join('bot', rate=16000); bot.write(tone)\n"
        "frames = s.observe('playback'); next(frames); events = s.events().__enter__()",
        "s = blocking.session(playback='mix.wav').__enter__(); s.join('bot', rate=16000)\nraise SystemExit(0)",
        "s = blocking.session(); c = blocking.connect('none')\ntry: c.status()\nexcept OSError: pass",
        "c = ra.capture('card', seconds=0.1); c.read()",
        "c = ra.capture('card', seconds=0.1)",
        "for block in ra.blocks('a.wav', blocksize=10): break",
        "b = ra.blocks('a.wav', blocksize=10); next(b)",
        "r = ra.convert_each(['a.wav'] * 3, 'b-{n}.wav'); next(r)",
    ],
)  # fmt: skip
def test_no_program_ends_with_a_warning(folder: Path, card: Path, program: str) -> None:
    ra.write("a.wav", TONE, RATE)
    card.write_bytes(bytes(100_000))
    head = "import numpy as np, rawaudio as ra\nfrom rawaudio import blocking\ntone = np.full(16000, 0.25)\n"
    assert warnings_of(head + program) == (0, "")
