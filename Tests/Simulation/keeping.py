# SPDX-License-Identifier: Apache-2.0
"""Recordings that keep some of their parts only, while the clock of the day is set and others record beside them: what
is removed was too old or too much, and nothing else is."""

import datetime
import fcntl
import os
import random
import re

from running import Verdict

RATE = 1_000
# The clock of the day when the program begins (baton.c).
BEGINNING = 1_700_000_000
# What is concluded from a time may be so many seconds off: a part's end is seen within a period or two.
TOLERANCE = 5


class KeepCase:
    """Made from a seed alone."""

    variable = "KEEP_SEED"
    card_events = ()

    def __init__(self, seed):
        self.seed = seed
        draw = self.draw = random.Random(f"keep {seed}")
        self.seconds = draw.choice((60, 200, 600))
        self.part_seconds = draw.choice((10, 20, 45))
        self.age = draw.choice((None, 60, 60, 120, 300))
        self.size = draw.choice((None, 40_000, 150_000, 400_000)) if self.age else draw.choice((40_000, 150_000))
        self.old = self._old_parts()
        self.locked = [name for name in self.old if draw.random() < 0.25]
        self.foreign = draw.sample(("notes.txt", "20231114-22131.wav", "20231114-221301.wav.bak", "a20231114-221301.wav",
                                    "20231114-221301.flac", "20231399-221301.wav.rawaudio-partial"), 2)
        self.is_synchronized = draw.random() < 0.5
        self.steps = []
        self.faults = []
        self._choose_faults()
        self.settings = {"SWITCHING": draw.choice((0, 20_000, 200_000)), "PREEMPTION": draw.choice((0, 10)),
                         "LATENCY": draw.choice((0.1, 1, 100))}

    def _old_parts(self):
        """Parts of earlier runs: the seconds since their end, by name."""
        draw = self.draw
        parts, age = {}, 0
        for _ in range(draw.choice((0, 1, 3, 8))):
            age += draw.choice((draw.uniform(1, 60), draw.uniform(100, 1_000), 86_400 * 40))
            begin = datetime.datetime.fromtimestamp(BEGINNING - age - 10, datetime.timezone.utc)
            parts[begin.strftime("%Y%m%d-%H%M%S.wav")] = age
        return parts

    def _moment(self):
        return round(self.draw.uniform(0, self.seconds * 1_000), 6)

    def _choose_faults(self):
        draw = self.draw
        for _ in range(draw.choice((0, 1, 1, 3))):
            self.steps.append(draw.choice((-3_600, -100, -3, 4, 100, 86_400, 315_360_000)))
            self.faults.append(f"{self._moment()}:step:{self.steps[-1] * 1_000}")
        for _ in range(draw.choice((0, 0, 1, 2))):
            kind = draw.choice(("short", "eintr", "slow", "eio"))
            self.faults.append(f"{self._moment()}:{kind}:{draw.choice((5, 500))}" + (":80" if kind == "slow" else ""))
        if draw.random() < 0.4:
            self.faults.append(draw.choice((
                f"{self._moment()}:signal:{draw.choice((2, 15))}", f"{self._moment()}:kill",
                f"@{draw.randint(1, 12)}:kill:{draw.choice(('before', 'after'))}")))

    # MARK: As the program gets it

    def prepare(self, folder):
        """Writes the parts of earlier runs, and takes the locks of those that others write."""
        (folder / "rec").mkdir()
        self.before = {name: bytes([number]) * self.draw.randint(1_000, 60_000)
                       for number, name in enumerate([*self.old, *self.foreign])}
        self.locks = []
        for name, content in self.before.items():
            path = folder / "rec" / name
            path.write_bytes(content)
            if name in self.old:
                os.utime(path, (BEGINNING - self.old[name],) * 2)
            if name in self.locked:
                self.locks.append(open(path, "rb"))
                fcntl.flock(self.locks[-1], fcntl.LOCK_EX)

    def arguments(self):
        keep = ["--keep", f"{self.age // 60}min"] if self.age else []
        keep += ["--keep", f"{self.size // 1_000}kB"] if self.size else []
        return ["capture", "-D", "card", "-r", str(RATE), "-c", "1", "-f", "s16", "-d", str(self.seconds), "--split",
                str(self.part_seconds), "--utc", *keep, "-o", "rec/%Y%m%d-%H%M%S.wav", "--json"]

    def environment(self):
        named = {f"SIMULATION_{name}": str(value) for name, value in self.settings.items()}
        named |= {"SIMULATION_SEED": str(self.seed), "SIMULATION_NAMES": "1", "VIRTUAL_CARD_SPEED": "1",
                  "VIRTUAL_CARD_RATES": str(RATE), "SIMULATION_SYNCHRONIZED": str(int(self.is_synchronized)),
                  "SIMULATION_LIMIT": str(self.seconds * 2 + 100)}
        if self.faults:
            named["SIMULATION_FAULTS"] = " ".join(self.faults)
        return named

    def other_process(self, _program):
        """Others hold locks only."""
        return None

    def judge(self, outcome):
        try:
            return KeepCheck(self, outcome)
        finally:
            for lock in self.locks:
                lock.close()


class KeepCheck(Verdict):
    def _check(self):
        outcome = self.outcome
        message = outcome.lines[-1] if outcome.lines else ""
        if self.ending == "exit" and outcome.code == 1 and not ("exists" in message or self._disk_fails()):
            self.fail(f"exit 1 without a reason: {message}")
        if self.ending == "exit" and outcome.code not in (0, 1):
            self.fail(f"exit {outcome.code}: {outcome.errors[-300:]}")
        self.end = outcome.report["time"] / 1e9 - 1_000
        self.there = {path.name: path for path in (outcome.folder / "rec").iterdir()}
        # When each part of this run ended.
        self.own = {line["path"].split("/")[-1]: (line["position"] + line["samplesPerChannel"]) / RATE
                    for line in outcome.json if line["event"] == "part"}
        self.removed = [line["path"].split("/")[-1] for line in outcome.json
                        if line["event"] == "part-removed" and line["error"] is None]
        self._untouched()
        self._told()
        self._removed()
        if self.ending == "exit" and outcome.code == 0 and not self._disk_fails():
            self._left()

    def _untouched(self):
        case = self.case
        for name, content in case.before.items():
            if name in self.own:
                continue
            if name in self.there and self.there[name].read_bytes() != content:
                self.fail(f"{name} was changed")
            if name in case.locked + list(case.foreign) and name not in self.there:
                self.fail(f"{name} is gone, and was {'written by another' if name in case.locked else 'no part'}")
        if (case.old or self.own) and not self._sizes():
            self.fail("not even the last part is there")

    def _told(self):
        gone = [name for name in [*self.case.old, *self.own] if name not in self.there]
        for name in self.removed:
            # A clock that is set back may give its name once more.
            if name in self.there and name not in self.own:
                self.fail(f"{name} is told to be removed, and is there")
        if self.ending == "exit":
            for name in set(gone) - set(self.removed):
                self.fail(f"{name} is gone without a word")

    # MARK: What is gone

    def _removed(self):
        case = self.case
        for name in [*case.old, *self.own]:
            if name not in self.there and not self._was_too_old(name) and not self._was_too_much(name):
                self.fail(f"{name} is gone, and was neither too old nor too much")

    def _was_too_old(self, name):
        case = self.case
        if case.age is None:
            return False
        if name in self.own:
            return self.end - self.own[name] > case.age - TOLERANCE
        # Only a clock that follows another one is believed.
        if not case.is_synchronized:
            return False
        ahead = max([0, *(sum(case.steps[:count]) for count in range(1, len(case.steps) + 1)), sum(
            step for step in case.steps if step > 0)])
        return case.old[name] + self.end + ahead > case.age - TOLERANCE

    def _sizes(self):
        """Of all parts. A program that is killed has not told of its last one yet."""
        return {name: path.stat().st_size for name, path in self.there.items() if re.fullmatch(r"\d{8}-\d{6}((_x|-)\d+)?\.wav", name)}

    def _was_too_much(self, name):
        case = self.case
        if case.size is None:
            return False
        # What is there now is not less than what was left when the last one went: the oldest go first.
        in_order = sorted(case.old, key=case.old.get, reverse=True) + sorted(self.own, key=self.own.get)
        younger = in_order[in_order.index(name):]
        gone = sum(self._size_of(name) for name in younger if name not in self.there)
        return sum(self._sizes().values()) + gone > case.size

    def _size_of(self, name):
        if name in self.case.before:
            return len(self.case.before[name])
        return next(line["bytes"] for line in self.outcome.json
                    if line["event"] == "part" and line["path"].endswith(name))

    # MARK: What is left

    def _left(self):
        case = self.case
        own = sorted(self.own, key=self.own.get)
        may_stay = set(case.locked) | set(own[-1:])
        sizes = self._sizes()
        others = [name for name in sizes if name not in may_stay]
        if case.size is not None and others and sum(sizes.values()) > case.size:
            self.fail(f"{sum(sizes.values())} bytes are left where {case.size} are kept")
        if case.age is None or not own:
            return
        for name in others:
            if name in self.own and self.own[own[-1]] - self.own[name] > case.age + TOLERANCE:
                self.fail(f"{name} is left, and too old")
            if name in case.old and case.is_synchronized and not case.steps and case.old[name] > case.age + TOLERANCE:
                self.fail(f"{name} is left, and too old")
