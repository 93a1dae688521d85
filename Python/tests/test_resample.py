# SPDX-License-Identifier: Apache-2.0
"""resample and Resampler, beside the command: the same bits in one piece, in any cut, in threads and behind a fork."""

from __future__ import annotations

import concurrent.futures
import os
import subprocess
import threading
from pathlib import Path

import numpy as np
import pytest
from conftest import noise

import rawaudio as ra
from rawaudio import _resample
from rawaudio._arrays import encoded
from rawaudio._program import command_line, environment

RATES = [(44100, 48000), (48000, 16000), (8000, 48000), (44100, 47999), (96000, 48000), (22050, 44100)]


def converted(data: np.ndarray, from_rate: int, to_rate: int, quality: str) -> np.ndarray:
    """As the command converts the samples: float64 if they are, else float32."""
    samples, encoding = encoded(data)
    form, type_ = ("f64", "<f8") if encoding == "f64" else ("f32", "<f4")
    words = ["convert", "--input-type=raw", f"--input-rate={from_rate}", f"--input-channels={samples.shape[1]}"]
    words += [f"--input-format={encoding}", f"--rate={to_rate}", f"--resampler-quality={quality}"]
    words += [f"--format={form}", "--type=raw", "--output=-", "samples"]
    # Of a pipe the session would be live, and its filters others.
    Path("samples").write_bytes(samples.tobytes())
    done = subprocess.run(command_line(*words), env=environment(), stdout=subprocess.PIPE, check=True)
    return np.frombuffer(done.stdout, type_).reshape(-1, samples.shape[1])


def of_type(type_: str, count: int, channels: int) -> np.ndarray:
    if type_.startswith("float"):
        return np.random.default_rng(3).uniform(-1, 1, (count, channels)).astype(type_)
    limits = np.iinfo(type_)
    return np.random.default_rng(3).integers(limits.min, limits.max, (count, channels), type_, endpoint=True)


@pytest.mark.parametrize("rates", RATES)
@pytest.mark.parametrize("quality", ["fast", "high", "best"])
@pytest.mark.parametrize("type_, channels", [("float32", 1), ("float32", 2), ("float64", 1)])
def test_an_array_becomes_that_of_the_command(
    rates: tuple[int, int], quality: ra.Quality, type_: str, channels: int
) -> None:
    data = of_type(type_, 40_000, channels)
    result = ra.resample(data, *rates, quality)
    assert result.dtype == type_
    np.testing.assert_array_equal(result, converted(data, *rates, quality))


@pytest.mark.parametrize("type_", ["int8", "uint8", "int16", "int32", ">i2", ">f4"])
def test_every_type_is_scaled_as_in_files(type_: str) -> None:
    data = of_type(np.dtype(type_).name, 3000, 2).astype(type_)
    result = ra.resample(data, 44100, 16000)
    assert result.dtype == np.float32
    np.testing.assert_array_equal(result, converted(data, 44100, 16000, "high"))


def test_the_quality_is_high_if_none_is_named() -> None:
    data = noise(5000)
    np.testing.assert_array_equal(ra.resample(data, 44100, 48000), ra.resample(data, 44100, 48000, quality="high"))
    assert (ra.resample(data, 44100, 48000) != ra.resample(data, 44100, 48000, "fast")).any()


def test_a_tone_stays_where_it_is() -> None:
    def tone(rate: int) -> np.ndarray:
        return np.sin(2 * np.pi * 1000 * np.arange(rate) / rate)

    error = ra.resample(tone(44100), 44100, 48000, "best") - tone(48000)
    assert np.abs(error[2000:-2000]).max() < 1e-9


@pytest.mark.parametrize("rates", RATES)
@pytest.mark.parametrize("type_, channels", [("float32", 1), ("float32", 3), ("float64", 2), ("int16", 2)])
def test_a_stream_may_be_cut_anywhere(rates: tuple[int, int], type_: str, channels: int) -> None:
    data = of_type(type_, 30_000, channels)
    whole = ra.Resampler(*rates, channels).process(data, last=True)
    # Ratios of large numbers take other steps in files, which agree above the passband to -75 dB.
    floor = 1e-3 if 47_999 in rates else 3e-6
    np.testing.assert_allclose(whole, ra.resample(data, *rates), rtol=0, atol=floor)
    chance = np.random.default_rng(rates[0] + channels)
    for longest in (1, 50, 480, 20_000):
        stream = ra.Resampler(*rates, channels)
        blocks, place = [], 0
        # Single samples only at the beginning.
        while place < len(data) and (longest > 1 or place < 500):
            length = int(chance.integers(0, longest, endpoint=True))
            blocks.append(stream.process(data[place : place + length]))
            place += length
        if longest == 480:
            blocks.append(stream.process(data[place:], last=True))
        else:
            blocks += [stream.process(data[place:]), stream.flush()]
        np.testing.assert_array_equal(np.concatenate(blocks), whole)


@pytest.mark.parametrize("count", [0, 1, 2, 999, 16_385])
@pytest.mark.parametrize("rates", RATES)
def test_the_length_is_exact(count: int, rates: tuple[int, int]) -> None:
    data = noise(count, 2)
    length = -(-count * rates[1] // rates[0])
    assert ra.resample(data, *rates).shape == (length, 2)
    stream = ra.Resampler(*rates, 2)
    assert len(stream.process(data)) + len(stream.flush()) == length


def test_the_shape_stays() -> None:
    data = noise(4410, 2)
    whole = ra.resample(data, 44100, 8000)
    assert ra.resample(data[:, 0], 44100, 8000).shape == (800,)
    assert ra.resample(data[:, :1], 44100, 8000).shape == (800, 1)
    assert ra.resample([0.0, 0.5, 0.0], 8000, 16000).shape == (6,)
    np.testing.assert_array_equal(ra.resample(data[:, 1], 44100, 8000), whole[:, 1])
    np.testing.assert_array_equal(ra.resample(np.asfortranarray(data), 44100, 8000), whole)
    np.testing.assert_array_equal(ra.resample(data.repeat(2, axis=0)[::2, ::-1], 44100, 8000), whole[:, ::-1])
    data.flags.writeable = False
    np.testing.assert_array_equal(ra.resample(data, 44100, 8000), whole)
    stream = ra.Resampler(44100, 8000)
    assert stream.process(data[:, 0]).ndim == stream.flush().ndim == 1


def test_equal_rates_change_nothing() -> None:
    data = noise(100, 2)
    result = ra.resample(data, 8000, 8000)
    np.testing.assert_array_equal(result, data)
    assert not np.shares_memory(result, data)


@pytest.mark.parametrize(
    "data, rates, quality, text",
    [
        (np.zeros((2, 480), np.float32), (8000, 16000), "high", r"that is 480 channels; if .* use x\.T"),
        (
            np.zeros((2, 2, 2), np.float32),
            (8000, 16000),
            "high",
            r"resample 'the array': its shape is \(2, 2, 2\)",
        ),
        (np.zeros((100, 65), np.float32), (8000, 16000), "high", r"that is 65 channels"),
        (np.zeros(9, np.complex64), (8000, 16000), "high", "its samples are complex64; use numpy.stack"),
        (np.zeros(9), (8000, 999), "high", "cannot use sample rate '999': it must be 1000 to 768000 Hz"),
        (np.zeros(9), (0, 8000), "high", "cannot use sample rate '0'"),
        (np.zeros(9), (8000, 1 << 80), "high", "cannot use sample rate"),
        (np.zeros(9), (8000, 44100.5), "high", "cannot use rate '44100.5': a rate is a whole number"),
        (np.zeros(9), (8000, 16000), "VHQ", "cannot use quality 'VHQ': it must be one of fast, high, best"),
    ],
)
def test_an_impossible_request_is_refused(data: np.ndarray, rates: tuple[int, int], quality: str, text: str) -> None:
    with pytest.raises(ra.Error, match=text) as caught:
        ra.resample(data, *rates, quality)  # type: ignore[arg-type]
    assert caught.value.code == 64


def test_a_stream_refuses_another_block() -> None:
    with pytest.raises(ra.Error, match="cannot use channel count '65': it must be 1 to 64"):
        ra.Resampler(8000, 16000, 65)
    stream = ra.Resampler(8000, 16000, 2)
    with pytest.raises(ra.Error, match=r"'the block': its shape is \(2, 9\); the stream has 2 channels: its transpose"):
        stream.process(np.zeros((2, 9), np.float32))
    with pytest.raises(ra.Error, match="the stream has 2 channels"):
        stream.process(np.zeros(9, np.float32))
    stream.process(np.zeros((9, 2), np.int16))
    with pytest.raises(ra.Error, match="its samples are f32; those before are s16"):
        stream.process(np.zeros((9, 2), np.float32))
    stream.flush()
    for end in (stream.flush, lambda: stream.process(np.zeros((9, 2), np.int16))):
        with pytest.raises(ra.Error, match="its stream has ended"):
            end()


def test_one_thread_at_a_time_has_a_stream() -> None:
    stream = ra.Resampler(8000, 16000)
    with stream._use, pytest.raises(ra.Error, match="another thread converts one"):
        stream.process(noise(9))
    stream.process(noise(9))


@pytest.mark.parametrize("rates", RATES)
def test_helpers_of_a_long_array_change_nothing(rates: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    data = noise(_resample._SIZE_FOR_HELPERS // 2 + 1, 2)
    monkeypatch.setattr(_resample, "processors", lambda: 1)
    alone = ra.resample(data, *rates)
    monkeypatch.setattr(_resample, "processors", lambda: 4)
    np.testing.assert_array_equal(ra.resample(data, *rates), alone)


def test_threads_convert_at_the_same_time() -> None:
    data = [noise(20_000, 1 + number % 3, seed=number) for number in range(24)]
    rates = [RATES[number % len(RATES)] for number in range(24)]
    pairs = list(zip(data, rates, strict=True))
    expected = [ra.resample(samples, *pair) for samples, pair in pairs]
    live = [ra.Resampler(*pair, samples.shape[1]).process(samples, last=True) for samples, pair in pairs]

    def convert(number: int) -> bool:
        stream = ra.Resampler(*rates[number], data[number].shape[1])
        parts = [stream.process(part) for part in np.array_split(data[number], 7)] + [stream.flush()]
        whole = ra.resample(data[number], *rates[number])
        return bool((np.concatenate(parts) == live[number]).all() and (whole == expected[number]).all())

    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        assert all(threads.map(convert, list(range(24)) * 4))


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_in_the_middle_of_a_conversion(monkeypatch: pytest.MonkeyPatch) -> None:
    data = noise(5000)
    expected = ra.resample(data, 44100, 48000)
    live = ra.Resampler(44100, 48000).process(data, last=True)
    stream = ra.Resampler(44100, 48000)
    begun = stream.process(data[:3000])
    stop = threading.Event()

    def convert() -> None:
        rate = 8000
        while not stop.is_set():
            # A new filter each time.
            ra.resample(data, 8000, rate := rate + 1)

    def convert_with_help() -> None:
        long = noise(_resample._SIZE_FOR_HELPERS)
        while not stop.is_set():
            ra.resample(long, 16000, 8000)

    monkeypatch.setattr(_resample, "processors", lambda: 3)
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        threads.submit(convert)
        threads.submit(convert_with_help)
        try:
            for _ in range(20):
                child = os.fork()
                if child == 0:
                    whole = ra.resample(data, 44100, 48000)
                    ra.resample(data, 11025, 48000)
                    rest = stream.process(data[3000:], last=True)
                    same = (whole == expected).all() and (np.concatenate([begun, rest]) == live).all()
                    os._exit(0 if same else 1)
                assert os.waitpid(child, 0)[1] == 0
        finally:
            stop.set()
    np.testing.assert_array_equal(np.concatenate([begun, stream.process(data[3000:], last=True)]), live)


def test_a_forgotten_stream_leaves_no_memory() -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    data = noise(2000)

    def forget(count: int) -> int:
        for _ in range(count):
            ra.Resampler(44100, 48000).process(data)
        return resident()

    # One takes some 20 KB.
    assert -forget(1000) + forget(3000) < 20_000_000
