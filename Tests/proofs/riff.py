# SPDX-License-Identifier: Apache-2.0
"""Files of chunks, written and walked without a library: "Multimedia Programming Interface", IBM and Microsoft, 1991."""

import struct

INTEGER, FLOAT = 1, 3


def chunk(name, body, order="<"):
    return name + struct.pack(order + "I", len(body)) + body + bytes(len(body) % 2)


def riff(body):
    """A WAV file of chunks."""
    return b"RIFF" + struct.pack("<I", 4 + len(body)) + b"WAVE" + body


def form(rate, channels, bits=16, tag=INTEGER):
    """The body of `fmt `."""
    block = channels * bits // 8
    return struct.pack("<HHIIHH", tag, channels, rate, rate * block, block, bits)


def header(byte_count, rate, channels, bits=16, tag=INTEGER):
    """All of a WAV file in front of as many bytes of samples."""
    return (b"RIFF" + struct.pack("<I", 36 + byte_count) + b"WAVE" + chunk(b"fmt ", form(rate, channels, bits, tag))
            + b"data" + struct.pack("<I", byte_count))


def wave(data, rate, channels=1, bits=16, tag=INTEGER):
    """A WAV file of samples, which are bytes or 16-bit numbers."""
    if not isinstance(data, (bytes, bytearray)):
        data = struct.pack(f"<{len(data)}h", *data)
    return header(len(data), rate, channels, bits, tag) + data


def samples(path, block=1):
    """The bytes of samples in a WAV file, to its end, in whole blocks; all bytes of another file."""
    with open(path, "rb") as file:
        data = file.read()
    begin = data.index(b"data") + 8 if data[:4] == b"RIFF" else 0
    return data[begin:begin + (len(data) - begin) // block * block]


def chunks(data, at=12, order="<"):
    """The name, the place of the body and the stated size of each chunk, without trust in the sizes."""
    while at + 8 <= len(data):
        name, size = struct.unpack_from(order + "4sI", data, at)
        yield name, at + 8, size
        at += 8 + size + size % 2
