# SPDX-License-Identifier: Apache-2.0
"""A sender of RTP whose samples say their places, in mono L16 at 48 kHz."""

import random
import socket
import struct
import threading
import time

import numpy

from proofs import riff

RATE, LENGTH, MODULUS = 48_000, 960, 65_521


def payload(position, count=LENGTH):
    """Samples that are never 0."""
    return ((numpy.arange(position, position + count) % MODULUS) + 1).astype(">u2").tobytes()


def places(path):
    """The place of every sample of a WAV file of 16 bits; −1 for silence."""
    return numpy.frombuffer(riff.samples(path, 2), "<u2").astype(numpy.int64) - 1


def free_port():
    """An even port without a user; the next one is free, too."""
    while True:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as first, \
                socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as second:
            first.bind(("127.0.0.1", 0))
            port = first.getsockname()[1]
            try:
                if port % 2 == 0:
                    second.bind(("127.0.0.1", port + 1))
                    return port
            except OSError:
                pass


class Stream:
    """Packets of one source, in the order of sending."""

    def __init__(self, source=0xCAFE, sequence=65_400, timestamp=2**32 - 100_000, begin=0):
        self.source, self.sequence, self.timestamp, self.begin = source, sequence, timestamp, begin

    def packet(self, index):
        header = struct.pack(">BBHII", 0x80, 96, (self.sequence + index) & 0xFFFF,
                             (self.timestamp + index * LENGTH) & 0xFFFFFFFF, self.source)
        return header + payload(self.begin + index * LENGTH)


class Sending(threading.Thread):
    """Sends packets until it is ended: each `interval` seconds the next of `order`, then those that follow."""

    # Whether a packet that is left out takes its time.
    paces_by_index = False

    def __init__(self, port, order=(), interval=0.02, stream=None, host="127.0.0.1", sender=None):
        super().__init__(daemon=True)
        self.target, self.interval, self.stream = (host, port), interval, stream or Stream()
        self.order, self.next = list(order), (max(order) + 1 if order else 0)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        if sender:
            # To a group: at the loopback, from this address of it.
            self.socket.bind((sender, 0))
            at_loopback = struct.pack("4s4sI", bytes(4), bytes(4), socket.if_nametoindex("lo"))
            self.socket.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, at_loopback)
        self.ended = threading.Event()

    def run(self):
        begin, sent = time.monotonic(), 0
        while not self.ended.is_set():
            index = self.order[sent] if sent < len(self.order) else self.next
            if sent >= len(self.order):
                self.next += 1
            self.socket.sendto(self.stream.packet(index), self.target)
            sent += 1
            due = index + 1 if self.paces_by_index else sent
            time.sleep(max(0, begin + due * self.interval - time.monotonic()))

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.join()
        self.socket.close()


def patterns(count=150):
    """The name, the order of packets, and the packets that never come."""
    chance = random.Random(7)
    found = {"no loss": [], "single packets": [20, 40, 41 + 20, 100], "a burst of 2": [50, 51],
             "a burst of 20": range(50, 70), "a burst of 60": range(30, 90),
             "5 % at random": [index for index in range(10, count - 10) if chance.random() < 0.05]}
    for name, lost in found.items():
        yield name, [index for index in range(count) if index not in set(lost)], sorted(lost)
    for distance in (1, 5):
        order = list(range(count))
        for index in range(20, count - 20, 25):
            order.insert(index + distance, order.pop(index))
        yield f"out of order by {distance}", order, []
    order = list(range(count))
    for index in range(20, count, 10):
        order.insert(index + 1, order[index])
    yield "twice", sorted(order), []
