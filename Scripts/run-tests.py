#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests: `swift test` with the given arguments. Tests that stand still for ever would tell nobody which: after
TESTS_LIMIT seconds (2400) they are killed, and those that had not ended are named, with the processes they wait for."""

import json
import os
import signal
import subprocess
import sys

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


def descendants(process):
    """The lines of ps(1) for what a process has started, and their numbers."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid=,etime=,stat=,args="], stdout=subprocess.PIPE, check=True, text=True)
    family, lines = {process}, []
    for line in sorted(listed.stdout.splitlines(), key=lambda line: int(line.split()[0])):
        number, parent = (int(word) for word in line.split()[:2])
        if parent in family:
            family.add(number)
            lines.append(line)
    return family - {process}, lines


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
        family, lines = descendants(tests.pid)
        print(f"The tests have not ended within {limit:.0f} seconds. Those that began and did not end:", *unfinished(),
              "Their processes:", *lines, sep="\n  ", file=sys.stderr, flush=True)
        for number in family:
            try:
                os.kill(number, signal.SIGKILL)
            except ProcessLookupError:
                pass
        tests.wait()
        sys.exit(1)


main()
