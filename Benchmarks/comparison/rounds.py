# SPDX-License-Identifier: Apache-2.0
"""Runs the contenders of a workload in turn, and keeps what every run cost."""

import statistics
from pathlib import Path

from sound_file import samples_per_channel


class Results:
    """The costs of every contender, round by round."""

    def __init__(self, workload, costs):
        self.workload = workload
        self.costs = costs
        self.runs = len(next(iter(costs.values())))
        self.times = {contender.name: contender.times for contender in workload.contenders}

    def median(self, name, figure):
        """Of one piece of work of a contender."""
        return statistics.median(self.each(name, figure))

    def peak(self, name):
        return max(cost.peak for cost in self.costs[name])

    def ratio(self, figure, above, below):
        """The median of the ratios of each round."""
        pairs = zip(self.each(above, figure), self.each(below, figure))
        return statistics.median(a / b if b else float("nan") for a, b in pairs)

    def ratio_to_least(self, figure, above, others):
        """The median of the ratios of each round to the least of the others."""
        least = [min(costs) for costs in zip(*(self.each(name, figure) for name in others))]
        pairs = zip(self.each(above, figure), least)
        return statistics.median(a / b if b else float("nan") for a, b in pairs)

    def each(self, name, figure):
        return [getattr(cost, figure) / self.times[name] for cost in self.costs[name]]


def run(workload, launcher, runs):
    """A round is every contender once; who begins rotates. The first round is not counted."""
    contenders = workload.contenders
    costs = {contender.name: [] for contender in contenders}
    warm_inputs(contenders)
    written = {contender.name: 0 for contender in contenders}
    for turn in range(runs + 1):
        first = turn % len(contenders)
        for contender in contenders[first:] + contenders[:first]:
            warm_memory(contender, written[contender.name])
            cost = launcher.cost(contender.commands)
            check(contender)
            written[contender.name] = remove_outputs(contender) + cost.peak
            if turn > 0:
                costs[contender.name].append(cost)
    return Results(workload, costs)


def warm_inputs(contenders):
    """Reads every input, so that it comes from memory."""
    paths = {word for contender in contenders for command in contender.commands
             for word in command[1:] if isinstance(word, Path) and word.is_file()}
    for path in paths:
        with path.open("rb") as file:
            while file.read(1 << 20):
                pass


def warm_memory(contender, size):
    """Writes and removes as much as the run will write: memory that was freed last is given first.

    In a virtual machine the host takes back what has been free for a while, and to get it again costs
    several times as much as to write a file into it.
    """
    if not contender.outputs:
        return
    block, path = bytes(1 << 20), contender.outputs[0].path.with_suffix(".warm")
    with path.open("wb") as file:
        for _ in range(min(size, 256 << 20) // len(block) + 1):
            file.write(block)
    path.unlink()


def check(contender):
    """Fails where an output is not as long as it has to be."""
    for output in contender.outputs:
        found = samples_per_channel(output.path)
        if abs(found - output.samples_per_channel) > output.tolerance:
            raise SystemExit(
                f"bench: {contender.name} made {found} samples per channel"
                f" where {output.samples_per_channel} were due: {output.path}")


def remove_outputs(contender):
    """Returns how much there was of them, in bytes."""
    size = sum(output.path.stat().st_size for output in contender.outputs)
    for output in contender.outputs:
        output.path.unlink()
    return size
