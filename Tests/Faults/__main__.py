# SPDX-License-Identifier: Apache-2.0
"""What becomes of a recording or a playback when something fails, with rawaudio, arecord/aplay and sox, and what
becomes of every command when the system fails it, with rawaudio, sox and ffmpeg.

`make fault-table` calls it. Exit 1 if a result of rawaudio is wrong. Python's standard library is enough.
"""

import argparse
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import report
import trial
import under
import verdict
from conditions import CONDITIONS
from faults import PLAYBACK, RECORDING
from programs import all_programs, programs_of_all_commands

from proofs.processes import give_children_default_signals


def main():
    give_children_default_signals()
    options = parsed_options()
    programs = all_programs(options.program.resolve())
    chosen = [fault for fault in RECORDING + PLAYBACK if options.only in fault.title]
    if not trial.has_small_disk():
        print("fault-table: may not mount a disk of its own, so leaves out the full one",
              file=sys.stderr)
        chosen = [fault for fault in chosen if fault.output != "small disk"]
    results = []
    for fault in chosen:
        print(f"fault-table: {fault.title}", file=sys.stderr)
        results.append(outcomes(fault, programs, options.card.resolve()))
    conditions = under_conditions(options)
    text = report.document(results, conditions, programs)
    if options.write_to:
        options.write_to.write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    return complain([row[0] for row in results]) | complain_of_commands(conditions)


def under_conditions(options):
    """For each condition and command: what came of it, of each program, and what comes of it otherwise."""
    programs = programs_of_all_commands(options.program.resolve())
    rows = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(3) as pool:
        runs = None
        for condition in CONDITIONS:
            if options.only not in condition.title or condition.folder == "disk" and not trial.has_small_disk():
                continue
            print(f"fault-table: {condition.title}", file=sys.stderr)
            runs = runs or under.Under(programs, options.card.resolve(), Path(folder), options.storm.resolve())
            for command in condition.commands:
                def pair(program):
                    usual = runs.without(condition, program, command)
                    return (runs.run(condition, program, command) if usual else None), usual
                results, usual = zip(*pool.map(pair, programs))
                rows.append((results, usual))
    return rows


def complain_of_commands(rows):
    found = [(results[0], text) for results, usual in rows
             for text in under.shortcomings(results[0], usual[0])]
    for result, text in found:
        print(f"fault-table: {result.condition.title}: {result.command}: {text}", file=sys.stderr)
        print("    " + result.said.strip().replace("\n", "\n    "), file=sys.stderr)
    return 1 if found else 0


def outcomes(fault, programs, configuration):
    """All programs at once: they wait nearly all of the time."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor() as pool:
        trials = [trial.Trial(fault, program, configuration, Path(folder) / program.name)
                  for program in (programs[:1] if fault.options else programs)]
        return list(pool.map(trial.Trial.run, trials))


def complain(ours):
    found = [(outcome, text) for outcome in ours for text in verdict.shortcomings(outcome)]
    for outcome, text in found:
        kind = "playback" if outcome.fault.plays else "recording"
        print(f"fault-table: {kind}, {outcome.fault.title}: rawaudio: {text}", file=sys.stderr)
        print("    " + outcome.said.strip().replace("\n", "\n    "), file=sys.stderr)
    return 1 if found else 0


def parsed_options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--card", type=Path, required=True, help="the virtual card's configuration")
    parser.add_argument("--storm", type=Path, required=True, help="what interrupts a program, for LD_PRELOAD")
    parser.add_argument("--write-to", type=Path, help="instead of standard output")
    parser.add_argument("--only", default="", help="faults whose title has this in it")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
