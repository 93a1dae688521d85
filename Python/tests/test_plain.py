# SPDX-License-Identifier: Apache-2.0
"""WAV files that the package reads itself, beside the program; and files that it must leave to the program."""

from __future__ import annotations

import itertools
import os
import random
import struct
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from conftest import RATE, noise

import rawaudio as ra
from rawaudio import _plain
from rawaudio._arrays import SampleType

TYPES: list[SampleType] = ["float32", "float64", "int16", "int32"]
TAIL = bytes.fromhex("000000001000800000aa00389b71")


def chunk(name: bytes, body: bytes) -> bytes:
    return name + struct.pack("<I", len(body)) + body + bytes(len(body) % 2)


def wave(*chunks: bytes) -> bytes:
    body = b"WAVE" + b"".join(chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def form(tag: int, channels: int, rate: int, bits: int, *, wide: bool = False, more: bytes = b"") -> bytes:
    block = channels * bits // 8
    plain = struct.pack("<HHIIHH", 0xFFFE if wide else tag, channels, rate, rate * block, block, bits)
    if wide:
        plain += struct.pack("<HHIH", 22, bits, (1 << channels) - 1, tag) + TAIL
    return chunk(b"fmt ", plain + more)


def content(tag: int, count: int, bits: int, seed: int) -> bytes:
    numbers = np.random.default_rng(seed)
    if tag == 1:
        return numbers.bytes(count * bits // 8)
    values = numbers.normal(0, 0.3, count)
    values[:8] = [0.0, -0.0, 1.0, -1.0, 1.5, 1e-40, 3e38, -7.25][:count]
    return values.astype("<f4" if bits == 32 else "<f8").tobytes()


def by_program(source: Any, *words: Any, **names: Any) -> tuple[Any, list[str]]:
    """What the program reads, and its notes; or its error."""
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        patch.setattr(_plain, "read", lambda *_: None)
        try:
            return ra.read(source, *words, **names), [str(note.message) for note in notes]
        except ra.Error as error:
            return str(error), []


def compare(path: Path, is_plain: bool | None, **names: Any) -> None:
    """The samples are the program's, bit for bit, and a file of which it has more to say is left to it."""
    dtype = np.dtype(names.pop("dtype", "float32"))
    found = _plain.read(
        str(path), names.get("rate"), names.get("channels"), names.get("start"), names.get("stop"), dtype
    )
    if is_plain is not None:
        assert (found is not None) == is_plain
    expected, notes = by_program(path, dtype=dtype.name, **names)
    if found is None:
        return
    assert not notes
    assert not isinstance(expected, str), expected
    assert found[1] == expected[1]
    assert found[0].dtype == expected[0].dtype == dtype
    assert found[0].shape == expected[0].shape
    assert found[0].tobytes() == expected[0].tobytes()
    assert found[0].flags.writeable and found[0].flags.c_contiguous
    in_memory = ra.read(path.read_bytes(), dtype=dtype.name, **names)[0]
    assert in_memory.tobytes() == expected[0].tobytes()


@pytest.mark.parametrize("tag, bits", [(1, 8), (1, 16), (1, 24), (1, 32), (3, 32), (3, 64)])
def test_a_plain_file_has_the_program_s_samples(folder: Path, tag: int, bits: int) -> None:
    path = folder / "a.wav"
    for seed, (channels, wide, dtype) in enumerate(itertools.product((1, 2, 5), (False, True), TYPES)):
        data = chunk(b"data", content(tag, 1001 * channels, bits, seed))
        extra = [chunk(b"LIST", b"INFOINAM\x03\0\0\0abc\0"), chunk(b"JUNK", bytes(17))] if seed % 3 == 1 else []
        path.write_bytes(wave(form(tag, channels, 8000 + seed, bits, wide=wide), *extra, data, *extra[1:]))
        kind = "f" if tag == 3 else "i"
        exact = dtype == f"float{bits}" if kind == "f" else dtype != "int16" or bits <= 16
        compare(path, exact, dtype=dtype)


@pytest.mark.filterwarnings("ignore::rawaudio.Note")
def test_a_part_is_the_program_s(wav: Path) -> None:
    numbers = random.Random(1)
    for _ in range(40):
        start, stop = sorted(numbers.choice([numbers.uniform(0, 3.1), numbers.randrange(132_400) / RATE]) for _ in "ab")
        compare(wav, None, start=start, stop=stop)
    whole = [("10S", "1000S"), (None, "132300S"), (0, 3), (1 / 3, 2 / 3), ("0.5", 1), (0, 0.0000113379)]
    for part in whole:
        compare(wav, None, start=part[0], stop=part[1])
    others = [(-1.0, None), (None, -1), (0, 4.0), (1, 1), (2, 1), ("1:30", None), ("132301S", None), (-0.0, 1)]
    for part in others:
        compare(wav, False, start=part[0], stop=part[1])
    compare(wav, True, rate=RATE, channels=2)
    compare(wav, False, rate=RATE, channels=1)
    compare(wav, False, rate=48000)


def unusual() -> dict[str, bytes]:
    samples = content(1, 1000, 16, 1)
    data, usual = chunk(b"data", samples), form(1, 1, 8000, 16)
    whole = wave(usual, data)
    sized = struct.Struct("<I")
    return {
        "truncated": whole[:-100],
        "one byte too few": whole[:-1],
        "bytes behind": whole + bytes(8),
        "a chunk behind the form": whole + chunk(b"LIST", b"INFO"),
        "a tag in front": b"ID3\x04\0\0\0\0\0\x0a" + bytes(10) + whole,
        "size of the form 0": whole[:4] + sized.pack(0) + whole[8:],
        "size of the form -1": whole[:4] + sized.pack(0xFFFFFFFF) + whole[8:],
        "size of the data 0": whole[:40] + sized.pack(0) + whole[44:],
        "size of the data -1": whole[:40] + sized.pack(0xFFFFFFFF) + whole[44:],
        "size of the data too large": whole[:40] + sized.pack(5000) + whole[44:],
        "size of the data too small": whole[:40] + sized.pack(1000) + whole[44:],
        "no data": wave(usual),
        "no samples": wave(usual, chunk(b"data", b"")),
        "data first": wave(data, usual),
        "two data": wave(usual, data, data),
        "two forms": wave(usual, usual, data),
        "odd data": wave(usual, chunk(b"data", samples + b"\1")),
        "odd data without padding": wave(usual, chunk(b"data", samples + b"\1")[:-1]),
        "a chunk that ends late": wave(usual, data, b"LIST" + sized.pack(100) + bytes(8)),
        "block of 4 bytes": wave(chunk(b"fmt ", struct.pack("<HHIIHH", 1, 1, 8000, 32000, 4, 16)), data),
        "wrong byte rate": wave(chunk(b"fmt ", struct.pack("<HHIIHH", 1, 1, 8000, 1, 2, 16)), data),
        "12 bits": wave(chunk(b"fmt ", struct.pack("<HHIIHH", 1, 1, 8000, 16000, 2, 12)), data),
        "24 bits in 4 bytes": wave(chunk(b"fmt ", struct.pack("<HHIIHH", 1, 1, 8000, 32000, 4, 24)), data),
        "no channels": wave(chunk(b"fmt ", struct.pack("<HHIIHH", 1, 0, 8000, 0, 0, 16)), data),
        "no rate": wave(form(1, 1, 0, 16), data),
        "65 channels": wave(form(1, 65, 8000, 16), chunk(b"data", samples[: 130 * 10])),
        "mu-law": wave(form(7, 1, 8000, 8), data),
        "IMA ADPCM": wave(form(0x11, 1, 8000, 4), data),
        "64-bit integers": wave(form(1, 1, 8000, 64), data),
        "short fmt": wave(chunk(b"fmt ", b"\1\0\1\0"), data),
        "long fmt": wave(form(1, 1, 8000, 16, more=struct.pack("<H", 4) + bytes(4)), data),
        "fewer valid bits": wave(form(1, 1, 8000, 16, wide=True).replace(b"\x16\0\x10\0", b"\x16\0\x0c\0"), data),
        "ambisonic": wave(
            form(1, 1, 8000, 16, wide=True).replace(TAIL, bytes.fromhex("00002107d3118644c8c1ca000000")), data
        ),
        "another format behind": wave(form(1, 1, 8000, 16, wide=True).replace(TAIL, bytes(14)), data),
        "RIFX": b"RIFX" + whole[4:],
        "RF64": b"RF64" + whole[4:],
        "not WAVE": whole[:8] + b"AVI " + whole[12:],
        "101 chunks": wave(*[chunk(b"JUNK", b"")] * 100, usual, data),
        "text": b"RIFF is a text about files",
        "nothing": b"",
    }


@pytest.mark.filterwarnings("ignore::rawaudio.Note")
@pytest.mark.parametrize("name", unusual())
def test_an_unusual_file_is_left_to_the_program(folder: Path, name: str) -> None:
    path = folder / "a.wav"
    path.write_bytes(unusual()[name])
    compare(path, False)


def test_damaged_files_are_the_program_s(folder: Path) -> None:
    """A file with any wrong byte is read as the program reads it without a word, or by the program."""
    numbers = random.Random(2)
    path = folder / "a.wav"
    plain = wave(form(1, 2, 8000, 16), chunk(b"LIST", b"INFOINAM\4\0\0\0abc\0"), chunk(b"data", content(1, 64, 16, 3)))
    taken = 0
    for _ in range(300):
        data = bytearray(plain)
        for _ in range(numbers.randrange(3)):
            data[numbers.randrange(80)] = numbers.choice([0, 1, 2, 255, numbers.randrange(256)])
        path.write_bytes(data[: numbers.choice([len(data), len(data), numbers.randrange(len(data))])])
        taken += _plain.read(str(path), None, None, None, None, np.dtype("float32")) is not None
        compare(path, None)
    assert taken > 50


def test_what_is_no_file_is_left_to_the_program(folder: Path) -> None:
    os.mkfifo("fifo.wav")
    os.mkdir("folder.wav")
    os.symlink("loop.wav", "loop.wav")
    for name in ("fifo.wav", "folder.wav", "loop.wav", "none.wav", "/dev/null", "a\0b"):
        assert _plain.read(name, None, None, None, None, np.dtype("float32")) is None


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize(
    "name, subtype",
    [("a.wav", "PCM_16"), ("b.wav", "PCM_24"), ("c.wav", "PCM_32"), ("a.flac", "PCM_16"), ("a.flac", "PCM_24")],
)
def test_integers_are_those_of_soundfile(folder: Path, name: str, subtype: str, dtype: SampleType) -> None:
    bits = int(subtype[4:])
    soundfile.write(name, noise(RATE, 2) * 0.999, RATE, subtype=subtype)
    expected, _ = soundfile.read(name, dtype=dtype, always_2d=True)
    samples, rate = ra.read(name, dtype=dtype)
    assert (rate, samples.dtype) == (RATE, np.dtype(dtype))
    if dtype != "int16" or bits == 16:
        np.testing.assert_array_equal(samples, expected)
    else:
        # soundfile cuts the lower bits off; they are rounded here.
        exact, _ = soundfile.read(name, dtype="float64", always_2d=True)
        np.testing.assert_array_equal(samples, np.rint(exact * 32768))
    blocks = list(ra.blocks(name, seconds=0.3, dtype=dtype))
    np.testing.assert_array_equal(np.concatenate([block.samples for block in blocks]), samples)
    assert {block.samples.dtype for block in blocks} == {np.dtype(dtype)}


def test_floats_become_integers_by_their_full_scale(folder: Path) -> None:
    values = np.array([0, 0.5, -0.5, -1, 0.25 + 2**-16, 1 - 2**-15, 1, 1.5, -2], "f8")
    for subtype in ("DOUBLE", "FLOAT"):
        soundfile.write("a.wav", values, RATE, subtype=subtype)
        assert ra.read("a.wav", dtype="float64")[0][:, 0].tolist() == values.tolist()
        for dtype, full in (("int16", 2**15), ("int32", 2**31)):
            with pytest.warns(ra.Note, match="3 samples clipped"):
                samples, _ = ra.read("a.wav", dtype=dtype)  # type: ignore[call-overload]
            expected = np.clip(np.rint(values * full), -full, full - 1)
            assert samples[:, 0].tolist() == expected.tolist()


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int64", "float16", "complex64", "S1", "no type", None, 5])
def test_another_type_is_refused(wav: Path, dtype: Any) -> None:
    for call in (lambda: ra.read(wav, dtype=dtype), lambda: ra.blocks(wav, seconds=1, dtype=dtype)):
        with pytest.raises(ra.Error, match="use float32, float64, int16 or int32") as caught:
            call()
        assert caught.value.code == 64


def test_a_type_of_numpy_is_taken(wav: Path) -> None:
    for dtype in (np.int16, np.dtype("int16"), "<i2", ">i2"):
        samples, _ = ra.read(wav, dtype=dtype)  # type: ignore[call-overload]
        assert samples.dtype == np.int16
