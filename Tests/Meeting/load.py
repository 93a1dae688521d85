# SPDX-License-Identifier: Apache-2.0
"""What a meeting costs: many participants, one observer of them all, their sum and a track for each."""

import statistics
import threading
import time

import numpy

from running import Checks, Client, Session

RATE = 16000


def observe(path, counts, end):
    client = Client(path, {"observe": "before-mixing", "rate": RATE, "channels": 1, "samplesPerCall": 160})
    connection = client.connection
    while time.monotonic() < end:
        block = connection.recv(1 << 20)
        if not block:
            break
        counts["bytes"] = counts.get("bytes", 0) + len(block)
    client.close()


def hold(participants=200, seconds=20):
    checks = Checks()
    packet = numpy.random.default_rng(1).integers(-100, 100, RATE // 100, dtype="<i2").tobytes()
    with Session("-r", str(RATE), "-c", "1", "-f", "s16", "--playback", "playback.wav", "--observe",
                 "before-mixing:tap=track-%s.wav") as session:
        control = Client(session.socket, {"control": 1})
        counts = {}
        watcher = threading.Thread(
            target=observe, args=(session.socket, counts, time.monotonic() + seconds + 20), daemon=True)
        watcher.start()
        clients = [Client(session.socket, {"join": f"p{index}", "rate": RATE, "latency": 200})
                   for index in range(participants)]
        time.sleep(1)
        begin, used = time.monotonic(), session.processor_time()
        lateness = 0
        for turn in range(seconds * 100):
            due = begin + turn / 100
            now = time.monotonic()
            lateness = max(lateness, now - due)
            time.sleep(max(0, due - now))
            for client in clients:
                client.connection.send(packet)
        elapsed, used = time.monotonic() - begin, session.processor_time() - used
        status = control.command({"status": True})["sources"]
        missing = sum(source["missing"] for source in status)
        for client in clients:
            client.close()
        print(f"  {participants} participants, {elapsed:.1f} s: {used / elapsed:.2f} cores, "
              f"{missing} samples missing, sender at most {lateness * 1000:.0f} ms late, "
              f"{counts.get('bytes', 0) >> 20} MiB observed, {session.memory():.0f} MiB resident")
        checks.check("under half of a core", used / elapsed < 0.5)
        checks.check("nothing was late", missing == 0)
        time.sleep(1)
        session.end()
        watcher.join(5)
    return checks.failures


def first_sample(count=50):
    """From connecting to the first sample in the sum, as an observer of the sum sees it."""
    checks = Checks()
    times = []
    with Session("-r", str(RATE), "-c", "1", "--playback", "null:") as session:
        watcher = Client(
            session.socket, {"observe": "playback", "rate": RATE, "channels": 1, "samplesPerCall": 160})
        sound = numpy.full(RATE // 2, 5000, "<i2").tobytes()
        for index in range(count):
            begin = time.monotonic()
            client = Client(session.socket, {"join": f"v{index}", "rate": RATE, "latency": 0})
            client.connection.sendall(sound)
            while True:
                (_, _, size, _, flags, _), payload = watcher.frame()
                if not flags & 8 and numpy.frombuffer(payload, "<i2").any():
                    break
            times.append(time.monotonic() - begin)
            client.close()
            while True:  # until it is silent again
                (_, _, size, _, flags, _), payload = watcher.frame()
                if not flags & 8 and not numpy.frombuffer(payload, "<i2").any():
                    break
        watcher.close()
        session.end()
    milliseconds = [1000 * value for value in times]
    print(f"  join to first sample: median {statistics.median(milliseconds):.1f} ms, "
          f"longest {max(milliseconds):.1f} ms of {count}")
    checks.check("the median is at most 50 ms", statistics.median(milliseconds) <= 50)
    return checks.failures


def come_and_go(count=10000):
    """Descriptors, threads and memory after many have come and gone."""
    checks = Checks()
    with Session("-r", str(RATE), "-c", "1", "--playback", "null:") as session:
        sound = numpy.full(80, 1000, "<i2").tobytes()
        figures = []
        for index in range(count):
            client = Client(session.socket, {"join": f"v{index % 50}-{index}", "rate": RATE, "latency": 0})
            if not client.reply.get("ok"):
                checks.check(f"visit {index}: {client.reply}", False)
                break
            client.connection.sendall(sound)
            client.close()
            if index % (count // 10) == count // 10 - 1:
                time.sleep(0.5)
                figures.append((session.descriptors(), session.threads(), round(session.memory(), 1)))
                print(f"  after {index + 1}: descriptors, threads, MiB {figures[-1]}", flush=True)
        first, last = figures[0], figures[-1]
        checks.check("descriptors and threads are as many as after the first tenth", first[:2] == last[:2])
        checks.check("memory has not grown by more than 5 MiB since", last[2] - first[2] < 5)
        session.end()
    return checks.failures
