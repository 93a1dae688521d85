# SPDX-License-Identifier: Apache-2.0
"""Measures the echo canceller of `--observe record:echo`, and prints a table of Markdown: docs/echo.md.

    python -B Scripts/echo-figures [--short] CARD FOLDER

The material is made by script in FOLDER: room.py. CARD is the folder of the tests' sound card of software, which plays and
captures in virtual time. Attenuation is ERLE, the energy of the microphone over that of the output, from 15 s on; PESQ is
that of wide band (ITU-T P.862.2). Exit 1 and a line for each floor that is missed. --short measures fewer rows.
"""

import argparse
import os
import pathlib
import subprocess
import sys

import numpy as np
import pesq
import room

RATE = room.RATE
SETTLED = 15
# Decibels, and PESQ. The short form has the same: its material is a part of the long one.
FLOORS = {"0 ppm": 25, "2 ppm": 25, "cards": 20, "gap": 24, "double": 2.0, "alone": 0.05}
PLAYED, HEARD = 0.1, 0.05


def attenuation(before, behind, begin=SETTLED, end=None):
    part = slice(int(begin * RATE), min(len(before), len(behind)) - RATE // 10 if end is None else int(end * RATE))
    return 10 * np.log10(np.sum(before[part] ** 2) / np.sum(behind[part] ** 2))


def quality(near, output):
    part = slice(SETTLED * RATE, min(len(near), len(output)))
    return pesq.pesq(RATE, near[part], output[part], "wb")


class Measurement:
    def __init__(self, card, folder, seconds):
        self.card, self.folder, self.seconds, self.missed = card, folder, seconds, []
        self.far = room.voice(folder, "en-us", 0, seconds, PLAYED)
        self.near = room.voice(folder, "en+f3", 2, seconds, HEARD)
        self.taps = room.response()
        self.echo = room.heard(self.far, self.taps, HEARD)
        self.noise = 1e-4 * np.random.default_rng(1).normal(size=len(self.far))

    def files(self, near, far, *keys):
        """The output of a session of files."""
        for name, sound in ("near", near), ("far", far):
            room.write(self.folder / f"{name}.wav", sound)
        observer = ",".join(["record", *keys]) + ":echo"
        subprocess.run(
            ["rawaudio", "session", "-q", "--local", "near.wav", "--remote", "far.wav", "--playback", "null:", "--publish",
             "output.wav", "--force", "--observe", observer], cwd=self.folder, check=True)
        return room.read(self.folder / "output.wav")

    def cards(self, deviation):
        """The attenuation in a session between two cards, whose echo comes by the true clocks."""
        near, played, record = (self.folder / name for name in ("near.raw", "played.raw", "record.wav"))
        room.write(self.folder / "far.wav", self.far)

        def run(sound):
            near.write_bytes(room.integers(np.concatenate([sound, np.zeros(5 * RATE)])).tobytes())
            logs = [self.folder / "capture.log", self.folder / "playback.log"]
            for log in logs:
                log.unlink(missing_ok=True)
            variables = {
                "PATH": os.environ["PATH"], "LC_ALL": "C", "TZ": "UTC", "SWIFT_DETERMINISTIC_HASHING": "1",
                "ALSA_CONFIG_PATH": self.card / "virtual-card.conf", "LD_PRELOAD": self.card / "simulation.so",
                "VIRTUAL_CARD_RATES": RATE, "VIRTUAL_CARD_CHANNELS": 1, "VIRTUAL_CARD_FORMATS": "S16_LE",
                "SIMULATION_SEED": 1, "SIMULATION_LIMIT": 100 + 2 * self.seconds, "SIMULATION_LATENCY": 0.1,
                "SIMULATION_PREEMPTION": 100}
            subprocess.run(
                ["setarch", "-R", "env", *(f"{name}={value}" for name, value in variables.items()), "rawaudio", "session", "-q",
                 "--local", f"alsa:card:SPEED={1 + deviation},INFILE={near},LOG={logs[0]}", "--remote", "far.wav",
                 "--playback", f"alsa:card:OUTFILE={played},LOG={logs[1]}", "--publish", "output.wav", "--force",
                 "-d", str(self.seconds), "--observe", "record:tap=record.wav", "--observe", "record:echo"],
                cwd=self.folder, env={"PATH": os.environ["PATH"]}, stdin=subprocess.DEVNULL, check=True)
            return [next(float(line.split()[0]) for line in log.read_text().splitlines() if line.split()[3] == "start")
                    for log in logs]

        captures, plays = run(np.zeros(len(self.far)))
        echo = room.heard(np.fromfile(played, "<i2") / 32_768, self.taps, HEARD)
        times = captures + np.arange(len(self.far)) / (RATE * (1 + deviation)) - plays
        places = times * RATE
        sound = np.where((places > 0) & (places < len(echo)), room.at(echo, np.clip(places, 0, len(echo))), 0)
        run(sound)
        return attenuation(room.read(record), room.read(self.folder / "output.wav"), end=self.seconds - 1)

    def row(self, name, value, floor=None, *, most=None, digits=1):
        goal = "" if floor is None and most is None else f"at least {floor}" if most is None else f"at most {most}"
        print(f"| {name} | {value:.{digits}f} | {goal} |", flush=True)
        if floor is not None and value < floor or most is not None and value > most:
            self.missed.append(f"{name}: {value:.{digits}f}, not {goal}")

    def measure(self, *, short):
        print("| | measured | goal |\n|---|---|---|")
        far, echo, near, noise = self.far, self.echo, self.near, self.noise
        quiet = np.zeros(len(far))
        for millionths in (0, 2) if short else (0, 2, 100):
            places = np.arange(len(echo)) * (1 + millionths * 1e-6)
            late = room.at(echo, places) if millionths else echo
            for keys in [()] if short else [(), ("residual=on",)]:
                value = attenuation(late + noise, self.files(late + noise, far, *keys))
                name = f"{millionths} ppm"
                self.row(f"attenuation in dB, {', '.join((name, *keys))}", value, None if keys else FLOORS.get(name))
        self.row("attenuation in dB, two cards 100 ppm apart", self.cards(100e-6), FLOORS["cards"])
        cut, gap = echo + noise, 20 if self.seconds > 21 else 18
        cut[gap * RATE : gap * RATE + RATE * 3 // 100] = 0
        output = self.files(cut, far)
        self.row("attenuation in dB, in the second behind a gap of 30 ms", attenuation(cut, output, gap + 0.03, gap + 1.03),
                 FLOORS["gap"])
        both = echo + np.where(np.arange(len(near)) >= SETTLED * RATE, near, 0)
        self.row("PESQ of the near voice as loud as the echo, unprocessed", quality(near, both), digits=2)
        for keys in [()] if short else [(), ("residual=on",)]:
            value = quality(near, self.files(both, far, *keys))
            self.row(f"PESQ of the near voice as loud as the echo{''.join(', ' + key for key in keys)}", value,
                     None if keys else FLOORS["double"], digits=2)
        alone = near + noise
        best = quality(near, alone)
        self.row("PESQ that the near voice alone loses, with a silent loudspeaker",
                 best - quality(near, self.files(alone, quiet)), most=FLOORS["alone"], digits=2)
        if not short:
            self.row("PESQ that the near voice alone loses, with headphones", best - quality(near, self.files(alone, far)), digits=2)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--short", action="store_true")
    arguments.add_argument("card", type=pathlib.Path)
    arguments.add_argument("folder", type=pathlib.Path)
    asked = arguments.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    measurement = Measurement(asked.card.resolve(), asked.folder.resolve(), 22 if asked.short else 30)
    measurement.measure(short=asked.short)
    for line in measurement.missed:
        print(f"echo-figures: {line}", file=sys.stderr)
    sys.exit(1 if measurement.missed else 0)


main()
