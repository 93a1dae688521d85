# SPDX-License-Identifier: Apache-2.0
"""A hundred clients that die, stall, flood or send rubbish, among some that behave."""

import json
import multiprocessing
import random
import socket
import struct
import threading
import time

import numpy

from running import Checks, Client, Session, noise, place

RATE = 16000


def rubbish(choose):
    """A first line or what follows it, of any kind."""
    lines = [
        b'{"join":"x%d","rate":16000}\n', b'{"join":"x%d","rate":48000,"framing":"packets"}\n',
        b'{"join":"x%d","rate":8000,"channels":2,"encoding":"f32"}\n', b'{"observe":"before-mixing"}\n',
        b'{"observe":"playback","mode":"read-write"}\n', b'{"control":1,"events":true}\n',
        b'{"observe":"before-mixing","rate":8000,"channels":1,"samplesPerCall":80}\n',
        b'{"join":"good0","rate":16000}\n',
    ]
    line = choose.choice(lines)
    return line % choose.randrange(50) if b"%d" in line else line


def misbehave(path, seed, end):
    choose = random.Random(seed)
    while time.monotonic() < end:
        try:
            connection = socket.socket(socket.AF_UNIX)
            connection.settimeout(0.5)
            connection.connect(path)
            kind = choose.randrange(7)
            if kind == 0:  # says nothing, or half a line
                connection.sendall(b'{"join"'[: choose.randrange(8)])
                time.sleep(choose.random())
            elif kind == 1:  # no line at all
                connection.sendall(choose.randbytes(choose.randrange(1, 100000)))
            elif kind == 2:  # a flood
                connection.sendall(rubbish(choose))
                for _ in range(choose.randrange(20)):
                    connection.sendall(choose.randbytes(50000))
            elif kind == 3:  # joins and stalls, and never reads
                connection.sendall(rubbish(choose))
                time.sleep(2 * choose.random())
            elif kind == 4:  # packets with any positions
                connection.sendall(b'{"join":"p%d","rate":8000,"framing":"packets"}\n' % choose.randrange(50))
                for _ in range(choose.randrange(100)):
                    size = 2 * choose.randrange(200)
                    position = choose.choice([0, 2**64 - 1, choose.randrange(2**64), choose.randrange(50000)])
                    flags = choose.choice([0, 0, 0, 0, 0, 0, 1])
                    connection.sendall(struct.pack("<QII", position, size, flags) + bytes(size))
            elif kind == 5:  # is gone at once
                connection.sendall(rubbish(choose)[: choose.randrange(30)])
            else:  # commands that are none, without reading the answers
                connection.sendall(b'{"control":1,"events":true}\n')
                for _ in range(choose.randrange(2000)):
                    connection.sendall(choose.choice([b'{"status":true}\n', b"{}\n", b"\xff\n", b'{"set":"z","gain":1}\n']))
        except OSError:
            pass
        finally:
            connection.close()


def misbehave_all(path, clients, end):
    threads = [threading.Thread(target=misbehave, args=(path, seed, end)) for seed in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def spoken(name, seconds):
    return noise(int(seconds * RATE), sum(name.encode()))


def behave(clients, seconds):
    """Speak in packets of 10 ms in real time."""
    tracks = {name: spoken(name, seconds) for name in clients}
    begin = time.monotonic()
    for start in range(0, int(seconds * RATE), 160):
        time.sleep(max(0, begin + start / RATE - time.monotonic()))
        for name, client in clients.items():
            client.send(tracks[name][start : start + 160])
    for client in clients.values():
        client.close()


def watch(path, ready, results):
    """Observes everything and reads it all."""
    client = Client(path, {"observe": "before-mixing", "rate": RATE, "channels": 1, "samplesPerCall": 1600})
    ready.set()
    names, tracks, lost = {}, {}, 0
    while (frame := client.frame()) is not None:
        (_, _, size, source, flags, _), payload = frame
        if flags & 8:
            line = json.loads(payload)
            names[source] = line.get("id", names.get(source))
            if line["event"] == "lost":
                lost += line["frames"]
        elif size and names[source].startswith("good"):
            tracks.setdefault(names[source], []).append(payload)
    results.put((lost, {name: b"".join(pieces) for name, pieces in tracks.items()}))


def follow(path, names, ready, gone):
    """Waits until all of `names` have left, which is when the session has taken the last of their samples."""
    client = Client(path, {"control": 1, "events": True})
    ready.set()
    remaining = set(names)
    while remaining and (line := client.stream.readline()):
        told = json.loads(line)
        if told.get("event") == "left":
            remaining.discard(told["source"])
    if not remaining:
        gone.set()


def hold(seconds=60, clients=100):
    checks = Checks()
    # Each in a process of its own, so that they do not wait for each other.
    context = multiprocessing.get_context("fork")
    with Session("-r", str(RATE), "-c", "1", "-f", "s16", "--playback", "playback.wav", "--observe",
                 "before-mixing:tap=track-%s.wav") as session:
        before = session.descriptors(), session.threads()
        ready, results = context.Event(), context.Queue()
        watcher = context.Process(target=watch, args=(session.socket, ready, results), daemon=True)
        watcher.start()
        ready.wait(10)
        names = [f"good{index}" for index in range(4)]
        following, gone = context.Event(), context.Event()
        follower = context.Process(target=follow, args=(session.socket, names, following, gone), daemon=True)
        follower.start()
        following.wait(10)
        good = {name: Client(session.socket, {"join": name, "rate": RATE, "latency": 3000}) for name in names}
        end = time.monotonic() + seconds
        bad = context.Process(target=misbehave_all, args=(session.socket, clients, end), daemon=True)
        bad.start()
        behave(good, seconds - 1)
        bad.join()
        # The stop drops what the session has not taken yet, and on a busy machine it is behind.
        checks.check("all who behave are heard to their end", gone.wait(120))
        after = session.descriptors(), session.threads()
        print(f"  descriptors and threads before {before}, after {after} (tracks stay open); "
              f"memory {session.memory():.0f} MiB; processor {session.processor_time():.1f} s")
        checks.check("the session ended well", session.end() == 0)
        lost, seen = results.get(timeout=30)
        watcher.join(10)
        for name in good:
            samples = spoken(name, seconds - 1)
            start = place(session.track(f"track-{name}.wav")[0], samples)
            checks.check(f"{name}: {len(samples)} samples, exact in its track from {start}", start >= 0)
            start = place(numpy.frombuffer(seen.get(name, b""), "<i2"), samples)
            checks.check(f"{name}: exact at its observer, from {start}", start >= 0)
        checks.check("the observer that reads lost nothing", lost == 0)
        if checks.failures:
            print(session.notes()[-5000:])
    return checks.failures
