# SPDX-License-Identifier: Apache-2.0
"""Receivers of AAC and Opus beside each other: what they write with losses, what they cost, and how much later it comes."""

import os
import re
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import numpy

from decoding import CHANNELS, Relay, Running, describe, displacement, losses, make_sound, recorded, senders, unit_length
from proofs.command import PROGRAM
from sending import free_port


def commands(folder, port, description):
    """The receivers: name and words."""
    path = folder / "receiver.sdp"
    path.write_text(description)
    number, name = re.search(r"a=rtpmap:(\d+) (\S+)", description).groups()
    encoding, rate, *_ = name.split("/")
    found = re.search(r"a=fmtp:\d+ (.*)", description)
    parameters = [part.strip().partition("=") for part in found.group(1).split(";")] if found else []
    caps = f"application/x-rtp,media=audio,clock-rate={rate},encoding-name={encoding.upper()},payload={number}" + "".join(
        f",{key.lower()}=(string){value}" for key, _, value in parameters if key)
    depayloader = {"MPEG4-GENERIC": ["rtpmp4gdepay", "!", "aacparse", "!", "avdec_aac"],
                   "MP4A-LATM": ["rtpmp4adepay", "!", "aacparse", "!", "avdec_aac"],
                   "OPUS": ["rtpopusdepay", "!", "opusdec"]}[encoding.upper()]
    return {
        "rawaudio": [PROGRAM, "capture", "-D", f"rtp:{path}", "-o", folder / "rawaudio.wav", "--force"],
        "ffmpeg": ["ffmpeg", "-nostdin", "-y", "-loglevel", "quiet", "-protocol_whitelist", "file,udp,rtp", "-i", path,
                   "-c:a", "pcm_s16le", folder / "ffmpeg.wav"],
        "GStreamer": ["gst-launch-1.0", "-q", "-e", "udpsrc", f"port={port}", "address=127.0.0.1", f"caps={caps}", "!",
                      "rtpjitterbuffer", "latency=200", "!", *depayloader, "!", "audioconvert", "!",
                      f"audio/x-raw,format=S16LE,channels={CHANNELS}", "!", "wavenc", "!", "filesink",
                      f"location={folder / 'GStreamer.wav'}"],
    }


def account(path, sound, gaps, unit):
    """How far the last piece is from its place, and how much silence stands for the losses, in whole units."""
    samples = recorded(path) if path.exists() else numpy.zeros(0)
    places = [displacement(samples, sound, place, reach=40_000) for place in range(2_048, len(samples) - 2_048, 1_024)]
    heard = [value for value in places if value is not None]
    if not heard:
        return "nothing | nothing"
    silent = numpy.concatenate(([0], (samples == 0).astype(int), [0]))
    edges = numpy.flatnonzero(numpy.diff(silent))
    runs = [(end - begin) // unit * unit for begin, end in zip(edges[::2], edges[1::2])
            if begin > 2_048 and end < len(samples)]
    return f"{heard[0] - heard[-1]:+,} | {sum(runs):,} of {sum(length for _, length in gaps):,}"


def end(process):
    """- Returns: the processor time of it and its children, in seconds."""
    os.kill(process.pid, signal.SIGINT)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime


def with_losses():
    print("| sender | program | last sample beside its place | silence for lost samples |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="network.") as name:
        folder = Path(name)
        sound = make_sound(folder)
        for sender, words in senders(folder).items():
            for program in ("rawaudio", "ffmpeg", "GStreamer"):
                port = free_port()
                receiver = commands(folder, port, describe(folder, words, port))[program]
                process = subprocess.Popen(receiver, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                           stderr=subprocess.DEVNULL)
                time.sleep(1.5)
                with Relay(port, losses()) as relay, Running(words(relay.port)) as running:
                    running.process.wait(60)
                time.sleep(1)
                end(process)
                unit = unit_length(sender)
                found = account(folder / f"{program}.wav", sound, relay.gaps(unit), unit)
                print(f"| {sender} | {program} | {found} |", flush=True)


def processor_time(seconds=30):
    print("\n| stream | rawaudio with its decoder | ffmpeg |\n|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="network.") as name:
        folder = Path(name)
        make_sound(folder, seconds)
        for sender in ("ffmpeg, AAC by RFC 3640", "ffmpeg, Opus"):
            words, cells = senders(folder)[sender], []
            for program in ("rawaudio", "ffmpeg"):
                port = free_port()
                receiver = commands(folder, port, describe(folder, words, port))[program]
                process = subprocess.Popen(receiver, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                           stderr=subprocess.DEVNULL)
                time.sleep(1.5)
                with Relay(port, ()) as relay, Running(words(relay.port)) as running:
                    running.process.wait(60)
                time.sleep(0.5)
                cells.append(f"{end(process) * 1_000 / seconds:.1f} ms")
            print(f"| a second of {sender} | {cells[0]} | {cells[1]} |", flush=True)


class Reader(threading.Thread):
    """Notes when samples come out of a pipe."""

    def __init__(self, pipe, frame_size):
        super().__init__(daemon=True)
        self.pipe, self.frame_size, self.times = pipe, frame_size, []

    def run(self):
        count = 0
        while data := os.read(self.pipe.fileno(), 65_536):
            count += len(data)
            self.times.append((count // self.frame_size, time.monotonic()))

    def time_of(self, samples):
        return next((when for count, when in self.times if count >= samples), None)


def delay():
    """From the arrival of a packet to its last sample at the output, beside packets of L16 with the same options."""
    print("\n| stream | median | 99 % |\n|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="network.") as name:
        folder = Path(name)
        make_sound(folder, 12)
        wave_words = senders(folder)
        cases = {"ffmpeg, L16": lambda port: [
            "ffmpeg", "-nostdin", "-loglevel", "error", "-re", "-i", folder / "sound.wav", "-c:a", "pcm_s16be", "-f", "rtp",
            "-sdp_file", folder / "sender.sdp", f"rtp://127.0.0.1:{port}"]}
        cases.update({key: wave_words[key] for key in ("ffmpeg, Opus", "GStreamer, AAC by RFC 3640", "GStreamer, LATM")})
        for sender, words in cases.items():
            port = free_port()
            (folder / "receiver.sdp").write_text(describe(folder, words, port))
            process = subprocess.Popen(
                [PROGRAM, "capture", "-D", f"rtp:{folder}/receiver.sdp", "--jitter", "1ms", "-t", "raw", "-f", "s16", "-o", "-"],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            reader = Reader(process.stdout, 2 * CHANNELS)
            reader.start()
            time.sleep(1.5)
            with Relay(port, ()) as relay, Running(words(relay.port)) as running:
                running.process.wait(60)
            time.sleep(0.5)
            end(process)
            reader.join()
            found = []
            for index in range(20, len(relay.timestamps) - 1):
                samples = (relay.timestamps[index + 1] - relay.timestamps[0]) & 0xFFFFFFFF
                came = reader.time_of(samples)
                if came is not None:
                    found.append((came - relay.arrivals[index]) * 1_000)
            found.sort()
            print(f"| {sender} | {found[len(found) // 2]:.1f} ms | {found[len(found) * 99 // 100]:.1f} ms |", flush=True)


def measure():
    with_losses()
    processor_time()
    delay()
