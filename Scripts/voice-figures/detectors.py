# SPDX-License-Identifier: Apache-2.0
"""Those that say where there is speech: the command, a fixed level, webrtcvad, and Silero by onnxruntime.

Each is asked for the frames of 10 ms of a WAV file. A frame belongs to an event if its middle does.
"""

import csv
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import warnings

import numpy as np
import onnxruntime
import rawaudio as ra
from material import FRAME, RATE, read

with warnings.catch_warnings():
    # It uses a deprecated package.
    warnings.simplefilter("ignore")
    import webrtcvad

# That of the wheel, which finds the detector's numbers beside itself.
PROGRAM = os.environ.get("COMMAND_UNDER_TEST", str(pathlib.Path(sys.executable).with_name("rawaudio")))
# An event is what the detector says, without the time that a recording wants around it.
BARE = ["--pre-roll", "0", "--hold", "0", "--join", "0"]
# A level falls below any threshold within every period of a voice.
LEVEL = ["--pre-roll", "0", "--hold", "0", "--join", "0.1"]
STEP, CONTEXT = 512, 64


def events(words, *, given=None):
    """The events of one command, in samples. `given` are the pieces in which standard input gets its samples."""
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "events.csv"
        process = subprocess.Popen([PROGRAM, "convert", *map(str, words), "--labels", table, "-o", "null:"],
                                   stdin=subprocess.DEVNULL if given is None else subprocess.PIPE)
        if given is not None:
            with process.stdin:
                for piece in given:
                    process.stdin.write(piece)
                    process.stdin.flush()
        if process.wait():
            sys.exit(f"voice-figures: '{PROGRAM}' failed with exit {process.returncode}")
        # There is no table if there are no events.
        rows = list(csv.DictReader(table.open())) if table.exists() else []
    return [tuple(round(float(row[name]) * RATE) for name in ("start", "end")) for row in rows]


def frames(found, count):
    """For each of `count` frames, whether its middle is in an event."""
    marked = np.zeros(count, bool)
    for start, end in found:
        first, last = ((sample + FRAME // 2 - 1) // FRAME for sample in (start, end))
        marked[first:last] = True
    return marked


def voice(path):
    return events([path, "--threshold", "voice", *BARE])


def voice_observed(path, size, folder):
    """The events of the observer, which gets so many samples a call."""
    lines = folder / "observed.jsonl"
    lines.unlink(missing_ok=True)
    # The hold is the longest pause within speech: less than a step.
    observer = f"record,hold=0.001,samples-per-call={size}:voice={lines}"
    subprocess.run([PROGRAM, "convert", path, "--observe", observer, "-o", "null:"], check=True)
    positions = [json.loads(line)["samplePosition"] for line in lines.read_text().splitlines()]
    return list(zip(positions[::2], positions[1::2], strict=True))


def voice_by_pipe(path, seed):
    """The events of the same samples, which come in pieces of any length, also of a part of a sample."""
    samples, _ = read(path)
    data, pieces = (samples * 32768).astype("<i2").tobytes(), random.Random(seed)
    cuts = [0]
    while cuts[-1] < len(data):
        cuts.append(cuts[-1] + pieces.choice([1, 333, 1023, 4096, 20_011]))
    raw = ["-", "--input-type", "raw", "--input-rate", RATE, "--input-channels", 1, "--input-format", "s16"]
    return events([*raw, "--threshold", "voice", *BARE], given=(data[a:b] for a, b in zip(cuts, cuts[1:], strict=False)))


def voice_of_parts(path, count, folder):
    """The events of the same samples, cut into files and joined again."""
    cut = [folder / f"part-{number}.wav" for number in range(count)]
    length = len(read(path)[0])
    bounds = [length * number // count + (number * 7919 % 311 if 0 < number < count else 0) for number in range(count + 1)]
    for part, start, end in zip(cut, bounds, bounds[1:], strict=False):
        subprocess.run([PROGRAM, "convert", path, "--start", f"{start}S", "--end", f"{end}S", "--force", "-o", part], check=True)
    joined = folder / "joined.wav"
    subprocess.run([PROGRAM, "concat", *cut, "--force", "-o", joined], check=True)
    return voice(joined)


def probabilities(path):
    """The command's own, of each step of 512 samples."""
    return np.asarray(ra.voice(str(path)).probabilities)


def level(path, decibels):
    return events([path, "--threshold", decibels, *LEVEL])


def webrtc_frames(path, mode=2):
    data = (read(path)[0] * 32768).astype("<i2").tobytes()
    detector = webrtcvad.Vad(mode)
    return np.array([detector.is_speech(data[at:at + 2 * FRAME], RATE) for at in range(0, len(data), 2 * FRAME)])


class Silero:
    """The network of PyPI's wheel, on one thread."""

    def __init__(self):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        # The package itself needs torch.
        network = next(pathlib.Path(folder) for folder in sys.path if (pathlib.Path(folder) / "silero_vad/data").is_dir())
        self.session = onnxruntime.InferenceSession(network / "silero_vad/data/silero_vad.onnx", options)

    def probabilities(self, path):
        samples = read(path)[0].astype(np.float32)
        state, context, found = np.zeros((2, 1, 128), np.float32), np.zeros(CONTEXT, np.float32), []
        for at in range(0, len(samples) - STEP + 1, STEP):
            step = np.concatenate([context, samples[at:at + STEP]])
            answer, state = self.session.run(None, {"input": step[np.newaxis], "state": state, "sr": np.array(RATE)})
            context = step[-CONTEXT:]
            found.append(answer[0, 0])
        return np.array(found)


def steps(values, on=0.5, off=0.35):
    """The events of a detector of two thresholds, in samples: its package's defaults."""
    found, start = [], None
    for number, value in enumerate([*values, 0]):
        if start is None and value >= on:
            start = number
        elif start is not None and value < off:
            found.append((start * STEP, number * STEP))
            start = None
    return found
