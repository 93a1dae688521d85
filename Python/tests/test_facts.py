# SPDX-License-Identifier: Apache-2.0
"""info, measure and devices."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from conftest import RATE, noise

import rawaudio as ra
from rawaudio._program import command_line, environment


def test_facts_are_those_of_the_command(wav: Path) -> None:
    text = subprocess.run(
        command_line("info", "--json", str(wav)), env=environment(), stdout=subprocess.PIPE, check=True
    ).stdout
    assert ra.info(wav).details == json.loads(text)[0]
    assert ra.info(wav).tags == {}


def test_marks_are_told(folder: Path, wav: Path) -> None:
    Path("marks.csv").write_text("start,end,label\n0.5,1,one\n2,2.5,two\n")
    ra.convert(wav, "marked.wav", options=["--marks", "marks.csv"])
    assert ra.info("marked.wav").marks == [ra.Mark(22050, 22050, "one"), ra.Mark(88200, 22050, "two")]


def test_an_array_is_measured_as_its_file(folder: Path) -> None:
    sine = (0.5 * np.sin(2 * np.pi * 997 * np.arange(5 * 48000) / 48000)).astype(np.float32)
    ra.write("sine.wav", sine, 48000)
    measured, of_file = ra.measure(sine, 48000), ra.measure("sine.wav")
    # A sine of 997 Hz at -6.02 dBFS in one channel: BS.1770-4, -3.01 LUFS at full scale.
    assert measured.loudness == pytest.approx(-9.03, abs=0.01)
    assert measured.sample_peak == pytest.approx(20 * np.log10(0.5), abs=0.001)
    assert (measured.loudness, measured.true_peak, measured.rms) == (of_file.loudness, of_file.true_peak, of_file.rms)
    assert (measured.rate, measured.channels, measured.samples) == (48000, 1, 5 * 48000)
    assert ra.measure(np.zeros(RATE, np.int16), RATE).loudness is None


def test_errors_have_their_parts(folder: Path) -> None:
    for function in (ra.info, ra.measure):
        with pytest.raises(ra.Error) as caught:
            function("it's; none.wav")
        assert (caught.value.action, caught.value.subject, caught.value.reason) == (
            "open",
            "it's; none.wav",
            "no such file",
        )
    with pytest.raises(ra.Error, match="give rate="):
        ra.measure(noise(10))


def test_the_devices_are_listed(card: Path) -> None:
    devices = {device.name: device for device in ra.devices()}
    assert devices["cd"].capture_rates == (44100,)
    assert devices["cd"].playback_channels == (2,)
    assert not devices["cd"].is_default
