# SPDX-License-Identifier: Apache-2.0
"""A meeting as a user would hold it, with the clients of Examples/clients."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import numpy

from running import CLIENTS, Checks, Client, Session, noise, place, write

RATE = 16000


def client(name, *arguments, **options):
    path = os.path.join(CLIENTS, name)
    return subprocess.Popen([sys.executable, path, *arguments], **options)


def hold():
    checks = Checks()
    with Session(
        "-r", str(RATE), "-c", "1", "-f", "s16", "--playback", "playback.wav", "--mixed", "mixed.wav",
        "--playback-of", "carol=carol-hears.wav", "--observe", "before-mixing:tap=track-%s.wav",
    ) as session:
        files = {name: noise(int(seconds * RATE), seed) for seed, (name, seconds) in enumerate(
            [("anna", 3.0), ("carol", 1.0), ("carol-again", 1.5), ("dave", 60.0)])}
        for name, samples in files.items():
            write(session.path(f"{name}.wav"), samples, RATE)

        def join(name, *file):
            return client("client.py", session.socket, "join", name, *file)

        def speak(name, file=None):
            return join(name, *([session.path(f"{file}.wav")] if file else []))

        control = Client(session.socket, {"control": 1, "events": True})

        def await_event(kind, source):
            while True:
                event = json.loads(control.stream.readline())
                if event.get("event") == kind and event.get("source") == source:
                    return event

        hearing = Client(session.socket, {"observe": "mix-minus", "source": "carol", "rate": RATE, "channels": 1})
        checks.check("carol's mix-minus is observed", hearing.reply.get("observe") == "mix-minus")
        levels = client("client.py", session.socket, "levels", stdout=subprocess.PIPE, text=True)
        mute = client("mute.py", session.socket, "anna", "1.5", "2.0", stdout=subprocess.PIPE, text=True)
        mute.stdout.readline()
        running = [speak("anna", "anna"), speak("carol", "carol")]
        await_event("left", "carol")
        running.append(speak("ben"))
        dave = speak("dave", "dave")
        await_event("joined", "dave")
        time.sleep(0.7)
        dave.send_signal(signal.SIGKILL)
        await_event("left", "dave")
        running.append(speak("carol", "carol-again"))
        await_event("joined", "carol")
        await_event("left", "carol")
        for process in running:
            checks.check("a client ended well", process.wait(30) == 0)
        time.sleep(0.5)
        control.close()
        frames = []
        collector = threading.Thread(target=lambda: frames.extend(iter(hearing.frame, None)))
        collector.start()
        checks.check("the session ended well", session.end() == 0)
        collector.join(30)
        checks.check("the socket is gone", not os.path.exists(session.socket))
        heard, _ = levels.communicate(timeout=10)
        mute.wait(10)
        dave.wait()

        tracks = {name: session.track(f"track-{name}.wav")[0].astype(int)
                  for name in ["anna", "ben", "carol", "dave"]}
        mix = session.track("playback.wav")[0].astype(int)
        checks.check("playback and mixed are the same",
                     numpy.array_equal(mix, session.track("mixed.wav")[0]))

        start = place(tracks["anna"], files["anna"])
        checks.check(f"anna is whole, from {start / RATE:.3f} s", start >= 0)
        first = place(tracks["carol"], files["carol"])
        second = place(tracks["carol"], files["carol-again"])
        checks.check(f"carol is whole, from {first / RATE:.3f} s and {second / RATE:.3f} s",
                     0 <= first < second)
        between = tracks["carol"][first + len(files["carol"]) : second]
        checks.check("between her stays is silence", not between.any())
        began = int(numpy.flatnonzero(tracks["dave"])[0])
        length = int(numpy.flatnonzero(tracks["dave"])[-1]) + 1 - began
        checks.check(
            f"dave is whole until he was killed, {length / RATE:.3f} s from {began / RATE:.3f} s",
            numpy.array_equal(tracks["dave"][began : began + length], files["dave"][:length]))
        tone = numpy.round(8192 * numpy.sin(2 * numpy.pi * 440 * numpy.arange(2 * RATE) / RATE))
        began = int(numpy.flatnonzero(tracks["ben"])[0]) - 1
        checks.check(f"ben is whole, from {began / RATE:.3f} s",
                     numpy.abs(tracks["ben"][began : began + len(tone)] - tone).max() <= 1)

        total = numpy.zeros(len(mix), int)
        for name, track in tracks.items():
            track = track[: len(mix)].copy()
            if name == "anna":
                track[int(1.5 * RATE) : int(2.0 * RATE)] = 0
            total[: len(track)] += track
        differences = numpy.flatnonzero(total != mix)
        checks.check(
            f"the mix is the sum of all tracks to the sample, without the muted word ({len(differences)}"
            f" of {len(mix)} samples differ)", len(differences) == 0)
        others = total - numpy.pad(tracks["carol"], (0, len(mix)))[: len(mix)]
        checks.check("carol hears the others to the sample, and not herself",
                     numpy.array_equal(session.track("carol-hears.wav")[0], others))
        sounding = [(header[0], bytes_) for header, bytes_ in frames if not header[4] & 8 and bytes_]
        received = numpy.frombuffer(b"".join(bytes_ for _, bytes_ in sounding), "<i2")
        begin = sounding[0][0]
        checks.check(f"a program that observes her mix-minus gets it from {begin / RATE:.3f} s on",
                     numpy.array_equal(received, others[begin:]))
        lines = heard.splitlines()
        checks.check(f"the observer printed {len(lines)} levels of all four",
                     all(any(name in line for line in lines) for name in tracks))
        if checks.failures:
            print(session.notes())
    return checks.failures
