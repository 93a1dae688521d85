# SPDX-License-Identifier: Apache-2.0
"""Servers of RTSP: a scripted one, which asks for passwords, breaks off and lies; and ffmpeg as a sender."""

import base64
import hashlib
import json
import os
import re
import signal
import socket
import subprocess
import threading
import time

import numpy

from packets import Recording, expect
from proofs.command import PROGRAM, rawaudio
from proofs.processes import wait_until
from sending import LENGTH, RATE, Stream, free_port

USER, PASSWORD, REALM, NONCE = "bird", "s3cr3t-W0rd", "camera, front", "0123abcd"


class Server:
    """A server of one stream, with one client at a time."""

    def __init__(self, port, kind=None, timeout=60, answer=None, is_silent=False):
        self.port, self.kind, self.timeout, self.answer, self.is_silent = port, kind, timeout, answer, is_silent
        self.requests, self.index = [], 0
        self.ended = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", port))
        self.listener.settimeout(0.05)
        self.thread = threading.Thread(target=self.serve, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()
        self.listener.close()

    def serve(self):
        while not self.ended.is_set():
            try:
                client, _ = self.listener.accept()
            except TimeoutError:
                continue
            with client:
                try:
                    self.talk(client)
                except OSError:
                    pass

    def talk(self, client):
        client.settimeout(0.002)
        held, session, target, last, begin, sent = b"", False, None, time.monotonic(), None, 0
        datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        datagrams.bind(("127.0.0.1", 0))
        stream = Stream()
        while not self.ended.is_set() and time.monotonic() - last < self.timeout:
            try:
                data = client.recv(65_536)
                if not data:
                    return
                held += data
            except TimeoutError:
                pass
            while b"\r\n\r\n" in held:
                text, held = held.split(b"\r\n\r\n", 1)
                method, url, headers = self.read(text.decode())
                self.requests.append((method, headers))
                last = time.monotonic()
                if self.answer:
                    client.sendall(self.answer)
                    continue
                if not self.is_allowed(method, url, headers.get("authorization", "")):
                    challenge = {
                        "basic": f'Basic realm="{REALM}"',
                        "digest": f'Digest realm="{REALM}", nonce="{NONCE}", qop="auth"',
                        "sha256": f'Bearer, Digest realm="{REALM}", nonce="{NONCE}", algorithm=SHA-256, qop="auth", Basic realm="x"',
                    }[self.kind]
                    client.sendall(f"RTSP/1.0 401 Unauthorized\r\nCSeq: {headers['cseq']}\r\n"
                                   f"WWW-Authenticate: {challenge}\r\n\r\n".encode())
                    continue
                extra, body = "", ""
                if method == "OPTIONS":
                    extra = "Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN, GET_PARAMETER\r\n"
                elif method == "DESCRIBE":
                    body = ("v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=x\r\nc=IN IP4 0.0.0.0\r\nt=0 0\r\na=control:*\r\n"
                            "m=audio 0 RTP/AVP 96\r\na=rtpmap:96 L16/48000\r\na=control:track1\r\n")
                    extra = f"Content-Base: {url}/\r\nContent-Length: {len(body)}\r\n"
                elif method == "SETUP":
                    assert url.endswith("/track1"), url
                    transport = headers["transport"]
                    if "client_port=" in transport:
                        target = int(transport.split("client_port=")[1].split("-")[0])
                    extra = f"Session: 42 ; Timeout = {self.timeout}\r\nTransport: {transport}\r\n"
                    session = True
                elif method == "PLAY":
                    assert session and headers["session"] == "42", headers
                    begin, sent = time.monotonic(), 0
                elif method == "TEARDOWN":
                    begin = None
                client.sendall(f"RTSP/1.0 200 OK\r\nCSeq: {headers['cseq']}\r\n{extra}\r\n{body}".encode())
            while begin and not self.is_silent and time.monotonic() - begin > sent * LENGTH / RATE:
                packet = stream.packet(self.index)
                if target:
                    datagrams.sendto(packet, ("127.0.0.1", target))
                else:
                    client.sendall(b"$\0" + len(packet).to_bytes(2, "big") + packet)
                sent, self.index = sent + 1, self.index + 1

    @staticmethod
    def read(text):
        lines = text.strip().split("\r\n")
        method, url, _ = lines[0].split(" ")
        return method, url, {name.lower(): value for name, value in (line.split(": ", 1) for line in lines[1:])}

    def is_allowed(self, method, url, given):
        if self.kind is None:
            return True
        if self.kind == "basic":
            return given == "Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        if not given.startswith("Digest "):
            return False
        values = dict(re.findall(r'(\w+)="?([^",]*)"?', given.replace(REALM, "REALM")))

        def digest(value):
            return (hashlib.sha256 if self.kind == "sha256" else hashlib.md5)(value.encode()).hexdigest()
        first, second = digest(f"{USER}:{REALM}:{PASSWORD}"), digest(f"{method}:{url}")
        expected = digest(f"{first}:{NONCE}:{values['nc']}:{values['cnonce']}:auth:{second}")
        return values["response"] == expected and values["uri"] == url


def ways(folder, transports=("tcp", "udp")):
    """By TCP and by UDP, with and without a password: exact, and the server is told of the end."""
    for kind in (None, "basic", "digest", "sha256"):
        for way in transports:
            port = free_port()
            with Server(port, kind) as server:
                user = f"{USER}:{PASSWORD}@" if kind else ""
                recording = Recording(folder, f"rtsp://{user}127.0.0.1:{port}/cam", "--transport", way, "-d", "0.6")
                source, found = recording.end(number=None)
                assert len(found) == 0.6 * RATE, len(found)
                expect(source, found, [])
                wait_until(lambda: [method for method, _ in server.requests][-2:] == ["PLAY", "TEARDOWN"],
                           f"the end after PLAY is told: {server.requests}")
    return f"{' and '.join(transports)}, without a password, Basic, Digest with MD5 and with SHA-256"


def ways_by_tcp(folder):
    return ways(folder, ("tcp",))


def silent_server(folder):
    """A server that sends nothing: an old recording is as it was, and there is no new one."""
    old, part, ran = folder / "old.wav", folder / "part-%02d.wav", folder / "ran"
    old.write_bytes(b"a good recording")
    for path, number, words in [(path, number, ()) for path in (old, part) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)] + [
            (old, None, ("--timeout", "1s")), (part, None, ("--timeout", "1s"))]:
        for way in ("tcp", "udp"):
            port = free_port()
            with Server(port, is_silent=True) as server:
                process = subprocess.Popen(
                    [PROGRAM, "capture", "-D", f"rtsp://127.0.0.1:{port}/cam", "--transport", way, "--force", "-o", path, *words,
                     *(["--on-part", f"touch '{ran}'"] if path == part else [])], stderr=subprocess.PIPE)
                wait_until(lambda: "PLAY" in [method for method, _ in server.requests], "the stream is asked for")
                if number is not None:
                    process.send_signal(number)
                _, told = process.communicate(timeout=120)
            code = {None: 1, signal.SIGKILL: -signal.SIGKILL}.get(number, 0)
            assert process.returncode == code, (process.returncode, number, told)
            if code == 0:
                assert f"'{path}' is not written: no sample came" in told.decode(), told
            assert old.read_bytes() == b"a good recording", told
            if number == signal.SIGKILL:  # a killed program removes nothing
                (folder / "part-00.wav").unlink(missing_ok=True)
                for waiting in folder.glob(".rawaudio-parts-*"):
                    waiting.unlink()
            assert [each.name for each in folder.iterdir()] == ["old.wav"], told
    return "a server that sends nothing: an old recording is as it was, and there is no new one"


def secrets(folder):
    """A password appears in no line, file, name or title."""
    port = free_port()
    (folder / "events").touch()
    with Server(port, "digest"):
        device = f"rtsp://{USER}:{PASSWORD}@127.0.0.1:{port}/cam"
        recording = Recording(folder, device, "--on-part", f"echo {{}} >> '{folder}/events'", "--split", "1s", name="take-%03d").wait_for("precision")
        time.sleep(0.3)
        with open(f"/proc/{recording.process.pid}/cmdline", "rb") as file:
            title = file.read()
        assert PASSWORD.encode() not in title and b"127.0.0.1" in title, title
        recording.process.send_signal(2)
        recording.process.wait(30)
        texts = recording.log.encode()
        for path in folder.iterdir():
            texts += path.name.encode() + path.read_bytes()
        assert PASSWORD.encode() not in texts
    for address in (f"rtsp://{USER}:{PASSWORD}@127.0.0.1:99999/", f"rtsp://{USER}:{PASSWORD}@/", device,
                    f"rtsp://{USER}:{PASSWORD}@no.such.host.invalid/"):
        answer = rawaudio("capture", "-v", "--json", "-D", address, "-d", "1", "-o", "null:", timeout=60)
        assert answer.returncode == 1 and PASSWORD not in answer.stderr + answer.stdout, answer
        assert len([line for line in answer.stderr.splitlines() if line.startswith("rawaudio: cannot")]) == 1, answer
    with Server(port, "basic"):
        (folder / "password").write_text(f"{USER}:{PASSWORD}\n")
        recording = Recording(folder, f"rtsp://127.0.0.1:{port}/cam", "--credentials", str(folder / "password"), "-d", "0.2")
        recording.end(number=None)
        for user in ("", f"{USER}:wrong@"):
            recording = Recording(folder, f"rtsp://{user}127.0.0.1:{port}/cam", "-d", "0.2", name="refused")
            assert recording.process.wait(30) == 1
            reason = "refuses the user name or the password" if user else "asks for a password"
            assert reason in recording.log, recording.log
    return "a password is nowhere, not in the title of the process either"


def keeping(folder):
    """The server would end the session after two seconds without a request."""
    port = free_port()
    with Server(port, timeout=2) as server:
        recording = Recording(folder, f"rtsp://127.0.0.1:{port}/cam", "-d", "4.5")
        source, found = recording.end(number=None)
        expect(source, found, [])
        assert [method for method, _ in server.requests].count("GET_PARAMETER") >= 3, server.requests
    return "a session of two seconds is kept for longer"


def server_returns(folder):
    """A server that ends is a lost device; with --reopen its first sample comes within two seconds of its return."""
    port = free_port()
    with Server(port):
        recording = Recording(folder, f"rtsp://127.0.0.1:{port}/cam").wait_for("precision")
        recording.is_longer_than(0.5)
    source, found = recording.end(code=1, number=None)
    expect(source, found, [])
    with Server(port):
        recording = Recording(folder, f"rtsp://127.0.0.1:{port}/cam", "--reopen", name="again").wait_for("precision")
        recording.is_longer_than(0.5)
    recording.wait_for("is gone")
    time.sleep(1.2)
    begin = time.monotonic()
    with Server(port):
        recording.wait_for("is back after")
        took = time.monotonic() - begin
        time.sleep(0.3)
        source, found = recording.end()
    gap, = source["gaps"]["list"]
    silent = numpy.flatnonzero(found < 0)
    assert len(silent) == gap["lostSamples"] and source["losses"] == 1 and source["overruns"] == 0, source
    assert found[silent[-1] + 1] == 0, "the new stream does not begin with its first sample"
    return f"a server that comes back: heard {took:.1f} s later, {gap['lostSamples']} samples of silence (±{gap['uncertainty']})"


LIES = [
    (b"RTSP/1.0 404 Not Found\r\n\r\n", "the server answers OPTIONS with 404 Not Found"),
    (b"RTSP/1.0 461 Unsupported transport\r\n\r\n", "the server answers OPTIONS with 461 Unsupported transport"),
    (b"HTTP/1.1 200 OK\r\n\r\n", "it does not speak RTSP"),
    (b"a" * 5_000, "it sends a line of more than 4096 bytes"),
    (b"RTSP/1.0 200 OK\r\n" + b"x: y\r\n" * 200, "it sends more than 100 headers"),
    (b"RTSP/1.0 200 OK\r\nContent-Length: 99999999999\r\n\r\n", "it states an impossible length of an answer"),
    (b"RTSP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nv=1", "it does not begin with v=0"),
    (b"RTSP/1.0 200 OK\r\nContent-Length: 8\r\n\r\nv=0\r\n\r\n\r\n", "it describes no stream"),
    (b"RTSP/1.0 302 Moved\r\nLocation: rtsp://192.0.2.1/x\r\n\r\n", "the server answers OPTIONS with 302 Moved"),
    (b"RTSP/1.0 401 No\r\nWWW-Authenticate: Digest\r\n\r\n", "the server asks for a password"),
    (b"$\0\xff\xff", "the server does not answer"),
]


def lies(folder):
    """A server that sends anything: one line, exit 1."""
    for answer, reason in LIES:
        port = free_port()
        with Server(port, answer=answer):
            said = rawaudio("capture", "-D", f"rtsp://127.0.0.1:{port}/cam", "--timeout", "500ms", "-d", "1", "-o", "null:", timeout=60)
        assert said.returncode == 1 and reason in said.stderr and said.stderr.count("\n") == 1, (answer[:60], said)
    port = free_port()
    with Server(port, answer=b'RTSP/1.0 401 No\r\nWWW-Authenticate: Digest nonce="x", stale=true\r\n\r\n') as server:
        said = rawaudio("capture", "-D", f"rtsp://a:b@127.0.0.1:{port}/cam", "-d", "1", "-o", "null:", timeout=60)
        assert said.returncode == 1 and "asks for the password again and again" in said.stderr and len(server.requests) == 3, said
    return f"{len(LIES)} servers that lie: one line each; one that always asks again is asked three times"


def ffmpeg_sends(folder):
    """ffmpeg as a sender of each format, by the description that it writes."""
    for codec, rate, channels in (("pcm_s16be", 48_000, 2), ("pcm_s24be", 48_000, 1), ("pcm_mulaw", 8_000, 1), ("pcm_alaw", 8_000, 1)):
        port = free_port()
        sender = subprocess.Popen(
            ["ffmpeg", "-nostdin", "-loglevel", "error", "-re", "-f", "lavfi", "-i", f"sine=1000:sample_rate={rate}",
             "-ac", str(channels), "-c:a", codec, "-f", "rtp", "-sdp_file", str(folder / "sent.sdp"), f"rtp://127.0.0.1:{port}"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            end = time.monotonic() + 30
            while not (folder / "sent.sdp").exists() or os.path.getsize(folder / "sent.sdp") < 100:
                assert time.monotonic() < end, "ffmpeg writes no description"
                time.sleep(0.05)
            answer = rawaudio("capture", "--json", "-D", f"rtp:{folder}/sent.sdp", "-d", "1", "-o", folder / "sent.wav", "--force", timeout=60)
            assert answer.returncode == 0, answer.stderr
            summary = json.loads(answer.stderr.splitlines()[-1])["sources"][0]
            assert (summary["samplesPerChannel"], summary["sampleRate"], summary["channels"]) == (rate, rate, channels), summary
            assert summary["gaps"]["count"] == 0, summary
            measured = rawaudio("measure", "--json", folder / "sent.wav", timeout=60)
            # ffmpeg's sine has an amplitude of an eighth, and loses 3 dB on its way to two channels.
            level = json.loads(measured.stdout)[0]["channels"][0]["rms"]
            expected = -21.07 - (3.01 if channels == 2 else 0)
            assert abs(level - expected) < 0.3, level
        finally:
            sender.kill()
            sender.wait()
            (folder / "sent.sdp").unlink(missing_ok=True)
    return "ffmpeg sends L16, L24, PCMU and PCMA"


CHECKS = [ways, silent_server, secrets, keeping, server_returns, lies, ffmpeg_sends]
