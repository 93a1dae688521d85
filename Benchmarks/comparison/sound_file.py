# SPDX-License-Identifier: Apache-2.0
"""How long a WAV or FLAC file is, read from what it holds."""

import struct


def samples_per_channel(path):
    with open(path, "rb") as file:
        magic = file.read(4)
        return wave_length(file) if magic == b"RIFF" else flac_length(file)


def wave_length(file):
    """Walks the chunks; the samples have to be in the file, whatever the header says."""
    file.seek(12)
    bytes_per_sample_frame = None
    while len(head := file.read(8)) == 8:
        name, size = struct.unpack("<4sI", head)
        start = file.tell()
        if name == b"fmt ":
            bytes_per_sample_frame = struct.unpack("<HHIIHH", file.read(16))[4]
        if name == b"data":
            present = file.seek(0, 2) - start
            return min(size, present) // bytes_per_sample_frame
        file.seek(start + size + size % 2)
    raise SystemExit(f"bench: no samples in '{file.name}'")


def flac_length(file):
    """The STREAMINFO block holds it in 36 bits (RFC 9639, 8.2)."""
    file.seek(4 + 4 + 10)
    return int.from_bytes(file.read(8), "big") & ((1 << 36) - 1)
