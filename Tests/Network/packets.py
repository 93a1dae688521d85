# SPDX-License-Identifier: Apache-2.0
"""Packets that come, or do not: every sample in its place, silence for every lost one, and all told."""

import os
import signal
import subprocess
import time

import numpy

from proofs.command import PROGRAM, rawaudio, summary
from proofs.processes import wait_until
from sending import LENGTH, MODULUS, RATE, Sending, Stream, free_port, patterns, places

PAYLOAD = ["--payload", "l16/48000"]


class Recording:
    """`rawaudio capture` of an address, with what it tells."""

    started = []

    def __init__(self, folder, device, *words, name="take"):
        self.path, self.log_path = folder / f"{name}.wav", folder / f"{name}.log"
        with open(self.log_path, "wb") as log:
            self.process = subprocess.Popen(
                [PROGRAM, "capture", "-v", "--json", "-D", device, "-o", self.path, "--force", *words],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log)
        self.started.append(self.process)

    @classmethod
    def kill_all(cls):
        """Ends those that a check has left."""
        for process in cls.started:
            process.kill()
            process.wait()
        cls.started.clear()

    @property
    def log(self):
        return self.log_path.read_text(encoding="utf-8", errors="replace")

    def wait_for(self, text, times=1):
        def is_told():
            if self.process.poll() is not None and self.log.count(text) < times:
                raise AssertionError(f"exit {self.process.returncode}: {self.log}")
            return self.log.count(text) >= times
        wait_until(is_told, f"'{text}' in {self.log!r}")
        return self

    def is_longer_than(self, seconds):
        wait_until(lambda: self.path.exists() and os.path.getsize(self.path) > seconds * RATE * 2,
                   f"{seconds} s are recorded: {self.log}")

    def is_settled(self):
        """Waits until the file has not grown for half a second."""
        size, since = -1, time.monotonic()
        while time.monotonic() - since < 0.5:
            now = os.path.getsize(self.path) if self.path.exists() else 0
            if now != size:
                size, since = now, time.monotonic()
            time.sleep(0.02)

    def end(self, code=0, number=signal.SIGINT):
        """Ends it. - Returns: the summary's first source, and the places of its samples."""
        if number is not None:
            self.process.send_signal(number)
        found = self.process.wait(60)
        assert found == code, f"exit {found}: {self.log}"
        return summary(self.log)["sources"][0], places(self.path)


def expect(source, found, lost, begin=0):
    """Every sample in its place, and a told gap for every run of lost packets."""
    first = int(found[0])
    assert first >= 0 and first % LENGTH == 0, f"begins with {first}"
    expected = (numpy.arange(len(found)) + first) % MODULUS
    for index in lost:
        place = (index - begin) * LENGTH - first
        if place + LENGTH > 0:
            expected[max(place, 0):place + LENGTH] = -1
    wrong = numpy.flatnonzero(found != expected)
    assert len(wrong) == 0, f"{len(wrong)} samples are wrong from {wrong[:1]} on"
    runs = [index for index in lost if index - 1 not in lost]
    told = [(gap["samplePosition"], gap["lostSamples"], gap["cause"]) for gap in source["gaps"]["list"]]
    made = []
    for index in runs:
        length = next(count for count in range(1, 1_000) if index + count not in lost)
        made.append(((index - begin) * LENGTH - first, length * LENGTH, "network"))
    assert told == made, f"{told} told, {made} made"


def loss_patterns(folder):
    """At eight times the pace: lengths and places follow from timestamps, not from the arrival."""
    count = 0
    for name, order, lost in patterns():
        port = free_port()
        recording = Recording(folder, f"rtp://127.0.0.1:{port}", *PAYLOAD, "-d", "3.2").wait_for("precision")
        with Sending(port, order, interval=0.0025):
            source, found = recording.end(number=None)
        assert len(found) == 3.2 * RATE, f"{name}: {len(found)} samples"
        try:
            expect(source, found, lost)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from None
        count += 1
    return f"{count} patterns: every sample in its place, every gap told with its place and length"


def busy_recording(folder):
    """However many packets a busy machine drops: every sample that came is in its place, and every other one is told."""
    port = free_port()
    recording = Recording(folder, f"rtp://127.0.0.1:{port}", *PAYLOAD, "-d", "1").wait_for("precision")
    lost = {20, 21, 40}
    with Sending(port, [index for index in range(60) if index not in lost]):
        source, found = recording.end(number=None)
    assert len(found) == RATE, f"{len(found)} samples"
    expect_truth(source, found)
    return f"{len(found)} samples, {source['gaps']['lostSamples']} of them lost and told, however busy the machine is"


def expect_truth(source, found):
    """Silence stands for what is told as lost, and every other sample is in its place."""
    expected = (numpy.arange(len(found)) + int(found[0])) % MODULUS
    silent = found < 0
    assert not silent[0] and (found == expected)[~silent].all() and silent.sum() == source["gaps"]["lostSamples"], source


def description_file(folder):
    """A session description says all."""
    port = free_port()
    (folder / "studio.sdp").write_text(
        f"v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=x\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=video 9 RTP/AVP 33\r\n"
        f"m=audio {port} RTP/AVP 96\r\na=rtpmap:96 L16/48000\r\n")
    recording = Recording(folder, f"rtp:{folder}/studio.sdp", "-d", "0.5").wait_for("precision")
    with Sending(port, interval=0.005):
        source, found = recording.end(number=None)
    expect(source, found, [])
    return "a session description"


def groups(folder):
    """A group at an interface, of which one sender counts: by the address, and by a description."""
    group, port = "239.255.77.1", free_port()
    filters = {"incl": "127.0.0.1 127.0.0.4", "excl": "127.0.0.2"}
    commands = [([f"rtp://{group}%lo:{port}", *PAYLOAD], ["127.0.0.1"])]
    for mode, hosts in filters.items():
        path = folder / f"{mode}.sdp"
        path.write_text(f"SDP:\nv=0\nc=IN IP4 {group}/32\na=source-filter: {mode} IN IP4 {group} {hosts}\n"
                        f"m=audio 0 RTP/AVP 0\nm=audio {port} RTP/AVP 96 \n  a=rtpmap:96 L16/48000\n")
        commands.append(([f"rtp:{path}", "--interface", "lo"], ["127.0.0.2", "127.0.0.1"]))
    for (device, *words), senders in commands:
        recording = Recording(folder, device, *words, "-d", "0.5").wait_for("precision")
        others = [Sending(port, stream=Stream(source=index, begin=500 * index), host=group, sender=host)
                  for index, host in enumerate(senders[:-1], 1)]
        for other in others:
            other.start()
        with Sending(port, interval=0.005, host=group, sender=senders[-1]):
            source, found = recording.end(number=None)
        for other in others:
            other.__exit__()
        expect(source, found, [])
        assert "is sent to by" not in recording.log, recording.log
    refused = rawaudio("capture", "-D", f"rtp:{folder}/incl.sdp", "--interface", "no-such0", "-o", "null:", timeout=60)
    assert (refused.returncode, refused.stderr) == (
        1, f"rawaudio: cannot receive 'rtp:{folder}/incl.sdp': this machine has no interface 'no-such0';"
           " 'ip link' lists those it has\n"), refused
    return "a group at an interface, with all senders, with some, and without one"


def two_legs(folder):
    """What one leg loses comes on the other one (RFC 7104)."""
    ports = free_port(), free_port()
    (folder / "legs.sdp").write_text(
        "v=0\nc=IN IP4 127.0.0.1\na=group:DUP a b\n" + "".join(
            f"m=audio {port} RTP/AVP 96\na=rtpmap:96 L16/48000\na=mid:{name}\n" for port, name in zip(ports, "ab")))
    recording = Recording(folder, f"rtp:{folder}/legs.sdp", "-d", "2").wait_for("precision")
    lost = [index for index in range(20, 80) if index % 10 < 7], [index for index in range(20, 80) if index % 10 > 5]
    orders = [[index for index in range(100) if index not in missing] for missing in lost]
    sendings = [Sending(port, order) for port, order in zip(ports, orders)]
    for sending in sendings:
        # Each packet has its time, whether it is sent or not.
        sending.paces_by_index = True
        sending.start()
    source, found = recording.end(number=None)
    for sending in sendings:
        sending.__exit__()
    expect(source, found, sorted(set(lost[0]) & set(lost[1])))
    return "two legs: only what both lose is silence"


REFUSED = [
    ("m=audio 5004 RTP/SAVP 0", "its sound is encrypted (RTP/SAVP)"),
    ("m=audio 5004 UDP/TLS/RTP/SAVPF 0", "its sound is encrypted (UDP/TLS/RTP/SAVPF)"),
    ("m=audio 5004 RTP/AVP 0\na=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:x", "its sound is encrypted: it states a key"),
    ("m=audio 5004 udp 0", "its sound does not come as RTP/AVP, but as udp"),
    ("m=audio 5004 RTP/AVP 96\na=rtpmap:96 L24/48000/128", "its sound has 128 channels, and 64 are the most"),
    ("m=audio 0 RTP/AVP 0", "its sound is declined: the port is 0"),
]


def refusals(folder):
    """A description whose sound cannot be received: one line, exit 1."""
    path = folder / "x.sdp"
    for text, reason in REFUSED:
        path.write_text(f"v=0\nc=IN IP4 127.0.0.1\n{text}\n")
        said = rawaudio("capture", "-D", f"rtp:{path}", "-o", "null:", timeout=60)
        assert (said.returncode, said.stderr) == (1, f"rawaudio: cannot receive '{path}': {reason}\n"), said
    path.write_text("v=0\nc=IN IP4 127.0.0.1\nm=audio 5004 RTP/AVP 0\n")
    said = rawaudio("capture", "-D", f"rtp:{path}", "--stream", "2", "-o", "null:", timeout=60)
    reason = "it has 1 stream of sound, and --stream asks for number 2"
    assert (said.returncode, said.stderr) == (1, f"rawaudio: cannot receive '{path}': {reason}\n"), said
    said = rawaudio("capture", "-D", "rtp://bird:s3cr3t@127.0.0.1:5004?l16/8000", "-o", "null:", timeout=60)
    assert said.returncode == 64 and "s3cr3t" not in said.stderr and said.stderr.startswith("Error: "), said
    return f"{len(REFUSED) + 2} that cannot be received: one line each"


def restarts(folder):
    """A sender that begins anew after a pause: one gap, whose length is that of the pause within its uncertainty."""
    port = free_port()
    recording = Recording(folder, f"rtp://127.0.0.1:{port}", *PAYLOAD).wait_for("precision")
    with Sending(port):
        recording.is_longer_than(1)
    pause = time.monotonic()
    time.sleep(0.7)
    with Sending(port, stream=Stream(source=0xBEEF, sequence=9, timestamp=77, begin=30 * RATE)):
        pause = time.monotonic() - pause
        recording.is_longer_than(3)
        source, found = recording.end()
    gap, = source["gaps"]["list"]
    silent = numpy.flatnonzero(found < 0)
    assert len(silent) == gap["lostSamples"] and silent[0] == gap["samplePosition"], gap
    assert gap["estimated"] and abs(len(silent) - pause * RATE) < gap["uncertainty"] + 3 * LENGTH, (pause, gap)
    assert found[silent[-1] + 1] == 30 * RATE % MODULUS
    return "a sender that begins anew: one gap, estimated by the local clock"


def second_sender(folder):
    """Another stream at the same port is told once, and none of it is heard."""
    port = free_port()
    recording = Recording(folder, f"rtp://127.0.0.1:{port}", *PAYLOAD).wait_for("precision")
    with Sending(port):
        recording.is_longer_than(0.5)
        with Sending(port, stream=Stream(source=7, begin=500)):
            recording.wait_for("is sent to by")
            time.sleep(0.3)
            source, found = recording.end()
    expect(source, found, [])
    assert recording.log.count("is sent to by 127.0.0.1, too, whose packets are ignored") == 1, recording.log
    return "a second sender: told once, ignored"


def lost_sender(folder):
    """A sender that stops is a lost device; with --reopen it goes on in its place, exactly if its timestamps do."""
    port = free_port()
    device = f"rtp://127.0.0.1:{port}"
    recording = Recording(folder, device, *PAYLOAD, "--timeout", "300ms").wait_for("precision")
    with Sending(port):
        recording.is_longer_than(0.5)
    source, found = recording.end(code=1, number=None)
    expect(source, found, [])
    assert f"cannot go on capturing from '{device}': no packet has come for 300 ms, after {len(found)} samples" in recording.log
    recording = Recording(folder, device, *PAYLOAD, "--timeout", "300ms", "--reopen", name="again").wait_for("precision")
    with Sending(port) as sending:
        recording.is_longer_than(0.5)
    recording.wait_for("is gone")
    time.sleep(1.5)
    # The sender has sent meanwhile, and nothing of that came.
    later = sending.next + 100
    with Sending(port, order=[later]):
        recording.wait_for("is back after")
        recording.is_longer_than((later + 20) * LENGTH / RATE)
        source, found = recording.end()
    silent = numpy.flatnonzero(found < 0)
    gap, = source["gaps"]["list"]
    first = int(found[0])
    expected = (numpy.arange(len(found)) + first) % MODULUS
    expected[silent] = -1
    assert (found == expected).all() and len(silent) == 100 * LENGTH, (len(silent), gap)
    assert (gap["cause"], gap["lostSamples"], gap["uncertainty"], source["losses"]) == ("lost", 100 * LENGTH, 0, 1), gap
    return "a lost sender: exit 1 and all kept; with --reopen it goes on in its place"


def full_disk(folder):
    port = free_port()
    with Sending(port):
        answer = rawaudio("capture", "-D", f"rtp://127.0.0.1:{port}", *PAYLOAD, "-d", "1", "-t", "wav", "-o", "/dev/full", timeout=60)
    assert answer.returncode == 1 and "no space left on device" in answer.stderr, answer
    return "a full disk is told"


def floods(folder):
    """What is no packet of the stream: memory stays flat, and one line tells."""
    port = free_port()
    recording = Recording(folder, f"rtp://127.0.0.1:{port}", *PAYLOAD).wait_for("precision")
    noise = numpy.random.default_rng(3)
    with Sending(port) as sending:
        recording.is_longer_than(0.3)
        before = resident(recording.process.pid)
        for count in range(20_000):
            size = int(noise.integers(0, 200))
            sending.socket.sendto(noise.bytes(size), ("127.0.0.1", port + count % 2))
            # A stream of its own with every packet, and leaps of the timestamps.
            head = bytes([0x80, 96]) + noise.bytes(10)
            sending.socket.sendto(head + bytes(1_920), ("127.0.0.1", port))
        recording.is_longer_than(0.8)
        grown = resident(recording.process.pid) - before
        source, found = recording.end()
    # The kernel drops packets of the stream, too, when its buffer is full.
    expect_truth(source, found)
    assert grown < 6 << 20, f"{grown} bytes more"
    told = [line for line in recording.log.splitlines() if "is sent to by" in line]
    assert len(told) <= 1, told
    return "40,000 packets of no stream: memory flat, nothing of them heard"


def resident(process):
    with open(f"/proc/{process}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4_096


CHECKS = [loss_patterns, description_file, groups, two_legs, refusals, restarts, second_sender, lost_sender, full_disk, floods]
