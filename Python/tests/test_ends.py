# SPDX-License-Identifier: Apache-2.0
"""The table of ends in docs/python.md: each row, where its server is installed and needs no hardware."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import noise, served
from test_capture import filled
from test_worker import until

import rawaudio as ra

# On a busy machine servers stand still, and packets are lost.
pytestmark = [pytest.mark.usefixtures("event_loop_kind"), pytest.mark.filterwarnings("ignore::rawaudio.Note")]

# The server of the proofs leaves a socket to the interpreter.
leaves_a_socket = pytest.mark.filterwarnings("ignore::ResourceWarning")
PROOFS = Path(__file__).parents[2] / "Tests"


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """The senders and servers of the proofs of networks."""
    monkeypatch.syspath_prepend(str(PROOFS))
    monkeypatch.syspath_prepend(str(PROOFS / "Network"))
    return importlib.import_module


def places(samples: np.ndarray) -> np.ndarray:
    """The place of each sample of those senders."""
    return (np.round(samples[:, 0].astype("f8") * 32768).astype("i8") % 65536) - 1


def both_ways(name: str, read: str, count: int, **words: Any) -> list[np.ndarray]:
    """Records `count` samples with asyncio and without it, and reads as many."""

    async def record() -> np.ndarray:
        async with ra.capture(name, blocksize=count, **words) as capture:
            return (await anext(capture)).samples

    with ra.capture(name, blocksize=count, **words) as capture:
        block = capture.read()
    assert block
    samples, rate = ra.read(read, 48000, 1, stop=f"{count}S", ends=True)
    assert rate == 48000
    return [block.samples, asyncio.run(asyncio.wait_for(record(), 60)), samples]


def test_a_device_of_alsa(card: Path) -> None:
    expected = filled(card, 5_000)
    *recorded, read = both_ways("card", "alsa:card", 2_500)
    for samples in recorded:
        np.testing.assert_array_equal(samples, expected[:2_500])
    # The device's own channels are two, which are mixed.
    np.testing.assert_array_equal(read, expected.reshape(-1, 2).mean(axis=1, keepdims=True))


@pytest.mark.parametrize("form", ["description", "address"])
def test_packets_of_rtp(folder: Path, network: Callable[[str], Any], form: str) -> None:
    sending = network("sending")
    port = sending.free_port()
    description = Path("studio.sdp")
    description.write_text(
        "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=x\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\n"
        f"m=audio {port} RTP/AVP 96\r\na=rtpmap:96 L16/48000\r\n"
    )
    name = "rtp:studio.sdp" if form == "description" else f"rtp://127.0.0.1:{port}?l16/48000"
    with sending.Sending(port):
        for samples in both_ways(name, name, 9_600):
            found = places(samples)
            # What the network has lost is silence.
            there = found >= 0
            begin = found[there][0] - np.flatnonzero(there)[0]
            assert there.any()
            np.testing.assert_array_equal(found[there], ((begin + np.arange(9_600)) % sending.MODULUS)[there])


@leaves_a_socket
def test_a_server_of_rtsp(folder: Path, network: Callable[[str], Any]) -> None:
    port = network("sending").free_port()
    name = f"rtsp://127.0.0.1:{port}/cam"
    with network("servers").Server(port) as server:
        for samples in both_ways(name, name, 9_600):
            found = places(samples)
            np.testing.assert_array_equal(found, (found[0] + np.arange(9_600)) % network("sending").MODULUS)
        until(lambda: server.requests[-1][0] == "TEARDOWN")


@leaves_a_socket
def test_a_silent_server_may_be_cancelled(folder: Path, network: Callable[[str], Any]) -> None:
    port = network("sending").free_port()
    waiting = served()

    async def work() -> None:
        with network("servers").Server(port, is_silent=True) as server:
            recording = asyncio.create_task(ra.capture(f"rtsp://127.0.0.1:{port}/cam")._opened())
            while "PLAY" not in [method for method, _ in server.requests]:
                await asyncio.sleep(0.01)
            recording.cancel()
            with pytest.raises(asyncio.CancelledError):
                await recording
        assert served() == waiting

    asyncio.run(asyncio.wait_for(work(), 60))


@contextlib.contextmanager
def server(words: list[str], is_up: list[str]) -> Iterator[None]:
    """Runs a server of sound until the end of the block."""
    with open("server.log", "wb") as log:
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        until(lambda: subprocess.run(is_up, capture_output=True).returncode == 0)
        yield
    finally:
        process.terminate()
        process.wait()


@pytest.mark.skipif(not shutil.which("jackd") or not shutil.which("jack_lsp"), reason="there is no jackd")
def test_ports_of_jack(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"rawaudio-{os.getpid()}"
    monkeypatch.setenv("JACK_DEFAULT_SERVER", name)
    monkeypatch.setenv("JACK_NO_START_SERVER", "1")
    monkeypatch.setenv("JACK_NO_AUDIO_RESERVATION", "1")
    words = ["jackd", "--no-realtime", "-n", name, "-d", "dummy", "-r", "48000", "-p", "1024"]
    with server(words, ["jack_lsp"]):
        # The physical ports of this driver are silent.
        for samples in both_ways("jack:", "jack:system:capture_1", 4_800):
            assert samples.shape == (4_800, 1) and not samples.any()
        ra.play(noise(4_800), 48000, device="jack:system:playback_1")


@pytest.mark.skipif(not shutil.which("pulseaudio") or not shutil.which("pactl"), reason="there is no PulseAudio")
def test_pulseaudio(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    socket = folder / "native"
    Path("asound.conf").write_text(f'pcm.pulse {{ type pulse server "unix:{socket}" }}\n')
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(folder / "asound.conf"))
    monkeypatch.setenv("PULSE_SERVER", f"unix:{socket}")
    monkeypatch.setenv("HOME", str(folder))
    words = ["pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--disable-shm=yes"]
    words += [
        "--realtime=no",
        "--high-priority=no",
        "-L",
        f"module-native-protocol-unix auth-anonymous=1 socket={socket}",
    ]
    words += ["-L", "module-null-sink sink_name=rig rate=48000 channels=1"]
    with server(words, ["pactl", "info"]):
        for samples in both_ways("pulse", "alsa:pulse", 4_800):
            assert samples.shape[0] == 4_800 and not samples.any()
        ra.play(noise(4_800), 48000, device="pulse")


def test_tones_are_sources_of_playback(card: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played = card.with_name("played.raw")
    monkeypatch.setenv("VIRTUAL_CARD_OUTFILE", str(played))
    ra.play("tone:1000,gain=-6", ends=True, duration=0.1, device="card")
    samples, rate = ra.read("tone:1000,gain=-6", 48000, 1, stop=0.1, ends=True)
    assert (len(samples), rate) == (4_800, 48000)
    assert played.stat().st_size > 4_800
