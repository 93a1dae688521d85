# SPDX-License-Identifier: Apache-2.0
"""Looks up the names of Swift that documents give in tables.

    python3 -B Scripts/swift-names.py SYMBOLS DOCUMENT...

SYMBOLS is the graph of a module's public symbols. A column whose heading is Swift has names between backticks, as in
`Session.register(_:from:)`: each has to be a symbol. Exit 1 if one is not.
"""

import json
import pathlib
import re
import sys


def names(text):
    """The names in columns of Swift, each with the number of its line."""
    column = None
    for number, line in enumerate(text.splitlines(), 1):
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if not cells:
            column = None
        elif column is None:
            column = cells.index("Swift") if "Swift" in cells else -1
        elif column >= 0:
            yield from ((number, name) for name in re.findall(r"`([^`]+)`", cells[column]))


def main(symbols, documents):
    graph = json.loads(pathlib.Path(symbols).read_text())
    known = {".".join(symbol["pathComponents"]) for symbol in graph["symbols"]}
    unknown = []
    for document in documents:
        for number, name in names(pathlib.Path(document).read_text()):
            if name not in known:
                unknown.append(f"{document}:{number}: AudioCore has no {name}")
    if unknown:
        raise SystemExit("\n".join(unknown))


main(sys.argv[1], sys.argv[2:])
