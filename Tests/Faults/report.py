"""The Markdown of docs/faults.md."""

import verdict

INTRODUCTION = """\
# Faults

What becomes of a recording or a playback when something fails, in {versions}.
Made by `make fault-table`, which fails where rawaudio loses more than it says, leaves a header that
lies, or exits with a wrong code.

Every program records two channels of 48 kHz and 32 bits from the
[virtual card](../Tests/VirtualCard/README.md) in real time, or plays two seconds to it; the card fails
at a set sample, all programs alike. Every sample that the card gives is its place on the device's clock,
so the file itself tells what is missing and whether the rest is where it belongs. The programs choose
period and buffer themselves; rawaudio records with `--json`, which states gaps and the clock's drift. What
it may lose at most, and files beyond 4 GiB, are in [recording.md](recording.md).

- **kept**: how much of the file is the device's own sound, of what the device gave until the fault ended
  the run or, where it went on, up to the last sample in the file; for a playback, how much of it was heard.
- **header valid**: it claims exactly the bytes that are there.
- **gap accounted**: the file has the length of the device's clock to within a period of 10 ms, and what is
  missing was told. *moved up*: what follows a gap stands too early by so much.
- **message**: the last line on standard error, shortened.
"""

COLUMNS = ["fault", "program", "kept", "header valid", "gap accounted", "exit code", "message"]


def document(results, programs):
    versions = ", ".join(f"{program.name} {program.version()}" for program in programs)
    parts = [INTRODUCTION.format(versions=versions)]
    for title, plays in (("Recording", False), ("Playback", True)):
        rows = [row for row in results if row[0].fault.plays == plays]
        if rows:
            parts += [f"## {title}\n", *table(rows), ""]
    return "\n".join(parts).rstrip() + "\n"


def table(rows):
    yield line(COLUMNS)
    yield line(["---"] * len(COLUMNS))
    for row in rows:
        for index, outcome in enumerate(row):
            program = outcome.program.player if outcome.fault.plays else outcome.program.name
            title = outcome.fault.title if index == 0 else ""
            name = f"**{program}**" if index == 0 else program
            yield line([title, name, *map(escaped, verdict.cells(outcome))])


def escaped(text):
    return text.replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;")


def line(cells):
    return "| " + " | ".join(cells) + " |"
