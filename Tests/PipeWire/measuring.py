# SPDX-License-Identifier: Apache-2.0
"""Plays and records ramps at the same time, on sinks of a server, and accounts for every sample."""

import contextlib
import os
import signal
import subprocess
import time
from dataclasses import dataclass, field

import ramp
from programs import Client
from proofs import pipewire

LEAD, TAIL = 2, 2  # seconds of silence at both ends of what is played
REFERENCE = Client("pw-cat")


@dataclass(frozen=True)
class Part:
    """A sink, who plays on it, and who records its monitor.

    The references record it too: what any of the recorders has was there.
    """

    player: Client
    recorders: tuple = ()
    references: int = 2
    tests_player: bool = False


@dataclass
class Result:
    """How a client fared in a run."""

    client: Client
    plays: bool
    account: ramp.Account
    told: tuple
    exit: int
    messages: str = field(repr=False, default="")


class Measurement:
    """One run of all parts at the same time."""

    def __init__(self, running, parts, seconds):
        self.server = running
        self.parts = parts
        self.count = seconds * pipewire.RATE
        self.seconds = seconds
        # One pair of files for all: the page cache holds them.
        data = ramp.silence(LEAD, pipewire.RATE) + ramp.ramp(self.count) + ramp.silence(TAIL, pipewire.RATE)
        with open(running.path("track.raw"), "wb") as file:
            file.write(data)
        ramp.write_wave(running.path("track.wav"), data, pipewire.RATE)

    def run(self, load=contextlib.nullcontext()):
        """- Returns: the results of the clients under test, in the order of the parts.

        load: what goes on beside while the players play.
        """
        recorders = [self.record(index, part) for index, part in enumerate(self.parts)]
        players = []
        try:
            self.wait_for_links(recorders)
            with load:
                players = [self.start(part.player.play(sink), {}, f"player.{sink}")
                           for sink, part in zip(self.server.sinks, self.parts)]
                for player in players:
                    player.wait(self.seconds + LEAD + TAIL + 30)
        finally:
            for player in players:
                player.kill()
            for process in [process for group in recorders for process, *_ in group]:
                if process.poll() is None:
                    process.send_signal(signal.SIGINT)
            for process in [process for group in recorders for process, *_ in group]:
                process.wait(60)
        return [result for index, part in enumerate(self.parts)
                for result in self.results(part, self.server.sinks[index], players[index], recorders[index])]

    def record(self, index, part):
        """Starts the recorders of a part: process, client, and file of each."""
        sink = self.server.sinks[index]
        started = []
        for number, client in enumerate(part.recorders + (REFERENCE,) * part.references):
            name = f"{sink}.{number}.{'wav' if client.name == 'pw-cat' else 'raw'}"
            if os.path.exists(self.server.path(name)):
                os.remove(self.server.path(name))
            command, environment = client.record(sink, name)
            started.append((self.start(command, environment, name), client, name))
        return started

    def start(self, command, environment, name):
        with open(self.server.path(name + ".log"), "wb") as log:
            return subprocess.Popen([*self.server.prefix, *command], cwd=self.server.folder, env={**self.server.environment, **environment},
                                    stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def wait_for_links(self, recorders):
        """Every recorder is linked to its sink, by one link a channel."""
        wanted = 2 * sum(len(group) for group in recorders)
        limit = time.monotonic() + 60
        while self.server.link_count(self.server.sinks) < wanted:
            ended = [client for group in recorders for process, client, _ in group if process.poll() is not None]
            if ended or time.monotonic() > limit:
                raise SystemExit(f"not every recorder is linked: {', '.join(map(str, ended)) or 'too slow'}")
            time.sleep(0.1)

    def messages(self, name):
        with open(self.server.path(name + ".log"), encoding="utf-8", errors="replace") as file:
            return file.read()

    def results(self, part, sink, player, recorders):
        recordings = {name: ramp.read(self.server.path(name)) for _, _, name in recorders}
        heard = ramp.present(recordings[recorders[0][2]], self.count)
        for recording in recordings.values():
            heard |= ramp.present(recording, self.count)
        # The best of those who listened knows best what was silent.
        accounts = [ramp.account(recording, self.count) for recording in recordings.values()]
        best = min(accounts, key=lambda each: each.inserted)
        silent, silences = best.inserted, best.silences
        if part.tests_player:
            best.lost, best.gaps = int((~heard).sum()), ramp.runs(~heard)
            messages = self.messages(f"player.{sink}")
            yield Result(part.player, True, best, part.player.told(messages), player.returncode, messages)
        for process, client, name in recorders[: len(part.recorders)]:
            found = ramp.account(recordings[name], self.count, expected=heard)
            # What all have of silence the player put in.
            found.inserted = max(0, found.inserted - silent)
            found.silences = max(0, found.silences - silences)
            messages = self.messages(name)
            yield Result(client, False, found, client.told(messages), process.returncode, messages)
