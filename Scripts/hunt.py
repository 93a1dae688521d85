#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Looks for faults with new seeds until the time is over: make hunt MINUTES=30 [FIRST=…].

    Scripts/hunt.py MINUTES [FIRST]

A round gives each kind some seeds that no other round has; FIRST, which the first line tells, repeats a hunt. At the end
stands each seed that failed, as a line for Tests/Simulation/kept.txt or as the command that repeats it. Exit 1 if there is
one.

COMMAND_UNDER_TEST, SIMULATION_LIBRARY, ALSA_CONFIG_PATH and VIRTUAL_CARD_DIRECTORY are set by the Makefile, and
PROPERTY_TESTS, the command that runs the property tests.
"""

import os
import random
import re
import shlex
import subprocess
import sys
import time

PYTHON = ["/usr/bin/python3", "-B"]
# Cases of one kind in a round: some ten seconds on two processors, by Tests/Simulation's and Tests/Mutations' own figures.
SIMULATIONS = {"SEED": ([], 200), "POWER_SEED": (["power"], 200), "LIST_SEED": (["list"], 500),
               "KEEP_SEED": (["keep"], 250), "LONG_SEED": (["hours"], 10)}
MUTATIONS, PROPERTIES, FUZZING_SECONDS = 500, 100, 40
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


def simulations(variable, first):
    kind, count = SIMULATIONS[variable]
    command = [*PYTHON, "Tests/Simulation", *kind, str(count), str(first)]
    text, code = output(command)
    found = re.search(r"^failed seeds: (.*)$", text, re.MULTILINE)
    if found:
        reasons = dict(re.findall(r"^seed (\d+): failed.*\n  (.*)$", text, re.MULTILINE))
        return [f"{variable} {seed} {reasons.get(seed, '')}".rstrip() for seed in found[1].split()]
    return failure(command, code)


def mutations(first):
    command = [*PYTHON, "Tests/Mutations", "--program", os.environ["COMMAND_UNDER_TEST"], "--cases", str(MUTATIONS),
               "--seed", str(first)]
    text, code = output(command)
    cases = re.findall(r"^case (\d+): ", text, re.MULTILINE)
    return [f"make mutations SEED={first} FIRST={case} CASES=1" for case in cases] or failure(command, code)


def properties(first):
    command = shlex.split(os.environ["PROPERTY_TESTS"])
    _, code = output(command, TESTS_CASES=str(PROPERTIES), TESTS_SEED=str(first))
    return [f"make properties CASES={PROPERTIES} SEED={first}"] if code else []


def fuzzing(first):
    _, code = output(["Scripts/fuzz.sh", str(FUZZING_SECONDS)], SEED=str(first))
    return ["make fuzz: the input is in .build/fuzz/found"] if code else []


def failure(command, code):
    return [f"exit {code}: {shlex.join(command)}"] if code else []


def main():
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    first = int(sys.argv[2]) if len(sys.argv) == 3 else random.SystemRandom().randrange(2**31)
    print(f"hunt: FIRST={first}", flush=True)
    end = time.monotonic() + 60 * float(sys.argv[1])
    kinds = [*(lambda seed, variable=variable: simulations(variable, seed) for variable in SIMULATIONS),
             mutations, properties, fuzzing]
    found, rounds = [], 0
    while time.monotonic() < end:
        for kind in kinds:
            if time.monotonic() < end:
                found += kind(first + rounds * STRIDE)
        rounds += 1
    print(f"hunt: {rounds} rounds from FIRST={first}, {len(found)} failed", *found, sep="\n")
    return 1 if found else 0


sys.exit(main())
