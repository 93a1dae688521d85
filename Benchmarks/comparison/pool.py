# SPDX-License-Identifier: Apache-2.0
"""Converts a folder to 16 kHz mono as Python programs do it: libsndfile and soxr, a process for each processor."""

import multiprocessing
import os
import sys

import soundfile
import soxr


def convert(name):
    samples, rate = soundfile.read(f"{sys.argv[1]}/{name}", dtype="float32")
    samples = soxr.resample(samples, rate, 16_000, quality="HQ")
    if samples.ndim > 1:
        samples = samples.mean(axis=1)
    soundfile.write(f"{sys.argv[2]}/{os.path.splitext(name)[0]}.wav", samples, 16_000, subtype="PCM_16")


with multiprocessing.Pool() as pool:
    pool.map(convert, sorted(os.listdir(sys.argv[1])), chunksize=8)
