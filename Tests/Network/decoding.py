# SPDX-License-Identifier: Apache-2.0
"""AAC and Opus as ffmpeg and GStreamer send them, with losses on the way: every sample in its place, every gap told."""

import os
import random
import re
import signal
import socket
import subprocess
import threading
import time

import numpy

from packets import Recording
from proofs import riff
from proofs.command import rawaudio, summary
from proofs.processes import parents, text, wait_until
from sending import free_port

RATE, CHANNELS = 48_000, 2


def make_sound(folder, seconds=4):
    """Noise below 6 kHz, so that no two places sound alike: a WAV file and an ADTS file of it. - Returns: one channel."""
    noise = numpy.random.default_rng(75).standard_normal(seconds * RATE)
    spectrum = numpy.fft.rfft(noise)
    spectrum[6_000 * seconds:] = 0
    sound = numpy.fft.irfft(spectrum, len(noise))
    sound *= 8_000 / sound.std()
    data = numpy.repeat(sound.clip(-32_000, 32_000).astype("<i2"), CHANNELS).tobytes()
    (folder / "sound.wav").write_bytes(riff.wave(data, RATE, CHANNELS))
    subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-i", folder / "sound.wav", "-c:a", "aac", "-b:a", "192k",
                    folder / "sound.aac"], check=True, stdin=subprocess.DEVNULL, timeout=60)
    return sound


def ffmpeg_words(folder, port, *codec):
    return ["ffmpeg", "-nostdin", "-loglevel", "error", "-re", "-i", folder / "sound.wav", *codec,
            "-f", "rtp", "-sdp_file", folder / "sender.sdp", f"rtp://127.0.0.1:{port}"]


def gstreamer_words(port, source, payloader):
    return ["gst-launch-1.0", "-v", *source, "!", payloader, "mtu=1400", "!", "udpsink", "host=127.0.0.1", f"port={port}"]


def senders(folder):
    """A name, the commands for a port, and how many samples a packet may have at least."""
    wave_source = ["filesrc", f"location={folder / 'sound.wav'}", "!", "wavparse", "!", "audioconvert", "!"]
    units = ["filesrc", f"location={folder / 'sound.aac'}", "!", "aacparse"]
    return {
        "ffmpeg, AAC by RFC 3640": lambda port: ffmpeg_words(folder, port, "-c:a", "aac", "-b:a", "192k"),
        "ffmpeg, LATM": lambda port: ffmpeg_words(folder, port, "-c:a", "aac", "-b:a", "192k", "-rtpflags", "latm"),
        "ffmpeg, Opus": lambda port: ffmpeg_words(folder, port, "-c:a", "libopus", "-b:a", "160k"),
        "GStreamer, AAC by RFC 3640": lambda port: gstreamer_words(port, units, "rtpmp4gpay"),
        "GStreamer, LATM": lambda port: gstreamer_words(port, units, "rtpmp4apay"),
        "GStreamer, Opus": lambda port: gstreamer_words(
            port, [*wave_source, "opusenc", "bitrate=160000"], "rtpopuspay"),
    }


def unit_length(name):
    """Samples of a unit that a sender of this name sends: 20 ms of Opus."""
    return 960 if "Opus" in name else 1_024


class Running:
    """A sender that runs, and is ended with this."""

    def __init__(self, words):
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        text=True)
        self.lines = []
        self.reader = threading.Thread(target=lambda: self.lines.extend(self.process.stdout), daemon=True)
        self.reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.reader.join()


def describe(folder, words, port):
    """The session description of a sender, for a receiver at `port`: ffmpeg writes it, GStreamer prints what it says."""
    path = folder / "sender.sdp"
    path.unlink(missing_ok=True)
    with Running(words(free_port())) as running:
        if words(port)[0] == "ffmpeg":
            wait_until(lambda: path.exists() and "a=rtpmap" in path.read_text(), "ffmpeg writes a description", 30)
            found = path.read_text()
        else:
            caps = wait_until(lambda: next((line for line in list(running.lines) if "application/x-rtp," in line), None),
                              "GStreamer prints the caps", 30)
            values = dict(re.findall(r"([a-zA-Z-]+)=\(\w+\)([^,;]+)", caps))
            number = values["payload"].strip()
            name = "/".join(values[key].strip('"') for key in ("encoding-name", "clock-rate", "encoding-params") if key in values)
            known = {"media", "clock-rate", "encoding-name", "encoding-params", "payload", "ssrc", "timestamp-offset",
                     "seqnum-offset"}
            parameters = ";".join(f"{key}={value.strip()}" for key, value in values.items() if key not in known)
            found = f"v=0\ns=x\nm=audio 0 RTP/AVP {number}\na=rtpmap:{number} {name}\na=fmtp:{number} {parameters}\n"
    return re.sub(r"^m=audio \d+", f"c=IN IP4 127.0.0.1\nm=audio {port}",
                  re.sub(r"^c=.*\n", "", found, flags=re.M), flags=re.M)


class Relay(threading.Thread):
    """Passes packets on, and loses some."""

    def __init__(self, target, losses):
        super().__init__(daemon=True)
        self.port, self.target, self.losses = free_port(), target, losses
        self.timestamps, self.arrivals = [], []
        self.ended = threading.Event()
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", self.port))
        self.socket.settimeout(0.05)

    def run(self):
        while not self.ended.is_set():
            try:
                packet = self.socket.recv(65_536)
            except TimeoutError:
                continue
            if packet[1] & 0x7F in range(72, 77):
                continue
            index = len(self.timestamps)
            self.timestamps.append(int.from_bytes(packet[4:8], "big"))
            self.arrivals.append(time.monotonic())
            if index not in self.losses:
                self.socket.sendto(packet, ("127.0.0.1", self.target))

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.join()
        self.socket.close()

    def gaps(self, unit):
        """The place and the length of every run of lost packets, by the timestamps, in whole units: GStreamer rounds times."""
        found, lost = [], None
        for index, timestamp in enumerate(self.timestamps):
            place = round(((timestamp - self.timestamps[0]) & 0xFFFFFFFF) / unit) * unit
            if index in self.losses:
                lost = place if lost is None else lost
            elif lost is not None:
                found.append((lost, place - lost))
                lost = None
        return found


def losses(count=200):
    """One packet in twenty, and three in a row; not the first ones."""
    chance = random.Random(75)
    return {index for index in range(8, count) if chance.random() < 0.05} | {20, 21, 22}


def recorded(path):
    """One channel of a WAV file of 16 bits."""
    return numpy.frombuffer(riff.samples(path, 4), "<i2")[::CHANNELS].astype(float)


def displacement(samples, sound, place, length=2_048, reach=3_000):
    """Where a piece of the recording stands in the sound, minus where it stands in the recording. Nil if it is not sure."""
    piece = samples[place:place + length]
    begin = max(place - reach, 0)
    around = sound[begin:place + length + reach]
    if len(piece) < length or len(around) < length + reach or piece.std() < 100:
        return None
    size = 1 << int(numpy.ceil(numpy.log2(len(around) + length)))
    products = numpy.fft.irfft(numpy.fft.rfft(around, size) * numpy.conj(numpy.fft.rfft(piece, size)), size)
    products = products[:len(around) - length + 1]
    best = int(products.argmax())
    likeness = products[best] / (numpy.linalg.norm(piece) * numpy.linalg.norm(around[best:best + length]))
    return best + begin - place if likeness > 0.7 else None


def check_places(samples, sound, gaps):
    """Every piece is as far from its place in the sound as the first one. - Returns: that distance and the pieces."""
    found = []
    for place in range(4_096, len(samples) - 8_192, 2_048):
        # A piece near a gap has too few samples, and what is decoded behind it begins anew.
        if all(place + 2_048 <= begin or place >= begin + length + 2_048 for begin, length in gaps):
            found.append(displacement(samples, sound, place))
    heard = [value for value in found if value is not None]
    assert len(heard) > len(found) * 0.9 and len(heard) > 20, f"{len(heard)} of {len(found)} pieces are heard"
    assert len(set(heard)) == 1, f"pieces are displaced by {sorted(set(heard))}"
    return heard[0], len(heard)


def receive(folder, words, lost, name="take"):
    """Records a sender's sound behind a relay. - Returns: the summary's source, the samples, and the relay."""
    port = free_port()
    (folder / "receiver.sdp").write_text(describe(folder, words, port))
    recording = Recording(folder, f"rtp:{folder}/receiver.sdp", name=name).wait_for("precision")
    with Relay(port, lost) as relay, Running(words(relay.port)) as running:
        running.process.wait(60)
        wait_until(lambda: recording.path.exists() and os.path.getsize(recording.path) > 3.5 * RATE * 4, recording.log, 30)
        time.sleep(0.3)
    recording.process.send_signal(signal.SIGINT)
    assert recording.process.wait(60) == 0, recording.log
    return summary(recording.log)["sources"][0], recorded(recording.path), relay


def told_gaps(source):
    return [(gap["samplePosition"], gap["lostSamples"]) for gap in source["gaps"]["list"]]


def codecs(folder):
    """What ffmpeg and GStreamer send, with 5 % lost: every gap exact, every sample in its place."""
    sound, told = make_sound(folder), []
    for name, words in senders(folder).items():
        source, samples, relay = receive(folder, words, losses(), name="take")
        try:
            gaps = relay.gaps(unit_length(name))
            # A run of lost packets that reaches the end has no packet behind it.
            assert told_gaps(source) == gaps, f"{told_gaps(source)} told, {gaps} made"
            assert all(gap["uncertainty"] == 0 for gap in source["gaps"]["list"]), source["gaps"]
            for place, length in gaps:
                assert not samples[place:place + length].any(), f"sound in the gap at {place}"
            distance, pieces = check_places(samples, sound, gaps)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from None
        told.append(f"{name}: {pieces} pieces at {distance:+}, {len(gaps)} gaps")
    return "; ".join(told)


def broken_decoder(folder):
    """A decoder that is killed, and one that sticks: the recording goes on, and the units on their way are a told gap."""
    sound = make_sound(folder, 12)
    words = senders(folder)["ffmpeg, AAC by RFC 3640"]
    port = free_port()
    (folder / "receiver.sdp").write_text(describe(folder, words, port))
    recording = Recording(folder, f"rtp:{folder}/receiver.sdp").wait_for("precision")

    def decoder():
        return next((child for child, parent in parents().items()
                     if parent == recording.process.pid and "ffmpeg" in text(child, "comm")), None)

    def longer(seconds):
        wait_until(lambda: recording.path.exists() and os.path.getsize(recording.path) > seconds * RATE * 4, recording.log, 60)
    with Relay(port, ()) as relay, Running(words(relay.port)) as running:
        longer(1.5)
        first = decoder()
        os.kill(first, signal.SIGKILL)
        second = wait_until(lambda: decoder() not in (None, first) and decoder(), "another decoder", 30)
        longer(4)
        os.kill(second, signal.SIGSTOP)
        wait_until(lambda: decoder() not in (None, second), "a third decoder", 30)
        running.process.wait(60)
        longer(11)
        time.sleep(0.3)
    recording.process.send_signal(signal.SIGINT)
    assert recording.process.wait(60) == 0, recording.log
    source = summary(recording.log)["sources"][0]
    gaps = told_gaps(source)
    assert 1 <= len(gaps) <= 3 and all(place % 1_024 == 0 and length % 1_024 == 0 for place, length in gaps), gaps
    assert all(gap["uncertainty"] == 0 and gap["cause"] == "network" for gap in source["gaps"]["list"]), source
    distance, pieces = check_places(recorded(recording.path), sound, gaps)
    lost = ", ".join(f"{length / RATE:.2f} s" for _, length in gaps)
    return f"a decoder killed and one that sticks: {lost} are told gaps, {pieces} pieces at {distance:+}"


def missing_decoders(folder):
    """A machine without ffmpeg or libopus: one line with the package."""
    (folder / "aac.sdp").write_text(
        f"v=0\ns=x\nc=IN IP4 127.0.0.1\nm=audio {free_port()} RTP/AVP 96\na=rtpmap:96 mpeg4-generic/48000/2\n"
        "a=fmtp:96 mode=AAC-hbr;sizelength=13;indexlength=3;indexdeltalength=3;config=1190\n")
    (folder / "libopus.so.0").write_text("no library")
    said = [
        (f"rtp:{folder}/aac.sdp", {"PATH": "/nowhere"},
         f"rawaudio: cannot receive AAC from 'rtp:{folder}/aac.sdp': ffmpeg decodes it, which is not on the PATH; "
         "apt install ffmpeg\n"),
        ("rtp://127.0.0.1:5004?opus/48000/2", {"LD_LIBRARY_PATH": str(folder)},
         "rawaudio: cannot receive Opus from 'rtp://127.0.0.1:5004?opus/48000/2': libopus.so.0 cannot be loaded; "
         "apt install libopus0\n"),
    ]
    for device, environment, line in said:
        answer = rawaudio("capture", "-D", device, "-d", "1", "-o", folder / "x.wav", timeout=60, env=environment)
        assert (answer.returncode, answer.stderr) == (1, line), answer
        assert not (folder / "x.wav").exists()
    return "without ffmpeg or libopus: one line with the package"


CHECKS = [codecs, broken_decoder, missing_decoders]
