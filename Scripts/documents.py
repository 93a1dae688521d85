# SPDX-License-Identifier: Apache-2.0
"""Holds documents against the things that they describe; exit 1 and a line for each difference.

    python3 -B Scripts/documents.py check
    python3 -B Scripts/documents.py names SYMBOLS
    python3 -B Scripts/documents.py paste DOCUMENT FOLDER [--transcript]

check: each link leads to a file, and each block of Swift is part of an example, and therefore compiles. A manifest of a
package is none: Scripts/examples resolves it, and builds those of docs/library.md, which are programs.

names: makes one graph, AudioCore.symbols.json, of the graphs of public symbols in the folder SYMBOLS, because who uses the
library reads one reference. A column of a table whose heading is Swift has names between backticks, as in
`Session.register(_:from:)`: each has to be a symbol.

paste: pastes the commands of a document into one shell, from top to bottom, in a folder. An indented block is pasted: each of
its commands has to end with 0. A block between ``` behind it is all that it prints; if there is none, anything may be printed.
A block that names a language is neither. --transcript prints each block and its output.
"""

import difflib
import json
import pathlib
import re
import subprocess
import sys


def check():
    pages = [path for place in ("*.md", "docs/*.md", "docs/architecture/*.md", "Benchmarks/*.md", "Tests/*/README.md")
             for path in sorted(pathlib.Path().glob(place))]
    for path in pages:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", line):
                if not (path.parent / target).exists():
                    yield f"{path}:{number}: there is no {path.parent / target}"
    examples = [trimmed(path.read_text()) for path in pathlib.Path("Examples").glob("*/*.swift")]
    articles = sorted(pathlib.Path("Sources/AudioCore/AudioCore.docc").glob("*.md"))
    for path in [pathlib.Path("README.md"), pathlib.Path("docs/coming-from-sdks.md"), *articles]:
        for block in re.findall(r"^```swift\n(?!// swift-tools-version)(.*?)^```", path.read_text(), re.MULTILINE | re.DOTALL):
            if not any(trimmed(block) in example for example in examples):
                yield f"{path}: no example has this code:\n{block}"


def trimmed(text):
    return re.sub(r"^[ \t]+|[ \t]+$", "", text, flags=re.MULTILINE)


def names(folder):
    merged = None
    for path in sorted(pathlib.Path(folder).glob("*.symbols.json")):
        graph = json.loads(path.read_text())
        path.unlink()
        merged = merged or graph | {"module": graph["module"] | {"name": "AudioCore"}, "symbols": [], "relationships": []}
        merged["symbols"] += graph["symbols"]
        merged["relationships"] += graph["relationships"]
    (pathlib.Path(folder) / "AudioCore.symbols.json").write_text(json.dumps(merged))
    known = {".".join(symbol["pathComponents"]) for symbol in merged["symbols"]}
    for path in sorted(pathlib.Path("docs").glob("*.md")):
        column = None
        for number, line in enumerate(path.read_text().splitlines(), 1):
            cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
            if not cells or column is None:
                column = cells.index("Swift") if "Swift" in cells else -1 if cells else None
            elif column >= 0:
                yield from (f"{path}:{number}: AudioCore has no {name}"
                            for name in re.findall(r"`([^`]+)`", cells[column]) if name not in known)


def blocks(text):
    """The indented blocks, each with the block of its output, or None."""
    pasted = None
    for piece in [*re.findall(r"(?:^(?: {4}.*)?\n)+|^```\w*\n(?:.*\n)*?```\n|^.*\n", text, flags=re.M), "end"]:
        if piece.startswith("```\n"):
            if not pasted:
                raise SystemExit(f"nothing prints this:\n{piece}")
            yield pasted, piece[4:-4]
            pasted = None
        elif piece.strip():
            if pasted:
                yield pasted, None
            pasted = re.sub(r"^ {4}", "", piece.strip("\n"), flags=re.M) + "\n" if piece.lstrip("\n").startswith("    ") else None


def paste(name, folder, *options):
    document, folder = pathlib.Path(name), pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    pieces = list(blocks(document.read_text()))
    assert pieces, f"{document} has nothing to paste"
    # The end of a block is told on a line of its own, with the first failure that the shell then knows.
    end = "end of what was pasted"
    shell = subprocess.Popen(["bash", "--noprofile", "--norc"], cwd=folder, text=True, stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    shell.stdin.write("set -o pipefail\nfailure=0\n"
                      "trap 'status=$?; ((failure)) || { failure=$status; failed=$BASH_COMMAND; }' ERR\n")
    for pasted, expected in pieces:
        shell.stdin.write(f"{pasted}echo \"{end} $failure $failed\"\n")
        shell.stdin.flush()
        printed = ""
        while end not in printed and (line := shell.stdout.readline()):
            printed += line
        printed, _, told = printed.partition(end)
        if "--transcript" in options:
            print("".join(f"$ {command}\n" for command in pasted.splitlines()) + printed, flush=True)
        status, _, failed = told.strip().partition(" ")
        if status != "0":
            yield f"{document}: exit {status}: {failed}\n{printed}"
            return
        if expected is not None and printed != expected:
            difference = difflib.unified_diff(expected.splitlines(), printed.splitlines(), "the document", "the output", lineterm="")
            yield f"{document}: other output of:\n{pasted}" + "\n".join(difference)
            return
    shell.stdin.close()
    shell.wait()
    commands = sum(1 for pasted, _ in pieces for line in pasted.replace("\\\n", "").splitlines() if line.strip())
    shown = sum(expected is not None for _, expected in pieces)
    print(f"  checked: {commands} commands of {document.name}, pasted from top to bottom; {shown} outputs as shown")


faults = list({"check": check, "names": names, "paste": paste}[sys.argv[1]](*sys.argv[2:]))
sys.exit("\n".join(faults) if faults else 0)
