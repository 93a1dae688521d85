# SPDX-License-Identifier: Apache-2.0
"""The examples, with the real packages: 'make python-examples' has them all, 'make test-python' pocketsphinx."""

from __future__ import annotations

import asyncio
import importlib
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import noise, run_python

import rawaudio as ra

EXAMPLES = Path(__file__).parents[1] / "examples"


def run(example: str, *words: str) -> str:
    """Runs an example. Returns what it prints."""
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / example), *words], text=True, capture_output=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def sounds(folder: Path) -> list[str]:
    """Two stereo files of 5 and 7 s, at 44.1 kHz."""
    for name, seconds in (("a.flac", 5), ("b.wav", 7)):
        ra.write(name, noise(seconds * 44100, 2), 44100, encoding="s16")
    return ["a.flac", "b.wav"]


def test_no_example_is_long() -> None:
    for path in EXAMPLES.glob("*.py"):
        most = {"meeting.py": 60, "dask_corpus.py": 60, "ray_corpus.py": 60, "voice_agent.py": 120}.get(path.name, 40)
        assert len(path.read_text().splitlines()) <= most, path


def test_torch_shares_the_memory(sounds: list[str]) -> None:
    torch = pytest.importorskip("torch")
    lines = run("torch_dataset.py", *sounds).splitlines()
    assert [line.split(") ")[0] for line in lines] == ["(4, 32000", "(1, 32000"]
    samples, _ = ra.read("a.flac")
    tensor = torch.from_numpy(samples)
    assert tensor.data_ptr() == samples.__array_interface__["data"][0]
    tensor[0, 0] = 3
    assert samples[0, 0] == 3


def test_lhotse_reads_with_it(sounds: list[str]) -> None:
    pytest.importorskip("lhotse")
    assert run("lhotse_backend.py", *sounds[:1]) == "44100 2 220500\n(2, 11025) (2, 80000)\n"


def test_datasets_decode_with_it(sounds: list[str]) -> None:
    pytest.importorskip("datasets")
    assert run("datasets_decode.py", *sounds) == "a.flac (80000,) 16000\nb.wav (112000,) 16000\n"


def test_pipecat_records_aligned_tracks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pipecat")
    from pipecat.frames.frames import InputAudioRawFrame, OutputAudioRawFrame
    from pipecat.tests.utils import SleepFrame, run_test

    monkeypatch.syspath_prepend(str(EXAMPLES))
    tracks = importlib.import_module("pipecat_tracks")
    user, bot = (noise(1600, 1, seed) for seed in (1, 2))

    async def record() -> None:
        async with ra.session(playback="mix.wav", tracks="track-%s.wav", rate=16000, channels=1, until_empty=True) as s:
            frames = [
                kind((samples * 32768).astype("<i2").tobytes(), 16000, 1)
                for kind, samples in ((InputAudioRawFrame, user), (OutputAudioRawFrame, bot))
            ]
            processor = tracks.SessionTracks(s)
            await run_test(processor, frames_to_send=[frames[0], SleepFrame(), frames[1]])
            await processor.cleanup()
            await s.wait()

    asyncio.run(record())
    mix, one, two = (ra.read(name)[0] for name in ("mix.wav", "track-user.wav", "track-bot.wav"))
    total = np.zeros_like(mix)
    total[: len(one)] += one
    total[: len(two)] += two
    np.testing.assert_array_equal(mix, total)
    for track, samples in ((one, user), (two, bot)):
        (heard,) = np.nonzero(track[:, 0])
        begin = heard[0] - np.nonzero(samples[:, 0])[0][0]
        np.testing.assert_array_equal(track[begin : begin + 1600], samples)


def test_an_agent_is_interrupted(folder: Path, event_loop_kind: str) -> None:
    if not shutil.which("espeak-ng"):
        pytest.skip("there is no espeak-ng")
    example = EXAMPLES / "voice_agent.py"
    child = run_python(f"import runpy\nrunpy.run_path({str(example)!r}, run_name='__main__')", folder=folder)
    output, errors = child.communicate(timeout=300)
    assert child.returncode == 0, errors
    assert output.startswith("10 calls: an agent is heard for "), output


def test_a_word_mutes_its_speaker(folder: Path) -> None:
    pytest.importorskip("pocketsphinx")
    if not shutil.which("espeak-ng"):
        pytest.skip("there is no espeak-ng")
    texts = {
        "anna": "good morning everybody, shall we begin with the budget",
        "ben": "I think the weather is very nice today, and I will talk about it for a while. "
        "It rained in the morning, it snowed at noon, and now there is not a single cloud in the whole sky.",
        "carl": "let us look at the numbers of this quarter",
        "dora": "please tell me more about the plan",
    }
    for name, text in texts.items():
        subprocess.run(["espeak-ng", "-w", f"{name}.wav", text], check=True)
    printed = run("meeting.py", "weather", *(f"{name}={name}.wav" for name in texts))
    assert printed.endswith("s: muted ben\n") and printed.count("\n") == 1
    mix, _ = ra.read("mix.wav")
    tracks = {name: np.zeros_like(mix) for name in texts}
    for name, track in tracks.items():
        samples, rate = ra.read(f"track-{name}.wav")
        assert rate == 16000
        track[: len(samples)] = samples
    others = tracks["anna"] + tracks["carl"] + tracks["dora"]
    (missing,) = np.nonzero(np.abs(mix - others - tracks["ben"])[:, 0] > 1e-6)
    muted = missing[0] + 800
    np.testing.assert_allclose(mix[muted:], others[muted:], atol=1e-6)
    assert tracks["ben"][muted:].any()
