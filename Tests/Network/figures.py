# SPDX-License-Identifier: Apache-2.0
"""Receivers beside each other: what they write of a stream with losses."""

import itertools
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import numpy

from proofs.command import PROGRAM
from proofs.processes import processor_time
from sending import LENGTH, MODULUS, Sending, free_port, patterns, places


def commands(port, folder, form="L16/48000"):
    """The receivers: name, words, and the signal that ends each."""
    description = folder / "x.sdp"
    description.write_text(f"v=0\no=- 1 1 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio {port} RTP/AVP 96\n"
                           f"a=rtpmap:96 {form}\n")
    caps = "application/x-rtp,media=audio,clock-rate=48000,encoding-name=L16,channels=1,payload=96"
    return [
        ("rawaudio", [PROGRAM, "capture", "-D", f"rtp:{description}", "-o", folder / "rawaudio.wav"], folder / "rawaudio.wav"),
        ("ffmpeg", ["ffmpeg", "-nostdin", "-loglevel", "error", "-protocol_whitelist", "file,udp,rtp", "-i", description,
                    "-c:a", "pcm_s16le" if form.startswith("L16") else "pcm_s24le", folder / "ffmpeg.wav"], folder / "ffmpeg.wav"),
        ("GStreamer", ["gst-launch-1.0", "-q", "-e", "udpsrc", f"port={port}", "address=127.0.0.1", f"caps={caps}", "!",
                       "rtpjitterbuffer", "latency=200", "!", "rtpL16depay", "!", "audioconvert", "!",
                       "audio/x-raw,format=S16LE", "!", "wavenc", "!", "filesink", f"location={folder / 'GStreamer.wav'}"],
         folder / "GStreamer.wav"),
    ]


def account(path, lost):
    """How far the last sample is from its place, and how much silence stands for what was lost."""
    found = places(path)
    heard = numpy.flatnonzero(found >= 0)
    if len(heard) == 0:
        return "nothing | nothing"
    # A jump of the count is a loss, of less than its modulus, or a short way back.
    missing = (numpy.diff(found[heard]) - numpy.diff(heard)) % MODULUS
    error = -int(numpy.where(missing > MODULUS - 6 * LENGTH, missing - MODULUS, missing).sum())
    silent = int((found[heard[0]:heard[-1] + 1] < 0).sum())
    return f"{error:+,} | {silent:,} of {len(lost) * LENGTH:,}"


def measure():
    print("| packets | program | last sample beside its place | silence for lost samples |\n|---|---|---|---|")
    for name, order, lost in patterns():
        for index in range(3):
            with tempfile.TemporaryDirectory(prefix="network.") as folder:
                port = free_port()
                program, words, path = commands(port, Path(folder))[index]
                process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                time.sleep(1.5)
                with Sending(port, order):
                    time.sleep(4)
                time.sleep(0.5)
                process.send_signal(signal.SIGINT)
                process.wait(20)
                print(f"| {name} | {program} | {account(path, lost)} |", flush=True)
    many()


class Senders(threading.Thread):
    """Stereo L24 at 48 kHz in packets of 4 ms, to all of these ports."""

    def __init__(self, ports):
        super().__init__(daemon=True)
        self.ports, self.socket, self.ended = ports, socket.socket(socket.AF_INET, socket.SOCK_DGRAM), threading.Event()

    def run(self):
        begin, payload = time.monotonic(), bytes(range(192)) * 6
        for index in itertools.count():
            if self.ended.is_set():
                return
            packet = struct.pack(">BBHII", 0x80, 96, index & 0xFFFF, index * 192 & 0xFFFFFFFF, 7) + payload
            for port in self.ports:
                self.socket.sendto(packet, ("127.0.0.1", port))
            time.sleep(max(0, begin + (index + 1) * 0.004 - time.monotonic()))


def many(seconds=15):
    """The processor time of eight receivers at once, for a second of a stream."""
    print("\n| eight streams of stereo L24, packets of 4 ms | processor time for a second of each |\n|---|---|")
    for index in range(2):
        with tempfile.TemporaryDirectory(prefix="network.") as folder:
            ports, running = [free_port() for _ in range(8)], []
            for port in ports:
                place = Path(folder) / str(port)
                place.mkdir()
                name, words, _ = commands(port, place, "L24/48000/2")[index]
                running.append(subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            time.sleep(1.5)
            senders = Senders(ports)
            senders.start()
            # The starts of the programs are no part of it.
            time.sleep(2)
            before = sum(processor_time(process.pid) for process in running)
            time.sleep(seconds)
            used = sum(processor_time(process.pid) for process in running) - before
            senders.ended.set()
            for process in running:
                process.send_signal(signal.SIGINT)
                process.wait(20)
            print(f"| {name} | {used * 1_000 / seconds / 8:.1f} ms |", flush=True)
