# SPDX-License-Identifier: Apache-2.0
"""Recordings of people: pyannote.audio's sample with its list of who speaks when, and those of pocketsphinx.

Those of pocketsphinx have a noise of their own about 40 dB below the voice, so they say only whether an utterance is lost.
"""

import pathlib
import sys

import detectors
import material
import numpy as np

SPHINX = pathlib.Path("/usr/share/pocketsphinx/test/data")
NOISES, RATIOS = ["white", "pink", "hum", "keyboard"], [20, 10, 5, 0]


def pyannote():
    """The samples, and the frames in which its RTTM file has a speaker."""
    places = (pathlib.Path(folder) / "pyannote/audio/sample" for folder in sys.path)
    folder = next((place for place in places if place.is_dir()), None)
    if folder is None:
        return None
    samples, _ = material.read(folder / "sample.wav")
    frames = np.zeros(len(samples) // material.FRAME, bool)
    for line in (folder / "sample.rttm").read_text().splitlines():
        start, length = map(float, line.split()[3:5])
        frames[round(start * 100):round((start + length) * 100)] = True
    return samples[:len(frames) * material.FRAME], frames


def sphinx():
    for path in sorted([*SPHINX.glob("*/*.wav"), *SPHINX.glob("*.raw")]):
        yield material.read(path)[0] if path.suffix == ".wav" else np.fromfile(path, "<i2") / 32768


def mixed(folder, samples, speech, name, ratio):
    """A file of the samples, with noise so far below the level of the speech, or without."""
    path = folder / "recording.wav"
    noise = material.noise(name, len(samples)) if name else np.zeros(len(samples))
    strength = material.level(speech) / material.level(noise) * 10 ** (-ratio / 20) if name else 0
    material.write(path, samples + strength * noise)
    return path


def report(folder, table, row, percent):
    if (found := pyannote()) is None:
        print("voice-figures: there is no sample of pyannote.audio", file=sys.stderr)
    else:
        samples, frames = found
        speech = samples.reshape(-1, material.FRAME)[frames]
        table("pyannote's sample, frame error in %", "as it is", *(f"{ratio} dB" for ratio in RATIOS))

        def error(name, ratio):
            path = mixed(folder, samples, speech, name, ratio)
            return np.mean(detectors.frames(detectors.voice(path), len(frames)) != frames)

        as_it_is = error(None, 0)
        for name in NOISES:
            row(name, percent(as_it_is), *(percent(error(name, ratio)) for ratio in RATIOS))

    utterances = list(sphinx())
    if not utterances:
        print("voice-figures: Debian's pocketsphinx-testdata is not installed", file=sys.stderr)
        return
    table(f"pocketsphinx's {len(utterances)} recordings, lost", "as they are", *(f"{ratio} dB" for ratio in RATIOS))

    def is_lost(samples, name, ratio):
        second = material.RATE
        found = detectors.voice(mixed(folder, np.pad(samples, second), samples, name, ratio))
        return not any(start < second + len(samples) and end > second for start, end in found)

    def count(name, ratio):
        return sum(is_lost(samples, name, ratio) for samples in utterances)

    as_they_are = count(None, 0)
    for name in NOISES:
        row(name, as_they_are, *(count(name, ratio) for ratio in RATIOS))
