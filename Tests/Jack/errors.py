# SPDX-License-Identifier: Apache-2.0
"""Wrong input: one line each."""

import signal

from proofs.command import PROGRAM


def expect(server, words, code, text):
    answer = server.run([PROGRAM, *words.split(" ")])
    assert (answer.returncode, answer.stderr) == (code, text), f"{words}: exit {answer.returncode}, {answer.stderr!r}"


def refusals(server):
    given = server.counter("give", "given", 2)
    out = "-d 0.1 -o x.wav --force"
    expect(server, f"capture -D jack:system:capture_3 {out}", 1,
           "rawaudio: cannot open device 'jack:system:capture_3': there is no port 'system:capture_3'; the nearest:"
           " system:capture_1, system:capture_2\n")
    expect(server, f"capture -D jack:zzz {out}", 1,
           "rawaudio: cannot open device 'jack:zzz': there is no port 'zzz'; rawaudio devices lists the ports\n")
    expect(server, f"capture -D jack:give.*:in.* {out}", 0,
           "rawaudio: device 'jack:give.*:in.*' waits for ports: none matches 'give.*:in.*' (the nearest: given:out_1,"
           " given:out_2)\n")
    expect(server, f"capture -D jack:zzz[:a {out}", 1,
           "rawaudio: cannot open device 'jack:zzz[:a': there is no port 'zzz[:a', and it is no regular expression; rawaudio"
           " devices lists the ports\n")
    expect(server, f"capture -D jack: -c 8 {out}", 1,
           "rawaudio: cannot use device 'jack:': the graph has 2 physical inputs, not 8; name ports, or connect jack:none by"
           " hand\n")
    expect(server, f"capture -D jack: -r 44100 {out}", 0,
           "rawaudio: device 'jack:' does not give 44100 Hz; it runs at 48000 Hz, and its samples are resampled\n")
    expect(server, f"capture -D jack: -r 44100 --rate-policy fail {out}", 1,
           "rawaudio: cannot use device 'jack:': the JACK server runs at 48000 Hz, not at 44100 Hz; use --rate-policy"
           " resample\n")
    long = "n" * 80
    expect(server, f"capture -D jack:none --name {long} {out}", 1,
           f"rawaudio: cannot name a JACK client '{long}': it is longer than the 64 bytes of the server\n")
    expect(server, "play tone:440 -d 0.1 -D jack:given:out_1", 1,
           "rawaudio: cannot open device 'jack:given:out_1': there is no port 'given:out_1'; rawaudio devices lists the"
           " ports\n")
    server.end(given)
    return "wrong ports, channels, rates and names, one line each"


def many_ports(server):
    """300 ports are listed, and matched."""
    givers = [server.counter("give", f"many{number}", 60) for number in range(5)]
    listed = server.run([PROGRAM, "devices"]).stdout
    count = sum(line.count(":out_") for line in listed.splitlines() if line.startswith("  capture: many"))
    answer = server.run([PROGRAM, "capture", "-D", "jack:many.*", "-c", "60", "-d", "0.5", "-o", "x.wav", "--force"])
    for giver in givers:
        server.end(giver)
    assert (count, answer.returncode, answer.stderr) == (300, 0, ""), (count, answer)
    return "300 ports"


def no_server(server):
    server.environment["JACK_DEFAULT_SERVER"] += "-none"
    try:
        expect(server, "capture -D jack: -d 0.1 -o x.wav", 1,
               "rawaudio: cannot open device 'jack:': no JACK server runs; start jackd; a program of PipeWire is started with"
               " pw-jack in front\n")
    finally:
        server.environment["JACK_DEFAULT_SERVER"] = server.environment["JACK_DEFAULT_SERVER"].removesuffix("-none")
    return "no server"


def stopped_server(server):
    """A server that does not answer is told after some seconds."""
    server.process.send_signal(signal.SIGSTOP)
    try:
        expect(server, "capture -D jack: -d 0.1 -o x.wav", 1,
               "rawaudio: cannot open device 'jack:': the JACK server does not answer; is it stopped?\n")
    finally:
        server.process.send_signal(signal.SIGCONT)
    return "a server that does not answer"


def no_inputs(server):
    expect(server, "capture -D jack: -d 0.1 -o x.wav", 1,
           "rawaudio: cannot open device 'jack:': the graph has no physical inputs; name ports, which rawaudio devices lists,"
           " or connect jack:none by hand\n")
    return "a graph without inputs"


CHECKS = [refusals, many_ports, no_server, stopped_server]
ON_PIPEWIRE = [no_inputs]
