# SPDX-License-Identifier: Apache-2.0
"""Clients that ask for too much are refused; those that ask for all that they may cost the others nothing."""

import json
import multiprocessing
import os
import socket
import struct
import time

from running import Checks, Client, Session, noise, place

RATE = 16000
SECONDS = 4
# What a client may ask for, and all.
MOST = {"rate": 192000, "channels": 16, "encoding": "f64"}
TOGETHER = 8
TOO_MUCH = {"rate": 768000, "channels": 64, "encoding": "f64"}
SPOKEN = noise(SECONDS * RATE, 5)


def speak(path):
    """The client that behaves: in packets of 10 ms, in real time."""
    client = Client(path, {"join": "anna", "rate": RATE, "latency": 3000})
    begin = time.monotonic()
    for start in range(0, len(SPOKEN), RATE // 100):
        time.sleep(max(0, begin + start / RATE - time.monotonic()))
        client.send(SPOKEN[start : start + RATE // 100])
    client.close()


def begin(function, *arguments):
    """In a process of its own."""
    process = multiprocessing.get_context("fork").Process(target=function, args=arguments, daemon=True)
    process.start()
    return process


def session(*options):
    return Session("-r", str(RATE), "-c", "1", "-f", "s16", "--playback", "null:", "--observe",
                   "before-mixing:tap=track-%s.wav", *options)


def told(path, name):
    """Waits until a source has left. The wait returns how many samples silence stood in for."""
    control = Client(path, {"control": 1, "events": True})

    def wait():
        while (line := control.stream.readline()) and not (b'"left"' in line and name in line):
            pass
        control.close()
        return json.loads(line)["missing"]

    return wait


def check_refused(checks, path, line):
    reply = Client(path, {**line, **TOO_MUCH}).reply
    error = reply.get("error", "")
    checks.check(f"too much is refused by its limit and option: {error}",
                 not reply.get("ok") and "49152000" in error and "3072000" in error and "--client-limit" in error)


def check_anna(checks, held, missing):
    track = held.track("track-anna.wav")[0]
    if missing:
        # A machine that is too busy for her is told, and loses none of her samples.
        found = track[track != 0]
        checks.check(f"anna: {len(SPOKEN)} samples in order, {len(found)} found, among {missing} of silence",
                     len(found) == len(SPOKEN) and (found == SPOKEN).all())
        return
    start = place(track, SPOKEN)
    checks.check(f"anna: {len(SPOKEN)} samples, exact in her track of {len(track)} from {start}", start >= 0)


def late(checks):
    """A source that joins after a while and sends one sample."""
    with session() as held:
        wait = told(held.socket, b"anna")
        speaker = begin(speak, held.socket)
        time.sleep(SECONDS / 2)
        check_refused(checks, held.socket, {"join": "big"})
        client = Client(held.socket, {"join": "late", **MOST})
        client.connection.sendall(struct.pack("<d", 0.5) * MOST["channels"])
        client.close()
        speaker.join()
        missing = wait()
        peak = held.peak()
        checks.check("the session ended well", held.end() == 0)
        check_anna(checks, held, missing)
        status = os.stat(held.path("track-late.wav"))
        print(f"  the late track has {status.st_size} bytes, {512 * status.st_blocks} on the disk; "
              f"memory at most {peak:.0f} MiB")
        frame = 8 * MOST["channels"]
        # Half a second of joining is far from the whole.
        checks.check("the late track lies where the session was",
                     status.st_size > (SECONDS / 2 - 1) * MOST["rate"] * frame)
        checks.check("its silence takes no room on the disk", 512 * status.st_blocks < 1 << 20)
        with open(held.path("track-late.wav"), "rb") as file:
            file.seek(-frame, os.SEEK_END)
            checks.check("its sample is there", file.read() == struct.pack("<d", 0.5) * MOST["channels"])


def slow(checks):
    """An observer that reads a little now and then."""
    with session() as held:
        wait = told(held.socket, b"anna")
        observer = Client(held.socket, {"observe": "before-mixing", "source": "anna", **MOST})
        check_refused(checks, held.socket, {"observe": "before-mixing", "source": "anna"})
        speaker = begin(speak, held.socket)
        observer.connection.settimeout(0.2)
        read = 0
        while speaker.is_alive():
            try:
                read += len(observer.connection.recv(40000))
            except OSError:
                pass
            time.sleep(0.02)
        missing = wait()
        checks.check("it read something", read > 0)
        peak = held.peak()
        checks.check("the session ended well", held.end() == 0)
        print(f"  {read} bytes read; memory at most {peak:.0f} MiB")
        check_anna(checks, held, missing)


def observers(checks):
    """As many observers as may be, which never read, to the end of a session with a duration."""
    # Anna is heard 3 s later.
    with session("-d", str(SECONDS + 10)) as held:
        check_refused(checks, held.socket, {"observe": "playback"})
        # Anna needs the rest.
        clients = [Client(held.socket, {"observe": "playback", **MOST}) for _ in range(TOGETHER - 1)]
        checks.check("all are let in", all(client.reply.get("ok") for client in clients))
        speaker = begin(speak, held.socket)
        time.sleep(0.5)
        reply = Client(held.socket, {"observe": "playback", **MOST}).reply
        checks.check(f"one more is refused: {reply.get('error')}",
                     not reply.get("ok") and "24576000" in reply.get("error", ""))
        speaker.join()
        peak = held.peak()
        checks.check("the session ends by itself", held.process.wait(120) == 0)
        print(f"  memory at most {peak:.0f} MiB")
        check_anna(checks, held, 0)


def storm(path, end):
    """Connects again and again; every second connection says something."""
    count = 0
    while time.monotonic() < end:
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(0.2)
        try:
            connection.connect(path)
            if count % 2:
                connection.sendall(b'{"control":1}\n')
        except OSError:
            pass
        connection.close()
        count += 1


def silent(path, end):
    """Holds connections that say nothing."""
    connections = []
    for _ in range(200):
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(0.2)
        try:
            connection.connect(path)
        except OSError:
            pass
        connections.append(connection)
    time.sleep(max(0, end - time.monotonic()))


def flood(checks):
    """Connections without end."""
    with session() as held:
        wait = told(held.socket, b"anna")
        control = Client(held.socket, {"control": 1})
        speaker = begin(speak, held.socket)
        while not control.command({"status": True})["sources"]:
            time.sleep(0.05)
        end = time.monotonic() + SECONDS
        others = [begin(storm, held.socket, end) for _ in range(4)] + [begin(silent, held.socket, end)]
        speaker.join()
        for other in others:
            other.join()
        missing = wait()
        control.close()
        peak = held.peak()
        checks.check("the session ended well", held.end() == 0)
        print(f"  memory at most {peak:.0f} MiB")
        check_anna(checks, held, missing)


def hold(*kinds):
    checks = Checks()
    for kind in kinds or ("late", "slow", "observers", "flood"):
        print(f"  {kind}", flush=True)
        {"late": late, "slow": slow, "observers": observers, "flood": flood}[kind](checks)
    return checks.failures
