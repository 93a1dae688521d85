# SPDX-License-Identifier: Apache-2.0
"""The results as Markdown."""

heading = """\
# Results

Made by `make bench`; [README.md](README.md) says how the figures are taken and how to read them.
"""


def comparison_table(all_results, usual_runs):
    rows = [("work", "command", "CPU", "wall", "peak", "CPU ÷ first", "wall ÷ first", "goal")]
    for results in all_results:
        workload = results.workload
        first = workload.contenders[0].name
        for contender in workload.contenders:
            name = contender.name
            rows.append((
                title(results, usual_runs) if name == first else "",
                f"**{name}**" if name.startswith("rawaudio") else name,
                duration(results.median(name, "cpu")),
                duration(results.median(name, "wall")),
                f"{results.peak(name) / (1 << 20):.1f} MiB",
                "1" if name == first else f"{results.ratio('cpu', name, first):.2f}",
                "1" if name == first else f"{results.ratio('wall', name, first):.2f}",
                "<br>".join(verdict(goal, results)
                            for goal in workload.goals if goal.contender == name),
            ))
    return table(rows, "llrrrrrl")


def title(results, usual_runs):
    """Says how often it was run where that was less often than the rest."""
    if results.runs == usual_runs:
        return results.workload.title
    return f"{results.workload.title} (runs: {results.runs})"


def verdict(goal, results):
    measured, reached = goal.measured(results)
    return f"{goal.text}: {measured}, {'reached' if reached else '**not reached**'}"


def kernel_table(lines):
    """From the lines that the kernel benchmarks print: words separated by tabs."""
    return table([tuple(line.split("\t")) for line in lines], "lrr")


def machine_table(description):
    return table([("machine", ""), *description], "ll")


def duration(seconds):
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{seconds * 1e3:.3g} ms"


def table(rows, alignment):
    marks = {"l": "---", "r": "---:"}
    lines = [rows[0], tuple(marks[side] for side in alignment), *rows[1:]]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
