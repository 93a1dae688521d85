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


def edit_table(all_results, usual_runs):
    """A row for each edit: ours, sox and ffmpeg."""
    rows = [("edit", "rawaudio", "CPU", "sox", "CPU", "ffmpeg", "CPU", "CPU ÷ the faster of both")]
    for results in all_results:
        ours, *others = (contender.name for contender in results.workload.contenders)
        row = [title(results, usual_runs).removeprefix("edit: ")]
        for program in ("rawaudio", "sox", "ffmpeg"):
            name = next((name for name in (ours, *others) if name.split()[0] == program), None)
            words = name.removeprefix(program).strip().replace("|", "\\|") if name else ""
            row += [f"`{words}`" if words else "", duration(results.median(name, "cpu")) if name else "–"]
        ratio = results.ratio_to_least("cpu", ours, others) if others else None
        shown = f"{ratio:.2f}" if others else "–"
        rows.append((*row, f"**{shown}**" if others and ratio > 1 else shown))
    return table(rows, "llrlrlrr")


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
