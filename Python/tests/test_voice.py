# SPDX-License-Identifier: Apache-2.0
"""voice, beside the command; and the events of a session."""

from __future__ import annotations

import io
import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

import rawaudio as ra
from rawaudio import events
from rawaudio._program import command_line, environment

RATE = 16_000
FORMANTS = [(730, 1090, 2440), (270, 2290, 3010), (570, 840, 2410), (530, 1840, 2480), (300, 870, 2240)]


def syllables(seconds: float, seed: int) -> np.ndarray:
    """Pulses of a gliding pitch through three formants, which the network takes for speech."""
    random = np.random.default_rng(seed)
    parts: list[np.ndarray] = []
    while sum(map(len, parts)) < seconds * RATE:
        count = int(RATE * random.uniform(0.15, 0.3))
        pitch = np.linspace(random.uniform(140, 180), random.uniform(100, 130), count)
        sound = (np.diff(np.floor(np.cumsum(pitch / RATE)), prepend=0) > 0) + 0.02 * random.standard_normal(count)
        for frequency, width in zip(FORMANTS[random.integers(5)], (80, 100, 120), strict=True):
            time = np.arange(800)
            response = np.exp(-np.pi * width / RATE * time) * np.sin(2 * np.pi * frequency / RATE * (time + 1))
            sound = np.convolve(sound, response)[:count]
        hiss = 0.15 * np.hanning(1200) * np.diff(random.standard_normal(1201))
        parts += [hiss, sound / np.abs(sound).max() * np.hanning(count) ** 0.3]
    return 0.4 * np.concatenate(parts)[: int(seconds * RATE)]


@pytest.fixture(scope="module")
def talk() -> np.ndarray:
    """Speech from 1 to 3 s, and from 5 to 6 s."""
    silence = np.zeros(RATE)
    parts = [silence, syllables(2, 1), silence, silence, syllables(1, 3), silence]
    return np.concatenate(parts).astype(np.float32)


def test_finds_speech(talk: np.ndarray) -> None:
    found = ra.voice(talk, RATE)
    assert len(found.probabilities) == -(-len(talk) // 512)
    assert found.probabilities.dtype == np.float32
    assert found.duration == 7
    assert 0.9 < found.speech[0][0] < 1.3
    assert 5.8 < found.speech[-1][1] < 6.1
    assert not found.probabilities[100:150].max() > 0.5
    assert found.seconds == pytest.approx(sum(end - begin for begin, end in found.speech))
    assert found.share == pytest.approx(found.seconds / 7)
    assert found.longest_pause == pytest.approx(2, abs=0.3)


def test_agrees_with_the_command(talk: np.ndarray) -> None:
    ra.write("talk.wav", talk, RATE, encoding="f32")
    words = command_line("convert", "talk.wav", "--output=null:", "--observe=record:voice=said.jsonl")
    subprocess.run(words, env=environment(), check=True)
    lines = [json.loads(line) for line in Path("said.jsonl").read_text().splitlines()]
    found = ra.voice("talk.wav")
    said = [(line["state"], line["samplePosition"]) for line in lines]
    ends = [("begin" if place == 0 else "end", round(pair[place] * RATE)) for pair in found.speech for place in (0, 1)]
    assert said == ends
    words = command_line("measure", "talk.wav", "--voice", "--json")
    facts = json.loads(subprocess.run(words, env=environment(), check=True, capture_output=True).stdout)[0]["voice"]
    assert facts["seconds"] == pytest.approx(found.seconds, abs=0.001)
    assert facts["longestPause"] == pytest.approx(found.longest_pause, abs=0.001)
    read = io.BytesIO(Path("talk.wav").read_bytes())
    np.testing.assert_array_equal(ra.voice(read).probabilities, found.probabilities)
    np.testing.assert_array_equal(ra.voice(talk, RATE).probabilities, found.probabilities)


@pytest.mark.parametrize("rate", [8000, 44100, 48000])
@pytest.mark.parametrize("type_", ["float64", "int16"])
def test_takes_any_rate_and_type(talk: np.ndarray, rate: int, type_: str) -> None:
    sound = ra.resample(talk, RATE, rate)
    sound = np.stack([sound, sound], axis=1)
    sound = (sound * 32767).astype(type_) if type_ == "int16" else sound.astype(type_)
    found, plain = ra.voice(sound, rate), ra.voice(talk, RATE)
    assert abs(len(found.probabilities) - len(plain.probabilities)) <= 1
    assert found.speech[0][0] == pytest.approx(plain.speech[0][0], abs=0.07)
    assert found.speech[-1][1] == pytest.approx(plain.speech[-1][1], abs=0.07)


def test_thresholds_and_hold(talk: np.ndarray) -> None:
    assert ra.voice(talk, RATE, on=0.99, off=0.98).seconds < ra.voice(talk, RATE, on=0.2).seconds
    assert len(ra.voice(talk, RATE, hold=3).speech) == 1


def test_nothing_is_no_speech() -> None:
    empty = ra.voice(np.zeros(0, np.float32), RATE)
    assert (len(empty.probabilities), empty.speech, empty.share, empty.longest_pause) == (0, (), 0, 0)
    quiet = ra.voice(np.zeros(100, np.float32), 44100)
    assert len(quiet.probabilities) == 1 and not quiet.speech
    assert quiet.longest_pause == pytest.approx(100 / 44100)


def test_mistakes() -> None:
    with pytest.raises(TypeError, match="its rate is not known; give rate="):
        ra.voice(np.zeros(100, np.float32))
    with pytest.raises(FileNotFoundError):
        ra.voice("missing.wav")
    with pytest.raises(ra.Error):
        ra.voice(np.zeros(100, np.float32), -1)


def test_events() -> None:
    line = {"event": "voice", "at": "before-mixing", "source": "anna", "group": "hall", "state": "begin"}
    figures = {"position": 48000, "samples": 0, "rate": 16000}
    speech = events.Speech("hall/anna", "before-mixing", True, 48000, 0, 16000)
    assert events.event_of(line | figures) == speech
    ended = {"event": "voice", "at": "playback", "state": "end", "position": 9, "samples": 4, "rate": 8000}
    assert events.event_of(ended) == events.Speech(None, "playback", False, 9, 4, 8000)
