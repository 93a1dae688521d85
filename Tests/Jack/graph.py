# SPDX-License-Identifier: Apache-2.0
"""A graph that changes: ports that come and go, freewheeling, other periods, a server that ends and comes back."""

import os
import signal
import time

from counting import account, delays, read_cycles, read_wave
from proofs.command import PROGRAM
from proofs.processes import wait_until
from servers import PERIOD
from streams import GIVEN, expect_truth, finish, record, told


def coming_and_going(server):
    """Ports under a regular expression: samples in their frames while they are there, silence else, and all is told."""
    process = server.start([PROGRAM, "capture", "-v", "--json", "-c", "1", "-D", "jack:given.*:out_.*", "-o", "take.wav",
                            "--force"], "record.log")
    server.wait_for_text("waits for ports", "record.log")
    for turn in range(3):
        giver = server.counter("give", "given", 1)
        server.wait_for_text("is connected", "record.log", turn + 1)
        time.sleep(0.4)
        server.end(giver)
        server.wait_for_text("is disconnected", "record.log", turn + 1)
    source, (channel,) = finish(server, process)
    assert channel.jumps == 0, f"{channel.jumps} jumps"
    inner = [run for run in channel.runs if run[0] > 0 and sum(run) < channel.length]
    assert len(inner) >= 2 and channel.length - channel.silent > 3 * 0.3 * 48_000, channel
    return f"ports came and went three times: {channel.length - channel.silent} samples in their frames"


def cut_by_hand(server):
    """A connection that a user cuts stays cut; the same port is connected again when it comes back."""
    giver = server.counter("give", "given", 2)
    process = record(server)
    server.tell("disconnect", "given:out_1", "rawaudio:in_1")
    server.wait_for_text("is disconnected: channel 1 of given:out_1", "record.log")
    time.sleep(0.5)
    assert server.log("record.log").count("is connected") == 1, server.log("record.log")
    server.end(giver)
    server.wait_for_text("is disconnected: channel 2", "record.log")
    server.counter("give", "given", 2)
    server.wait_for_text("is connected: channel 1 from given:out_1, channel 2 from given:out_2", "record.log", 2)
    source, channels = finish(server, process)
    assert all(channel.jumps == 0 for channel in channels), channels
    return "a cut connection stays cut until its port comes back"


def freewheeling(server):
    """Samples come as fast as they are taken, and none is lost. jackd 1.9.21 hangs after a client that ends meanwhile."""
    server.counter("give", "given", 2)
    process = record(server)
    server.tell("freewheel", "on")
    wait_until(lambda: os.path.getsize(server.path("take.wav")) > 60 * 48_000 * 8, "a minute is recorded", 60)
    server.tell("freewheel", "off")
    server.wait_for_text("keeps time again", "record.log")
    source, channels = finish(server, process)
    expect_truth(source, channels)
    return f"freewheeling: {channels[0].length} samples recorded, {told(source)} lost and told"


def freewheeling_playback(server):
    """Every cycle of a bounce has samples, in order."""
    server.counter("give", "given", 1)
    taker = server.counter("take", "taken", 1, "taken.raw")
    player = server.start([PROGRAM, "play", "-v", "jack:given:out_1", "-D", "jack:taken:in_1"], "play.log")
    server.wait_for_text("behind its capture", "play.log")
    begin = time.monotonic()
    server.tell("freewheel", "on")
    time.sleep(1)
    server.tell("freewheel", "off")
    server.wait_for_text("keeps time again", "play.log")
    code = server.end(player, signal.SIGINT)
    server.end(taker)
    found = delays(server.path("taken.raw"))
    length = sum(samples.shape[1] for _, samples in read_cycles(server.path("taken.raw"), 1))
    passed = time.monotonic() - begin
    assert code == 0 and "underrun" not in server.log("play.log"), server.log("play.log")
    others = sum(found.values()) - found[2 * PERIOD]
    # The taker itself may come late by a cycle when the server begins to keep time again.
    assert length > (passed + 1) * 48_000 and others <= 2 * PERIOD, (length, passed, found)
    return f"freewheeling: {length // 48_000} s from port to port, {2 * PERIOD} samples late"


def other_periods(server):
    """Nothing is lost by a new period, and each is told."""
    server.counter("count", "given", 2)
    process = record(server)
    for number, period in enumerate((256, 2_048, 1_024)):
        time.sleep(0.3)
        server.tell("period", str(period))
        server.wait_for_text(f"has a period of {period} samples now", "record.log")
    time.sleep(0.3)
    source, channels = finish(server, process)
    # The giver may miss cycles, too, and then counts fewer: jumps only beside gaps.
    assert all(channel.jumps <= source["gaps"]["count"] for channel in channels), (channels, source["gaps"])
    assert channels[0].silent == told(source), (channels[0], source["gaps"])
    return f"periods of 256, 2048 and 1024: {told(source)} lost and told"


def longer_period(server):
    """A period longer than the samples that wait makes a playback later, by silence that is told."""
    server.counter("give", "given", 1)
    taker = server.counter("take", "taken", 1, "taken.raw")
    player = server.start([PROGRAM, "play", "-v", "jack:given:out_1", "-D", "jack:taken:in_1"], "play.log")
    server.wait_for_text(f"plays {2 * PERIOD} samples", "play.log")
    server.tell("period", str(4 * PERIOD))
    server.wait_for_text(f"has a period of {4 * PERIOD} samples now", "play.log", 2)
    time.sleep(1)
    code = server.end(player, signal.SIGINT)
    server.end(taker)
    found, log = delays(server.path("taken.raw")), server.log("play.log")
    last = list(found)[-1]
    assert code == 0 and last >= 4 * PERIOD and ("silence stands" in log or "underrun" in log), (code, found, log)
    return f"a period of {4 * PERIOD}: {last} samples from port to port, told"


def server_ends(server):
    """The end of the server is the loss of the device: exit code 1, and the recording is complete up to it."""
    server.counter("give", "given", 2)
    process = record(server)
    time.sleep(0.5)
    server.stop_server()
    code = process.wait(30)
    log = server.log("record.log")
    server.start_server()
    assert code == 1 and "cannot go on capturing from 'jack:given:out_1,given:out_2': the JACK server ended the client" in log, log
    assert account(read_wave(server.path("take.wav"))[:, 0]).jumps == 0
    return "a server that ends is a lost device"


def server_returns(server):
    """With --reopen the recording goes on when the server is back; silence is as long as that took, to a period."""
    process = server.start([PROGRAM, "capture", "-v", "--json", "-D", "jack:", "-o", "take.wav", "--force", "--reopen"],
                           "record.log")
    server.wait_for_text("is connected", "record.log")
    time.sleep(0.5)
    server.stop_server()
    server.wait_for_text("is gone", "record.log")
    server.start_server()
    server.wait_for_text("is back after", "record.log")
    time.sleep(0.5)
    source, channels = finish(server, process)
    lost = [gap for gap in source["gaps"]["list"] if gap["cause"] == "lost"]
    assert source["losses"] == len(lost) == 1 and lost[0]["uncertainty"] <= 1_025, source
    return f"a server that comes back: {lost[0]['lostSamples']} samples of silence, told"


def two_sessions(server):
    """Two sessions at once are two clients, the second with a number."""
    server.counter("give", "given", 2)
    first = record(server)
    answer = server.run([PROGRAM, "capture", "-D", GIVEN, "-d", "1", "-o", "second.wav", "--name", "rawaudio"])
    assert answer.returncode == 0, answer.stderr
    assert answer.stderr == ("rawaudio: device 'jack:given:out_1,given:out_2' is the client 'rawaudio-01': another one is named"
                             " 'rawaudio'\n"), answer.stderr
    expect_truth(*finish(server, first))
    second = read_wave(server.path("second.wav"))
    assert all(account(second[:, port], port).is_whole for port in range(2))
    return "two sessions at once"


def many_channels(server):
    server.counter("give", "given", 64)
    source, channels = finish(server, record(server, "-c", "64", "-d", "2", device="jack:given:out_.*"))
    expect_truth(source, channels)
    assert len(channels) == 64
    return f"64 channels: {told(source)} lost and told"


def odd_names(server):
    """Spaces, colons, commas, brackets and other scripts in names."""
    for name in ("a (b) c", "x: y, z", "Größe ゲイン", "q [1"):
        server.counter("give", name, 2)
        typed = name.replace(",", "\\,")
        for ports in (f"{typed}:out_1,{typed}:out_2", f"{typed}:out_.*"):
            source, channels = finish(server, record(server, "-d", "1", device=f"jack:{ports}"))
            expect_truth(source, channels)
            assert len(channels) == 2, ports
        listed = server.run([PROGRAM, "devices"]).stdout
        assert f"  capture: {typed}:out_1, {typed}:out_2\n" in listed, listed
        offers = server.run([PROGRAM, "--complete", "capture", "-D", f"jack:{typed[:1]}"]).stdout
        assert f"word\tjack:{typed}:out_1\t" in offers, offers
        server.end_clients()
    return "names with spaces, colons, commas, brackets and other scripts"


CHECKS = [coming_and_going, cut_by_hand, freewheeling, freewheeling_playback, other_periods, longer_period, server_ends, server_returns,
          two_sessions, many_channels, odd_names]
