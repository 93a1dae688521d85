# SPDX-License-Identifier: Apache-2.0
"""What every kind of sound file carries into every other, by rawaudio, by sox and by ffmpeg.

    python3 Tests/Carried [--write DOCUMENT] [KIND…]

Files made by other programs are converted and read by other programs. Prints a table, or writes it into a document.
Exit 1 where something is lost by rawaudio without a word. COMMAND_UNDER_TEST names the program.
"""

import argparse
import json
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import material
import reader
from proofs.command import rawaudio, run as run_other

FIELDS = ["title", "artist", "comment", "date", "mood", "origin", "marks", "loop", "picture", "CUESHEET", "layout",
          "GUANO", "R128", "MP3GAIN", "iXML tracks"]
"""How a loss is named by rawaudio, by field."""
NAMES = {"origin": "origin", "marks": r"\bmarks?\b", "loop": "loops|sampler", "picture": "picture",
         "CUESHEET": "cue sheet", "layout": "places of the channels|channel layout", "GUANO": "GUANO|'guan'",
         "R128": r"\btags?\b.*(REPLAYGAIN|R128)_TRACK_GAIN", "iXML tracks": "'iXML'|names of the channels"}
KEPT, NAMED, LOST = "●", "○", "×"
LEGEND = f"`{KEPT}` found in the result, `{NAMED}` lost and named, `{LOST}` lost without a word, empty: not in the source"


def convert_ours(source, target, kind):
    """The losses that are named, as one text; None where nothing was written."""
    encoding = [] if kind in ("ogg", "opus", "mp3") else ["-f", "s16"]
    container = ["-t", "rf64"] if kind == "rf64" else []
    run = rawaudio("convert", source, *encoding, *container, "--jobs", "1", "--results", "-", "-o", target)
    if run.returncode != 0:
        sys.exit(f"{source.name} → {kind}: {run.stderr}")
    return "\n".join(loss["name"] for loss in json.loads(run.stdout)["lostMetadata"])


def convert_others(command):
    return "" if run_other(command, text=False).returncode == 0 else None


def sox(source, target, kind):
    return None if kind in ("rf64", "opus") else convert_others(["sox", source, target])


def ffmpeg(source, target, kind):
    more = {"rf64": ["-rf64", "always"], "wav": ["-write_bext", "1"], "aiff": ["-write_id3v2", "1"]}.get(kind, [])
    if kind == "rf64":
        more += ["-write_bext", "1"]
    if kind == "ogg":
        more += ["-c:a", "libvorbis", "-vn"]
    return convert_others(["ffmpeg", "-v", "error", "-y", "-i", source, *more, target])


TOOLS = {"rawaudio": convert_ours, "sox": sox, "ffmpeg": ffmpeg}


def is_kept(field, value, result):
    """Whether a field of the source is found in the result, at the same place."""
    if field in result and result[field] == value:
        return True
    # ffmpeg calls it so in Vorbis comments.
    if field == "comment" and result.get("description") == value:
        return True
    return field == "date" and field in result and result[field][0].startswith(value[0][:4])


def cells(source, targets, folder, name):
    """A mark for each field, by kind and tool."""
    given = reader.read(source)
    for kind in targets:
        marks = {}
        for tool, convert in TOOLS.items():
            target = folder / f"{name}-{tool}.{'rf64.wav' if kind == 'rf64' else kind}"
            losses = convert(source, target, kind)
            if losses is None or not target.exists():
                continue
            found = reader.read(target)
            for field in FIELDS:
                if field not in given:
                    continue
                if is_kept(field, given[field], found):
                    mark = KEPT
                else:
                    words = NAMES.get(field) or rf"\btags?\b.*\b{field.upper()}\b"
                    mark = NAMED if tool == "rawaudio" and re.search(words, losses) else LOST
                marks[tool, field] = mark
                if mark == LOST and tool == "rawaudio":
                    print(f"{source.name} → {kind}: {field} {given[field]!r} is lost, found {found.get(field)!r}, "
                          f"named {losses!r}", file=sys.stderr)
            target.unlink()
        yield kind, marks


def table(rows):
    """A row for each pair, a column for each field, and in it a mark for each program."""
    lines = [f"| from | to | {' | '.join(FIELDS)} |", f"|---|---|{'---|' * len(FIELDS)}"]
    for source, target, marks in rows:
        row = []
        for field in FIELDS:
            tried = [tool for tool in TOOLS if any(key[0] == tool for key in marks)]
            found = [marks.get((tool, field), "") if tool in tried else "-" for tool in TOOLS]
            row.append(" ".join(found) if any(mark in (KEPT, NAMED, LOST) for mark in found) else "")
        lines.append(f"| {source} | {target} | {' | '.join(row)} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("kinds", nargs="*", default=[])
    options = parser.parse_args()
    rows, counts = [], {tool: {KEPT: 0, NAMED: 0, LOST: 0} for tool in TOOLS}
    with tempfile.TemporaryDirectory(prefix="carried-") as folder:
        folder = pathlib.Path(folder)
        files, six = material.make(folder / "material")
        for kind, source in files.items():
            if options.kinds and kind not in options.kinds:
                continue
            found = {target: marks for target, marks in cells(source, material.KINDS, folder, kind)}
            if kind in six:
                for target, marks in cells(six[kind], six, folder, f"{kind}-six"):
                    found[target] |= {key: mark for key, mark in marks.items() if key[1] == "layout"}
            for target, marks in found.items():
                rows.append((kind, target, marks))
                for (tool, _), mark in marks.items():
                    counts[tool][mark] += 1
    summary = [f"| {tool} | {count[KEPT]} | {count[NAMED]} | {count[LOST]} |" for tool, count in counts.items()]
    text = "\n".join(["| | kept | named | lost |", "|---|---:|---:|---:|", *summary, "",
                      f"In each cell: {', '.join(TOOLS)}. {LEGEND}; `-`: the program does not write it.", "",
                      table(rows)])
    if options.write:
        document = options.write.read_text()
        head = document.partition("<!-- by make carried -->")[0]
        options.write.write_text(f"{head}<!-- by make carried -->\n\n{text}\n")
        print("\n".join(text.splitlines()[:5]))
    else:
        print(text)
    sys.exit(1 if counts["rawaudio"][LOST] else 0)


main()
