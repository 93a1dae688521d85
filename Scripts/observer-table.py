#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the table of observer kinds into docs/observers.md, from the help topic of a built command.

    python3 Scripts/observer-table.py .build/release/rawaudio

A test compares the table with the kinds that the command declares.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "observers.md"
SECTIONS = {"KINDS THAT EDIT": "read-write", "KINDS THAT TELL": "read-only"}


def kinds(command):
    """The rows: how a kind is written, what it does, its mode if none is named."""
    topic = subprocess.run(
        [command, "help", "observers"], env={**os.environ, "COLUMNS": "10000"},
        capture_output=True, text=True, check=True).stdout
    mode = term = None
    for line in topic.splitlines():
        if line.endswith(":") and not line.startswith(" "):
            mode = SECTIONS.get(line[:-1])
        elif mode and line.strip():
            entry = re.fullmatch(r"  (\S+)(?: {2,}(.+))?", line)
            if entry:
                term, text = entry.groups()
            else:
                text = line.strip()
            if text:
                yield term, text, mode


def table(command):
    rows = [f"| `{term}` | {text} | `{mode}` |\n" for term, text, mode in kinds(command)]
    return "| kind | does | default mode |\n|---|---|---|\n" + "".join(rows)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    page = PAGE.read_text()
    old = re.search(r"\| kind \| does \|.*\n(\|.*\n)+", page)
    if not old:
        sys.exit(f"{PAGE} has no table of kinds")
    PAGE.write_text(page[: old.start()] + table(sys.argv[1]) + page[old.end():])


if __name__ == "__main__":
    main()
