# SPDX-License-Identifier: Apache-2.0
"""The clients of Examples/clients that are not in Python."""

import json
import os
import subprocess

import numpy

from running import CLIENTS, PROGRAM, Checks, Client, Session, noise, place, write

RATE = 48000


def hold():
    checks = Checks()
    environment = dict(os.environ)
    environment["PATH"] = os.path.dirname(PROGRAM) + ":" + environment["PATH"]

    def run(name, *arguments, **options):
        return subprocess.Popen(
            [os.path.join(CLIENTS, name), *arguments], env=environment, text=True,
            stdout=subprocess.PIPE, **options)

    with Session("-r", str(RATE), "-c", "2", "-f", "s16", "--playback", "playback.wav") as session:
        level = session.path("level")
        subprocess.run(["swiftc", "-O", os.path.join(CLIENTS, "level.swift"), "-o", level], check=True)
        levels = subprocess.Popen([level, session.socket], stdout=subprocess.PIPE, text=True)
        levels.stdout.readline()
        events = Client(session.socket, {"control": 1, "events": True})
        samples = noise(RATE, 3)
        write(session.path("anna.wav"), samples, RATE)
        join = run("join.sh", session.socket, "anna", session.path("anna.wav"))
        checks.check("the shell client ends when its file has been read", join.wait(30) == 0)
        # All of it was handed over, and is heard in its time.
        line = " "
        while line and '"left"' not in line:
            line = events.stream.readline().decode()
        checks.check("the shell client has left", line != "")
        control = run("control.sh", session.socket, '{"status":true}', '{"set":"nobody","gain":-6}', '{"stop":true}')
        answers = [json.loads(line) for line in control.communicate(timeout=10)[0].splitlines()]
        checks.check("four answers, of which one is an error",
                     [answer["ok"] for answer in answers] == [True, True, False, True])
        checks.check("the session stops", session.process.wait(30) == 0)
        heard = session.track("playback.wav")
        start = place(heard[0], samples)
        checks.check(f"what the shell client sent is whole, from {start / RATE:.3f} s",
                     start >= 0 and numpy.array_equal(heard[0], heard[1]))
        lines = levels.communicate(timeout=10)[0].splitlines()
        checks.check(f"the Swift client printed {len(lines)} levels",
                     len(lines) > 5 and all(line.endswith(" dBFS") for line in lines))
        if checks.failures:
            print(session.notes())
    return checks.failures
