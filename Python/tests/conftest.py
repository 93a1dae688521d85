# SPDX-License-Identifier: Apache-2.0
"""The folder of each test, and the proof that it leaves no process."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import soundfile
import uvloop

from rawaudio import _worker

RATE = 44100

# A shell starts a command in the background with SIGINT ignored. Tests send it.
signal.signal(signal.SIGINT, signal.default_int_handler)


def noise(count: int, channels: int = 1, seed: int = 1) -> np.ndarray:
    """White noise that 16 bits hold exactly: (samples, channels), float32."""
    numbers = np.random.default_rng(seed).integers(-20000, 20000, (count, channels))
    return (numbers / 32768).astype(np.float32)


def serving() -> dict[int, int]:
    """The processes of the program that serve an interpreter, and their parents."""
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, IndexError):
            continue
        if words[1:2] == [b"serve"] and words[0].endswith(b"rawaudio"):
            found[int(entry.name)] = parent
    return found


def served() -> list[int]:
    """Those that this interpreter has started."""
    return [process for process, parent in serving().items() if parent == os.getpid()]


def others() -> list[int]:
    """Those of other interpreters that this test has started, also of those that have ended."""
    mark = os.fsencode(f"XDG_RUNTIME_DIR={os.environ['XDG_RUNTIME_DIR']}")
    found = []
    for process, parent in serving().items():
        with contextlib.suppress(OSError):
            variables = Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
            if parent != os.getpid() and mark in variables:
                found.append(process)
    return found


_UVLOOP = "import asyncio, uvloop\nasyncio.set_event_loop_policy(uvloop.EventLoopPolicy())\n"
# What another interpreter does first.
_beginning = ""


def run_python(text: str, *, folder: Path) -> subprocess.Popen[str]:
    """Starts another interpreter, with the event loops of this one."""
    words = [sys.executable, "-c", _beginning + text]
    return subprocess.Popen(words, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def warnings_of(program: str) -> tuple[int, str]:
    """Runs another interpreter, in which each warning is an error. Returns its exit code and standard error."""
    # A busy machine has late observers, and asyncio tells of slow steps.
    words = [sys.executable, "-X", "dev", "-W", "error", "-W", "ignore:observer", "-c", program]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    lines = done.stderr.splitlines(keepends=True)
    return done.returncode, "".join(line for line in lines if not line.startswith("Executing <"))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The current folder of the test. Behind it no process works on, and no socket stays."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    yield tmp_path
    # One ends by itself after a minute.
    waiting = sum(worker.is_alive() for worker in _worker.pool._idle)
    assert len(served()) == waiting, "a process works on"
    assert not list(tmp_path.glob("*.sock")), "a socket stays"
    assert not list(tmp_path.glob(".*partial*")), "a partial file stays"


@pytest.fixture(params=["asyncio", "uvloop"])
def event_loop_kind(request: pytest.FixtureRequest) -> Iterator[str]:
    """Event loops of Python, and those of uvloop, in which transports and processes are others."""
    global _beginning
    if request.param == "uvloop":
        asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
        _beginning = _UVLOOP
    yield request.param
    asyncio.set_event_loop_policy(None)
    _beginning = ""


@pytest.fixture
def wav(folder: Path) -> Path:
    """Three seconds of noise in stereo, 16 bits."""
    path = folder / "noise.wav"
    soundfile.write(path, noise(3 * RATE, 2), RATE, subtype="PCM_16")
    return path


@pytest.fixture
def card(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A sound card without a clock, which records the samples of the file that is returned: 16 bits, mono."""
    configuration = Path(os.environ["VIRTUAL_CARD_DIRECTORY"], "virtual-card.conf")
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(configuration))
    path = folder / "card.raw"
    path.touch()
    monkeypatch.setenv("VIRTUAL_CARD_INFILE", str(path))
    monkeypatch.setenv("VIRTUAL_CARD_SPEED", "0")
    return path
