# SPDX-License-Identifier: Apache-2.0
"""Measures where `--threshold voice` finds speech, beside others, and prints tables of Markdown: docs/voice.md.

    python -B Scripts/voice-figures [--short] FOLDER

The material is made by script in FOLDER; material.py says how, and which frames are speech. Others are a fixed level (the
best one over all conditions), webrtcvad 2.0.10 in its mode 2, and Silero's network by onnxruntime with its package's two
thresholds, all on the same files. Exit 1 and a line for each floor that is missed. --short measures a tenth of the material
at two ratios, and has no goal for a time.
"""

import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import time

import detectors
import material
import meeting
import numpy as np
import recordings

RATIOS = [20, 10, 5, 0]
AVERAGED = ["white", "pink", "hum", "keyboard"]
LEVELS = range(-50, -5, 5)
BLOCKS = [160, 333, 512, 1000, 4096]
# The floors of the short form lie above its figures: another version of espeak-ng speaks in another way.
GOALS = {False: {20: 5, 10: 5, 5: 5, 0: 7}, True: {20: 7, 0: 9}}
# The length of the meeting in seconds.
MEETING = {False: 8 * 3600, True: 180}
MUSIC_GOAL, DIFFERENCE_GOAL, TIME_GOAL, MISSED_GOAL = 1, 0.006, 3, 10


def percent(value):
    return f"{100 * value:.1f}"


def row(*cells):
    print("|", " | ".join(map(str, cells)), "|")


def table(*names):
    print()
    row(*names)
    print("|---" * len(names) + "|")


def lost(marked, track):
    """The utterances of which no frame with speech is marked."""
    return sum(not (marked & track.frames)[place].any() for place in track.utterances)


class Measurement:
    def __init__(self, folder, *, short):
        self.folder, self.short = folder, short
        self.ratios = list(GOALS[short])
        self.silero = detectors.Silero()
        self.track = material.Track(folder, *((4, 4) if short else (8, 20)))
        self.marked, self.differences, self.missed = {}, [], []
        self.count = len(self.track.frames)

    def all_frames(self, path):
        """Of each detector, the frames that it marks."""
        found = {"voice": detectors.frames(detectors.voice(path), self.count), "webrtcvad": detectors.webrtc_frames(path)}
        found |= {level: detectors.frames(detectors.level(path, level), self.count) for level in LEVELS}
        values = self.silero.probabilities(path)
        found["onnxruntime"] = detectors.frames(detectors.steps(values), self.count)
        # A probability of the package is the network's after the step behind it.
        expected = values[1:]
        ours = detectors.probabilities(path)[:len(expected)]
        self.differences.append(np.abs(ours - expected).max() if len(ours) == len(expected) else np.inf)
        return found

    def measure(self):
        path = self.folder / "mixed.wav"
        for name in material.NOISES:
            noise = material.noise(name, len(self.track.samples))
            for ratio in self.ratios:
                material.write(path, self.track.with_noise(noise, ratio))
                self.marked[name, ratio] = self.all_frames(path)
        # The last noise is the piano.
        material.write(path, noise * (material.SPEECH_LEVEL / material.level(noise)))
        self.music = self.all_frames(path)
        self.clean = self.folder / "clean.wav"
        material.write(self.clean, self.track.samples)
        path.unlink()
        self.level = min(LEVELS, key=lambda level: sum(self.averaged(level, ratio) for ratio in self.ratios))

    def error(self, who, name, ratio):
        return np.mean(self.marked[name, ratio][who] != self.track.frames)

    def averaged(self, who, ratio):
        return np.mean([self.error(who, name, ratio) for name in AVERAGED])

    def lost(self, who, ratios):
        return max(lost(self.marked[name, ratio][who], self.track) for name in AVERAGED for ratio in ratios)

    def same_events(self):
        """Whether the events are alike for every size of blocks and cut, and how many there are."""
        expected = detectors.voice(self.clean)
        others = [detectors.voice_observed(self.clean, size, self.folder) for size in BLOCKS]
        others += [detectors.voice_by_pipe(self.clean, seed) for seed in range(2)]
        others.append(detectors.voice_of_parts(self.clean, 5, self.folder))
        return all(other == expected for other in others), len(expected), len(others)

    def times(self):
        """Milliseconds of a processor for a second of sound: the command's, start and all, and onnxruntime's."""
        seconds = self.count / 100
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        detectors.voice(self.clean)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        ours = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        before = time.process_time()
        self.silero.probabilities(self.clean)
        return 1000 * ours / seconds, 1000 * (time.process_time() - before) / seconds

    def hold(self, what, is_reached):
        if not is_reached:
            self.missed.append(what)

    def report(self):
        goals = GOALS[self.short]
        utterances, others = len(self.track.utterances), {"voice": "`--threshold voice`", self.level: f"`--threshold {self.level}`",
                                                          "webrtcvad": "webrtcvad", "onnxruntime": "onnxruntime"}
        print(f"{utterances} utterances in {self.count / 100:.0f} s, {percent(self.track.frames.mean())} % of the frames are speech.")
        ratios = " / ".join(map(str, self.ratios))
        table("figure", "goal", *others.values())
        row(f"frame error, %, white, pink, hum, keyboard at {ratios} dB", "≤ " + " / ".join(map(str, goals.values())),
            *(" / ".join(percent(self.averaged(who, ratio)) for ratio in self.ratios) for who in others))
        loud = [ratio for ratio in self.ratios if ratio >= 10]
        row(f"utterances lost of {utterances} at {' and '.join(map(str, sorted(loud)))} dB, in the worst noise", 0,
            *(self.lost(who, loud) for who in others))
        row("on music (piano), %", f"≤ {MUSIC_GOAL}", *(percent(self.music[who].mean()) for who in others))
        row("largest difference of a probability beside onnxruntime", f"≤ {DIFFERENCE_GOAL}", f"{max(self.differences):.1e}", "", "", "")
        ours, theirs = self.times()
        row("processor time, ms a second", f"≤ {TIME_GOAL}", f"{ours:.1f}", "", "", f"{theirs:.1f}")
        is_same, events, ways = self.same_events()
        row(f"of {ways} sizes of blocks and cuts, the same {events} events", "yes", "yes" if is_same else "no", "", "", "")

        table("noise, frame error in %", *(f"{ratio} dB" for ratio in self.ratios), *(f"lost at {ratio} dB" for ratio in self.ratios))
        for name in material.NOISES:
            row(name, *(percent(self.error("voice", name, ratio)) for ratio in self.ratios),
                *(lost(self.marked[name, ratio]["voice"], self.track) for ratio in self.ratios))

        hours = MEETING[self.short] / 3600
        print(f"\nA meeting of {hours:.1f} hours in virtual time, each microphone with noise at {meeting.RATIO} dB:")
        missed, invented = meeting.report(self.folder, self.track, MEETING[self.short], table, row)
        # A short word by itself, such as a "No." after a long silence, is all that the network misses.
        self.hold(f"meeting: at most {MISSED_GOAL} % of the utterances missed", missed <= MISSED_GOAL / 100)
        self.hold("meeting: no event without speech", invented == 0)

        for ratio, goal in goals.items():
            self.hold(f"frame error at {ratio} dB: at most {goal} %", self.averaged("voice", ratio) <= goal / 100)
        self.hold("no utterance lost", self.lost("voice", loud) == 0)
        self.hold(f"music: at most {MUSIC_GOAL} %", self.music["voice"].mean() <= MUSIC_GOAL / 100)
        self.hold(f"difference to onnxruntime: at most {DIFFERENCE_GOAL}", max(self.differences) <= DIFFERENCE_GOAL)
        self.hold("the same events for every size of blocks and cut", is_same)
        if not self.short:
            self.hold(f"processor time: at most {TIME_GOAL} ms a second", ours <= TIME_GOAL)
            recordings.report(self.folder, table, row, percent)


parser = argparse.ArgumentParser()
parser.add_argument("--short", action="store_true")
parser.add_argument("folder", type=pathlib.Path)
options = parser.parse_args()
options.folder.mkdir(parents=True, exist_ok=True)
# The page is pasted into a shell, with this program.
program = pathlib.Path(detectors.PROGRAM)
shutil.rmtree(options.folder / "page", ignore_errors=True)
subprocess.run([sys.executable, "-B", pathlib.Path(__file__).parents[1] / "documents.py", "paste", "docs/voice.md", options.folder / "page"],
               env=os.environ | {"PATH": f"{program.parent}:{os.environ['PATH']}"}, check=True, stdout=subprocess.DEVNULL)
measurement = Measurement(options.folder, short=options.short)
measurement.measure()
measurement.report()
sys.exit("\n".join(f"voice-figures: missed: {line}" for line in measurement.missed) or 0)
