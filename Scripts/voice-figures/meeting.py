# SPDX-License-Identifier: Apache-2.0
"""A meeting in virtual time: what each participant said, by the events of a session, against what was spoken.

Each participant has a microphone with a noise floor of its own, says sentences at random times, and often speaks while others
do. A session hears all of them at once, as fast as it can.
"""

import json
import subprocess

import material
import numpy as np
from detectors import PROGRAM

NAMES = ["anna", "ben", "carla"]
# The level of the noise below that of speech.
RATIO = 20
# In seconds: a pause within speech, by the default of the observer; and how far an event may be from the truth.
HOLD, NEAR = 0.2, 1.0


def stretches(frames):
    """The stretches of speech in seconds. A pause of HOLD ends none."""
    found = []
    for place in frames.nonzero()[0]:
        if found and place / 100 - found[-1][1] <= HOLD:
            found[-1][1] = (place + 1) / 100
        else:
            found.append([place / 100, (place + 1) / 100])
    return found


def write_participant(path, track, seconds, random):
    """Writes a day of a participant block by block. Returns the frames with speech, and the utterances in seconds."""
    truth = np.zeros(seconds * 100, bool)
    samples = np.zeros(seconds * material.RATE, "<i2")
    noise = material.SPEECH_LEVEL * 10 ** (-RATIO / 20)
    for start in range(0, len(samples), 1 << 20):
        part = samples[start:start + (1 << 20)]
        part[:] = material.quantised(noise * random.standard_normal(len(part)))
    utterances = []
    place = int(random.integers(100, 500))
    while True:
        utterance = track.utterances[random.integers(len(track.utterances))]
        frames = track.frames[utterance]
        if place + len(frames) + 100 > len(truth):
            break
        truth[place:place + len(frames)] |= frames
        utterances.append((place / 100, (place + len(frames)) / 100))
        where = slice(place * material.FRAME, (place + len(frames)) * material.FRAME)
        said = track.samples[utterance.start * material.FRAME:utterance.stop * material.FRAME]
        samples[where] = np.clip(samples[where] + material.quantised(said), -32768, 32767)
        place += len(frames) + int(random.integers(100, 3000))
    raw = ["--input-type", "raw", "--input-rate", str(material.RATE), "--input-channels", "1", "--input-format", "s16"]
    process = subprocess.Popen([PROGRAM, "convert", "-", *raw, "--force", "-o", path], stdin=subprocess.PIPE)
    with process.stdin:
        process.stdin.write(memoryview(samples).cast("B"))
    if process.wait():
        raise SystemExit(f"voice-figures: '{PROGRAM}' failed with exit {process.returncode}")
    return stretches(truth), utterances


def heard(folder, seconds):
    """The events of the session, in seconds, by participant."""
    lines = folder / "said.jsonl"
    lines.unlink(missing_ok=True)
    remotes = [word for name in NAMES for word in ("--remote", f"{name}={folder / name}.flac")]
    subprocess.run([PROGRAM, "session", *remotes, "--playback", "null:", "--observe", f"before-mixing:voice={lines}"], check=True)
    events = {name: [] for name in NAMES}
    for line in map(json.loads, lines.read_text().splitlines()):
        time = line["samplePosition"] / line["sampleRate"]
        if line["state"] == "begin":
            events[line["source"]].append([time, None])
        else:
            events[line["source"]][-1][1] = time
    for name in NAMES:
        (folder / f"{name}.flac").unlink()
    return events


def report(folder, track, seconds, table, row):
    """Prints a row for each participant. Returns the share of utterances that were missed, and how many events were invented."""
    random = np.random.default_rng(84)
    truths = {name: write_participant(folder / f"{name}.flac", track, seconds, random) for name in NAMES}
    events = heard(folder, seconds)
    table("participant", "utterances", "missed", "events without speech", "begin, ms (median, worst of 95 %)", "end, ms")
    count = missed = invented = 0
    for name, (truth, utterances) in truths.items():
        found = events[name]
        unheard = [one for one in utterances if not any(a < one[1] and b > one[0] for a, b in found)]
        untrue = [one for one in found if not any(a < one[1] and b > one[0] for a, b in truth)]
        figures = []
        for side in (0, 1):
            places = np.array([one[side] for one in found])
            off = [places[np.abs(places - one[side]).argmin()] - one[side] for one in truth]
            off = np.array([value for value in off if abs(value) < NEAR])
            figures.append(f"{1000 * np.median(off):+.0f}, {1000 * np.quantile(np.abs(off), 0.95):.0f}")
        row(name, len(utterances), len(unheard), len(untrue), *figures)
        count, missed, invented = count + len(utterances), missed + len(unheard), invented + len(untrue)
    return missed / count, invented
