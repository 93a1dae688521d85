# SPDX-License-Identifier: Apache-2.0
"""The command under test, and programs beside it."""

import json
import os
import pathlib
import subprocess

"""COMMAND_UNDER_TEST names it."""
PROGRAM = str(pathlib.Path(os.environ.get("COMMAND_UNDER_TEST", ".build/release/rawaudio")).resolve())


def run(words, **options):
    """Runs a program to its end without input. Its texts are kept, and its exit code is the caller's matter."""
    options = {"capture_output": True, "text": True} | options
    return subprocess.run([str(word) for word in words], stdin=subprocess.DEVNULL, check=False, **options)


def rawaudio(*words, **options):
    return run([PROGRAM, *words], **options)


def summary(messages):
    """The last event of a run with `--json`, among its messages. None if there is none."""
    return next((json.loads(line) for line in messages.splitlines() if '"event":"summary"' in line), None)
