# SPDX-License-Identifier: Apache-2.0
"""lhotse_backend.py FILE: lhotse reads and describes every file with rawaudio, videos too."""

import sys
from typing import Any

import numpy as np
from lhotse import Recording
from lhotse.audio import set_current_audio_backend
from lhotse.audio.backend import AudioBackend, LibsndfileCompatibleAudioInfo

import rawaudio as ra


class RawaudioBackend(AudioBackend):
    def read_audio(
        self,
        path_or_fd: Any,
        offset: float = 0.0,
        duration: float | None = None,
        force_opus_sampling_rate: int | None = None,
    ) -> tuple[np.ndarray, int]:
        stop = None if duration is None else offset + duration
        rate = force_opus_sampling_rate if str(path_or_fd).endswith(".opus") else None
        samples, rate = ra.read(path_or_fd, rate, start=offset, stop=stop)
        return samples.T, rate

    def supports_info(self) -> bool:
        return True

    def info(self, path_or_fd: Any, force_opus_sampling_rate: int | None = None) -> LibsndfileCompatibleAudioInfo:
        facts = ra.info(path_or_fd)
        return LibsndfileCompatibleAudioInfo(facts.channels, facts.samples or 0, facts.rate, facts.duration or 0.0)


if __name__ == "__main__":
    set_current_audio_backend(RawaudioBackend())
    recording = Recording.from_file(sys.argv[1])
    print(recording.sampling_rate, recording.num_channels, recording.num_samples)
    print(recording.load_audio(offset=0.5, duration=0.25).shape, recording.resample(16000).load_audio().shape)
