"""What becomes of a recording or a playback when something fails: rawaudio, arecord/aplay and sox.

Called by Scripts/fault-table.sh. Python's standard library is enough.
"""

import argparse
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import report
import trial
import verdict
from faults import PLAYBACK, RECORDING
from programs import all_programs


def main():
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
    text = report.document(results, programs)
    if options.write_to:
        options.write_to.write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    return complain([row[0] for row in results])


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
    parser.add_argument("--write-to", type=Path, help="instead of standard output")
    parser.add_argument("--only", default="", help="faults whose title has this in it")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
