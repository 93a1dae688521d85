# SPDX-License-Identifier: Apache-2.0
"""Pastes the commands of a document into one shell, from top to bottom, in an empty folder.

    python3 -B Scripts/paste.py DOCUMENT FOLDER [--transcript]

An indented block is what is pasted: each of its commands has to end with 0. A block between ``` behind it is all that it
prints; if there is none, anything may be printed. A block that names a language is neither. Exit 1 at the first
difference. --transcript prints each block and its output.
"""

import difflib
import pathlib
import re
import subprocess
import sys


def blocks(text):
    """The indented blocks, each with what it prints, or None."""
    pasted = None
    for piece in re.findall(r"(?:^(?: {4}.*)?\n)+|^```\w*\n(?:.*\n)*?```\n|^.*\n", text, flags=re.M):
        if piece.startswith("    ") or piece.lstrip("\n").startswith("    "):
            if pasted:
                yield pasted, None
            pasted = re.sub(r"^ {4}", "", piece.strip("\n"), flags=re.M) + "\n"
        elif piece.startswith("```\n"):
            if not pasted:
                raise SystemExit(f"nothing prints this:\n{piece}")
            yield pasted, piece[4:-4]
            pasted = None
        elif piece.strip() and pasted:
            yield pasted, None
            pasted = None
    if pasted:
        yield pasted, None


def main(document, folder, *options):
    folder.mkdir(parents=True, exist_ok=True)
    pieces = list(blocks(document.read_text()))
    assert pieces, f"{document} has nothing to paste"
    # The end of a block is told on a line of its own, with what the shell then knows.
    end = "end of what was pasted"
    shell = subprocess.Popen(["bash", "--noprofile", "--norc"], cwd=folder, text=True, stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    shell.stdin.write("set -o pipefail\nfailure=0\n"
                      "trap 'status=$?; ((failure)) || { failure=$status; failed=$BASH_COMMAND; }' ERR\n")
    for pasted, expected in pieces:
        shell.stdin.write(f"{pasted}echo \"{end} $failure $failed\"\n")
        shell.stdin.flush()
        printed = ""
        for line in shell.stdout:
            if end in line:
                break
            printed += line
        printed += line[: line.index(end)]
        if "--transcript" in options:
            print("".join(f"$ {command}\n" for command in pasted.splitlines()) + printed, flush=True)
        status, _, failed = line[line.index(end) + len(end) + 1 :].strip().partition(" ")
        if status != "0":
            raise SystemExit(f"{document}: exit {status}: {failed}\n{printed}")
        if expected is not None and printed != expected:
            difference = difflib.unified_diff(expected.splitlines(), printed.splitlines(), "the document",
                                              "what was printed", lineterm="")
            raise SystemExit(f"{document}: other output of:\n{pasted}" + "\n".join(difference))
    shell.stdin.close()
    shell.wait()
    commands = sum(1 for pasted, _ in pieces for line in pasted.replace("\\\n", "").splitlines() if line.strip())
    shown = sum(expected is not None for _, expected in pieces)
    print(f"  checked: {commands} commands of {document.name}, pasted from top to bottom; {shown} outputs as shown")


main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), *sys.argv[3:])
