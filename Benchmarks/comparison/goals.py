# SPDX-License-Identifier: Apache-2.0
"""What the project wants to reach, and how it is read from the results.

Ratios are medians of the ratios of each round.
"""

from workload import Goal


def at_most(times, figure, ours, theirs):
    """Ours costs at most so many times what theirs does."""
    def measured(results):
        ratio = results.ratio(figure, ours, theirs)
        return f"{ratio:.2f}×", ratio <= times
    return Goal(ours, f"{word(figure)} ≤ {times:g}× {theirs}", measured)


def at_most_fastest(times, ours, theirs):
    """Ours costs at most so many times the CPU that the fastest of theirs does."""
    def measured(results):
        ratio = results.ratio_to_least("cpu", ours, theirs)
        return f"{ratio:.2f}×", ratio <= times
    return Goal(ours, f"CPU ≤ {times:g}× the fastest other", measured)


def at_least(times, figure, ours, theirs):
    """Theirs costs at least so many times what ours does."""
    def measured(results):
        ratio = results.ratio(figure, theirs, ours)
        return f"{ratio:.1f}×", ratio >= times
    return Goal(ours, f"{times:g}× less {word(figure)} than {theirs}", measured)


def linear(names, few, more, most):
    """From `more` inputs to `most` each costs about what it did from `few` to `more`."""
    def a_further_input(results, from_count, to_count):
        costs = [results.median(names[count], "cpu") for count in (from_count, to_count)]
        return (costs[1] - costs[0]) / (to_count - from_count)

    def measured(results):
        ratio = a_further_input(results, more, most) / a_further_input(results, few, more)
        return f"{ratio:.2f}×", ratio <= 1.25
    return Goal(
        names[most], f"a further input ≤ 1.25× the CPU of one between {few} and {more}", measured)


def peak(ours, limit):
    def measured(results):
        reached = results.peak(ours)
        return mebibytes(reached), reached <= limit
    return Goal(ours, f"peak ≤ {mebibytes(limit)}", measured)


def same_peak(ours, other):
    """Within one MiB."""
    def measured(results):
        more = results.peak(ours) - results.peak(other)
        return f"{more / 1024:+.0f} KiB", more <= 1 << 20
    return Goal(ours, f"peak of {other}", measured)


def word(figure):
    return {"cpu": "CPU", "wall": "wall time"}[figure]


def mebibytes(size):
    return f"{size / (1 << 20):.1f} MiB"
