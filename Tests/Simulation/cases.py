# SPDX-License-Identifier: Apache-2.0
"""What a seed stands for: a command line, a card, and faults."""

import random

from checks import Check

CONTAINERS = {
    "wav": ("u8", "s16", "s24", "s32", "f32"), "wavex": ("s16", "s24", "s32"), "rf64": ("s16", "s32", "f32"),
    "w64": ("s16", "s24", "s32", "f32"), "au": ("s16", "s24", "s32", "f32"), "aiff": ("s16", "s24", "s32"),
    "caf": ("s16", "s24", "s32", "f32"), "raw": ("u8", "s16", "s24", "s32", "f32"), "flac": ("s16", "s24"),
}
FORMATS = {"s16": "S16_LE", "s24": "S24_3LE", "s32": "S32_LE", "f32": "FLOAT_LE"}
SUFFIXES = {"wavex": "wav", "rf64": "wav"}
RATES = (8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 96_000)


class Case:
    """Made from a seed alone."""

    variable = "SEED"

    def __init__(self, seed):
        self.seed = seed
        draw = self.draw = random.Random(seed)
        self.card = {}
        self.card_events = []
        self.faults = []
        self.settings = {}
        self.container = draw.choice(("wav",) * 6 + tuple(CONTAINERS))
        self.encoding = draw.choice(CONTAINERS[self.container])
        self.rate = draw.choice(RATES)
        self.channels = draw.choice((1, 1, 2, 2, 3, 6))
        self.seconds = round(draw.choice((draw.uniform(0.05, 2), draw.uniform(1, 12), draw.uniform(5, 40))), 3)
        if self.rate > 48_000:
            self.seconds = min(self.seconds, 12)
        self.length = max(1, round(self.seconds * self.rate))
        self.split = None
        self.threshold = None
        self.options = []
        self._choose_output()
        self._choose_device()
        self._choose_observers()
        self._choose_schedule()
        self._choose_faults()
        if draw.random() < 0.05:
            self._stand_still()

    def prepare(self, folder):
        """There is nothing before."""

    def other_process(self, _program):
        """Nobody comes between."""
        return None

    def judge(self, outcome):
        return Check(self, outcome)

    # MARK: The command

    def _choose_output(self):
        draw = self.draw
        suffix = SUFFIXES.get(self.container, self.container)
        self.name = f"take.{suffix}"
        if draw.random() < 0.3:
            kind = draw.choice(("time", "time", "samples", "size", "signal"))
            part = draw.uniform(0.02, 1) * self.length
            if kind == "time":
                self.split = ["--split", f"{max(0.02, part / self.rate):.3f}"]
            elif kind == "samples":
                self.split = ["--split", f"{max(1_000, int(part), self.length // 60)}S"]
            elif kind == "size":
                self.split = ["--split", f"{max(int(part), self.length // 40) * self.channels * 4 + 100_000}"]
            else:
                self.split = ["--split", "signal"]
            self.name = f"part-%03d.{suffix}"
        if self.encoding == "s16" and draw.random() < 0.2:
            self.threshold = -draw.choice((0.5, 1, 3, 6))
            self.options += ["--threshold", f"{self.threshold}dB", "--pre-roll", f"{draw.choice((0, 0.1, 0.5))}",
                             "--hold", f"{draw.choice((0.01, 0.05, 0.5))}"]
            if draw.random() < 0.5:
                self.split = (self.split or []) + ["--split", "event"]
                self.name = f"event-%03d.{suffix}"
        self.sync = draw.choice((None, None, "never", "end", "always"))

    def _choose_device(self):
        draw = self.draw
        if draw.random() < 0.5:
            period = draw.choice((draw.randint(64, 4_000), self.rate // 100, self.rate // 10, 37 * draw.randint(2, 40)))
            self.buffer = period * draw.randint(2, 12)
            self.options += ["--period-size", str(period), "--buffer-size", str(self.buffer)]
        else:
            self.buffer = self.rate
        if draw.random() < 0.3:
            self.options += ["--ring-size", str(draw.choice((self.rate // 2, self.rate, 10 * self.rate)))]
        self.speed = draw.choice((1, 1, 1, 1.0001, 0.9999, 1.0003, 0.9995))
        self.card["SPEED"] = self.speed
        if draw.random() < 0.2:
            # No card's pointer takes steps that its buffer has no room for.
            self.card["GRAIN"] = min(draw.choice((16, 37, 64, 256)), self.buffer // 2)
        if draw.random() < 0.2:
            self.card["STOP_AT_OVERRUN"] = 1
        if draw.random() < 0.1:
            self.card["CANNOT_PAUSE"] = 1
        if draw.random() < 0.15:
            self.options += ["--on-xrun", draw.choice(("mark", "fail"))]
        if draw.random() < 0.1:
            self.options += ["--fail-on", "xrun"]

    def _choose_observers(self):
        draw = self.draw
        self.is_session = (not self.split and self.threshold is None and self.encoding in FORMATS
                           and draw.random() < 0.2)
        if self.is_session:
            # It takes what the device has.
            self.card |= {"RATES": self.rate, "CHANNELS": self.channels, "FORMATS": FORMATS[self.encoding]}
        self.tap = draw.random() < 0.2
        self.events = draw.random() < 0.2
        if self.tap:
            self.options += ["--observe", "record:tap=tap.wav"]
        if self.events:
            call = max(self.rate // 10, 1) * self.channels
            self.options += ["--observe", f"record,samples-per-call={call}:events=events.json"]

    # MARK: What goes wrong

    def _choose_schedule(self):
        draw = self.draw
        self.settings["SWITCHING"] = draw.choice((0, 20_000, 200_000, 700_000))
        self.settings["PREEMPTION"] = draw.choice((0, 10, 100, 1_000))
        self.settings["LATENCY"] = draw.choice((0.01, 0.1, 0.1, 1))

    def _moment(self):
        """Milliseconds since the program's start."""
        return round(self.draw.uniform(0, self.seconds * 1_000), 6)

    def _choose_faults(self):
        draw = self.draw
        for _ in range(draw.choice((0, 0, 1, 1, 2, 4, 12))):
            self._card_fault()
        for _ in range(draw.choice((0, 0, 1, 1, 2, 4))):
            self._machine_fault()
        for _ in range(draw.choice((0, 0, 0, 1, 2))):
            self._disk_fault()
        if draw.random() < 0.3:
            self._ending()

    def _card_fault(self):
        draw = self.draw
        position = draw.randrange(self.length)
        fault = draw.choice(("xrun",) * 4 + ("suspend",) * 2 + ("eio:once",) * 2
                            + (f"late:{draw.choice((5, 50, 500, 1500))}",) * 3
                            + (f"stall:{draw.choice((10, 300, 3000))}",) * 2
                            + (draw.choice(("nodev", "eio", "stall:11000", "xrun", "suspend")),))
        relative = "+" if self.card_events and draw.random() < 0.2 else ""
        self.card_events.append(f"{relative}{position // 50 if relative else position}:{fault}")

    def _machine_fault(self):
        draw = self.draw
        kind = draw.choice(("late", "late", "late", "step", "short-read", "read-eintr", "read-eagain", "stamp"))
        if kind == "late":
            thread = draw.choice(("main", "capture", "background writ"))
            thread = thread.replace(" ", "_")
            self.faults.append(f"{self._moment()}:late:{thread}:{draw.choice((1, 30, 400, 1200, 6000))}")
        elif kind == "step":
            self.faults.append(f"{self._moment()}:step:{draw.choice((-3600000, -1500, -10, 700, 86400000))}")
        else:
            self.faults.append(f"{self._moment()}:{kind}:{draw.choice((20, 500, 5000))}")

    def _disk_fault(self):
        draw = self.draw
        kind = draw.choice(("full", "eio", "short", "short", "eintr", "eintr", "slow", "slow", "stuck", "stuck"))
        lasting = draw.choice((5, 200, 1_500, 8_000))
        more = f":{draw.choice((5, 80, 900))}" if kind == "slow" else ""
        self.faults.append(f"{self._moment()}:{kind}:{lasting}{more}")

    def _ending(self):
        draw = self.draw
        kind = draw.choice(("signal", "signal", "kill", "kill", "kill-write", "kill-write", "kill-write", "power"))
        if kind == "signal":
            self.faults.append(f"{self._moment()}:signal:{draw.choice((1, 2, 15))}")
        elif kind == "kill":
            self.faults.append(f"{self._moment()}:kill")
        elif kind == "kill-write":
            number = draw.randint(1, max(2, int(self.seconds * 4)))
            self.faults.append(f"#{number}:kill:{draw.choice(('before', 'torn', 'torn', 'after'))}")
        else:
            self.faults.append(f"{self._moment()}:power")
        if self.split and "signal" in self.split:
            for _ in range(draw.randint(1, 6)):
                self.faults.append(f"{self._moment()}:signal:10")

    def _stand_still(self):
        """The device gives nothing, the clock of the day is set back, and the program is killed seconds later."""
        position = self.draw.randrange(self.length)
        milliseconds = position * 1_000 / self.rate / self.speed
        self.card_events = [f"{position}:stall:9000"]
        self.faults = [f"{milliseconds + self.draw.uniform(0, 600):.3f}:step:-3600000",
                       f"{milliseconds + self.draw.uniform(2_000, 8_000):.3f}:kill"]

    # MARK: As the program gets it

    def arguments(self):
        if self.is_session:
            return ["session", "--local", "alsa:card", "--publish", self.name, "--mixed", f"mixed-{self.name}",
                    "-r", str(self.rate), "-c", str(self.channels), "-f", self.encoding, "-d", f"{self.length}S",
                    "-t", self.container, "--json", *self.options]
        device = ["-D", "card", "-r", str(self.rate), "-c", str(self.channels), "-f", self.encoding]
        return (["capture", *device, "-d", f"{self.length}S", "-t", self.container, "-o", self.name, "--json"]
                + (["--sync", self.sync] if self.sync else []) + (self.split or []) + self.options)

    def environment(self):
        named = {f"VIRTUAL_CARD_{name}": str(value) for name, value in self.card.items()}
        if self.card_events:
            named["VIRTUAL_CARD_EVENTS"] = " ".join(self.card_events)
        named |= {f"SIMULATION_{name}": str(value) for name, value in self.settings.items()}
        named["SIMULATION_SEED"] = str(self.seed)
        named["SIMULATION_LIMIT"] = str(int(self.seconds * 1.1 + self.slack()) + 60)
        if self.faults:
            named["SIMULATION_FAULTS"] = " ".join(self.faults)
        return named

    def slack(self):
        """Seconds that faults may make the run longer than its audio."""
        total = 0.0
        for word in self.card_events + self.faults:
            fields = word.split(":")
            if fields[1] in ("late", "stall", "full", "stuck", "slow", "read-eagain"):
                total += sum(float(field) for field in fields[2:] if field.replace(".", "").isdigit()) / 1_000
        return total * 3

    def has(self, *kinds):
        """Whether any of these faults is in the script."""
        return any(word.split(":")[1] in kinds for word in self.faults)

    def card_has(self, *kinds):
        return any(":".join(word.split(":")[1:]).startswith(kinds) for word in self.card_events)


class PowerCase(Case):
    """Loses its power at a write, or soon after it was asked to end."""

    variable = "POWER_SEED"

    def __init__(self, seed):
        super().__init__(seed)
        # Without this nothing is promised for a power cut.
        if self.sync != "always":
            self.sync = None

    def _ending(self):
        draw = self.draw
        if draw.random() < 0.5:
            number = draw.randint(1, max(2, int(self.seconds * 4)))
            self.faults.append(f"#{number}:power:{draw.choice(('before', 'torn', 'after'))}")
        else:
            moment = float(self._moment())
            self.faults.append(f"{moment:.6f}:signal:2")
            later = draw.choice((0.2, 1, 5, 30, 200)) * draw.random()
            self.faults.append(f"{moment + later:.6f}:power")


class LongCase(Case):
    """Hours of a slow recording on a busy machine, with little to do between the faults."""

    variable = "LONG_SEED"
    HOURS = (1, 2, 4)

    def __init__(self, seed):
        super().__init__(seed)
        draw = self.draw = random.Random(f"long {seed}")
        self.container = draw.choice(("wav", "wav", "rf64", "w64", "caf", "au", "aiff", "raw", "flac"))
        self.encoding = draw.choice([name for name in CONTAINERS[self.container] if name in ("s24", "s32")])
        self.rate, self.channels = 1_000, 1
        self.hours = draw.choice(self.HOURS)
        self.seconds = self.hours * 3_600
        self.length = int(self.seconds * self.rate)
        self.split = ["--split", draw.choice(("600", "1800", "1000003S"))] if draw.random() < 0.3 else None
        suffix = SUFFIXES.get(self.container, self.container)
        self.name = f"part-%03d.{suffix}" if self.split else f"take.{suffix}"
        self.threshold, self.tap, self.events, self.is_session = None, False, False, False
        self.sync = draw.choice((None, "never", "always"))
        self.buffer = 8 * self.rate
        self.options = ["--period-size", f"{draw.choice((500, 1_000, 2_000))}ms", "--buffer-size", "8000ms",
                         "--ring-size", f"{60 * self.rate}"]
        self.speed = draw.choice((1, 1.00002, 0.99995, 1.0001))
        self.card = {"SPEED": self.speed, "RATES": self.rate}
        if draw.random() < 0.3:
            self.card["STOP_AT_OVERRUN"] = 1
        # A machine with much else to do: that costs less here, too.
        self.settings = {"SWITCHING": 20_000, "PREEMPTION": 10, "LATENCY": draw.choice((400, 1_000, 2_000))}
        self.card_events, self.faults = [], []
        for _ in range(draw.choice((5, 20, 60))):
            fault = draw.choice(("xrun", "xrun", "suspend", "eio:once", "late:12000", "late:3000"))
            self.card_events.append(f"{draw.randrange(self.length)}:{fault}")
        for _ in range(draw.choice((0, 5, 20))):
            self._machine_fault()
        for _ in range(draw.choice((0, 5, 20))):
            kind = draw.choice(("short", "eintr", "slow", "stuck"))
            self.faults.append(f"{self._moment()}:{kind}:{draw.choice((200, 5_000, 30_000))}"
                               + (":900" if kind == "slow" else ""))
        if draw.random() < 0.3:
            self.faults.append(f"{self._moment()}:{draw.choice(('signal:2', 'kill', 'power'))}")
