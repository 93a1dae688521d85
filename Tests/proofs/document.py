# SPDX-License-Identifier: Apache-2.0
"""The command lines of docs/corpora.md, word for word: what is tested is what users copy."""

import pathlib
import subprocess
import textwrap

from .processes import Failure

PATH = pathlib.Path(__file__).parents[2] / "docs/corpora.md"


def blocks():
    """Every block of code: between fences, or indented."""
    found, lines, is_fenced = [], [], False
    for line in PATH.read_text().splitlines() + [""]:
        if line.startswith("```"):
            is_fenced = not is_fenced
            line = ""
        elif is_fenced or line.startswith("    "):
            lines.append(line)
            continue
        # Blank lines divide what is indented.
        if lines:
            found.append(textwrap.dedent("\n".join(lines)) + "\n")
            lines = []
    return found


def block(mark):
    """The one block that has `mark` in it."""
    found = [block for block in blocks() if mark in block]
    if len(found) != 1:
        raise Failure(f"{PATH}: {len(found)} blocks have '{mark}' in them, not one")
    return found[0]


def run(mark, folder, environment, expected=0):
    """Runs the block as a user would, and gives what it prints."""
    done = subprocess.run(["bash", "-c", block(mark)], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True)
    if done.returncode != expected:
        raise Failure(f"the lines with '{mark}': exit {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout
