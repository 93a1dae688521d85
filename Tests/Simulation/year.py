# SPDX-License-Identifier: Apache-2.0
"""A station through a year, in virtual time: what the shipped command recorded at its hours, through both nights of
summer time, restarts, kills, a full disk, a dead microphone and uploads that fail, is there, deleted on purpose or told.
"""

import datetime
import json
import os
import random
import re
import shutil
import struct
import subprocess
import time
import zoneinfo

import numpy

import sound

RATE = 1_000
ZONE = zoneinfo.ZoneInfo("Europe/Berlin")
BEGINNING = datetime.datetime(2026, 11, 1, 12, tzinfo=datetime.timezone.utc)
# Hours that both nights of summer time cut: each window is two minutes, but for these nights.
WINDOWS = (("01:59", "02:01"), ("02:59", "03:01"))
KEPT_DAYS = 60
FAILED_UPLOADS = 200
RESTARTS, KILLS = 30, 5
# A part is named when its first sample is there, to the second.
NAME = re.compile(r"(\d{8}T\d{6}[+-]\d{4})(?:_x\d+)?\.wav")

UPLOAD = """#!/bin/sh
# Fails so many times, then notes what it was given.
count=$(cat count 2>/dev/null || echo 0)
if [ "$count" -lt %d ]; then
  echo $((count + 1)) > count
  exit 1
fi
echo "$RAWAUDIO_PART" >> uploaded
"""


class Run:
    """One run of the command: when, what happens, and how it ends."""

    def __init__(self, begin, end, ending):
        self.begin = begin
        self.end = end
        self.ending = ending
        self.faults = [f"{(end - begin) * 1_000}:{'kill' if ending == 'kill' else 'signal:15'}"]
        self.is_dead = False


class Year:
    def __init__(self, runner, days):
        self.runner = runner
        self.draw = random.Random("year")
        self.days = days
        self.errors = []
        self.windows = [window for day in range(-1, days + 2)
                        for window in windows_of((BEGINNING + datetime.timedelta(days=day)).date())]
        self.folder = runner.folder / "station"
        self.runs = self._runs()

    def _runs(self):
        """The station is switched on some minutes before its first window, and off behind the last one. Some nights it is
        killed within a window, where that costs most, or restarts between the windows."""
        nights = {}
        for begin, end in self.windows:
            night = datetime.datetime.fromtimestamp(begin, ZONE).date()
            nights.setdefault(night, []).append((begin, end))
        nights = [windows for windows in nights.values()][1:self.days + 1]
        count = -(-KILLS * self.days // 365)
        events = self.draw.sample(range(self.days), count + -(-RESTARTS * self.days // 365))
        kills, restarts = set(events[:count]), set(events[count:])
        runs = []
        for place, windows in enumerate(nights):
            begin, end = windows[0][0] - 240, windows[-1][1] + 120
            if place in kills or place in restarts:
                middle = windows[0][0] + 60 if place in kills else windows[0][1] + 20
                runs.append(Run(begin, middle, "kill" if place in kills else "restart"))
                begin = middle + 5
            runs.append(Run(begin, end, "restart"))
        whole = [run for run in runs if len(self._inside(run)) == 2]
        full, dead = whole[len(whole) // 3], whole[2 * len(whole) // 3]
        window = self._inside(full)[0]
        full.faults.append(f"{(window[0] + 30 - full.begin) * 1_000}:full:40000")
        self.full, dead.is_dead = full, True
        return runs

    def _inside(self, run):
        return [window for window in self.windows if run.begin + 10 < window[0] and window[1] + 10 < run.end]

    # MARK: As the program gets it

    def arguments(self):
        record = ",".join(f"{begin}-{end}" for begin, end in WINDOWS)
        return ["capture", "-D", "card", "-r", str(RATE), "-c", "2", "-f", "s16", "--split", "hour",
                "--record", record, "--reopen", "--keep", f"{KEPT_DAYS}d", "--log", "log-%Y-%m.jsonl",
                "--alarm-silence", "30", "--metrics", "station.prom", "--on-part", "./upload.sh",
                "-o", "rec/%Y%m%dT%H%M%S%z.wav"]

    def environment(self, run, number):
        named = {"SIMULATION_SEED": str(number), "SIMULATION_NAMES": "1", "SIMULATION_SYNCHRONIZED": "1",
                 "SIMULATION_BEGINNING": str(run.begin), "SIMULATION_SWITCHING": "0", "SIMULATION_PREEMPTION": "0",
                 "SIMULATION_LIMIT": str(run.end - run.begin + 86_400), "SIMULATION_FAULTS": " ".join(run.faults),
                 "VIRTUAL_CARD_SPEED": "1", "VIRTUAL_CARD_RATES": str(RATE)}
        if run.is_dead:
            named |= {"VIRTUAL_CARD_INFILE": "../dead.raw", "VIRTUAL_CARD_AT_EOF": "loop"}
        return {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "TZ": "Europe/Berlin",
                "ALSA_CONFIG_PATH": str(self.runner.configuration), "LD_PRELOAD": str(self.runner.library),
                "SWIFT_DETERMINISTIC_HASHING": "1", **named}

    # MARK: The year

    def pass_by(self):
        shutil.rmtree(self.runner.folder, ignore_errors=True)
        (self.folder / "rec").mkdir(parents=True)
        (self.folder / "upload.sh").write_text(UPLOAD % FAILED_UPLOADS)
        (self.folder / "upload.sh").chmod(0o755)
        # One microphone is heard, the other one gives a constant of 0.2 %.
        dead = numpy.empty((RATE, 2), "<i2")
        dead[:, 0], dead[:, 1] = numpy.where(numpy.arange(RATE) % 20 < 10, 8_000, -8_000), 66
        (self.runner.folder / "dead.raw").write_bytes(dead.tobytes())
        self.journal_bytes = 0
        self.covered, self.known, self.told_loss, self.cut_loss, self.removed = [], {}, 0.0, 0.0, 0
        for number, run in enumerate(self.runs):
            self._pass(run, number)
        self._judge_whole()
        return not self.errors

    def _pass(self, run, number):
        before = self._log()
        try:
            finished = subprocess.run(
                [str(self.runner.program), *self.arguments()], cwd=self.folder, timeout=600,
                env=self.environment(run, number), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE, check=False)
        except subprocess.TimeoutExpired:
            return self.errors.append(f"run {number}: it takes for ever")
        self.journal_bytes += len(finished.stderr)
        if run.ending == "restart" and finished.returncode not in (0, 1):
            self.errors.append(f"run {number}: exit {finished.returncode}: {finished.stderr[-400:].decode()}")
        self._judge(run, number, self._log()[len(before):])
        return None

    def _log(self):
        """All lines of all months, in order; a kill may cut the last one."""
        lines = []
        for path in sorted(self.folder.glob("log-*.jsonl")):
            for line in path.read_text(encoding="utf-8").splitlines():
                try:
                    lines.append(json.loads(line))
                except ValueError:
                    pass
        return lines

    # MARK: What is there

    def _judge(self, run, number, lines):
        covered = []
        for path in sorted((self.folder / "rec").iterdir()):
            # The list of parts that wait for their upload is hidden.
            if path.name in self.known or path.name.startswith("."):
                continue
            begin, length = self._read(path, run, number)
            self.known[path.name] = begin + length
            covered.append((begin, begin + length))
            # Files get the time of this machine, not the virtual one.
            os.utime(path, (begin + length,) * 2)
        for line in lines:
            if line["event"] == "part-removed" and line["error"] is None:
                self._judge_removed(run, number, line["path"].split("/")[-1])
            if line["event"] in ("gap", "output-gap") and line["lostSamples"]:
                begin = datetime.datetime.fromisoformat(line["time"]).timestamp()
                length = line["lostSamples"] / RATE
                self.told_loss += length
                covered.append((begin, begin + length))
        if run is self.full and not any(line["event"] == "output-gap" for line in lines):
            self.errors.append(f"run {number}: a full disk was not told")
        if run.is_dead and not any(line["event"] == "alarm" and line.get("channel") == 2 for line in lines):
            self.errors.append(f"run {number}: a dead microphone was not told")
        self._compare(run, number, sorted(covered))

    def _judge_removed(self, run, number, name):
        self.removed += 1
        if name not in self.known:
            self.errors.append(f"run {number}: {name} was removed, and was never there")
        elif self.known[name] > run.end - KEPT_DAYS * 86_400 + 10:
            self.errors.append(f"run {number}: {name} was removed too early")

    def _read(self, path, run, number):
        """The time of the first sample, and the length in seconds; the samples follow on each other."""
        if not NAME.fullmatch(path.name):
            self.errors.append(f"run {number}: {path.name} is left")
            return 0, 0
        numbers = sound.read(path, "wav", "s16", 2, RATE).numbers[:, 0]
        steps = numpy.diff(numbers.astype(numpy.int64)) % 65_536
        if not run.is_dead and run is not self.full and (steps != 1).any():
            self.errors.append(f"run {number}: {path.name}: samples are missing, twice or in the wrong place")
        return timestamp(path), len(numbers) / RATE

    def _compare(self, run, number, covered):
        """Each instant of the windows is in a part or in a told gap, and nothing else is."""
        wanted = [(max(begin, run.begin), min(end, run.end)) for begin, end in self.windows
                  if begin < run.end and end > run.begin]
        missing = length_of(wanted) - length_of(overlaps(wanted, covered))
        more = length_of(covered) - length_of(overlaps(wanted, covered))
        # A start takes a second within a window, a kill costs one, and a signal ends the last part at once.
        within = any(begin < moment < end for begin, end in self.windows for moment in (run.begin, run.end))
        allowed = 1.5 if within else 0.02 * max(1, len(wanted))
        if run.ending == "kill":
            self.cut_loss += missing
        if missing > allowed or more > 0.02 * max(1, len(wanted)):
            self.errors.append(f"run {number} ({run.ending}): {missing:.3f} s are missing, {more:.3f} s are too much")
        self.covered += covered

    def _judge_whole(self):
        there = {path.name for path in (self.folder / "rec").iterdir() if not path.name.startswith(".")}
        gone = set(self.known) - there
        # A kill may come between a removal and its line.
        if not 0 <= len(gone) - self.removed <= KILLS:
            self.errors.append(f"{len(gone)} parts are gone, and {self.removed} were told")
        uploaded = [line.split("/")[-1] for line in (self.folder / "uploaded").read_text().splitlines()] \
            if (self.folder / "uploaded").exists() else []
        failed = int((self.folder / "count").read_text()) if (self.folder / "count").exists() else 0
        if len(set(uploaded)) != len(uploaded):
            self.errors.append("a part was uploaded twice")
        missing = set(self.known) - set(uploaded)
        if missing:
            self.errors.append(f"{len(missing)} parts were never uploaded: {sorted(missing)[:3]}")
        if failed < min(FAILED_UPLOADS, len(self.known)) and self.days > 100:
            self.errors.append(f"only {failed} uploads failed")
        logs = sum(path.stat().st_size for path in self.folder.glob("log-*.jsonl"))
        kills = sum(run.ending == "kill" for run in self.runs)
        print(f"{self.days} days: {len(self.known)} parts of {length_of(self.covered) / 3_600:.2f} h in {len(self.runs)} "
              f"runs, {kills} of them killed")
        print(f"{self.told_loss:.3f} s told as lost, {self.cut_loss:.3f} s cut by kills, {self.removed} parts deleted after "
              f"{KEPT_DAYS} days, {failed} uploads failed, {len(uploaded)} parts uploaded")
        print(f"logs {logs / 1e3:.1f} kB, journal {self.journal_bytes / 1e3:.1f} kB")


def windows_of(day):
    """The windows of a local day as times since 1970. One that begins before clocks are put forward over its end ends with
    the jump, one that begins before they go back lasts to the second pass of its end."""
    found = []
    for begin, end in WINDOWS:
        first, last = (instant(day, text) for text in (begin, end))
        if found and first <= found[-1][1]:
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        elif last > first:
            found.append((first, last))
    return found


def instant(day, text):
    """The first second whose time on the clock is this one or, where that does not exist, a later one."""
    moment = datetime.datetime.combine(day, datetime.time.fromisoformat(text), ZONE)
    seconds = int(moment.timestamp())
    shown = datetime.datetime.fromtimestamp(seconds, ZONE)
    if shown.time() == moment.time():
        return seconds
    # The time is skipped: the jump.
    while datetime.datetime.fromtimestamp(seconds - 1, ZONE).time() >= moment.time():
        seconds -= 1
    return seconds


def timestamp(path):
    """The `Timestamp` of the chunk `guan`, in seconds since 1970."""
    data = path.read_bytes()
    place = data.index(b"guan")
    text = data[place + 8:place + 8 + struct.unpack_from("<I", data, place + 4)[0]].decode()
    stated = next(line for line in text.splitlines() if line.startswith("Timestamp:"))
    return datetime.datetime.fromisoformat(stated.split(":", 1)[1].strip()).timestamp()


def length_of(ranges):
    return sum(end - begin for begin, end in ranges)


def overlaps(some, others):
    return [(max(a, c), min(b, d)) for a, b in some for c, d in others if max(a, c) < min(b, d)]


def run(runner, days):
    began = time.monotonic()
    year = Year(runner, days)
    is_right = year.pass_by()
    for error in year.errors:
        print(f"  {error}")
    print(f"{len(year.errors)} faults, in {time.monotonic() - began:.0f} s")
    return 0 if is_right else 1
