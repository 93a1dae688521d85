# SPDX-License-Identifier: Apache-2.0
"""Counts what is lost between programs and a PipeWire server, ours beside others, and prints a table."""

import os
import platform
import shutil
import subprocess
import sys
import time

from measuring import Measurement, Part
from programs import Client
from proofs import pipewire

OURS, APLAY, ARECORD, PW_CAT = (Client(name) for name in ("rawaudio", "aplay", "arecord", "pw-cat"))
PERIODS = (256, 480, 512, 1024, 2048)
PERIOD_RUNS = 1

DEFAULTS = (
    *(Part(player, tests_player=True) for player in (OURS, APLAY, PW_CAT)),
    *(Part(PW_CAT, (recorder,)) for recorder in (OURS, ARECORD, PW_CAT)),
)


def sweep(period):
    """The same period for all programs."""
    players = (Client(name, period) for name in ("rawaudio", "aplay", "pw-cat"))
    recorders = (Client(name, period) for name in ("rawaudio", "arecord", "pw-cat"))
    return (*(Part(player, tests_player=True) for player in players),
            *(Part(PW_CAT, (recorder,)) for recorder in recorders))


class Load:
    """Two programs a core that only compute, at the usual priority."""

    def __init__(self, is_wanted):
        self.count = 2 * os.cpu_count() if is_wanted else 0

    def __enter__(self):
        self.processes = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(self.count)]

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.wait()


class Table:
    """Sums up the runs of each client under each condition."""

    def __init__(self):
        self.rows = {}

    def add(self, condition, result):
        key = (condition, "play" if result.plays else "record", result.client)
        row = self.rows.setdefault(key, [])
        row.append(result)

    def print(self):
        print("| machine | real time | | program, period | runs | with a loss | lost | most in a run | silence put in"
              " | repeated | told: faults | told: samples |")
        print("|---|---|---|---|---|---|---|---|---|---|---|---|")
        for (condition, direction, client), results in self.rows.items():
            accounts = [result.account for result in results]
            columns = [
                *condition, direction, client, len(results), sum(not each.is_whole for each in accounts),
                sum(each.lost for each in accounts), max(each.lost + each.inserted for each in accounts),
                sum(each.inserted for each in accounts), sum(each.repeated for each in accounts),
                sum(result.told[0] for result in results), sum(result.told[1] for result in results)]
            print("| " + " | ".join(str(column) for column in columns) + " |", flush=True)


def measure(runs, seconds, side_by_side=5):
    """`runs` runs of all defaults, and a few of each period, quiet and loaded, with and without real-time priority."""
    table = Table()
    began = time.monotonic()
    real_time = [True, False] if os.geteuid() == 0 and shutil.which("setpriv") else [None]
    for has_real_time in real_time:
        for is_loaded in (False, True):
            condition = ("loaded" if is_loaded else "quiet",
                         {True: "yes", False: "no", None: "as this user may"}[has_real_time])
            batches = -(-runs // side_by_side)
            plans = [DEFAULTS * min(side_by_side, runs - index * side_by_side) for index in range(batches)]
            if is_loaded:
                plans += [tuple(part for period in PERIODS for part in sweep(period))] * PERIOD_RUNS
            for plan in plans:
                try:
                    run(plan, seconds, has_real_time, is_loaded, condition, table)
                except (SystemExit, subprocess.TimeoutExpired) as failure:
                    print(f"a run is missing: {failure}", file=sys.stderr, flush=True)
                print(f"{time.monotonic() - began:5.0f} s: {' '.join(condition)}", file=sys.stderr, flush=True)
    print(f"{runs} runs of {seconds} s each (with a period: {PERIOD_RUNS}), {os.cpu_count()} cores, {version()}, Linux {platform.release()};"
          " loaded: 2 busy programs a core. In samples per channel.\n")
    table.print()


def run(plan, seconds, has_real_time, is_loaded, condition, table):
    names = [f"sink{index}" for index in range(len(plan))]
    with pipewire.Server(names, may_raise=has_real_time is not False) as running:
        measurement = Measurement(running, plan, seconds)
        for result in measurement.run(Load(is_loaded)):
            table.add(condition, result)
            if result.exit != 0 and result.client.name == "rawaudio":
                print(f"{result.client} ended with {result.exit}: {result.messages[-300:]}", file=sys.stderr)


def version():
    answer = subprocess.run(["pipewire", "--version"], capture_output=True, text=True, check=True)
    return "PipeWire " + answer.stdout.split()[-1]
