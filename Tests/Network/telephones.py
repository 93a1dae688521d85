# SPDX-License-Identifier: Apache-2.0
"""Senders that do not keep to the textbook, as telephones, cameras and careless programs are: packets of 20 ms of PCMU whose
bytes say which packet they are of."""

import itertools
import random
import socket
import struct
import time

from packets import Recording
from sending import free_port

LENGTH, RATE = 160, 8_000
# Of µ-law.
SILENCE = 0xFF


class Telephone:
    """Sends at the times that a packet's place has, or later."""

    def __init__(self, port):
        self.target, self.sequence, self.begin, self.late = ("127.0.0.1", port), 65_500, time.monotonic(), 0.0
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def move(self):
        """Goes on from another port."""
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def raw(self, data):
        self.socket.sendto(data, self.target)

    def send(self, place, timestamp, payload, kind=0, source=7):
        time.sleep(max(0.0, self.begin + place / RATE + self.late - time.monotonic()))
        self.raw(struct.pack(">BBHII", 0x80, kind, self.sequence & 0xFFFF, (timestamp + 2**32 - 9_000) & 0xFFFFFFFF, source) + payload)
        self.sequence += 1

    def talk(self, first, last, timestamp=lambda index: index * LENGTH, kind=0, source=7):
        for index in range(first, last):
            self.send(index * LENGTH, timestamp(index), payload(index), kind, source)


def payload(index):
    return bytes([index % 100 + 1]) * LENGTH


def sound(*ranges):
    """The bytes of packets at their places, from the first one on, with silence between."""
    found, origin = bytearray(), None
    for index in itertools.chain(*ranges):
        origin = index if origin is None else origin
        found += bytes([SILENCE]) * ((index - origin) * LENGTH - len(found)) + payload(index)
    return bytes(found)


def comfort_noise(phone):
    phone.talk(0, 50)
    phone.send(8_000, 8_000, b"@", 13)
    phone.talk(100, 150)


def long_comfort_noise(phone):
    phone.talk(0, 25)
    for second in range(2, 8):
        phone.send(second * 4_000, second * 4_000, b"@", 13)
    phone.talk(200, 225)


def event(phone):
    phone.talk(0, 50)
    for index in range(10):
        phone.send(8_000 + index * LENGTH, 8_000, struct.pack(">BBH", 5, 10, LENGTH * index), 101)
    phone.talk(60, 110)


def noise_first(phone):
    phone.send(0, 0, b"@", 13)
    phone.send(0, 0, b"\x05\x0a\x00\xa0", 101)
    phone.raw(struct.pack(">BBHIQIII", 128, 200, 6, 7, 1 << 63, 0, 1, LENGTH))
    chance = random.Random(5)
    for _ in range(30):
        phone.raw(chance.randbytes(60))
    phone.talk(5, 105)


def video_clock(phone):
    phone.talk(0, 150, lambda index: index * 1_800)


def second_clock(phone):
    phone.talk(0, 150, lambda index: index * 8_000)


def inexact(phone):
    phone.talk(0, 150, lambda index: index * LENGTH + 8 * (index * 7 % 5 - 2))


def other_port(phone):
    phone.talk(0, 75)
    phone.move()
    phone.talk(75, 150)


def other_source(phone):
    phone.talk(0, 75)
    phone.talk(75, 150, lambda index: index * LENGTH + 123_456, source=8)


# What a sender does, the bytes that are to be recorded, the notes, and words of the command besides.
CASES = [
    (comfort_noise, sound(range(50), range(100, 150)), []),
    (long_comfort_noise, sound(range(25), range(200, 225)), [], "--timeout", "1500ms"),
    (event, sound(range(50), range(60, 110)), []),
    (noise_first, sound(range(5, 105)), []),
    (video_clock, sound(range(150)), ["fit neither its samples nor the clock"]),
    (second_clock, sound(range(150)), ["fit neither its samples nor the clock"]),
    (inexact, sound(range(150)), []),
    (other_port, sound(range(150)), ["comes from port"]),
    (other_source, sound(range(150)), ["has begun a new stream"]),
]


def samples(path):
    with open(path, "rb") as file:
        data = file.read()
    begin = data.find(b"data") + 8
    return data[begin:begin + struct.unpack("<I", data[begin - 4:begin])[0]]


def record(folder, act, *words, description=None):
    port = free_port()
    device = f"rtp://127.0.0.1:{port}?pcmu/8000"
    if description:
        (folder / "phone.sdp").write_text(description.format(port=port))
        device = f"rtp:{folder}/phone.sdp"
    recording = Recording(folder, device, *words, name=act.__name__).wait_for("precision")
    phone = Telephone(port)
    act(phone)
    recording.is_settled()
    source, _ = recording.end()
    return source, samples(recording.path), recording.log


def is_end(found, expected):
    """Packets that come before the recording begins are not its own."""
    missing = len(expected) - len(found)
    return 0 <= missing <= 10 * LENGTH and missing % LENGTH == 0 and expected.endswith(found)


def wild_senders(folder):
    for act, expected, notes, *words in CASES:
        source, found, log = record(folder, act, *words)
        assert is_end(found, expected), f"{act.__name__}: {len(found)} samples for {len(expected)}: {log}"
        assert source["gaps"]["count"] == 0, f"{act.__name__}: {source['gaps']}"
        told = [line for line in log.splitlines() if "' took " not in line and "' has begun" in line or "' sends" in line
                or "' states" in line or "' comes" in line or "is sent to" in line]
        assert len(told) == len(notes) and all(note in line for note, line in zip(notes, told)), f"{act.__name__}: {log}"
    return f"{len(CASES)} senders that do not keep to the textbook: every sample in its place"


LISTED = ("v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=x\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio {port} RTP/AVP 0 8 101\r\n"
          "a=rtpmap:101 telephone-event/8000\r\n")


def listed_formats(folder):
    """Any listed format may come, and in mid-stream; an unlisted one is told."""
    def change(phone):
        phone.talk(0, 75)
        phone.talk(75, 100, kind=18)
        phone.talk(100, 150, kind=8)

    source, found, log = record(folder, change, "-f", "alaw", description=LISTED)
    assert source["gaps"]["count"] == 0 and 140 * LENGTH <= len(found) <= 150 * LENGTH, log
    assert found.endswith(b"".join(map(payload, range(100, 150)))), "A-law is not as it was sent"
    assert "sends packets of number 18, which are not heard" in log and "sends PCMA/8000 (number 8) now" in log, log
    return "listed formats in mid-stream; an unlisted one is told by its number"


def standstill(folder):
    """A sender that stops with its clock: one gap, whose length the local clock tells."""
    paused = []

    def stop(phone):
        phone.talk(0, 50)
        last = time.monotonic()
        phone.late = 3.0
        phone.talk(50, 51)
        paused.append(time.monotonic() - last)
        phone.talk(51, 100)

    source, found, log = record(folder, stop)
    gap, = source["gaps"]["list"]
    expected = (paused[0] - LENGTH / RATE) * RATE
    assert gap["estimated"] and gap["cause"] == "network", gap
    assert abs(gap["lostSamples"] - expected) <= gap["uncertainty"] + 2 * LENGTH, (gap, expected)
    whole = sound(range(50)) + bytes([SILENCE]) * gap["lostSamples"] + b"".join(map(payload, range(50, 100)))
    assert is_end(found, whole), log
    return "a sender whose clock stands still: one gap, estimated by the local clock"


CHECKS = [wild_senders, listed_formats, standstill]
