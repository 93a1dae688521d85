#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of a bundle that was built, in lanes at once: those of the library compute, those of the command wait for
processes, or for a sound card that goes by the clock. A process runs no more tests at once than there are processors.

    Scripts/run-tests.py [--left-out FILE] BUNDLE [NAME…]      all, or those whose names match one of these expressions

A line of FILE is an expression, two spaces or more, and why the tests that it matches are left out. Prints what failed and
how many passed; .build/test-LANE.log has everything. Tests that stand still for ever would tell
nobody which: after TESTS_LIMIT seconds (2400) they are killed, and those that had not ended are named, with the processes
they wait for."""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Tests"))
from proofs.processes import descendants, kill, text

LIVE = sorted(path.stem for path in pathlib.Path("Tests/CommandTests/Live").glob("*Tests.swift"))
HALF = sorted(path.stem for path in pathlib.Path("Tests/CommandTests").rglob("*Tests.swift") if path.stem not in LIVE)[::2]
# How the names of a lane's tests begin. Those that wait for the card or for a device's clock leave the processor to others.
# Of the card's lanes the second is shorter, so that another one follows it.
LANES = {"library": r"Audio(?!Devices)\w+Tests\.", "devices": r"AudioDevicesTests\.",
         "command-1": rf"CommandTests\.(?!({'|'.join(LIVE + HALF)})\b)",
         "card-1": rf"CommandTests\.({'|'.join(LIVE[::2])})/", "card-2": rf"CommandTests\.({'|'.join(LIVE[1::2])})/",
         "command-2": rf"CommandTests\.({'|'.join(HALF)})\b"}
# The lane that a lane waits for.
BEHIND = {"command-2": "card-2"}
# The exit code of Swift Testing where no test was chosen: EX_UNAVAILABLE.
NO_TESTS = 69


class Lane:
    """Some of the tests, while they run."""

    def __init__(self, bundle, name, chosen, left_out):
        self.name = name
        self.process = None
        self.log = os.path.join(".build", f"test-{name}.log")
        self.events = os.path.join(".build", f"test-{name}.jsonl")
        if os.path.exists(self.events):
            os.remove(self.events)
        self.command = [bundle, "--testing-library", "swift-testing", "--filter", rf"^{LANES[name]}.*({'|'.join(chosen)})",
                        *(word for expression in left_out for word in ("--skip", expression)),
                        "--event-stream-output-path", self.events, "--event-stream-version", "0"]

    def begin(self):
        with open(self.log, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=subprocess.STDOUT)

    def unfinished(self):
        """The tests that began and did not end. All begin early, and then wait for a thread."""
        names = {}
        with open(self.events, encoding="utf-8") as lines:
            for line in lines:
                try:
                    payload = json.loads(line)["payload"]
                except ValueError:  # the last one, cut off
                    continue
                if payload.get("kind") == "testStarted":
                    names[payload["testID"]] = True
                elif payload.get("kind") == "testEnded":
                    names.pop(payload["testID"], None)
        return names

    def told(self):
        """What failed, and the last line, which counts; whatever is printed where the process broke off."""
        with open(self.log, encoding="utf-8", errors="replace") as log:
            lines = log.read().splitlines()
        if not any("Test run with" in line for line in lines):
            return lines[-100:]
        return [line for line in lines if re.search("✘|error:|Test run with", line)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--left-out", type=reasons, default={})
    parser.add_argument("bundle")
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    limit = time.monotonic() + float(os.environ.get("TESTS_LIMIT", "2400"))
    lanes = {name: Lane(given.bundle, name, given.names, given.left_out) for name in LANES}
    begun = [lane for name, lane in lanes.items() if name not in BEHIND]
    for lane in begun:
        lane.begin()
    try:
        for name, before in BEHIND.items():
            lanes[before].process.wait(limit - time.monotonic())
            lanes[name].begin()
            begun.append(lanes[name])
        for lane in begun:
            lane.process.wait(limit - time.monotonic())
    except KeyboardInterrupt:  # from the terminal, which told the tests too
        for lane in begun:
            lane.process.wait()
    except subprocess.TimeoutExpired:
        give_up(begun)
    for lane in begun:
        print(f"{lane.name}: {lane.log}", *lane.told(), sep="\n", flush=True)
    for expression, reason in given.left_out.items():
        print(f"left out: {expression}: {reason}")
    codes = {abs(lane.process.returncode) for lane in begun}
    # The chosen tests need not be in every lane.
    sys.exit(max(codes - {NO_TESTS} or {NO_TESTS}))


def reasons(path):
    """The expressions of a file, and the reason of each."""
    with open(path, encoding="utf-8") as lines:
        return dict(re.split(r" {2,}", line.strip(), maxsplit=1) for line in lines if line.strip() and not line.startswith("#"))


def give_up(lanes):
    """Names what stands still, and ends it."""
    processes = [process for lane in lanes for process in [lane.process.pid, *descendants(lane.process.pid)]]
    lines = [f"{process}: {text(process, 'cmdline').replace(chr(0), ' ')}" for process in processes]
    names = [name for lane in lanes if lane.process.poll() is None for name in lane.unfinished()]
    print("The tests have not ended in time. Those that began and did not end:", *names, "Their processes:", *lines,
          sep="\n  ", file=sys.stderr, flush=True)
    kill(processes)
    for lane in lanes:
        lane.process.wait()


main()
