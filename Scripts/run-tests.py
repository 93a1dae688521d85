#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of a bundle that was built, each target's in a process of its own: those of the library compute, those of
the command mostly wait for processes, and a process runs no more tests at once than there are processors.

    Scripts/run-tests.py BUNDLE [OPTION…]      options are those of Swift Testing, as --filter NAME

Prints what failed and how many passed; .build/test-TARGET.log has everything. Tests that stand still for ever would tell
nobody which: after TESTS_LIMIT seconds (2400) they are killed, and those that had not ended are named, with the processes
they wait for."""

import json
import os
import re
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Tests", "Cluster"))
from processes import descendants, kill, text

TARGETS = ["AudioCoreTests", "CommandTests"]


class Lane:
    """The tests of a target, while they run."""

    def __init__(self, bundle, target, options):
        self.target = target
        self.log = os.path.join(".build", f"test-{target}.log")
        self.events = os.path.join(".build", f"test-{target}.jsonl")
        if os.path.exists(self.events):
            os.remove(self.events)
        # A filter of the caller's is one more condition.
        chosen = [option for option in options if option != "--filter"] if "--filter" in options else [".*"]
        command = [bundle, "--testing-library", "swift-testing", "--filter", rf"^{target}\..*({'|'.join(chosen)})",
                   "--event-stream-output-path", self.events, "--event-stream-version", "0"]
        with open(self.log, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)

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
        failed = [line for line in lines if re.search("✘|↳|error:|Fatal", line)]
        return failed + [line for line in lines if "Test run with" in line and line not in failed]


def main():
    limit = time.monotonic() + float(os.environ.get("TESTS_LIMIT", "2400"))
    lanes = [Lane(sys.argv[1], target, sys.argv[2:]) for target in TARGETS]
    try:
        for lane in lanes:
            lane.process.wait(limit - time.monotonic())
    except KeyboardInterrupt:  # from the terminal, which told the tests too
        for lane in lanes:
            lane.process.wait()
    except subprocess.TimeoutExpired:
        give_up(lanes)
    for lane in lanes:
        print(f"{lane.target}: {lane.log}", *lane.told(), sep="\n", flush=True)
    sys.exit(max(abs(lane.process.returncode) for lane in lanes))


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
