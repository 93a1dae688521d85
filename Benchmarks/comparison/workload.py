# SPDX-License-Identifier: Apache-2.0
"""What is compared: pieces of work, and who does each."""

import dataclasses
from typing import Callable


@dataclasses.dataclass(frozen=True)
class Output:
    """A sound file that a command makes, and how long it has to be."""

    path: object
    samples_per_channel: int
    tolerance: int = 0


@dataclasses.dataclass(frozen=True)
class Contender:
    """One way to do a piece of work. What it does is done `times` times in a run."""

    name: str
    commands: list
    outputs: list = dataclasses.field(default_factory=list)
    times: int = 1


@dataclasses.dataclass(frozen=True)
class Goal:
    """What the contender of a name should reach."""

    contender: str
    text: str
    measured: Callable
    """From the results of the workload: what to print, and whether the goal is reached."""


@dataclasses.dataclass(frozen=True)
class Workload:
    """A piece of work. Ratios are to the first contender."""

    title: str
    contenders: list
    goals: list = dataclasses.field(default_factory=list)
    most_runs: int = 1000
    """How many counted runs at most: what takes long is run less often."""
    is_edit: bool = False
    """Whether it is a row of the table of edits; sox and ffmpeg are then the others, where they can do it."""
