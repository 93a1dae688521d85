# SPDX-License-Identifier: Apache-2.0
"""A recording in a hostile world, in virtual time: the same seed gives the same run.

    python3 Tests/Simulation [NAME=NUMBER [FIRST=NUMBER]]

    SEEDS        so many seeds from FIRST (0) on; 200, if nothing is asked for
    POWER_SEEDS  the same, with a power cut where it does most harm
    LIST_SEEDS   lists of files that are converted
    KEEP_SEEDS   recordings that keep some of their parts
    HOURS        long recordings, so many virtual hours of them or more
    SEED, POWER_SEED, LIST_SEED, KEEP_SEED, LONG_SEED
                 one of these, with everything that it says
    KEPT         the seeds that failed once, of kept.txt
    YEAR         a station through so many days of a year
    REPEATS      whether two runs of each of so many seeds are the same to the byte

Exit 1 where anything is not as it should be. COMMAND_UNDER_TEST names the program, SIMULATION_LIBRARY what
runs it in virtual time, ALSA_CONFIG_PATH the virtual card. README.md says how to read a failure.
"""

import collections
import multiprocessing
import os
import pathlib
import sys
import tempfile
import time

from cases import Case, LongCase, PowerCase
from keeping import KeepCase
from lists import ListCase
from running import Runner
import year

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from proofs.processes import give_children_default_signals


def make_runner(folder, processor):
    return Runner(os.environ["COMMAND_UNDER_TEST"], os.environ["SIMULATION_LIBRARY"],
                  os.environ["ALSA_CONFIG_PATH"], folder, processor)


def run_cases(job):
    """One worker: some cases, each a kind and a seed, on one processor."""
    cases, folder, processor = job
    runner = make_runner(folder, processor)
    results = []
    for kind, seed in cases:
        case = kind(seed)
        outcome = runner.run(case)
        check = case.judge(outcome)
        report = outcome.report or {}
        results.append((seed, check.errors, report.get("time", 1e12) - 1e12, report.get("faults", {}),
                        card_faults(outcome), report.get("ending", "crash")))
        if check.errors:
            tell(runner, case, outcome, check)
    return results


def card_faults(outcome):
    """What went wrong at the card, from its log."""
    counted = collections.Counter()
    for line in outcome.card_log.splitlines():
        words = line.split()
        if len(words) > 4 and words[3] == "event":
            counted[f"card {words[4]}"] += 1
        elif len(words) > 3 and words[3] == "overrun":
            counted["card overrun"] += 1
    return counted


def tell(runner, case, outcome, check):
    at = (outcome.report or {}).get("time", 1e12) / 1e9 - 1_000
    lines = [f"seed {case.seed}: failed after {at:.6f} virtual seconds"]
    lines += [f"  {error}" for error in check.errors]
    lines += [f"  faults: {' '.join(case.faults) or 'none'}; card: {' '.join(case.card_events) or 'none'}",
              f"  repeat: make simulate {case.variable}={case.seed}", f"  by hand: {runner.by_hand(case)}"]
    print("\n".join(lines), flush=True)


def simulate(cases, name):
    """Runs the cases; `name` is what they are called in the first line."""
    began = time.monotonic()
    processors = sorted(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory(prefix="simulation-", dir=memory()) as folder:
        jobs = [(cases[place::len(processors)], pathlib.Path(folder) / str(place), processor)
                for place, processor in enumerate(processors)]
        with multiprocessing.Pool(len(jobs)) as pool:
            results = sum(pool.map(run_cases, jobs), [])
    failed = [result for result in results if result[1]]
    faults = collections.Counter()
    for result in results:
        faults.update({name: number for name, number in result[3].items() if number})
        faults.update(result[4])
    endings = collections.Counter(result[5] for result in results)
    hours = sum(result[2] for result in results) / 1e9 / 3_600
    print(f"{name}: {len(failed)} failed; {hours:.2f} virtual hours in "
          f"{time.monotonic() - began:.0f} s")
    print("endings: " + ", ".join(f"{name} {number}" for name, number in sorted(endings.items())))
    print("faults: " + ", ".join(f"{name} {number}" for name, number in sorted(faults.items())))
    if failed:
        print("failed seeds: " + " ".join(str(result[0]) for result in sorted(failed)))
    return 1 if failed else 0


KINDS = {kind.variable: kind for kind in (Case, LongCase, PowerCase, ListCase, KeepCase)}


def in_a_row(kind, count, first):
    return [(kind, seed) for seed in range(first, first + count)], f"{count} seeds from {first}"


def kept():
    """The seeds of kept.txt."""
    lines = (pathlib.Path(__file__).parent / "kept.txt").read_text(encoding="utf-8").splitlines()
    words = [line.split() for line in lines if line and not line.startswith("#")]
    return [(KINDS[variable], int(seed)) for variable, seed, *_ in words], f"{len(words)} seeds that failed once"


def memory():
    """A disk that is none, where there is one."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def show(kind, seed):
    folder = pathlib.Path(os.environ.get("SIMULATION_KEEP", tempfile.gettempdir())) / f"simulation-{seed}"
    runner = make_runner(folder, max(os.sched_getaffinity(0)))
    case = kind(seed)
    outcome = runner.run(case, trace="../trace")
    check = case.judge(outcome)
    print(f"files, trace, report and the card's log: {folder}")
    print(runner.by_hand(case))
    print(outcome.errors, end="")
    print(f"exit {outcome.code}, {(outcome.report or {}).get('ending')}")
    if check.errors:
        tell(runner, case, outcome, check)
    else:
        print("nothing is wrong")
    return 1 if check.errors else 0


def repeats(count):
    with tempfile.TemporaryDirectory(prefix="simulation-", dir=memory()) as folder:
        runner = make_runner(pathlib.Path(folder) / "0", max(os.sched_getaffinity(0)))
        different = 0
        for seed in range(count):
            seen = set()
            for _ in range(2):
                outcome = runner.run(Case(seed))
                files = {path.name: path.read_bytes() for path in sorted(outcome.folder.iterdir())}
                seen.add((outcome.code, outcome.errors, (outcome.report or {}).get("hash"), repr(files)))
            if len(seen) > 1:
                different += 1
                print(f"seed {seed} gave two different runs")
    print(f"{count} seeds, each run twice: {different} differ")
    return 1 if different else 0


def year_of(days):
    with tempfile.TemporaryDirectory(prefix="simulation-", dir=memory()) as folder:
        return year.run(make_runner(pathlib.Path(folder) / "0", max(os.sched_getaffinity(0))), days)


def long_cases(hours, first):
    count, sum_of_hours = 0, 0
    while sum_of_hours < hours:
        sum_of_hours += LongCase(first + count).hours
        count += 1
    return in_a_row(LongCase, count, first)


def main():
    give_children_default_signals()
    asked = {name: int(number) for name, number in (word.split("=") for word in sys.argv[1:])}
    first = asked.pop("FIRST", 0)
    (name, number), = (asked or {"SEEDS": 200}).items()
    if name in KINDS:
        return show(KINDS[name], number)
    if name.removesuffix("S") in KINDS:
        return simulate(*in_a_row(KINDS[name.removesuffix("S")], number, first))
    if name == "HOURS":
        return simulate(*long_cases(number, first))
    return {"KEPT": lambda _: simulate(*kept()), "YEAR": year_of, "REPEATS": repeats}[name](number)


sys.exit(main())
