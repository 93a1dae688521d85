# SPDX-License-Identifier: Apache-2.0
"""The command under test, and programs beside it."""

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
