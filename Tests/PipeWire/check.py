# SPDX-License-Identifier: Apache-2.0
"""What has to hold with a PipeWire server, in half a minute."""

import contextlib
import json
import signal
import subprocess

import numpy

from measuring import Measurement, Part
from programs import PROGRAM, Client
from proofs import pipewire
from proofs.attempts import failures
from proofs.command import summary
from proofs.processes import Failure, wait_until

OURS, PW_CAT = Client("rawaudio"), Client("pw-cat")
PARTS = (Part(OURS, tests_player=True), Part(PW_CAT, (OURS,)))
QUANTUM = 2_048


def check(*parts):
    """- Returns: how many have failed."""
    with pipewire.Server(["speakers", "headphones"], ["microphone"]) as running:
        return failures(parts, (), lambda _: contextlib.nullcontext(running), "PipeWire: ")


def listing(running):
    """`devices` names what the server has, and a recording by each of those names is one of that node."""
    answer = subprocess.run([PROGRAM, "devices", "--json"], env=running.environment, capture_output=True, timeout=120,
                            check=False)
    found = {device["name"]: (device["capture"] is not None, device["playback"] is not None)
             for device in json.loads(answer.stdout or "[]") if device["name"].startswith("pipewire:")}
    expected = {"pipewire:NODE=speakers": (False, True), "pipewire:NODE=speakers.monitor": (True, False),
                "pipewire:NODE=headphones": (False, True), "pipewire:NODE=headphones.monitor": (True, False),
                "pipewire:NODE=microphone": (True, False)}
    assert found == expected, f"'devices' lists {found}"
    # Of the other sink there is nothing to hear.
    tone = subprocess.Popen([PROGRAM, "play", "-q", "tone:440", "-D", "pipewire:NODE=headphones"], env=running.environment)
    try:
        wait_until(lambda: peak(running, "pipewire:NODE=headphones.monitor") > 0, "the tone is heard")
        heard = [name for name in ("pipewire:NODE=speakers.monitor", "pipewire:NODE=microphone") if peak(running, name) > 0]
    finally:
        tone.send_signal(signal.SIGINT)
        ended = tone.wait(120)
    assert not heard and ended == 0, f"while headphones play until exit {ended}, these are heard, too: {heard}"
    return f"'devices' lists {', '.join(found)}"


def peak(running, device):
    """The highest sample of a short recording, whose length is exact."""
    command = [PROGRAM, "capture", "-q", "-D", device, "-d", "0.8", "-c", "2", "-f", "s16", "-t", "raw", "-o", "-"]
    answer = subprocess.run(command, env=running.environment, capture_output=True, timeout=120, check=False)
    samples = numpy.frombuffer(answer.stdout, "<i2")
    if answer.returncode != 0 or len(samples) != 2 * 0.8 * pipewire.RATE:
        raise Failure(f"{device}: exit {answer.returncode}, {len(samples)} samples: {answer.stderr.decode()}")
    return int(numpy.abs(samples.astype(int)).max())


def round_trip(running):
    """What we play reaches the monitor, and what we record is what was there, to the sample."""
    results = Measurement(running, PARTS, 4).run()
    for each in results:
        verb = "playing" if each.plays else "recording"
        assert each.exit == 0, f"{verb} ended with {each.exit}: {each.messages}"
        assert each.account.is_whole, f"{verb}: {each.account}"
    periods = [source["periodSize"] for each in results for source in (summary(each.messages) or {"sources": []})["sources"]
               if "periodSize" in source]
    assert periods == [QUANTUM], f"a recording asked for a period of {periods} samples"
    return f"{4 * pipewire.RATE} samples per channel played and recorded, every one once and in order"
