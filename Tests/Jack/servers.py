# SPDX-License-Identifier: Apache-2.0
"""Servers of one's own, without a sound card: jackd with its dummy driver, and PipeWire with its libjack."""

import glob
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from proofs import pipewire
from proofs.processes import ended, wait_until

COUNTER = str(Path(os.environ.get("JACK_COUNTER", ".build/virtual-card/jack-counter")).resolve())
RATE, PERIOD = 48_000, 1_024
PIPEWIRE_LIBRARIES = "/usr/lib/*/pipewire-0.3/jack"


class Server:
    """What both have: an environment in which libjack finds the server, and clients that end with it."""

    name = ""

    def begin(self):
        self.folder = tempfile.mkdtemp(prefix="jack.")
        self.clients = []

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, words, **options):
        """Runs a program to its end."""
        return subprocess.run(words, env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=60, check=False, **options)

    def start(self, words, log=None):
        """Starts a program beside; its standard error goes to a file."""
        with open(self.path(log) if log else os.devnull, "wb") as errors:
            process = subprocess.Popen(words, env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=errors)
        self.clients.append(process)
        return process

    def counter(self, verb, name, ports, *rest):
        """Starts a client of counter.c, and waits for its ports."""
        process = self.start([COUNTER, verb, name, str(ports), *rest])
        side = "in" if verb == "take" else "out"
        self.wait_for_port(f"{name}:{side}_{ports}")
        return process

    def tell(self, *words):
        """Has counter.c tell the server something."""
        answer = self.run([COUNTER, *words])
        if answer.returncode != 0:
            raise AssertionError(f"counter {words}: {answer.stderr}")

    def wait_for_port(self, name):
        self.tell("wait", name)

    def log(self, name):
        with open(self.path(name), encoding="utf-8", errors="replace") as file:
            return file.read()

    def wait_for_text(self, text, log, times=1):
        wait_until(lambda: self.log(log).count(text) >= times, f"'{text}' in {self.log(log)!r}")

    def end(self, process, number=signal.SIGTERM):
        """Ends a client, and waits."""
        process.send_signal(number)
        return process.wait(30)

    def end_clients(self):
        for process in self.clients:
            if process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.terminate()
                ended(process, 5)
            process.wait()
        self.clients = []

    def clear(self):
        self.end_clients()
        shutil.rmtree(self.folder, ignore_errors=True)


class Jackd(Server):
    """jackd with the dummy driver, asynchronous or synchronous (`-S`)."""

    def __init__(self, *options, period=PERIOD):
        self.options = options
        self.period = period
        self.name = " ".join(["jackd", *options])

    def __enter__(self):
        self.begin()
        server = "rawaudio-" + os.path.basename(self.folder).replace(".", "-")
        self.environment = {**os.environ, "JACK_DEFAULT_SERVER": server, "JACK_NO_START_SERVER": "1",
                            "JACK_NO_AUDIO_RESERVATION": "1"}
        self.environment.pop("LD_LIBRARY_PATH", None)
        self.start_server()
        return self

    def start_server(self):
        server = self.environment["JACK_DEFAULT_SERVER"]
        self.process = subprocess.Popen(
            ["jackd", *self.options, "--no-realtime", "-n", server, "-d", "dummy", "-r", str(RATE), "-p", str(self.period)],
            env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=open(self.path("jackd.log"), "ab"),
            stderr=subprocess.STDOUT)
        wait_until(lambda: self.run([COUNTER, "wait", "system:playback_2"]).returncode == 0, "jackd is up")

    def stop_server(self, number=signal.SIGKILL):
        self.process.send_signal(number)
        self.process.wait(30)

    def __exit__(self, *_):
        self.end_clients()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.terminate()
            ended(self.process, 5)
        self.clear()
        # A killed server leaves its memory behind.
        for left in glob.glob(f"/dev/shm/jack*{self.environment['JACK_DEFAULT_SERVER']}*"):
            os.remove(left)


class PipeWire(Server):
    """A PipeWire server with a null sink, as its JACK clients see it."""

    name = "PipeWire"

    def __enter__(self):
        self.begin()
        self.inner = pipewire.Server(["speakers"])
        self.inner.__enter__()
        libraries = glob.glob(PIPEWIRE_LIBRARIES)
        if not libraries:
            raise SystemExit("the package pipewire-jack is missing")
        self.environment = {**self.inner.environment, "LD_LIBRARY_PATH": libraries[0]}
        return self

    def __exit__(self, *_):
        self.clear()
        self.inner.__exit__()
