# SPDX-License-Identifier: Apache-2.0
"""Recorders beside each other on one server, each stopped now and then: what they lose, and what they tell of it."""

import os
import random
import re
import signal
import subprocess
import time
from dataclasses import dataclass

from counting import account, read_wave
from proofs.command import PROGRAM, summary
from servers import Jackd, PipeWire

STALL, EVERY = 0.15, 5.0  # seconds


@dataclass(frozen=True)
class Recorder:
    """A program, and how it records `ports` channels of the given ones."""

    name: str

    def command(self, ports, path):
        given = [f"given:out_{port + 1}" for port in range(ports)]
        if self.name == "rawaudio":
            return [PROGRAM, "capture", "-v", "--json", "-D", "jack:" + ",".join(given), "-o", path]
        if self.name == "jack_capture":
            named = [word for port in given for word in ("--port", port)]
            return ["jack_capture", "--daemon", "--channels", str(ports), *named, "--bitdepth", "FLOAT", "--absolutely-silent", path]
        if self.name == "ffmpeg":
            return ["ffmpeg", "-nostdin", "-loglevel", "warning", "-f", "jack", "-channels", str(ports), "-i", "ffmpeg",
                    "-c:a", "pcm_f32le", path]
        return ["pw-record", "--format", "f32", "--rate", "48000", "--channels", str(ports), "-P",
                "{ node.autoconnect = false node.name = pw-record }", path]

    def connect(self, server, ports):
        """Two of them connect nothing themselves."""
        if self.name not in ("ffmpeg", "pw-record"):
            return
        listed = ""
        limit = time.monotonic() + 20
        while listed.count(f"{self.name}:input") < ports and time.monotonic() < limit:
            listed = server.run(["jack_lsp"]).stdout
            time.sleep(0.1)
        inputs = [line for line in listed.splitlines() if line.startswith(f"{self.name}:input")]
        for port, name in enumerate(inputs[:ports]):
            server.tell("connect", f"given:out_{port + 1}", name)

    def told(self, messages):
        """The samples per channel that the messages say were lost; 0 without a word of it."""
        if self.name == "rawaudio":
            return summary(messages)["sources"][0]["gaps"]["lostSamples"]
        return 0

    def faults(self, messages):
        """How many faults it tells without their length."""
        return sum(int(count) for count in re.findall(r"([0-9]+) (?:x?overruns?|xruns?)", messages))


@dataclass
class Sum:
    lost: int = 0
    told: int = 0
    faults: int = 0
    displaced: int = 0
    cpu: float = 0.0
    length: int = 0


def recorders(server):
    return [Recorder("rawaudio"), Recorder("jack_capture"), Recorder("ffmpeg")] + (
        [Recorder("pw-record")] if isinstance(server, PipeWire) else [])


def run(server, ports, seconds, seed=None):
    """Records with all at once. - Returns: what each lost, told and used."""
    giver = server.counter("give", "given", ports)
    started = []
    for recorder in recorders(server):
        path, log = server.path(recorder.name + ".wav"), recorder.name + ".log"
        if os.path.exists(path):
            os.remove(path)
        with open(server.path(log), "wb") as output:
            process = subprocess.Popen(recorder.command(ports, path), env=server.environment, cwd=server.folder,
                                       stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        recorder.connect(server, ports)
        server.clients.append(process)
        started.append((recorder, process, path, log))
    time.sleep(2)
    chance = random.Random(seed)
    end = time.monotonic() + seconds
    stalls = sorted((time.monotonic() + EVERY * (number + chance.random() * 0.8), process)
                    for _, process, *_ in started for number in range(int(seconds / EVERY))) if seed is not None else []
    for moment, process in sorted(stalls, key=lambda each: each[0]):
        time.sleep(max(0, moment - time.monotonic()))
        process.send_signal(signal.SIGSTOP)
        time.sleep(STALL)
        process.send_signal(signal.SIGCONT)
    time.sleep(max(0, end - time.monotonic()))
    found = {}
    for recorder, process, path, log in started:
        process.send_signal(signal.SIGINT)
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
        server.clients.remove(process)
        messages = server.log(log)
        channel = account(read_wave(path)[:, 0])
        # Where nothing was heard yet, nothing was lost.
        silent = channel.silent - sum(length for begin, length in channel.runs if begin == 0)
        in_place = silent if channel.jumps == 0 else 0
        found[recorder.name] = Sum(
            lost=channel.missing, told=recorder.told(messages), faults=recorder.faults(messages),
            displaced=channel.displaced, cpu=usage.ru_utime + usage.ru_stime, length=channel.length)
        if recorder.name == "rawaudio" and in_place != channel.missing:
            print(f"{server.name}: {channel.missing} lost, {silent} silent, {channel.jumps} jumps")
    server.end(giver)
    return found


def run_anew(server, *arguments):
    """Runs on a server of its own; once more if that hangs, as jackd did once while four clients came at once."""
    for _ in range(3):
        try:
            with server:
                return run(server, *arguments)
        except subprocess.TimeoutExpired as error:
            print(f"{server.name}: {error}", flush=True)
    raise SystemExit(f"{server.name} hangs")


def measure(runs, seconds):
    """Prints both tables of docs/jack.md."""
    print(f"{runs} runs of {seconds} s, a stall of {STALL * 1000:.0f} ms every {EVERY:.0f} s; samples per channel\n")
    print("| server | program | lost | told | behind their place | faults told |\n|---|---|---|---|---|---|")
    for server in (Jackd(), Jackd("-S"), PipeWire()):
        sums = {}
        for seed in range(runs):
            for name, one in run_anew(server, 2, seconds, seed).items():
                total = sums.setdefault(name, Sum())
                for member in ("lost", "told", "faults", "displaced", "cpu", "length"):
                    setattr(total, member, getattr(total, member) + getattr(one, member))
        for name, total in sums.items():
            print(f"| {server.name} | {name} | {total.lost:,} | {total.told:,} | {total.displaced:,} | {total.faults} |",
                  flush=True)
    print("\nProcessor time for eight channels, without stalls\n")
    print("| server | program | ms for each second |\n|---|---|---|")
    for server in (Jackd(), PipeWire()):
        for name, one in run_anew(server, 8, seconds).items():
            print(f"| {server.name} | {name} | {one.cpu * 1000 / (seconds + 2):.2f} |", flush=True)
