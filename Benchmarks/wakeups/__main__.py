# SPDX-License-Identifier: Apache-2.0
"""How often recorders and players wake a processor, and what that costs: rawaudio beside arecord and aplay.

Both programs of a pair run at the same time on cards of their own, made of software, whose clock is the machine's.
A wake-up is a time that a thread of the program gave the processor up to wait (voluntary context switches, getrusage(2)).
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

RATE = 44100
# Milliseconds of a period, and periods in a buffer; None is what each program takes by itself.
SETTINGS = [None, (125, 4), (50, 10), (10, 10)]
GOAL = 1.3


def main():
    parser = argparse.ArgumentParser(prog="wakeups")
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--card", required=True, type=pathlib.Path, help="the card's configuration")
    parser.add_argument("--seconds", type=int, default=10, help="how long each run takes")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--write-to", type=pathlib.Path)
    parser.add_argument("--folder", help="where files are written; in memory, so that no disk is waited for")
    options = parser.parse_args()
    os.environ["ALSA_CONFIG_PATH"] = str(options.card)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        rows = list(measure(options, pathlib.Path(folder)))
    text = report(rows, options)
    print(text, end="")
    if options.write_to:
        options.write_to.write_text(heading + text, encoding="utf-8")
    return 0


def measure(options, folder):
    length = str(options.seconds)
    stereo = ["-r", str(RATE), "-c", "2"]
    source = folder / "source.wav"
    subprocess.run([options.program, "convert", "-q", "noise:white", *stereo, "--format", "s16", "-d", length,
                    "-o", source], check=True)
    for setting in SETTINGS:
        theirs, ours = sizes(setting)
        yield ("record", "arecord", setting, pairs(
            options,
            ["arecord", "-q", "-D", "card", "-f", "S16_LE", *stereo, "-d", length, *theirs, folder / "theirs.wav"],
            [options.program, "capture", "-q", "-D", "card", *stereo, "-d", length, *ours, "--force",
             "-o", folder / "ours.wav"]))
        yield ("play", "aplay", setting, pairs(
            options,
            ["aplay", "-q", "-D", "card", *theirs, source],
            [options.program, "play", "-q", "-D", "card", *ours, source]))


def sizes(setting):
    """The options that say so, of alsa-utils and of rawaudio."""
    if setting is None:
        return [], []
    period = RATE * setting[0] // 1000
    buffer = period * setting[1]
    return ([f"--period-size={period}", f"--buffer-size={buffer}"],
            ["--period-size", str(period), "--buffer-size", str(buffer)])


def pairs(options, theirs, ours):
    """Medians of CPU seconds and of wake-ups a second, theirs and ours."""
    runs = [run_beside(theirs, ours) for _ in range(options.runs)]
    return [(statistics.median(run[who][0] for run in runs),
             statistics.median(run[who][1] for run in runs) / options.seconds) for who in (0, 1)]


def run_beside(*commands):
    running = [subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
               for command in commands]
    results = []
    for process in running:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"{' '.join(map(str, process.args))}: exit {process.returncode}")
        results.append((usage.ru_utime + usage.ru_stime, usage.ru_nvcsw))
    return results


heading = """\
# Wake-ups

Made by `make wakeups`; [README.md](README.md) says what is measured.

"""


def report(rows, options):
    lines = ["| work | period × buffer | theirs: CPU | wake-ups/s | rawaudio: CPU | wake-ups/s | CPU ÷ theirs | wake-ups ÷ theirs |",
             "|---|---|--:|--:|--:|--:|--:|--:|"]
    for work, program, setting, ((their_cpu, their_wakes), (our_cpu, our_wakes)) in rows:
        name = "defaults" if setting is None else f"{setting[0]} ms × {setting[1]}"
        lines.append(
            f"| {work} ({program}) | {name} | {their_cpu * 1e3:.0f} ms | {their_wakes:.1f} | {our_cpu * 1e3:.0f} ms "
            f"| {our_wakes:.1f} | {verdict(our_cpu / their_cpu)} | {verdict(our_wakes / their_wakes)} |")
    lines += ["", f"{options.runs} runs of {options.seconds} s each, medians; goal: at most {GOAL} times theirs. "
              f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end."]
    return "\n".join(lines) + "\n"


def verdict(ratio):
    return f"{ratio:.2f}" if ratio <= GOAL else f"**{ratio:.2f}**"


if __name__ == "__main__":
    sys.exit(main())
