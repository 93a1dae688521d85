"""Measures an open session: many participants, how soon one is heard, and many that come and go.

    python3 -B Benchmarks/participants --program rawaudio [--seconds 30] [--write-to FILE]

Every figure is of one run. What is exact is checked, not measured: each participant's track holds what it sent.
"""

import argparse
import json
import os
import pathlib
import socket
import statistics
import struct
import subprocess
import tempfile
import time
import wave

RATE = 16_000
PACKET = 160
NEXT = (1 << 64) - 1


def command(program, folder, *options):
    """Starts a session and waits until its socket is there."""
    path = folder / "session.sock"
    session = subprocess.Popen(
        [program, "session", "--listen", path, "--rate", str(RATE), "--channels", "1", "--quiet", *options],
        stdin=subprocess.DEVNULL,
    )
    while not path.exists():
        if session.poll() is not None:
            raise SystemExit("the session did not start")
        time.sleep(0.01)
    return session, path


def client(path, **first):
    """Connects, says what it is, and returns the socket and the answer."""
    end = socket.socket(socket.AF_UNIX)
    end.connect(str(path))
    end.sendall(json.dumps(first).encode() + b"\n")
    line = b""
    while not line.endswith(b"\n"):
        byte = end.recv(1)
        if not byte:
            raise SystemExit(f"no answer to {first}")
        line += byte
    answer = json.loads(line)
    if not answer["ok"]:
        raise SystemExit(answer["error"])
    return end, answer


def ask(control, **words):
    control.sendall(json.dumps(words).encode() + b"\n")
    return json.loads(control.makefile("r").readline())


def processor_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def footprint(pid):
    """Memory in KiB, threads, descriptors."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    number = {line.split(":")[0]: line.split()[1] for line in status if len(line.split()) > 1}
    return int(number["VmRSS"]), int(number["Threads"]), len(os.listdir(f"/proc/{pid}/fd"))


def sample(participant, index):
    """What a participant sends: never 0, and no two alike for a while."""
    return (participant * 7 + index) % 32_000 + 1


def crowd(program, count, seconds):
    """Participants that send packets every 10 ms; an observer of all, a track for each."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        session, path = command(
            program, folder, "--playback", folder / "sum.wav",
            "--observe", f"before-mixing:tap={folder}/track-%s.wav",
        )
        observer, _ = client(path, observe="before-mixing", samplesPerCall=PACKET, rate=RATE, channels=1)
        counted, count_end = os.pipe()
        # A process of its own: whoever sends must not wait for it.
        if os.fork() == 0:
            seen = 0
            stream = observer.makefile("rb", buffering=1 << 20)
            while len(header := stream.read(32)) == 32:
                _, _, length, _, flags, _ = struct.unpack("<QqIIII", header)
                stream.read(length)
                seen += length > 0 and not flags & 8
            os.write(count_end, str(seen).encode())
            os._exit(0)
        os.close(count_end)
        observer.close()
        ends = [
            client(path, join=f"p{number}", rate=RATE, framing="packets")[0] for number in range(count)
        ]
        ramp = b"".join(struct.pack("<h", sample(0, index)) for index in range(64_000 + PACKET))
        packets = seconds * RATE // PACKET
        control, _ = client(path, control=1)
        begin = time.monotonic()
        used = None
        latest = 0.0
        for packet in range(packets):
            if packet == packets // 4:
                used = (time.monotonic(), processor_seconds(session.pid))
            header = struct.pack("<QII", packet * PACKET, PACKET * 2, 0)
            for number, end in enumerate(ends):
                start = (number * 7 + packet * PACKET) % 32_000 * 2
                end.sendall(header + ramp[start : start + PACKET * 2])
            left = begin + (packet + 1) * PACKET / RATE - time.monotonic()
            latest = max(latest, -left)
            if left > 0:
                time.sleep(left)
        share = (processor_seconds(session.pid) - used[1]) / (time.monotonic() - used[0])
        sources = ask(control, status=True)["sources"]
        for end in ends:
            end.close()
        time.sleep(0.5)
        ask(control, stop=True)
        session.wait()
        seen = int(os.read(counted, 100))
        wrong = 0
        for number in range(count):
            wave_file = wave.open(str(folder / f"track-p{number}.wav"))
            data = wave_file.readframes(wave_file.getnframes())
            track = struct.unpack(f"<{len(data) // 2}h", data)
            first = next(index for index, value in enumerate(track) if value)
            sent = packets * PACKET
            expected = [sample(number, index) for index in range(sent)]
            wrong += list(track[first : first + sent]) != expected or any(track[first + sent :])
        return {
            "participants": count,
            "share of one core": share,
            "how late packets were sent at most, in ms": latest * 1_000,
            "silence that stood in, in samples": sum(source["missing"] for source in sources),
            "frames sent, and as many seen by the observer": f"{count * packets}, {seen}",
            "tracks that are not exact": wrong,
        }


def first_samples(program, times):
    """From connecting to the first sample in the sum, in milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        session, path = command(program, folder, "--playback", folder / "sum.wav")
        observer, _ = client(path, observe="playback", samplesPerCall=PACKET, rate=RATE, channels=1)
        stream = observer.makefile("rb")
        delays = []
        for number in range(times):
            begin = time.monotonic()
            end, _ = client(path, join=f"p{number}", rate=RATE, latency=0)
            end.sendall(struct.pack("<h", 1_000) * PACKET * 5)
            while True:
                header = struct.unpack("<QqIIII", stream.read(32))
                payload = stream.read(header[2])
                if not header[4] & 8 and any(payload):
                    break
            delays.append((time.monotonic() - begin) * 1_000)
            end.close()
            for _ in range(20):
                header = struct.unpack("<QqIIII", stream.read(32))
                stream.read(header[2])
        session.terminate()
        session.wait()
        return delays


def comers_and_goers(program, times):
    """What a session holds after a tenth of the joins, and after all of them."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        session, path = command(program, folder, "--playback", folder / "sum.wav")
        before = None
        for number in range(times):
            end, _ = client(path, join=f"p{number % 500}", rate=RATE, latency=0)
            end.sendall(struct.pack("<h", 1_000) * PACKET)
            end.close()
            if number == times // 10:
                time.sleep(1)
                before = footprint(session.pid)
        time.sleep(1)
        after = footprint(session.pid)
        session.terminate()
        session.wait()
        return before, after


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--participants", type=int, default=200)
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--joins", type=int, default=10_000)
    parser.add_argument("--write-to")
    arguments = parser.parse_args()
    lines = ["# Participants", "", "What `make participants` measured last, in one run.", ""]
    lines += ["| what | figure |", "|---|---|"]
    for name, value in crowd(arguments.program, arguments.participants, arguments.seconds).items():
        lines.append(f"| {name} | {value:.3f} |" if isinstance(value, float) else f"| {name} | {value} |")
    delays = first_samples(arguments.program, 50)
    lines.append(
        f"| from connecting to the first sample in the sum, latency 0 | median {statistics.median(delays):.1f} ms,"
        f" longest of {len(delays)} {max(delays):.1f} ms |"
    )
    before, after = comers_and_goers(arguments.program, arguments.joins)
    lines.append(
        f"| memory, threads, descriptors after {arguments.joins // 10} joins | {before[0]} KiB, {before[1]}, {before[2]} |"
    )
    lines.append(
        f"| the same after {arguments.joins} | {after[0]} KiB, {after[1]}, {after[2]} |"
    )
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if arguments.write_to:
        pathlib.Path(arguments.write_to).write_text(text)


if __name__ == "__main__":
    main()
