# SPDX-License-Identifier: Apache-2.0
"""The table at the end."""

from collections import Counter

OUTCOMES = ["read", "told as truncated", "failed while read", "refused"]


def table(results):
    """`results`: container, verdict and runs of each case."""
    counted = {}
    for container, verdict, _ in results:
        row = counted.setdefault(container, Counter())
        row["cases"] += 1
        row[verdict.outcome] += 1
        row["wrong"] += bool(verdict.faults)
    total = sum(counted.values(), Counter())
    columns = ["cases", *OUTCOMES, "wrong"]
    yield line("container", columns)
    for container, row in sorted(counted.items()):
        yield line(container, [row[column] for column in columns])
    yield line("all", [total[column] for column in columns])


def line(title, cells):
    return f"{title:11}" + "".join(f"{cell:>19}" for cell in cells)


def costs(results):
    runs = [run for _, _, runs in results for run in runs]
    slowest = max(seconds for seconds, _ in runs)
    largest = max(peak for _, peak in runs)
    return (f"{len(runs)} runs; the slowest took {slowest:.2f} s of the processor, "
            f"the largest {largest / (1 << 20):.0f} MiB")
