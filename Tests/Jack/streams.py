# SPDX-License-Identifier: Apache-2.0
"""Every sample in its place: recordings, playbacks and both at once, with stalls of the client and of the server."""

import os
import signal
import time

import numpy

from counting import SCALE, account, delays, numbers, read_cycles, read_wave, write_wave
from proofs.command import PROGRAM, summary
from servers import PERIOD

GIVEN = "jack:given:out_1,given:out_2"


def record(server, *words, device=GIVEN, log="record.log"):
    """Starts a recording, and waits until it is connected."""
    process = server.start([PROGRAM, "capture", "-v", "--json", "-D", device, "-o", "take.wav", "--force", *words], log)
    server.wait_for_text("is connected", log)
    return process


def finish(server, process, log="record.log", codes=(0,)):
    """Ends a recording without a duration. - Returns: its summary, and the account of each channel."""
    code = process.wait(60) if "-d" in process.args else server.end(process, signal.SIGINT)
    messages = server.log(log)
    assert code in codes, f"exit {code}: {messages}"
    samples = read_wave(server.path("take.wav"))
    return summary(messages)["sources"][0], [account(samples[:, port], port) for port in range(samples.shape[1])]


def told(source):
    return source["gaps"]["lostSamples"]


def expect_truth(source, channels):
    """Silence stands for every lost sample, every other one is in its place, and the loss is told."""
    for channel in channels:
        assert channel.jumps == 0, f"{channel.jumps} jumps of {channel}"
        assert channel.silent == told(source), f"{channel.silent} lost, {told(source)} told"
    counted = [gap for gap in source["gaps"]["list"] if gap["lostSamples"]]
    for gap, (begin, length) in zip(counted, channels[0].runs):
        assert (gap["samplePosition"], gap["lostSamples"]) == (begin, length), f"{gap} is {begin}, {length}"


def stall(process, seconds=0.15):
    process.send_signal(signal.SIGSTOP)
    time.sleep(seconds)
    process.send_signal(signal.SIGCONT)


def recording(server):
    server.counter("give", "given", 2)
    source, channels = finish(server, record(server, "-d", "2"))
    expect_truth(source, channels)
    assert channels[0].length == 96_000, channels[0].length
    return f"{channels[0].length} samples recorded, {told(source)} lost and told"


def stalled_recording(server):
    server.counter("give", "given", 2)
    process = record(server)
    for _ in range(3):
        time.sleep(0.3)
        stall(process)
    time.sleep(0.3)
    source, channels = finish(server, process)
    expect_truth(source, channels)
    told_as = {gap["cause"] for gap in source["gaps"]["list"]}
    # A synchronous server waits for its clients: it stands still instead.
    expected = "xrun" if server.name == "jackd -S" else "cycle"
    assert expected in told_as, f"stalls are told as {told_as}"
    return f"3 stalls of 150 ms: {told(source)} lost and told, as {', '.join(sorted(told_as))}"


def playback(server):
    """Every sample of a file is heard, once and in order, before the command ends."""
    count = 96_000
    line = numpy.arange(1, count + 1) / SCALE
    write_wave(server.path("line.wav"), numpy.stack([line, line], 1))
    taker = server.counter("take", "taken", 2, "taken.raw")
    answer = server.run([PROGRAM, "play", "line.wav", "-D", "jack:taken:in_1,taken:in_2"])
    assert answer.returncode == 0, answer.stderr
    server.end(taker)
    heard = numpy.concatenate([samples[0] for _, samples in read_cycles(server.path("taken.raw"), 2)])
    found = numbers(heard)
    found = found[found >= 0]
    lost = count - len(found)
    assert answer.stderr or lost == 0 and (numpy.diff(found) == 1).all(), f"{lost} of {count} not heard, and nothing told"
    return f"{len(found)} of {count} samples heard" + (f", told: {answer.stderr.strip()}" if answer.stderr else "")


def busy_recording(server):
    """However many cycles a busy machine misses: the length is exact, and silence is where losses are told."""
    server.counter("give", "given", 2)
    source, channels = finish(server, record(server, "-d", "1"))
    for channel in channels:
        assert channel.length == 48_000 and channel.silent < channel.length, channel
        for gap in source["gaps"]["list"]:
            begin, length = gap["samplePosition"], gap["lostSamples"] or 0
            assert length == 0 or any(first <= begin and begin + length <= first + count for first, count in channel.runs), gap
    return f"{channels[0].length} samples recorded, {told(source)} lost and told, however busy the machine is"


def end_of_sound(server):
    """The last period of a playback is heard once: silence follows while the session goes on to record."""
    count = 20_500
    write_wave(server.path("line.wav"), (numpy.arange(1, count + 1) / SCALE)[:, None])
    taker = server.counter("take", "taken", 1, "taken.raw")
    server.counter("give", "given", 1)
    answer = server.run([PROGRAM, "session", "--local", "jack:given:out_1", "--remote", "line.wav", "--playback",
                         "jack:taken:in_1", "--publish", "take.wav", "--force", "-d", "2"])
    assert answer.returncode == 0, answer
    server.end(taker)
    heard = numpy.concatenate([samples[0] for _, samples in read_cycles(server.path("taken.raw"), 1)])
    found = numpy.flatnonzero(heard)
    # A program that misses a cycle is heard twice in it. This one may miss some on a busy machine, but not all.
    late = found[-1] - int(numpy.argmax(numbers(heard) == count - 1))
    assert len(found) >= count and late <= 4 * PERIOD, f"{len(found)} samples heard, the last {late} after the end of {count}"
    return f"{len(found)} of {count} samples heard, then silence"


EVERYWHERE = [recording, stalled_recording, playback, end_of_sound]


def round_trip(server):
    """From port to port in two periods, also behind a stall, and the server knows it."""
    server.counter("give", "given", 2)
    taker = server.counter("take", "taken", 2, "taken.raw")
    player = server.start([PROGRAM, "play", "-v", GIVEN, "-D", "jack:taken:in_1,taken:in_2"], "play.log")
    server.wait_for_text("behind its capture", "play.log")
    time.sleep(0.3)
    stall(player)
    time.sleep(0.5)
    latencies = server.run(["jack_lsp", "-l", "taken:in_1"]).stdout
    server.end(player, signal.SIGINT)
    server.end(taker)
    found = delays(server.path("taken.raw"), 2)
    line = next(line for line in server.log("play.log").splitlines() if "behind its capture" in line)
    delay = int(line.split("plays ")[1].split()[0])
    usual = max(found, key=found.get)
    # The samples of a few periods come late, after the stall.
    assert delay == usual == 2 * PERIOD and sum(found.values()) - found[usual] <= 4 * PERIOD, f"told {delay}, found {found}"
    assert f"capture latency = [ {delay} {delay} ]" in latencies, latencies
    return f"{delay} samples from port to port, before and after a stall, and as told"


def straight_way(server):
    """Also without a sum between."""
    server.counter("give", "given", 1)
    taker = server.counter("take", "taken", 1, "taken.raw")
    answer = server.run([PROGRAM, "capture", "-D", "jack:given:out_1", "-o", "jack:taken:in_1", "-d", "1"])
    assert answer.returncode == 0, answer.stderr
    server.end(taker)
    found = delays(server.path("taken.raw"))
    assert max(found, key=found.get) == 2 * PERIOD, found
    return f"{2 * PERIOD} samples from a capture to its sink"


def allocations(server):
    """The callback of the running command allocates nothing and takes no lock."""
    server.counter("give", "given", 2)
    taker = server.counter("take", "taken", 2, "taken.raw")
    server.environment.update(ALLOCATION_COUNTER_LOG=server.path("counts.log"), LD_PRELOAD=os.environ["ALLOCATION_COUNTER"])
    try:
        answer = server.run([PROGRAM, "play", GIVEN, "-D", "jack:taken:in_1,taken:in_2", "-d", "2"])
    finally:
        del server.environment["LD_PRELOAD"]
    assert answer.returncode == 0, answer.stderr
    counts = dict(word.split("=") for word in server.log("counts.log").splitlines()[-1].split())
    assert counts["own"] == "0" and int(counts["waits"]) > 50, server.log("counts.log")
    server.end(taker)
    return f"{counts['waits']} cycles without an allocation or a lock"


def standing_server(server):
    """The server itself stands still: nothing of the graph is lost, and --fail-on xrun counts no xrun."""
    server.counter("give", "given", 2)
    process = record(server, "--fail-on", "xrun")
    time.sleep(0.3)
    stall(server.process, 0.5)
    time.sleep(0.5)
    source, channels = finish(server, process, codes=(0, 2))
    expect_truth(source, channels[:1])
    standstills = [gap["lostSamples"] for gap in source["gaps"]["list"] if gap["cause"] == "xrun"]
    assert standstills and set(standstills) == {0} and source["gaps"]["unknown"] == 0, source
    # Missed cycles are losses, and count.
    assert process.returncode == (2 if source["overruns"] else 0), (process.returncode, source)
    log = server.log("record.log")
    assert "an xrun of the server, nothing lost" in log and "of the server without a loss" in log, log
    return f"a server that stood still is told as {len(standstills)} standstills without a loss"


def by_hand(server):
    """jack:none records nothing before its first connection."""
    server.counter("give", "given", 1)
    words = [PROGRAM, "capture", "-v", "--json", "-D", "jack:none", "-c", "1", "-o", "take.wav", "--force"]
    process = server.start(words, "none.log")
    server.wait_for_text("waits for its first connection: to rawaudio:in_1", "none.log")
    code = server.end(process, signal.SIGINT)
    assert code == 0 and '"samplesPerChannel":0,' in server.log("none.log"), (code, server.log("none.log"))
    process = server.start([*words, "-d", "0.5"], "record.log")
    server.wait_for_text("waits for its first connection", "record.log")
    server.tell("connect", "given:out_1", "rawaudio:in_1")
    source, (channel,) = finish(server, process)
    expect_truth(source, [channel])
    assert channel.length == 24_000, channel
    return "jack:none records from its first connection on"


def slow_observer(server):
    """A slow observer overflows the ring: every sample is accounted for."""
    server.counter("give", "given", 2)
    process = record(server, "--ring-size", "8192", "--observe", "record:exec=sh -c 'head -c 400000; sleep 1; cat'", "-d", "2")
    source, channels = finish(server, process)
    expect_truth(source, channels)
    return f"a slow observer: {told(source)} lost and told"


def full_disk(server):
    """A full disk ends the recording with exit code 1."""
    server.counter("give", "given", 2)
    answer = server.run([PROGRAM, "capture", "-D", GIVEN, "-d", "2", "-t", "wav", "-o", "/dev/full"])
    assert answer.returncode == 1 and "no space left on device" in answer.stderr, answer
    return "a full disk is told"


ON_JACKD = [round_trip, straight_way, allocations, standing_server, by_hand, slow_observer, full_disk]
