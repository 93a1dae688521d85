# SPDX-License-Identifier: Apache-2.0
"""How a file is damaged. The same seed damages it in the same way."""

import re
import struct

EXTREMES = {
    1: (0, 1, 0x7F, 0x80, 0xFF),
    2: (0, 1, 2, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF),
    4: (0, 1, 7, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFF0, 0xFFFF_FFFE, 0xFFFF_FFFF),
    8: (0, 1, 0x7FFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000, 0xFFFF_FFFF_FFFF_FFFF),
}
HEADER = 128  # bytes within which most of what can be said wrongly is said


def mutated(original, originals, random):
    """One to three changes of `original`; now and then none, which has to be read without a word."""
    data = bytearray(original.data)
    names = []
    for change in random.choices(CHANGES, [weight for _, weight in CHANGES_AND_WEIGHTS],
                                 k=random.choices((0, 1, 2, 3), (1, 30, 15, 10))[0]):
        names.append(change.__name__)
        change(data, originals, random)
    if data[:4] == b"OggS" and random.random() < 0.7:
        # A page with a wrong checksum is passed over, and what is wrong in it is seen by nobody.
        sign_pages(data)
    return bytes(data), names


def place(data, random, width=1):
    """Half of all places are in the header."""
    end = max(1, len(data) - width + 1)
    return random.randrange(min(HEADER, end) if random.random() < 0.5 else end)


def flipped_bits(data, _, random):
    for _ in range(random.choice((1, 1, 2, 8, 64)) if data else 0):
        data[place(data, random)] ^= 1 << random.randrange(8)


def cut_end(data, _, random):
    del data[place(data, random):]


def cut_beginning(data, _, random):
    del data[:place(data, random)]


def removed(data, _, random):
    at = place(data, random)
    del data[at:at + random.choice((1, 2, 4, 16, 300))]


def inserted(data, _, random):
    at = place(data, random)
    data[at:at] = random.choice((random.randbytes, bytes))(random.choice((1, 2, 4, 16, 300, 5_000)))


def overwritten(data, _, random):
    at = place(data, random)
    length = min(random.choice((1, 4, 40, 400)), len(data) - at)
    data[at:at + length] = random.randbytes(length)


def extreme_number(data, _, random):
    width = random.choice((1, 2, 2, 4, 4, 4, 8))
    at = place(data, random, width) // 2 * 2
    put(data, at, random.choice(EXTREMES[width]), width, random)


def extreme_size(data, _, random):
    """What a chunk says of its own length."""
    found = chunks(data)
    if not found:
        return extreme_number(data, _, random)
    start, end, field, width = random.choice(found)
    size = end - start
    put(data, start + field, random.choice(EXTREMES[width] + (size, size - 1, size + 1, size - 8, len(data))),
        width, random)


def shuffled_chunks(data, _, random):
    """A chunk is left out, comes twice, or changes places with another."""
    found = chunks(data)
    if not found:
        return shuffled_blocks(data, _, random)
    start, end, *_ = random.choice(found)
    piece = data[start:end]
    what = random.randrange(3)
    if what < 2:
        del data[start:end]
    if what > 0:
        others = chunks(data)
        at = random.choice(others)[0] if others else start
        data[at:at] = piece


def shuffled_blocks(data, _, random):
    at, to = place(data, random), place(data, random)
    piece = data[at:at + random.choice((4, 12, 64, 512))]
    data[to:to] = piece


def repeated_chunk(data, _, random):
    found = chunks(data)
    if found:
        start, end, *_ = random.choice(found)
        data[end:end] = data[start:end] * random.choice((1, 10, 100)) if end - start < 2_000 else b""


def foreign_head(data, originals, random):
    other = random.choice(originals).data
    length = random.choice((4, 12, 16, 44, 64, 200))
    data[:length] = other[:length]


def foreign_tail(data, originals, random):
    data += random.choice(originals).data


def put(data, at, number, width, random):
    order = random.choice("<<>")
    packed = struct.pack(order + {1: "B", 2: "H", 4: "I", 8: "Q"}[width], number % (1 << (8 * width)))
    data[at:at + width] = packed[:max(0, len(data) - at)]


def chunks(data):
    """Where the chunks are of a file that is made of some: start, end, and the place and width of the size."""
    head = bytes(data[:4])
    if head in (b"RIFF", b"RF64", b"BW64"):
        return walked(data, 12, "<4sI", 2, 8)
    if head in (b"FORM", b"RIFX"):
        return walked(data, 12, ">4sI", 2, 8)
    if head == b"caff":
        return walked(data, 8, ">4sQ", 1, 12)
    if head == b"riff":
        return walked(data, 40, "<16sQ", 8, 0)
    if head == b"OggS":
        return ogg_pages(data)
    if head == b"fLaC":
        return flac_blocks(data)
    return []


def walked(data, at, shape, alignment, extra):
    found = []
    header = struct.calcsize(shape)
    width = 8 if shape.endswith("Q") else 4
    while at + header <= len(data) and len(found) < 600:
        size = struct.unpack_from(shape, data, at)[1] + extra
        end = min(at + max(size + -size % alignment, header), len(data))
        found.append((at, end, header - width, width))
        at = end
    return found


def ogg_pages(data):
    starts = [found.start() for found in re.finditer(b"OggS", data)]
    return [(start, end, 26, 1) for start, end in zip(starts, starts[1:] + [len(data)])]


def sign_pages(data):
    for start, end, *_ in ogg_pages(data):
        if end - start > 27:
            segments = data[start + 27:start + 27 + data[start + 26]]
            end = min(end, start + 27 + len(segments) + sum(segments))
            data[start + 22:start + 26] = bytes(4)
            data[start + 22:start + 26] = struct.pack("<I", ogg_checksum(data[start:end]))


def ogg_checksum(page):
    """RFC 3533, section 6: polynomial 0x04C11DB7, neither reflected nor inverted."""
    register = 0
    for byte in page:
        register = register << 8 & 0xFFFF_FFFF ^ CHECKSUMS[register >> 24 ^ byte]
    return register


def flac_blocks(data):
    found, at = [], 4
    while at + 4 <= len(data):
        end = min(at + 4 + int.from_bytes(data[at + 1:at + 4], "big"), len(data))
        found.append((at, end, 2, 2))
        if data[at] & 0x80:
            break
        at = end
    return found


CHANGES_AND_WEIGHTS = [
    (flipped_bits, 4), (cut_end, 4), (cut_beginning, 1), (removed, 2), (inserted, 2), (overwritten, 2),
    (extreme_number, 6), (extreme_size, 5), (shuffled_chunks, 3), (shuffled_blocks, 1), (repeated_chunk, 1),
    (foreign_head, 2), (foreign_tail, 1),
]
CHANGES = [change for change, _ in CHANGES_AND_WEIGHTS]


def checksum_of(byte):
    register = byte << 24
    for _ in range(8):
        register = register << 1 & 0xFFFF_FFFF ^ (0x04C1_1DB7 if register & 0x8000_0000 else 0)
    return register


CHECKSUMS = [checksum_of(byte) for byte in range(256)]
