#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Looks for faults with new seeds until the time is over: make hunt MINUTES=30 [FIRST=…].

    Scripts/hunt.py MINUTES [FIRST]
    Scripts/hunt.py short

A round gives each kind some seeds that no other round has; FIRST, which the first line tells, repeats a hunt. At the end
stands each seed that failed, as a line for Tests/Simulation/kept.txt or as the command that repeats it. Exit 1 if there is
one. `short` is one small round from FIRST=0, without the fuzzing, which needs a build of minutes: make hunt SHORT=1.

COMMAND_UNDER_TEST, SIMULATION_LIBRARY, ALSA_CONFIG_PATH and VIRTUAL_CARD_DIRECTORY are set by the Makefile, and
PROPERTY_TESTS, the line of the shell that runs the property tests.
"""

import functools
import os
import random
import re
import shlex
import subprocess
import sys
import time

PYTHON = ["/usr/bin/python3", "-B"]
# Cases of one kind in a round: some ten seconds on two processors, by Tests/Simulation's and Tests/Mutations' own figures.
SIMULATIONS = {"SEEDS": 200, "POWER_SEEDS": 200, "LIST_SEEDS": 500, "KEEP_SEEDS": 250, "HOURS": 10}
MUTATIONS, PROPERTIES, FUZZING_SECONDS = 500, 100, 40
# A short round has one case in so many.
SHORT = 100
# A round takes fewer seeds of each kind.
STRIDE = 1_000


def output(command, **environment):
    """What the command prints, which is shown as it comes, and its exit code."""
    lines = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          env={**os.environ, **environment}) as process:
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line)
    return "".join(lines), process.returncode


def simulations(name, first, share):
    command = [*PYTHON, "Tests/Simulation", f"{name}={-(-SIMULATIONS[name] // share)}", f"FIRST={first}"]
    variable = "LONG_SEED" if name == "HOURS" else name.removesuffix("S")
    text, code = output(command)
    found = re.search(r"^failed seeds: (.*)$", text, re.MULTILINE)
    if found:
        reasons = dict(re.findall(r"^seed (\d+): failed.*\n  (.*)$", text, re.MULTILINE))
        return [f"{variable} {seed} {reasons.get(seed, '')}".rstrip() for seed in found[1].split()]
    return failure(command, code)


def mutations(first, share):
    command = [*PYTHON, "Tests/Mutations", "--program", os.environ["COMMAND_UNDER_TEST"], "--cases",
               str(-(-MUTATIONS // share)), "--seed", str(first), "--results", ".build/hunt"]
    text, code = output(command)
    cases = re.findall(r"^case (\d+): ", text, re.MULTILINE)
    return [f"make mutations SEED={first} FIRST={case} CASES=1" for case in cases] or failure(command, code)


def properties(first, share):
    # A line of the shell, for it begins with an assignment.
    command = ["/bin/sh", "-c", os.environ["PROPERTY_TESTS"]]
    cases = -(-PROPERTIES // share)
    _, code = output(command, TESTS_CASES=str(cases), TESTS_SEED=str(first))
    return [f"make properties CASES={cases} SEED={first}"] if code else []


def fuzzing(first, _):
    _, code = output(["Scripts/fuzz.sh", str(FUZZING_SECONDS)], SEED=str(first))
    return ["make fuzz: the input is in .build/fuzz/found"] if code else []


def failure(command, code):
    return [f"exit {code}: {shlex.join(command)}"] if code else []


def main():
    is_short = sys.argv[1:] == ["short"]
    if not (is_short or 2 <= len(sys.argv) <= 3):
        sys.exit(__doc__)
    first = 0 if is_short else int(sys.argv[2]) if len(sys.argv) == 3 else random.SystemRandom().randrange(2**31)
    print(f"hunt: FIRST={first}", flush=True)
    end = None if is_short else time.monotonic() + 60 * float(sys.argv[1])
    share = SHORT if is_short else 1
    kinds = [*(functools.partial(simulations, name) for name in SIMULATIONS), mutations, properties,
             *([] if is_short else [fuzzing])]
    found, rounds = [], 0
    while not rounds if is_short else time.monotonic() < end:
        for kind in kinds:
            if is_short or time.monotonic() < end:
                found += kind(first + rounds * STRIDE, share)
        rounds += 1
    print(f"hunt: {rounds} rounds from FIRST={first}, {len(found)} failed", *found, sep="\n")
    return 1 if found else 0


sys.exit(main())
