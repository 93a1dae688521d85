"""What has to hold with a PipeWire server, in half a minute."""

import json
import sys

import server
from measuring import Measurement, Part
from programs import Client

OURS, PW_CAT = Client("rawaudio"), Client("pw-cat")
PARTS = (Part(OURS, tests_player=True), Part(PW_CAT, (OURS,)))
QUANTUM = 2_048


def check():
    """- Returns: whether anything is not as it should be."""
    failures = []
    with server.Server(["speakers", "headphones"]) as running:
        failures += round_trip(running)
    for failure in failures:
        print(f"PipeWire: {failure}", file=sys.stderr)
    return bool(failures)


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
