# SPDX-License-Identifier: Apache-2.0
"""Puts the public symbols of several modules into one graph, as of one module: who uses the library reads one reference.

    python3 -B Scripts/one-module.py NAME FOLDER

FOLDER has the graphs that `swift symbolgraph-extract` makes, `Module.symbols.json` and `Module@Extended.symbols.json`;
they are replaced by NAME.symbols.json.
"""

import json
import pathlib
import sys


def main(name, folder):
    merged = None
    for path in sorted(pathlib.Path(folder).glob("*.symbols.json")):
        graph = json.loads(path.read_text())
        path.unlink()
        if merged is None:
            merged = graph | {"symbols": [], "relationships": []}
        merged["symbols"] += graph["symbols"]
        merged["relationships"] += graph["relationships"]
    if merged is None:
        sys.exit(f"one-module: there is no graph in '{folder}'")
    merged["module"]["name"] = name
    (pathlib.Path(folder) / f"{name}.symbols.json").write_text(json.dumps(merged))


main(*sys.argv[1:])
