# SPDX-License-Identifier: Apache-2.0
"""Compares rawaudio with other programs and with plain C: `make bench`.

Python's standard library is enough.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import machine
import report
import rounds
from inputs import Inputs
from measurement import Launcher
from tools import Tools
from workloads import Workloads


def main():
    options = parsed_options()
    load_before = os.getloadavg()[0]
    launcher = Launcher(options.folder / "launcher")
    inputs = Inputs(options.folder / ("smoke" if options.smoke else "inputs"))
    with tempfile.TemporaryDirectory(dir=options.folder) as outputs:
        tools = Tools(options.program, options.folder, Path(outputs))
        seconds = 2 if options.smoke else 600
        workloads = Workloads(tools, inputs, launcher, seconds, options.smoke)
        results = []
        for workload in workloads.all(options.long):
            if options.only and options.only not in workload.title:
                continue
            print(f"bench: {workload.title}", file=sys.stderr)
            runs = 1 if options.smoke else min(options.runs, workload.most_runs)
            results.append(rounds.run(workload, launcher, runs))
    text = "\n".join([
        report.heading,
        report.machine_table(machine.description(
            options.program, options.runs, (load_before, os.getloadavg()[0]))),
        "",
        *tables(results, options),
        "",
    ])
    print("bench: everything works" if options.smoke else text)
    if options.write_to:
        options.write_to.write_text(text, encoding="utf-8")


def tables(results, options):
    edits = [each for each in results if each.workload.is_edit]
    return [
        report.comparison_table(
            [each for each in results if not each.workload.is_edit], options.runs),
        "",
        *(["## Edits", "", report.edit_table(edits, options.runs), ""] if edits else []),
        "## Kernels",
        "",
        report.kernel_table(kernel_lines(options)),
    ]


def kernel_lines(options):
    print("bench: kernels", file=sys.stderr)
    command = [options.kernels, *(["--smoke"] if options.smoke else [])]
    return subprocess.run(
        command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()


def parsed_options():
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--program", type=Path, required=True, help="rawaudio, as installed")
    parser.add_argument("--kernels", type=Path, required=True, help="the kernel benchmarks")
    parser.add_argument(
        "--folder", type=Path, required=True, help="where the built floors and the launcher are;"
        " inputs and outputs go there too")
    parser.add_argument("--runs", type=odd, default=5, help="counted runs: an odd number")
    parser.add_argument("--long", action="store_true", help="files of ten hours too: minutes")
    parser.add_argument(
        "--smoke", action="store_true", help="every command once on tiny inputs: says only"
        " whether everything still works")
    parser.add_argument("--only", help="the workloads whose titles hold this")
    parser.add_argument("--write-to", type=Path, help="a Markdown file for what is printed")
    return parser.parse_args()


def odd(text):
    number = int(text)
    if number % 2 == 0 or number < 1:
        raise argparse.ArgumentTypeError("an even number of runs has no middle one")
    return number


main()
