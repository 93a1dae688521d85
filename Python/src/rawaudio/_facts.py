# SPDX-License-Identifier: Apache-2.0
"""Facts about files: info and measure."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _run
from ._errors import Error
from ._words import PathName
from ._words import file as source_file


@dataclass(frozen=True)
class Mark:
    """A place in a file: a mark, a region or a chapter.

    Attributes:
        position: in samples per channel.
        samples: its length; 0 for a point.
        label: its name.
    """

    position: int
    samples: int
    label: str


@dataclass(frozen=True)
class Info:
    """The facts about a file.

    Attributes:
        path: of the file.
        container, encoding: ``"wav"``, ``"s16"``.
        rate: in hertz.
        channels: their number.
        samples: per channel; None if the file must be read for it.
        duration: in seconds, or None.
        tags: its texts by upper-case keys; several values of one key in their order.
        marks: its marks, regions and chapters.
        details: the whole object of ``rawaudio info --json``.
    """

    path: str
    container: str
    encoding: str
    rate: int
    channels: int
    samples: int | None
    duration: float | None
    tags: dict[str, list[str]]
    marks: list[Mark]
    details: dict[str, Any] = field(repr=False)


@dataclass(frozen=True)
class Measurement:
    """Loudness by ITU-R BS.1770-4 and EBU R 128, and levels. None stands where silence or a short file has no value.

    Attributes:
        rate, channels, samples: the format and length, in hertz and samples per channel.
        loudness: integrated, in LUFS.
        loudness_range: in LU.
        max_momentary, max_short_term: in LUFS.
        true_peak: in dBTP.
        sample_peak, rms: in dBFS.
        clipped_runs: how often three samples in a row are at full scale.
        longest_silence: in seconds.
        details: the whole object of ``rawaudio measure --json``, with more measures and those of each channel.
    """

    rate: int
    channels: int
    samples: int
    loudness: float | None
    loudness_range: float | None
    max_momentary: float | None
    max_short_term: float | None
    true_peak: float | None
    sample_peak: float | None
    rms: float | None
    clipped_runs: int
    longest_silence: float
    details: dict[str, Any] = field(repr=False)


def info(file: PathName) -> Info:
    """Returns the facts about a file.

    Raises:
        Error: the file is missing or is no audio.
    """
    name = source_file(file, "read")
    facts = _object(["info", "--json", "--", name], name)
    carried = facts.get("carried") or {}
    tags = {key.upper(): list(values) for key, values in (carried.get("tags") or {}).items()}
    marks = [
        Mark(mark["position"], mark["length"], mark["label"] or mark["text"]) for mark in carried.get("marks") or ()
    ]
    return Info(
        facts["path"],
        facts["container"],
        facts["encoding"],
        facts["sampleRate"],
        facts["channelCount"],
        facts["samplesPerChannel"],
        facts["duration"],
        tags,
        marks,
        facts,
    )


def measure(sound: PathName | npt.NDArray[Any], rate: int | None = None) -> Measurement:
    """Measures a file, or samples in memory.

    Args:
        sound: a path, or samples as :func:`write` takes them.
        rate: of samples in memory, in hertz.

    Raises:
        Error: the file is missing or is no audio.
    """
    words = ["measure", "--json"]
    if isinstance(sound, np.ndarray):
        if rate is None:
            reason = "its rate is not known"
            raise Error(reason, action="measure", subject="the array", advice="give rate=", code=64, kind=TypeError)
        facts = _object(words, "the array", (sound, rate))
    else:
        name = source_file(sound, "measure")
        facts = _object([*words, "--", name], name)
    return Measurement(
        facts["sampleRate"],
        facts["channelCount"],
        facts["samplesPerChannel"],
        facts["loudness"],
        facts["loudnessRange"],
        facts["maxMomentary"],
        facts["maxShortTerm"],
        facts["truePeak"],
        facts["samplePeak"],
        facts["rms"],
        facts["clippedRuns"],
        facts["longestSilence"],
        facts,
    )


def _object(words: list[str], subject: str, samples: tuple[npt.ArrayLike, int] | None = None) -> dict[str, Any]:
    """Runs a command about one file, and returns its object of JSON."""
    output, reply = _run.run(words, samples)
    facts: list[dict[str, Any]] = json.loads(output) if output.startswith(b"[") else [{}]
    failure = facts[0].get("error")
    if failure is not None:
        raise Error.of(failure, subject, reply.code)
    reply.require_success()
    return facts[0]
