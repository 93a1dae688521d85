#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests: `swift test` with the given arguments. Tests that stand still for ever would tell nobody which: after
TESTS_LIMIT seconds (2400) they are killed, and those that had not ended are named, with the processes they wait for."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Tests", "Cluster"))
from processes import descendants, kill, text

events = os.path.join(".build", "test-events.jsonl")


def unfinished():
    """The tests that began and did not end. All begin early, and then wait for a thread."""
    names = {}
    with open(events, encoding="utf-8") as lines:
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


def main():
    limit = float(os.environ.get("TESTS_LIMIT", "2400"))
    if os.path.exists(events):
        os.remove(events)
    command = ["swift", "test", *sys.argv[1:], "--event-stream-output-path", events, "--event-stream-version", "0"]
    tests = subprocess.Popen(command)
    try:
        sys.exit(tests.wait(limit))
    except KeyboardInterrupt:  # from the terminal, which told the tests too
        sys.exit(tests.wait())
    except subprocess.TimeoutExpired:
        processes = descendants(tests.pid)
        lines = [f"{process}: {text(process, 'cmdline').replace(chr(0), ' ')}" for process in processes]
        print(f"The tests have not ended within {limit:.0f} seconds. Those that began and did not end:", *unfinished(),
              "Their processes:", *lines, sep="\n  ", file=sys.stderr, flush=True)
        kill(processes)
        tests.wait()
        sys.exit(1)


main()
