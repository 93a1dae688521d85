# SPDX-License-Identifier: Apache-2.0
"""Sound files as numpy arrays: the part of RIFF WAVE that measuring needs.

Own code, because Python's `wave` knows no floating point, and because what measures a program must
not read its files with the library that wrote them. Layout: "Multimedia Programming Interface and
Data Specifications 1.0", IBM and Microsoft, 1991; the extensible form: Microsoft,
"Multiple channel audio data and WAVE files", 2001.
"""

import struct
from pathlib import Path

import numpy

INTEGER, FLOAT, EXTENSIBLE = 1, 3, 0xFFFE

LAYOUTS = {
    "s16": (INTEGER, numpy.dtype("<i2")),
    "f32": (FLOAT, numpy.dtype("<f4")),
    "f64": (FLOAT, numpy.dtype("<f8")),
}


def write(path: Path, samples: numpy.ndarray, rate: int, encoding: str) -> None:
    """Writes `samples`, shaped (samples per channel, channels), as a file of this encoding."""
    tag, layout = LAYOUTS[encoding]
    data = numpy.ascontiguousarray(samples, dtype=layout).tobytes()
    channels = samples.shape[1]
    block = channels * layout.itemsize
    form = struct.pack("<HHIIHH", tag, channels, rate, rate * block, block, 8 * layout.itemsize)
    chunks = b"WAVE" + chunk(b"fmt ", form) + chunk(b"data", data)
    path.write_bytes(chunk(b"RIFF", chunks))


def read(path: Path) -> tuple[numpy.ndarray, int]:
    """The samples, shaped (samples per channel, channels), as stored, and the rate."""
    content = path.read_bytes()
    if content[:4] != b"RIFF" or content[8:12] != b"WAVE":
        raise ValueError(f"{path} is not a RIFF WAVE file")
    found = {}
    position = 12
    while position + 8 <= len(content):
        name, size = struct.unpack_from("<4sI", content, position)
        found.setdefault(name, content[position + 8 : position + 8 + size])
        position += 8 + size + size % 2
    tag, channels, rate, _, _, bits = struct.unpack_from("<HHIIHH", found[b"fmt "])
    if tag == EXTENSIBLE:
        (tag,) = struct.unpack_from("<H", found[b"fmt "], 24)
    for known, layout in LAYOUTS.values():
        if (tag, bits) == (known, 8 * layout.itemsize):
            return numpy.frombuffer(found[b"data"], dtype=layout).reshape(-1, channels), rate
    raise ValueError(f"{path} has samples of {bits} bits and format tag {tag}")


def chunk(name: bytes, content: bytes) -> bytes:
    return name + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)
