# SPDX-License-Identifier: Apache-2.0
"""The Markdown of docs/faults.md."""

import under
import verdict

INTRODUCTION = """\
# Faults

The remains of a recording or a playback after a failure, with {versions}.
`make fault-table` makes this table. It fails if rawaudio loses more than it reports, leaves a wrong header or exits
with a wrong code.

Every program records two channels of 48 kHz and 32 bits from the [virtual card](../Tests/VirtualCard/README.md) in real
time, or plays two seconds to it. The card fails at the same sample for all programs. The value of each sample is its
own position on the device's clock, so the file itself shows its gaps and any misplaced samples. The programs choose
period and buffer themselves. rawaudio records with `--json`, which reports gaps and the clock's drift.
[recording.md](recording.md) states its largest loss, and describes files beyond 4 GiB.

- **kept**: the device's sound in the file, out of the sound delivered until the fault ended the run or, if the run went
  on, up to the last sample in the file; for a playback, the sound that was heard.
- **header valid**: the header claims exactly the bytes in the file.
- **gap accounted**: the file is as long as the device's clock ran, to within a period of 10 ms, and the missing samples
  were reported. *moved up*: samples after a gap come too early by this much.
- **message**: the last line on standard error, shortened.
"""

COLUMNS = ["fault", "program", "kept", "header valid", "gap accounted", "exit code", "message"]


EVERY_COMMAND = """\
## Under every command

These faults of a system can affect any command. The inputs are two seconds of two channels at 32 bits; `session` mixes
them as `mix` does and writes a track of each. `convert -` reads a pipe, which cannot be repeated, so its received
samples are kept; the first Ctrl-C ends it, and the file is complete, exit 0. *As ever* means the samples, the text or
the heard length of a run without the fault.

"""

COLUMNS_OF_ALL = ["fault", "command", "rawaudio", "message", "sox", "ffmpeg"]


def document(results, conditions, programs):
    versions = ", ".join(f"{program.name} {program.version()}" for program in programs)
    parts = [INTRODUCTION.format(versions=versions)]
    for title, plays in (("Recording", False), ("Playback", True)):
        rows = [row for row in results if row[0].fault.plays == plays]
        if rows:
            parts += [f"## {title}\n", *table(rows), ""]
    if conditions:
        parts += [EVERY_COMMAND.rstrip() + "\n", line(COLUMNS_OF_ALL), line(["---"] * len(COLUMNS_OF_ALL)),
                  *conditions_table(conditions)]
    return "\n".join(parts).rstrip() + "\n"


def conditions_table(rows):
    """`rows`: for each condition and command what came of it, of each program, and what comes of it as ever.
    Commands that fare alike share a line."""
    title, merged = None, {}
    for results, usual in rows:
        ours = results[0]
        message = ours.program.message(ours.said) if ours.code else ""
        cells = [under.cell(*pair) for pair in zip(results, usual)]
        alike = (ours.condition.title, cells[0], message, *cells[1:])
        merged.setdefault(alike, []).append(ours.command)
    for (fault, *cells), commands in sorted(merged.items(), key=lambda item: order(rows, item[0][0])):
        first, title = ("" if fault == title else fault), fault
        yield line([first, ", ".join(commands), *map(escaped, cells)])


def order(rows, fault):
    return next(number for number, (results, _) in enumerate(rows) if results[0].condition.title == fault)


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
