# SPDX-License-Identifier: Apache-2.0
"""Builds the programs of docs/library.md in a package outside of the tree, runs them, and checks their results.

Each block of Swift is the whole main.swift of a program, named by the first word of the heading above, and has at most
twelve lines. The block that is a manifest is that of the package. `rawaudio` is on the PATH, and ALSA knows the virtual card.
"""

import array
import itertools
import math
import os
import pathlib
import re
import socket
import struct
import subprocess
import tempfile
import threading

from checking import check, equal, generate, lines, samples, sine

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/library.md"
LINES = 12
RATE = 48_000


def blocks(text):
    """The manifest, and the programs by their names."""
    manifest, programs, name = None, {}, None
    for piece in re.findall(r"^```\w*\n(?:.*\n)*?```\n|^### .*\n", text, flags=re.M):
        if piece.startswith("### "):
            name = re.match(r"### (\w+)", piece).group(1)
        elif piece.startswith("```swift\n// swift-tools-version"):
            manifest = piece[9:-4]
        elif piece.startswith("```swift\n"):
            assert name and name not in programs, f"this has no heading of its own:\n{piece}"
            programs[name] = piece[9:-4]
            count = sum(bool(line.strip()) for line in programs[name].splitlines())
            assert count <= LINES, f"{name} has {count} lines, more than {LINES}"
    return manifest, programs


# Runs a command in a mount namespace of its own, in which empty files hide the headers.
HIDDEN = ["unshare", "--map-root-user", "--mount", "bash", "-euc", """
    for header in /usr/include/sndfile.h /usr/include/alsa/asoundlib.h; do
      if [[ -e $header ]]; then mount --bind /dev/null "$header"; fi
    done
    export PKG_CONFIG_LIBDIR=/nonexistent
    exec "$@" """, "hidden"]
ALONE = """
import AudioCore

let session = Session(), sink = ArraySink<Int16>()
try session.setLocal(ToneSource(frequency: 1_000, amplitude: 0.5, duration: .time(.seconds(1))))
var calls = 0
try session.observe(at: .record, as: FrameParameters(sampleRate: 16_000, channelCount: 1, samplesPerCall: 160)) { _ in calls += 1 }
try session.setSink(sink, at: .publish)
_ = try session.run()
print(calls, sink.samples.max() ?? 0)
"""


def version(folder):
    """The dependency on the last commit, as a version that will never exist."""
    subprocess.run(["git", "clone", "-q", "--bare", ROOT, folder], check=True)
    names = ["-c", "user.name=outside", "-c", "user.email=outside@localhost"]
    subprocess.run(["git", "-C", folder, *names, "tag", "999.0.0"], check=True)
    return f'.package(url: "file://{folder}", exact: "999.0.0")'


def build(manifest, programs, scratch, outside):
    """Builds all programs at once, in the folder `scratch`, and returns the folder that has them."""
    target = re.search(r'executableTarget\(name: "(\w+)"', manifest).group(1)
    beside = '.package(path: "../rawaudio")'
    assert beside in manifest and target in programs, manifest
    others = ", ".join(f'"{name}"' for name in programs if name != target)
    dependency = version(outside) if outside else f'.package(name: "rawaudio", path: "{ROOT}")'
    manifest = manifest.replace(beside, dependency)
    manifest += f"package.targets += [{others}].map {{ .executableTarget(name: $0, dependencies: library) }}\n"
    if outside:
        manifest += 'package.targets.append(.executableTarget(name: "Alone", dependencies: [library[0]]))\n'
        programs = {**programs, "Alone": ALONE}
    with tempfile.TemporaryDirectory() as folder:
        package = pathlib.Path(folder)
        (package / "Package.swift").write_text(manifest)
        for name, text in programs.items():
            (package / "Sources" / name).mkdir(parents=True)
            (package / "Sources" / name / "main.swift").write_text(text)
        # An index is for editors.
        swift = ["swift", "build", "--quiet", "-debug-info-format", "none", "--disable-index-store", "--package-path", package,
                 "--scratch-path", scratch]
        if outside:
            subprocess.run([*HIDDEN, *swift, "--product", "Alone"], check=True)
        subprocess.run(swift, check=True)
        return pathlib.Path(lines(*swift, "--show-bin-path")[0])


class Guide:
    def __init__(self, programs, binaries):
        self.binaries, self.left = binaries, set(programs)

    def run(self, name, *arguments, **options):
        """The lines that a program prints."""
        self.left.discard(name)
        return lines(self.binaries / name, *arguments, **options)


def files(guide):
    equal("Convert says the length of ⌈n · 16000 / 48000⌉ samples", guide.run("Convert", "tone.wav"),
                ["32000 samples at 16000 Hz, 1 channel"])
    # The edges ring.
    converted = samples("speech.flac")
    check("and its FLAC holds the tone at 16 kHz, to two steps of 16 bits", len(converted) == 32_000 and all(
        abs(converted[index] - sine(8_192, 440, 16_000, index)) < 2 for index in range(500, 31_500)))

    levels = [line.split() for line in guide.run("Listen", "tone.wav")]
    # Of a sine: its amplitude less 3.01 dB.
    level = 20 * math.log10(0.25 / math.sqrt(2))
    check("Listen prints twenty levels of a quarter of full scale, 100 ms apart", len(levels) == 20 and all(
        int(words[0]) == 100 * place and abs(float(words[2]) - level) < 0.1 for place, words in enumerate(levels)))

    equal("Change is called every 10 ms", guide.run("Change", "tone.wav"), ["200 calls"])
    equal("Loop gets half a second at 16 kHz four times", guide.run("Loop", "tone.wav"),
          [f"{500 * number} 8000" for number in range(4)])
    equal("Metadata writes a title", guide.run("Metadata", "tone.wav"), ['["Evening"] 2.0 seconds'])
    equal("Picture draws", guide.run("Picture", "tone.wav"), ["finished"])
    check("a PNG", pathlib.Path("tone.png").read_bytes()[:4] == b"\x89PNG")
    halved = samples("half.wav")
    check("and writes half of each sample, to half a step of 16 bits", len(halved) == 96_000 and all(
        abs(half - whole / 2) <= 0.5 for half, whole in zip(halved, samples("tone.wav"))))

    equal("Parts tells five of 0.4 s", guide.run("Parts", "tone.wav"),
                [f"part-{number:02}.wav {19_200 * number} 19200" for number in range(5)])
    joined = array.array("h")
    for number in range(5):
        joined += samples(f"part-{number:02}.wav")
    check("which hold each sample once", joined == samples("tone.wav"))


    subprocess.run(["rawaudio", "concat", "tone.wav", "tone.wav", "--marks", "-o", "marked.wav", "-q"], check=True)
    equal("Marks cuts in front of each mark", guide.run("Marks", "marked.wav"),
          [f"piece-{number:02}.wav {96_000 * number} 96000" for number in range(2)])


def connections(guide):
    near, far = socket.socketpair()
    received = bytearray()
    reading = threading.Thread(target=lambda: received.extend(b"".join(iter(lambda: far.recv(1 << 16), b""))))
    reading.start()
    equal("TCP writes to a connection", guide.run("TCP", "tone.wav", str(near.fileno()), pass_fds=[near.fileno()]), ["finished"])
    near.close()
    reading.join()
    check("all samples at 16 kHz in 16 bits", len(received) == 2 * 32_000)
    said = guide.run("JACK", env={**os.environ, "JACK_NO_START_SERVER": "1", "JACK_DEFAULT_SERVER": "absent"})
    check(f"JACK tells that there is no server: {said}", said[0].startswith("unavailable cannot open device 'jack:': "))

    # Packets of 20 ms of one value, until the program ends.
    value, ended = 1_000, threading.Event()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        pathlib.Path("studio.sdp").write_text(
            f"v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=studio\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\n"
            f"m=audio {port} RTP/AVP 96\r\na=rtpmap:96 L16/8000/1\r\n")

        def send():
            for number in itertools.count():
                if ended.wait(0.02):
                    return
                header = struct.pack(">BBHII", 0x80, 96, number & 0xFFFF, 160 * number, 7)
                sender.sendto(header + struct.pack(">h", value) * 160, ("127.0.0.1", port))

        sending = threading.Thread(target=send)
        sending.start()
        try:
            said = guide.run("Network", "studio.sdp")
        finally:
            ended.set()
            sending.join()
    heard = samples("studio.wav")
    check(f"Network records half a second of what was sent: {said}",
          said[0].startswith("finished ") and len(heard) == 4_000 and set(heard) <= {0, value} and value in heard)


def failures(guide):
    equal("Errors copies", guide.run("Errors", "tone.wav"), [])
    said = guide.run("Errors", "tone.wav")
    check(f"and does not replace: {said[0]}",
                len(said) == 1 and said[0].startswith("copy.wav is there already: "))
    said = guide.run("Errors", "absent.wav")
    check(f"and tells the kind: {said[0]}", said[0].startswith("notFound cannot open 'absent.wav': "))


def memory(guide):
    equal("Source gives the numbers below a thousand", guide.run("Source"),
                [f"finished 1000 {sum(range(1_000))}"])
    # The mean square of a sine is half the square of its amplitude.
    outcome, energy = guide.run("Sink")[0].split()
    check("Sink adds up the energy of a tone",
                outcome == "finished" and abs(float(energy) - RATE * 0.5**2 / 2) < 0.01)
    equal("Test turns each sample over", guide.run("Test"), ["true -0.25 [-0.5, 0.5, -0.25, -0.0]"])
    # The guest is heard from the first block behind half a minute on. The conversion from 48 kHz rings in front of it.
    outcome, count, first = guide.run("Clock")[0].split()
    check(f"Clock runs a minute at 8 kHz, and who joins is heard from sample {first} on",
                (outcome, count) == ("finished", "480000") and 239_900 <= int(first) < 244_000)
    resampled, played = guide.run("Arrays")
    count, level = resampled.split()
    check("Arrays converts to ⌈n · 16000 / 48000⌉ samples and measures a square", count == "16000"
                and abs(float(level) - 20 * math.log10(0.5)) < 0.01)
    equal("and gets back its samples as 16 bits", played, "48000 16384 -16384")


def together(guide):
    # A card that hears silence.
    said = guide.run("Live", "card:INFILE=/dev/null", "tone.wav")
    call, tone = samples("call.wav"), samples("tone.wav")
    # The guest joins after a second, and is heard to the end. The first sample of the tone is 0.
    first = next(index for index, value in enumerate(call) if value) // 2 - 1
    check(f"Live records two seconds in stereo, and who joins is heard from sample {first} on",
                len(call) == 2 * 2 * RATE and RATE <= first < 2 * RATE - RATE // 10)
    check("exactly", call[2 * first :: 2] == tone[: 2 * RATE - first] == call[2 * first + 1 :: 2])
    check(f"and tells both: {', '.join(said)}", [line.split()[0] for line in said] == ["local", "anna"])

    # A card's end is heard in its own time.
    equal("Player plays the last half second", guide.run("Player", "card", "tone.wav"), ["2.0 seconds"])
    equal("Actor is told who joins, and hears the tone", guide.run("Actor", "tone.wav"),
                ["anna is here", f"peak {max(tone) / 2**15}"])


def run(folder, outside):
    """
    folder: takes what the programs read and write; it must not exist.
    outside: whether the package depends on a version of this one, which the last commit is, and not on its folder. One more
        program uses the product AudioCore alone then, and is built while the headers of libsndfile and libasound are hidden.
    """
    manifest, programs = blocks(PAGE.read_text())
    folder.mkdir(parents=True)
    os.chdir(folder)
    # The library that lies here stays built for the next time.
    scratch, copy = (folder / "build", folder / "rawaudio") if outside else (ROOT / ".build/guide", None)
    guide = Guide(programs, build(manifest, programs, scratch, copy))
    if outside:
        equal("AudioCore alone, of a version, needs no package of the system", guide.run("Alone"), ["100 16384"])
    generate("tone:440", 2, 20 * math.log10(0.25) + 3, "tone.wav")
    for part in files, connections, failures, memory, together:
        part(guide)
    equal("every program of the page has run", guide.left, set())
