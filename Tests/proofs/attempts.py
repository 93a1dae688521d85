# SPDX-License-Identifier: Apache-2.0
"""Checks in real time. On a busy machine a server or a sender of the proof may itself be too late, and a check counts that
against the program; a fault of the program fails every time."""

import subprocess

from .processes import Failure

ATTEMPTS = 4


def failures(checks, names, begun, title=""):
    """Runs all checks, or those of these names, each until it succeeds, and prints every failure. - Returns: how many failed.

    begun: takes the number of the attempt; the context that gives the check's argument.
    """
    return sum(not succeeds(check, begun, title) for check in checks if not names or check.__name__ in names)


def succeeds(check, begun, title):
    for attempt in range(ATTEMPTS):
        with begun(attempt) as argument:
            try:
                print(f"{title}{check(argument)}", flush=True)
                return True
            except (AssertionError, Failure, subprocess.TimeoutExpired) as error:
                print(f"{title}{check.__name__}: {error}, {attempt + 1} of {ATTEMPTS}", flush=True)
    return False
