# SPDX-License-Identifier: Apache-2.0
"""Checks that every source file names its licence at its top, as SPDX has it.

    python3 -B Scripts/licence-lines.py [--write]

With --write the line is put in where it is missing. Exit 1 if it is missing otherwise.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
LICENCE = "SPDX-License-Identifier: Apache-2.0"
"""How a comment begins in files of that kind."""
COMMENTS = {".swift": "//", ".c": "//", ".h": "//", ".modulemap": "//", ".py": "#", ".sh": "#", ".conf": "#", ".mk": "#"}
NAMES = {"Makefile": "#", "Containerfile": "#", ".ci/run": "#"}
FOLDERS = ["Sources", "Tests", "Examples", "Benchmarks", "Scripts"]


def sources():
    for path in [*ROOT.iterdir(), ROOT / ".ci/run", *(file for name in FOLDERS for file in (ROOT / name).rglob("*"))]:
        comment = NAMES.get(path.name) or NAMES.get(str(path.relative_to(ROOT))) or COMMENTS.get(path.suffix)
        if comment and path.is_file():
            yield path, comment


def with_licence(text, comment):
    # Some first lines have to stay the first.
    first = re.match(r"#!.*\n|// swift-tools-version.*\n", text)
    end = first.end() if first else 0
    return f"{text[:end]}{comment} {LICENCE}\n{text[end:]}"


def main(write):
    missing = 0
    for path, comment in sources():
        text = path.read_text()
        if f"{comment} {LICENCE}\n" in text[:200]:
            continue
        missing += 1
        if write:
            path.write_text(with_licence(text, comment))
        else:
            print(f"{path.relative_to(ROOT)}: its licence is missing; run: python3 Scripts/licence-lines.py --write",
                  file=sys.stderr)
    return 0 if write else min(missing, 1)


sys.exit(main("--write" in sys.argv[1:]))
