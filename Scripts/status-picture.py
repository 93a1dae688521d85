# SPDX-License-Identifier: Apache-2.0
"""Draws what rawaudio shows on a terminal while it records from the virtual card: docs/pictures/status.svg.

    COMMAND_UNDER_TEST=PROGRAM ALSA_CONFIG_PATH=CARD python3 -B Scripts/status-picture.py FILE

The program runs on a pseudo-terminal (Tests/Terminal); its last lines are drawn as they were sent, cell by cell.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from xml.sax.saxutils import escape

PROGRAM = os.environ["COMMAND_UNDER_TEST"]
TERMINAL = pathlib.Path(__file__).resolve().parents[1] / "Tests/Terminal"
COLUMNS = 90
SOUND = "mix sweep:100-10000 noise:pink --pan -1 --pan 1 --gain -9 --gain -12 -d 20 -c 2 -r 48000 -f s16 -t raw -o"
"""What is typed, and how many lines of the screen are its status."""
RECORDINGS = [("rawaudio capture -o take.flac", 1), ("rawaudio capture --meter full -o loud.flac", 4)]

CELL, LINE, MARGIN = 8.4, 20, 14
COLOURS = {"": "#d8dee9", "0;32": "#5fbf6a", "0;33": "#e0b040", "0;31": "#e05a50", "0;2": "#6b7686"}
"""How much of a cell is filled."""
BLOCKS = {"█": 1, "▒": 0.45}


def status(command, count, folder):
    """The last whole status, line by line, with the control sequences of its colours."""
    words = [PROGRAM, *command.split()[1:]]
    words[2:2] = ["-D", "card"]
    plan = {"columns": COLUMNS, "steps": [{"after": 30, "signal": 2}]}
    environment = dict(os.environ, TERM="xterm-256color", LC_ALL="C.UTF-8",
                       VIRTUAL_CARD_INFILE=str(folder / "sound.raw"))
    run = subprocess.run([sys.executable, "-B", TERMINAL, json.dumps(plan), *words], cwd=folder, env=environment,
                         capture_output=True, text=True, check=True)
    text = re.sub(r"\r+\n", "\n", json.loads(run.stdout)["text"])
    frames = [frame for frame in re.split(r"\r(?:\x1b\[\d+A)?", text) if frame.startswith("recording")]
    return frames[-2].replace("\x1b[K", "").rstrip().split("\n")[:count]


def drawn(line, y):
    """The pieces of a line that have one colour."""
    column, colour = 0, ""
    for piece in re.split(r"(\x1b\[[0-9;]*m)", line):
        if piece.startswith("\x1b"):
            colour = piece[2:-1] if piece[2:-1] in COLOURS else ""
            continue
        for run in re.findall(r"█+|▒+|[^█▒]+", piece):
            x, width, fill = MARGIN + column * CELL, len(run) * CELL, COLOURS[colour]
            if run[0] in BLOCKS:
                yield (f'<rect x="{x:.1f}" y="{y - 13}" width="{width:.1f}" height="15" fill="{fill}" '
                       f'fill-opacity="{BLOCKS[run[0]]}"/>')
            elif run.strip():
                yield (f'<text x="{x:.1f}" y="{y}" fill="{fill}" textLength="{width:.1f}" '
                       f'lengthAdjust="spacingAndGlyphs" xml:space="preserve">{escape(run)}</text>')
            column += len(run)


def main(path):
    pieces, y = [], MARGIN + 13
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([PROGRAM, *SOUND.split(), "sound.raw"], cwd=folder, check=True)
        for command, count in RECORDINGS:
            pieces += drawn(f"\x1b[0;2m$\x1b[0m {command}", y)
            for line in status(command, count, folder):
                y += LINE
                pieces += drawn(line, y)
            y += LINE * 3 // 2
    width, height = round(2 * MARGIN + COLUMNS * CELL), y - LINE + MARGIN - 7
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14">\n'
        "<title>A terminal while rawaudio records: the status line, and a meter for each channel</title>\n"
        f'<rect width="{width}" height="{height}" rx="6" fill="#1b1f27"/>\n' + "\n".join(pieces) + "\n</svg>\n")


main(pathlib.Path(sys.argv[1]))
