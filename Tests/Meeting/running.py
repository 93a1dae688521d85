# SPDX-License-Identifier: Apache-2.0
"""A session of rawaudio that programs join, and clients for it."""

import json
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import wave

import numpy
from proofs import riff
from proofs.command import PROGRAM
from proofs.processes import processor_time

CLIENTS = os.path.join(os.path.dirname(__file__), "..", "..", "Examples", "clients")


class Session:
    """`rawaudio session --listen` in a folder of its own."""

    def __init__(self, *options):
        self.folder = tempfile.mkdtemp(prefix="meeting.")
        self.socket = self.path("s")
        command = [PROGRAM, "session", "-v", "--listen", self.socket, *options]
        self.log = open(self.path("log"), "w+b")
        self.process = subprocess.Popen(command, cwd=self.folder, stderr=self.log)
        limit = time.monotonic() + 30
        while not os.path.exists(self.socket):
            if self.process.poll() is not None or time.monotonic() > limit:
                raise SystemExit(f"the session does not listen: {self.notes()}")
            time.sleep(0.005)

    def path(self, name):
        return os.path.join(self.folder, name)

    def notes(self):
        with open(self.path("log"), encoding="utf-8") as file:
            return file.read()

    def processor_time(self):
        """Seconds of processor so far."""
        return processor_time(self.process.pid)

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def threads(self):
        return len(os.listdir(f"/proc/{self.process.pid}/task"))

    def memory(self):
        """Resident, in MiB."""
        with open(f"/proc/{self.process.pid}/statm", encoding="utf-8") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

    def peak(self):
        """The most that was resident so far, in MiB."""
        with open(f"/proc/{self.process.pid}/status", encoding="utf-8") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) / 1024

    def end(self):
        """Stops the session by its socket and waits for it."""
        if self.process.poll() is None:
            control = Client(self.socket, {"control": 1})
            control.command({"stop": True})
            control.close()
        return self.process.wait(60)

    def track(self, name):
        """The samples of a file of 16 bits, one row for each channel."""
        with wave.open(self.path(name)) as sound:
            samples = numpy.frombuffer(sound.readframes(sound.getnframes()), "<i2")
            return samples.reshape(-1, sound.getnchannels()).T

    def remove(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.remove()


def connected(path):
    """A connection to a session, which listens a moment after its socket appears."""
    for attempt in range(500):
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(path)
            return connection
        except ConnectionRefusedError:
            connection.close()
            if attempt == 499:
                raise
            time.sleep(0.01)


class Client:
    """A connection with its first line sent and answered."""

    def __init__(self, path, line):
        self.connection = connected(path)
        self.connection.sendall(json.dumps(line).encode() + b"\n")
        self.stream = self.connection.makefile("rb")
        self.reply = json.loads(self.stream.readline() or "{}")

    def command(self, line):
        self.connection.sendall(json.dumps(line).encode() + b"\n")
        return json.loads(self.stream.readline())

    def send(self, samples):
        self.connection.sendall(numpy.asarray(samples, "<i2").tobytes())

    def frame(self):
        """The next frame: its header as a tuple, and its bytes; None at the end."""
        header = self.stream.read(32)
        if len(header) < 32:
            return None
        header = struct.unpack("<QqIIII", header)
        return header, self.stream.read(header[2])

    def close(self):
        self.connection.close()
        self.stream.close()


def noise(count, seed):
    """Samples of which no piece occurs twice, and none is 0."""
    samples = numpy.random.default_rng(seed).integers(-3000, 3000, count, dtype="<i2")
    samples[samples == 0] = 1
    return samples


def write(path, samples, rate):
    with open(path, "wb") as file:
        file.write(riff.wave(samples.astype("<i2").tobytes(), rate))


def place(track, samples):
    """Where `samples` stand in `track`, all of them in one piece; -1 where they do not."""
    heard = numpy.flatnonzero(track == samples[0])
    for start in heard:
        if numpy.array_equal(track[start : start + len(samples)], samples):
            return int(start)
    return -1


class Checks:
    """Counts what is as it should be, and tells what is not."""

    def __init__(self):
        self.failures = 0

    def check(self, what, is_right):
        print(f"  {'ok' if is_right else 'FAILED'}: {what}", flush=True)
        if not is_right:
            self.failures += 1
