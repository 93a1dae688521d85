# SPDX-License-Identifier: Apache-2.0
"""read, blocks and write, beside soundfile and the command."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import soundfile
from conftest import RATE, noise, served

import rawaudio as ra
from rawaudio import blocking
from rawaudio._program import command_line, environment


@pytest.mark.parametrize("name, subtype", [("a.wav", "PCM_16"), ("a.flac", "PCM_24"), ("a.wav", "FLOAT")])
def test_a_file_has_the_samples_that_soundfile_reads(folder: Path, name: str, subtype: str) -> None:
    soundfile.write(name, noise(RATE, 2), RATE, subtype=subtype)
    samples, rate = ra.read(name)
    expected, _ = soundfile.read(name, dtype="float32", always_2d=True)
    assert rate == RATE
    assert samples.dtype == np.float32
    np.testing.assert_array_equal(samples, expected)


def test_a_part_begins_and_ends_at_its_samples(wav: Path) -> None:
    whole, _ = ra.read(wav)
    np.testing.assert_array_equal(ra.read(wav, start=0.5, stop=1.25)[0], whole[22050:55125])
    np.testing.assert_array_equal(ra.read(wav, start="100S", stop="101S")[0], whole[100:101])
    np.testing.assert_array_equal(ra.read(wav, start=-0.5)[0], whole[-22050:])
    assert ra.read(wav, stop="1S")[0].shape == (1, 2)


def test_a_conversion_is_that_of_the_command(wav: Path) -> None:
    samples, rate = ra.read(wav, 16000, 1, start=0.1, options=["--highpass", "80"])
    words = [
        "convert",
        "--start=0.1",
        "-r",
        "16000",
        "-c",
        "1",
        "-f",
        "f32",
        "-t",
        "raw",
        "-o",
        "-",
        "--highpass",
        "80",
    ]
    output = subprocess.run(
        command_line(*words, str(wav)), env=environment(), stdout=subprocess.PIPE, check=True
    ).stdout
    assert rate == 16000
    assert samples.tobytes() == output


def test_blocks_are_the_file(wav: Path) -> None:
    whole, _ = ra.read(wav, 16000)
    blocks = list(ra.blocks(wav, 16000, seconds=0.25))
    np.testing.assert_array_equal(np.concatenate([block.samples for block in blocks]), whole)
    assert [block.position for block in blocks] == list(range(0, len(whole), 4000))
    assert blocks[4].time == 1.0
    assert {block.rate for block in blocks} == {16000}
    sizes = [len(block.samples) for block in ra.blocks(wav, blocksize=100_000)]
    assert sizes == [100_000, 32_300]


def test_blocks_may_be_left(wav: Path) -> None:
    for block in ra.blocks(wav, blocksize=100):
        assert block.position == 0
        break
    assert len(ra.read(wav)[0]) == 3 * RATE


@pytest.mark.parametrize("choice", [{}, {"seconds": 1, "blocksize": 5}, {"seconds": 0}])
def test_an_impossible_length_is_refused(wav: Path, choice: dict[str, int]) -> None:
    with pytest.raises(ra.Error) as caught:
        list(ra.blocks(wav, **choice))  # type: ignore[arg-type]
    assert caught.value.code == 64


@pytest.mark.parametrize(
    "type_, encoding", [("float32", "f32"), ("float64", "f64"), ("int16", "s16"), ("int32", "s32"), ("uint8", "u8")]
)
def test_an_array_is_written_as_it_is(folder: Path, type_: str, encoding: str) -> None:
    data = noise(1000, 3) if type_.startswith("f") else np.random.default_rng(2).integers(0, 255, (1000, 3))
    data = data.astype(type_)
    ra.write("a.wav", data, 8000)
    assert ra.info("a.wav").encoding == encoding
    read, rate = soundfile.read("a.wav", dtype="float64" if encoding in ("f64", "u8") else type_)
    assert rate == 8000
    np.testing.assert_array_equal(read, (data.astype("f8") - 128) / 128 if encoding == "u8" else data)


def test_a_view_and_one_channel_are_written(folder: Path) -> None:
    data = noise(1000, 4)
    ra.write("a.wav", data[::3, 1], 8000)
    ra.write("b.wav", data.astype(">f4")[:, :2], 8000)
    np.testing.assert_array_equal(ra.read("a.wav")[0][:, 0], data[::3, 1])
    np.testing.assert_array_equal(ra.read("b.wav")[0], data[:, :2])
    with pytest.warns(ra.Note, match="holds no sample"):
        ra.write("c.wav", np.empty((0, 2), np.float32), 8000)
    assert ra.read("c.wav")[0].shape == (0, 2)


def test_a_file_gets_loudness_and_tags(folder: Path) -> None:
    ra.write("a.flac", noise(2 * RATE), RATE, loudness=-23, tags={"title": 'a "b" \\x5c ü', "artist": ["x", "y"]})
    info = ra.info("a.flac")
    assert info.tags == {"TITLE": ['a "b" \\x5c ü'], "ARTIST": ["x", "y"]}
    assert (info.container, info.rate, info.channels, info.samples, info.duration) == ("flac", RATE, 1, 2 * RATE, 2.0)
    assert ra.measure("a.flac").loudness == pytest.approx(-23, abs=0.01)
    ra.write("a.wav", noise(100), RATE, encoding="s16", container="aiff")
    assert ra.info("a.wav").details["container"] == "aiff"


def test_one_rule_for_existing_files(folder: Path) -> None:
    def record(overwrite: bool) -> None:
        with blocking.session(playback="a.wav", rate=RATE, channels=1, overwrite=overwrite) as session:
            if overwrite:
                session.join("bot", rate=RATE).write(noise(40))
            else:
                session.wait()

    Path("in").mkdir()
    ra.write("in/a.wav", noise(30), RATE)
    ra.write("a.wav", noise(10), RATE)
    calls: list[tuple[Callable[[bool], object], int | None]] = [
        (lambda overwrite: ra.write("a.wav", noise(20), RATE, overwrite=overwrite), 20),
        (lambda overwrite: ra.convert("in/a.wav", "a.wav", overwrite=overwrite), 30),
        (lambda overwrite: ra.convert("in/a.wav", "{stem}.wav", overwrite=overwrite), 30),
        (record, None),
    ]
    for call, samples in calls:
        before = Path("a.wav").read_bytes()
        with pytest.raises(FileExistsError, match="pass overwrite=True"):
            call(False)
        assert Path("a.wav").read_bytes() == before
        call(True)
        assert samples is None or ra.info("a.wav").samples == samples
    before = Path("a.wav").read_bytes()
    with pytest.raises(ra.Error):
        ra.write("a.wav", noise(20), RATE, encoding="mp3", overwrite=True)
    assert Path("a.wav").read_bytes() == before


@pytest.mark.parametrize(
    "data", [np.zeros(3, np.complex64), np.zeros((2, 2, 2), np.float32), np.zeros((2, 0), np.int16), ["a"]]
)
def test_an_array_of_another_kind_is_refused(folder: Path, data: object) -> None:
    with pytest.raises(ra.Error) as caught:
        ra.write("a.wav", data, 8000)  # type: ignore[arg-type]
    assert caught.value.code == 64
    assert not Path("a.wav").exists()


def test_an_error_has_its_parts(folder: Path) -> None:
    with pytest.raises(ra.Error) as caught:
        ra.read("none.wav")
    error = caught.value
    assert (error.action, error.subject, error.reason, error.code) == ("open", "none.wav", "no such file", 1)
    assert str(error) == "cannot open 'none.wav': no such file"
    with pytest.raises(ra.Error, match="headerless data pass options=") as caught:
        Path("text.wav").write_text("no sound " * 100)
        ra.read("text.wav")
    assert caught.value.advice
    with pytest.raises(ra.Error, match="its directory does not exist"):
        ra.write("none/a.wav", noise(10), RATE)
    with pytest.raises(ra.Error, match="a rate is a whole number of hertz") as caught:
        ra.read("text.wav", rate=5)
    assert caught.value.code == 64


def test_a_name_may_be_any_bytes(folder: Path) -> None:
    for name in [b"\xff\xe9 a.wav", b"a\\xe9'\".wav", b"-d.wav", b"{stem}%F.wav", "ü\n.wav".encode()]:
        path = os.fsdecode(name)
        ra.write(path, noise(10), RATE)
        assert ra.read(path)[0].shape == (10, 1)
        assert name in os.listdir(b".")
    with pytest.raises(ra.Error) as caught:
        ra.read(os.fsdecode(b"no\xff.wav"))
    assert caught.value.subject == "no\\xff.wav"


def test_a_note_is_a_warning(folder: Path) -> None:
    with pytest.warns(ra.Note, match=r"10 samples clipped in 'a.wav'"):
        ra.write("a.wav", np.full(10, 1.5), RATE, encoding="s16")


def test_a_full_disk_leaves_no_file(folder: Path) -> None:
    with pytest.raises(ra.Error, match="no space left on device"):
        ra.write("/dev/full", noise(100_000), RATE, container="wav")
    assert len(served()) <= 1


def test_a_name_opens_no_device_and_no_network(folder: Path) -> None:
    for call in (ra.read, ra.info, ra.measure, lambda name: next(iter(ra.blocks(name, seconds=1)))):
        for name in ("alsa:default", "rtsp://127.0.0.1/x", "tone:440", "null:"):
            with pytest.raises(ra.Error, match="it is an end, and no file; ends=True opens") as caught:
                call(name)
            assert caught.value.code == 64
        for name in ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
            with pytest.raises(ra.Error, match="the program's own streams carry its requests"):
                call(name)
    for name in ("-", "/dev/stdout", "null:", "alsa:default"):
        for write in (lambda name: ra.write(name, noise(10), RATE), lambda name: ra.convert("a.wav", name)):
            with pytest.raises(ra.Error, match=f"cannot write to '{name}'"):
                write(name)
    for sources in ("tone:440", ["tone:440"], [{"source": "-"}]):
        with pytest.raises(ra.Error, match="cannot convert"):
            ra.convert(sources, "out/{stem}.wav")


def test_a_file_may_be_called_as_an_end(folder: Path) -> None:
    ra.write("./tone:440", noise(10), RATE, container="wav")
    ra.write("12:30.wav", noise(11), RATE)
    assert len(ra.read("tone:440")[0]) == 10
    assert ra.info("12:30.wav").samples == 11
    assert [result.samples for result in ra.convert(["12:30.wav"], "{stem}.flac")] == [11]


def test_an_end_may_be_read(folder: Path) -> None:
    samples, rate = ra.read("tone:440", 48000, 2, stop=0.5, ends=True)
    assert (samples.shape, rate) == ((24000, 2), 48000)
    blocks = list(ra.blocks("tone:440", 48000, 2, stop=0.5, blocksize=10_000, ends=True))
    np.testing.assert_array_equal(np.concatenate([block.samples for block in blocks]), samples)
    for call in (lambda: ra.read("tone:440", stop=0.1, ends=True), lambda: ra.blocks("tone:440", seconds=1, ends=True)):
        with pytest.raises(ra.Error, match="an end needs rate and channels"):
            call()
