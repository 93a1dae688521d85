# SPDX-License-Identifier: Apache-2.0
"""Builds and runs every example on generated material, and checks the results with arithmetic of its own. Then builds and runs
the programs of docs/library.md, and pastes the commands of docs/tour.md and docs/coming-from-sdks.md, on a card made of
software. Exit 1 at the first wrong result.

    python3 -B Scripts/examples [--outside] [FLAG…]

FLAGs are those of the program's build, beside which the examples are then. With --outside the programs of docs/library.md are
in a package that depends on a version of this one.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import guide
from checking import check, equal, generate, lines, samples, sine

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / ".build/examples"


def is_tone(path, amplitude):
    """Two seconds at 48 kHz of the sine of 440 Hz, to half a step of 16 bits."""
    found = samples(path)
    return len(found) == 96_000 and all(
        abs(value - sine(amplitude, 440, 48_000, index)) <= 0.51 for index, value in enumerate(found))


def values(said, *places):
    """The words at these places of each line."""
    return [tuple(line.split()[place] for place in places) for line in said]


def one_session():
    levels = lines("SpeechLevel", "alice.wav")
    # A sine's root mean square is 3.01 dB below its amplitude, which is -3 dBFS less the 12 dB of gain.
    check("SpeechLevel: ten lines, 100 ms apart, of -18.0 dBFS",
          [int(time) for time, in values(levels, 0)] == list(range(0, 1_000, 100))
          and all(-18.1 <= float(level) <= -17.9 for level, in values(levels[1:9], 2)))
    equal("TaskLevels: the same lines from a task, and then the report", lines("TaskLevels", "alice.wav"),
          [*levels, "48000 samples per channel"])
    lines("PushTone", "tone.wav")
    check("PushTone: tone.wav holds two seconds of the sine", is_tone("tone.wav", 16_384))
    said = lines("RenderedTone", "rendered.wav")
    check("RenderedTone: rendered.wav holds half of what was made", is_tone("rendered.wav", 8_192))
    # A quarter of full scale is -12.0 dBFS.
    check("and its tap has heard that in twenty calls", said[20:] == ["20 calls"] and values(said[:20], 0, 2) == [
        (str(100 * call), "-12.0") for call in range(20)])

    subprocess.run(["rawaudio", "convert", "noise:white", "-d", "1.5", "-r", "16000", "-c", "1", "-f", "s16", "-t", "raw", "-q",
                    "-o", "voice.raw"], check=True)
    with open("voice.raw", "rb") as voice:
        said = lines("VoiceBridge", "voice.wav", stdin=voice)
    bridged = samples("voice.wav")
    check("VoiceBridge: voice.wav holds the samples of the bytes", bridged.tobytes() == pathlib.Path("voice.raw").read_bytes())
    equal("its closure has seen every one of them", said, [f"{len(bridged)} samples, the loudest {max(map(abs, bridged))}"])

    generate("noise:pink", 3, -60, "hiss.wav")
    subprocess.run(["rawaudio", "mix", "hiss.wav", "alice.wav", "--offset", "0", "--offset", "1", "-o", "pause.wav", "-q"],
                   check=True)
    lines("NoiseGate", "pause.wav", "gated.wav")
    before, gated = samples("pause.wav"), samples("gated.wav")
    # Frames have 480 samples; the first frame after a change fades.
    check("NoiseGate: gated.wav is silent in the pauses, and the speech is untouched", len(gated) == len(before) == 144_000 and all(
        value == (before[index] if 48_000 <= index < 96_000 else 0)
        for index, value in enumerate(gated) if index % 48_000 >= 480))


def several_sources():
    # Sines of whole periods in 100 ms: their powers add up, 10^(-18.01/10) and 10^(-26.01/10) to -17.37 dBFS.
    equal("ActorMeter: who came and left, and the level of both", lines("ActorMeter", "alice.wav", "host.wav"),
          ["present: 1", "present: 1 2", "present: 2", "present: ", "2 played, the loudest -17.4 dBFS"])
    lines("MeetingTracks", "host.wav", "alice.wav", "bob.wav")
    tracks = {name: samples(f"track-{name}.wav") for name in ("local", "alice", "bob")}
    equal("MeetingTracks: each track holds the samples of its file", list(tracks.values()),
          [samples(f"{name}.wav") for name in ("host", "alice", "bob")])
    mix = samples("meeting.wav")
    check("meeting.wav is the integer sum of all three", all(
        value == sum(track[index] for track in tracks.values() if index < len(track)) for index, value in enumerate(mix))
        and len(mix) == max(map(len, tracks.values())))
    # Amplitudes of -15.0 and -23.0 dBFS, and where both tones peak together their sum.
    equal("HostPlayback: the host heard every sample of the mix and of each voice", lines("HostPlayback", "alice.wav", "host.wav"), [
        "together: 96000 samples, peak -12.1 dBFS", "voice 1: 48000 samples, peak -15.0 dBFS",
        "voice 2: 96000 samples, peak -23.0 dBFS"])
    # At 16 kHz one second, two, and one and a half; the shared sound lasts as long as the mix.
    equal("HallVoices: each anna is heard by herself, and so is the music", lines("HallVoices", "alice.wav", "host.wav", "bob.wav"), [
        "all that is shared: 32000 samples", "hall/anna: 16000 samples", "music: 24000 samples", "room/anna: 32000 samples",
        "one registration"])


def a_card():
    def is_called(said, count):
        return values(said, 0, 2) == [(str(10 * call), "160") for call in range(count)]

    said = lines("OwnVoice", "alice.wav")
    # In 16 bits the amplitude of alice.wav is 5827: -3 dBFS less the 12 dB of gain.
    check("OwnVoice: a hundred calls of 160 samples, 10 ms apart, from a file",
          is_called(said, 100) and all(5_800 <= int(peak) <= 5_850 for peak, in values(said, -1)))
    with subprocess.Popen("OwnVoice", stdout=subprocess.PIPE, text=True) as listening:
        said = [listening.stdout.readline() for _ in range(20)]
        listening.stdout.close()
    check("the same calls from the card", is_called(said, 20))
    equal("MutedMicrophone: it is stopped and started as it is muted and heard again", lines("MutedMicrophone", "muted.wav"), [
        "initialize", "start", "stop", "hall/anna is muted", "start", "hall/anna is heard again", "stop", "dispose", "16000 samples"])


def names_packages_of_a_build(page):
    named = re.findall(r"^sudo apt install (.*)", page.read_text(), re.MULTILINE)
    equal(f"{page.name}: its packages are those of a build", sorted(" ".join(named).split()),
          sorted(lines(ROOT / "Scripts/set-up.sh", "list", "build")))


def paste(page, folder):
    subprocess.run([sys.executable, "-B", ROOT / "Scripts/documents.py", "paste", page, folder], check=True)


def from_sdks(page):
    """The tables of docs/coming-from-sdks.md, in the folder in which its commands have run."""
    text = page.read_text()
    # A package of its own beside the sources, whatever their folder is called.
    package = pathlib.Path("package")
    shutil.copytree(ROOT / "Examples/OwnVoice", package / "Sources/OwnVoice")
    pathlib.Path("rawaudio").symlink_to(ROOT)
    (package / "Package.swift").write_text(re.search(r"^// swift-tools-version.*?(?=^```)", text, re.M | re.S)[0])
    equal("its manifest finds the library",
          lines("swift", "package", "--package-path", package, "show-dependencies", "--format", "flatlist"), ["rawaudio"])
    shutil.rmtree(package)
    pathlib.Path("rawaudio").unlink()
    rows = re.findall(r"^\| (\d+) \| (\d+) \| (\d+) \| ([^|]+) \| ([^|]+) \|$", text, re.MULTILINE)
    equal("rows of samples per call", len(rows), 5)
    for rate, channels, count, length, told in rows:
        parameters = f"record,rate={rate},channels={channels},samples-per-call={count}:events=-"
        run = subprocess.run(["rawaudio", "convert", "tone:440", "-d", "1", "-o", "null:", "--observe", parameters], text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        line = run.stdout.partition("\n")[0]
        if told.startswith("refused"):
            check(f"{count} samples of {channels} channels are refused", told.rpartition("; ")[2] in line)
        else:
            check(f"{count} samples are {length} of each channel, and last {told}", f'"samplesPerChannel":{length},' in line
                  and abs(1_000 * int(count) / (int(rate) * int(channels)) - float(told.removesuffix(" ms"))) <= 0.005)
    options = re.findall(r"`(--[^` ]* [^`]*)`", "".join(line for line in text.splitlines() if line.startswith("|")))
    for option in options:
        others = ["--local", "ben.wav", "--remote", "hall/anna=anna.wav"]
        others += [] if "--shared" in option else ["--shared", "music=music.wav"]
        run = subprocess.run(["rawaudio", "session", *others, "--mixed", "null:", "--force", *option.split()], text=True,
                             capture_output=True, check=False)
        if run.returncode != 0:
            raise SystemExit(f"FAILED: rawaudio session {option}\n{run.stdout}{run.stderr}")
    check(f"{len(options)} options of its tables, each in a session", len(options) > 20)


def main():
    outside, flags = "--outside" in sys.argv, [word for word in sys.argv[1:] if word != "--outside"]
    os.chdir(ROOT)
    for folder in sorted(ROOT.glob("Examples/*/")):
        # Programs in other languages, which the tests run.
        if folder.name != "clients" and list(folder.glob("*.swift")):
            subprocess.run(["swift", "build", "--quiet", *flags, "--product", folder.name], check=True)
    binaries, = lines("swift", "build", *flags, "--show-bin-path")
    os.environ["PATH"] = f"{binaries}:{os.environ['PATH']}"
    shutil.rmtree(RESULTS, ignore_errors=True)
    RESULTS.mkdir(parents=True)
    os.chdir(RESULTS)
    generate("tone:440", 2, -20, "host.wav")
    generate("tone:1000", 1, -12, "alice.wav")
    generate("noise:pink", 1.5, -20, "bob.wav")
    one_session()
    several_sources()
    os.environ["ALSA_CONFIG_PATH"] = str(ROOT / ".build/virtual-card/virtual-card.conf")
    a_card()
    guide.run(RESULTS / "guide", outside)
    os.chdir(RESULTS)
    names_packages_of_a_build(ROOT / "docs/library.md")
    paste(ROOT / "docs/tour.md", RESULTS / "tour")
    page = ROOT / "docs/coming-from-sdks.md"
    paste(page, RESULTS / "sdks")
    names_packages_of_a_build(page)
    os.chdir(RESULTS / "sdks")
    from_sdks(page)


main()
