# SPDX-License-Identifier: Apache-2.0
"""The program for every processor against the same one built for this machine's: every line of ours, of every workload."""

import dataclasses

from report import duration, table, title
from workload import Workload

SUFFIX = ", NATIVE=1"
GOAL = 1.05

heading = """\
# One program against `make NATIVE=1`

Made by `make bench-native`: every line of rawaudio of [RESULTS.md](RESULTS.md), by the program that `make` builds for
every processor and by the one that `make NATIVE=1` builds for this machine's, in turn, in the same rounds. The ratios
are medians of those of each round. [README.md](README.md) says how the figures are taken.
"""


def beside(workload, program, native):
    """A workload of our own lines, each by both programs, and as often as any: the difference is small."""
    contenders = []
    for contender in workload.contenders:
        if contender.name.startswith("rawaudio"):
            twin = dataclasses.replace(
                contender, name=contender.name + SUFFIX,
                commands=[[replaced(word, program, native) for word in command] for command in contender.commands])
            contenders += [contender, twin]
    return Workload(workload.title, contenders)


def replaced(word, program, native):
    """A word of a command, which may be a line for the shell."""
    if word == program:
        return native
    return word.replace(str(program), str(native)) if isinstance(word, str) else word


def comparison_table(all_results, usual_runs):
    rows = [("work", "command", "CPU", "CPU, NATIVE=1", "CPU ÷ NATIVE=1", "wall ÷ NATIVE=1", "≤ 1.05")]
    for results in all_results:
        names = [contender.name for contender in results.workload.contenders][::2]
        for name in names:
            cpu, wall = (results.ratio(figure, name, name + SUFFIX) for figure in ("cpu", "wall"))
            rows.append((
                title(results, usual_runs) if name == names[0] else "", name,
                duration(results.median(name, "cpu")), duration(results.median(name + SUFFIX, "cpu")),
                f"{cpu:.2f}", f"{wall:.2f}", "reached" if cpu <= GOAL else "**not reached**"))
    return table(rows, "llrrrrl")
