# SPDX-License-Identifier: Apache-2.0
"""Times the Python package beside soundfile, soxr, librosa and torchcodec, and prints a table: docs/python.md.

    figures.py [--short]

A round does every work once with every package that is installed, one after the other; the first round is not counted.
A cell is the least of the rounds, in milliseconds an item, and its ratio to rawaudio's. All files are in memory before.
--short does all with few items, once: it says only whether everything still works.
"""

import argparse
import importlib
import io
import pathlib
import tempfile
import time

import numpy as np
import soundfile

import rawaudio as ra

RATE = 48_000
ROUNDS = 5


def installed(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


soxr, librosa, decoders = installed("soxr"), installed("librosa"), installed("torchcodec.decoders")


def sound(seconds, channels, seed):
    """Tones with noise, which a codec neither finds trivial nor impossible."""
    times = np.arange(seconds * RATE) / RATE
    tones = sum(0.1 * np.sin(2 * np.pi * hertz * times) for hertz in (110, 440, 1760))
    noise = np.random.default_rng(seed).normal(0, 0.02, (len(times), channels))
    return tones[:, np.newaxis] + noise


class Inputs:
    def __init__(self, folder, short):
        self.count, self.slices = (10, 10) if short else (1000, 1000)
        long_seconds = 20 if short else 600
        one = sound(1, 1, 1)
        for suffix in ("wav", "flac"):
            for number in range(self.count):
                soundfile.write(folder / f"{number}.{suffix}", np.roll(one, number), RATE, subtype="PCM_16")
        self.wav, self.flac = ([str(folder / f"{n}.{suffix}") for n in range(self.count)] for suffix in ("wav", "flac"))
        self.bytes = [pathlib.Path(path).read_bytes() for path in self.wav]
        self.long = str(folder / "long.flac")
        soundfile.write(self.long, sound(long_seconds, 2, 2), RATE, subtype="PCM_16")
        self.starts = np.random.default_rng(3).uniform(0, long_seconds - 1, self.slices).round(3).tolist()
        self.seconds = long_seconds


def soundfile_slice(path, start):
    with soundfile.SoundFile(path) as file:
        file.seek(round(start * RATE))
        return soxr.resample(file.read(RATE, dtype="float32").mean(axis=1), RATE, 16_000)


def whole(sounds, file=lambda sound: sound):
    """The calls that read all of each sound. Two packages read bytes as a file of their own."""
    decoder = decoders and decoders.AudioDecoder
    return {
        "rawaudio": lambda: sum(len(ra.read(sound)[0]) for sound in sounds),
        "soundfile": lambda: sum(len(soundfile.read(file(sound), dtype="float32")[0]) for sound in sounds),
        "librosa": librosa and (lambda: sum(len(librosa.load(file(sound), sr=None)[0]) for sound in sounds)),
        "torchcodec": decoder and (lambda: sum(decoder(sound).get_all_samples().data.shape[1] for sound in sounds)),
    }


def works(inputs):
    """The works: their title, the number of items, and the call of each package. Each returns samples per channel."""
    decoder = decoders and decoders.AudioDecoder
    one = {"sample_rate": 16_000, "num_channels": 1}
    return [
        (f"{inputs.count:,} WAV files of 1 s", inputs.count, whole(inputs.wav)),
        ("the same in memory", inputs.count, whole(inputs.bytes, io.BytesIO)),
        (f"{inputs.count:,} FLAC files of 1 s", inputs.count, whole(inputs.flac)),
        (f"{inputs.slices:,} slices of 1 s out of a long FLAC, at 16 kHz mono", inputs.slices, {
            "rawaudio": lambda: sum(
                len(ra.read(inputs.long, 16_000, 1, start=start, stop=start + 1)[0]) for start in inputs.starts),
            "soundfile": soxr and (lambda: sum(len(soundfile_slice(inputs.long, start)) for start in inputs.starts)),
            "librosa": librosa and (lambda: sum(
                len(librosa.load(inputs.long, sr=16_000, offset=start, duration=1)[0]) for start in inputs.starts)),
            "torchcodec": decoder and (lambda: sum(
                decoder(inputs.long, **one).get_samples_played_in_range(start, start + 1).data.shape[1]
                for start in inputs.starts)),
        }),
        (f"{inputs.seconds} s of FLAC, at 16 kHz mono", 1, {
            "rawaudio": lambda: len(ra.read(inputs.long, 16_000, 1)[0]),
            "soundfile": soxr and (lambda: len(soxr.resample(
                soundfile.read(inputs.long, dtype="float32")[0].mean(axis=1), RATE, 16_000))),
            "librosa": librosa and (lambda: len(librosa.load(inputs.long, sr=16_000)[0])),
            "torchcodec": decoder and (lambda: decoder(inputs.long, **one).get_all_samples().data.shape[1]),
        }),
        (f"{inputs.seconds} s of FLAC, in blocks of 0.5 s", 1, {
            "rawaudio": lambda: sum(len(block.samples) for block in ra.blocks(inputs.long, seconds=0.5)),
            "soundfile": lambda: sum(
                len(block) for block in soundfile.blocks(inputs.long, RATE // 2, dtype="float32")),
        }),
    ]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--short", action="store_true")
    short = parser.parse_args().short
    packages = ["rawaudio", "soundfile", "librosa", "torchcodec"]
    print("| ms an item |", " | ".join(f"{name} + soxr" if name == "soundfile" else name for name in packages), "|")
    print("|---|" + "---:|" * len(packages))
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        for title, items, calls in works(Inputs(pathlib.Path(folder), short)):
            print(f"| {title} |", " | ".join(cells(packages, calls, items, 1 if short else ROUNDS)), "|", flush=True)


def cells(packages, calls, items, rounds):
    times = {name: [] for name in packages if calls.get(name)}
    lengths = {}
    for number in range(rounds + (rounds > 1)):
        for name in times:
            began = time.perf_counter()
            lengths[name] = calls[name]()
            if number or rounds == 1:
                times[name].append((time.perf_counter() - began) * 1000 / items)
    # A slice may be a sample longer or shorter elsewhere.
    most = max(lengths.values())
    assert all(most - length <= items for length in lengths.values()), lengths
    own = min(times["rawaudio"])
    for name in packages:
        if name not in times:
            yield ""
            continue
        least = min(times[name])
        yield f"{least:.3g}" + ("" if name == "rawaudio" else f" (×{least / own:.2g})")


main()
