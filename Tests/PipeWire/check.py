# SPDX-License-Identifier: Apache-2.0
"""What has to hold with a PipeWire server, in half a minute."""

import json
import signal
import subprocess
import sys

import numpy

import server
from measuring import Measurement, Part
from programs import PROGRAM, Client
from proofs.processes import Failure, wait_until

OURS, PW_CAT = Client("rawaudio"), Client("pw-cat")
PARTS = (Part(OURS, tests_player=True), Part(PW_CAT, (OURS,)))
QUANTUM = 2_048


def check(*parts):
    """- Returns: whether anything is not as it should be."""
    with server.Server(["speakers", "headphones"], ["microphone"]) as running:
        failures = [failure for part in parts for failure in part(running)]
    for failure in failures:
        print(f"PipeWire: {failure}", file=sys.stderr)
    return bool(failures)


def listing(running):
    """`devices` names what the server has, and a recording by each of those names is one of that node."""
    answer = subprocess.run([PROGRAM, "devices", "--json"], env=running.environment, capture_output=True, timeout=120,
                            check=False)
    found = {device["name"]: (device["capture"] is not None, device["playback"] is not None)
             for device in json.loads(answer.stdout or "[]") if device["name"].startswith("pipewire:")}
    expected = {"pipewire:NODE=speakers": (False, True), "pipewire:NODE=speakers.monitor": (True, False),
                "pipewire:NODE=headphones": (False, True), "pipewire:NODE=headphones.monitor": (True, False),
                "pipewire:NODE=microphone": (True, False)}
    if found != expected:
        return [f"'devices' lists {found}"]
    print(f"PipeWire: 'devices' lists {', '.join(found)}")
    # Of the other sink there is nothing to hear.
    tone = subprocess.Popen([PROGRAM, "play", "-q", "tone:440", "-D", "pipewire:NODE=headphones"], env=running.environment)
    try:
        wait_until(lambda: peak(running, "pipewire:NODE=headphones.monitor") > 0, "the tone is heard")
        heard = [name for name in ("pipewire:NODE=speakers.monitor", "pipewire:NODE=microphone") if peak(running, name) > 0]
    except Failure as failure:
        return [str(failure)]
    finally:
        tone.send_signal(signal.SIGINT)
        ended = tone.wait(120)
    if heard or ended != 0:
        return [f"while headphones play until exit {ended}, these are heard, too: {heard}"]
    return []


def peak(running, device):
    """The highest sample of a short recording, whose length is exact."""
    command = [PROGRAM, "capture", "-q", "-D", device, "-d", "0.8", "-c", "2", "-f", "s16", "-t", "raw", "-o", "-"]
    answer = subprocess.run(command, env=running.environment, capture_output=True, timeout=120, check=False)
    samples = numpy.frombuffer(answer.stdout, "<i2")
    if answer.returncode != 0 or len(samples) != 2 * 0.8 * server.RATE:
        raise Failure(f"{device}: exit {answer.returncode}, {len(samples)} samples: {answer.stderr.decode()}")
    return int(numpy.abs(samples.astype(int)).max())


def round_trip(running):
    """What we play reaches the monitor, and what we record is what was there, to the sample.

    On a busy machine the server itself may lose samples: one attempt of four has to succeed.
    """
    for _ in range(4):
        results = Measurement(running, PARTS, 4).run()
        failed = [f"{'playing' if each.plays else 'recording'} ended with {each.exit}: {each.messages}"
                  for each in results if each.exit != 0]
        periods = [source["periodSize"] for each in results for source in summary(each.messages).get("sources", [])
                   if "periodSize" in source]
        if failed:
            return failed
        if periods != [QUANTUM]:
            return [f"a recording asked for a period of {periods} samples"]
        if all(each.account.is_whole for each in results):
            print(f"PipeWire: {4 * server.RATE} samples per channel played and recorded, every one once and in order")
            return []
    return [f"{'playing' if each.plays else 'recording'}: {each.account}" for each in results]


def summary(messages):
    return next((json.loads(line) for line in messages.splitlines() if '"event":"summary"' in line), {})
