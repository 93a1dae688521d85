# SPDX-License-Identifier: Apache-2.0
"""Measures what rawaudio's rate conversion and dither do to sound, beside its peers.

    python3 Benchmarks/fidelity --check        what we promise of ours; exit 1 where a promise is broken
    python3 Benchmarks/fidelity RESULT.md      the same, and a table with the peers, as Markdown

Runs the `rawaudio` of the PATH as a user would, and knows nothing of its code. Needs numpy.
"""

import argparse
import shutil
import sys
from pathlib import Path

import report
from check import Check


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="fidelity", description="Measures rate conversion and dither, ours and the peers'.")
    task = parser.add_mutually_exclusive_group(required=True)
    task.add_argument("--check", action="store_true", help="only check what rawaudio promises")
    task.add_argument("result", nargs="?", type=Path, help="the file to write the tables to")
    arguments = parser.parse_args()

    print(f"Fidelity of {shutil.which('rawaudio')}")
    check = Check()
    check.run()
    if arguments.result:
        comparison = report.comparison()
        floors = report.floors(check.measurements)
        arguments.result.write_text(report.document(comparison, floors, check.broken))
        print(f"\n{comparison}\n\nWritten to {arguments.result}, with all the rest.")
    if check.broken:
        print(f"Broken promises: {len(check.broken)}.", file=sys.stderr)
    return 1 if check.broken else 0


if __name__ == "__main__":
    sys.exit(main())
