#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""client.py SOCKET join NAME [FILE.wav]: speaks, a WAV file of 16 bits or else two seconds of a tone.
client.py SOCKET levels [NAME]: prints the level of every source, or of one, ten times a second."""
import json, socket, struct, sys, wave
import numpy

def connect(path, line):
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    stream = connection.makefile("rwb")
    stream.write(json.dumps(line).encode() + b"\n")
    stream.flush()
    reply = json.loads(stream.readline())
    return stream if reply["ok"] else sys.exit(reply["error"])

def join(path, name, file=None):
    rate, channels = 16000, 1
    samples = 8192 * numpy.sin(2 * numpy.pi * 440 * numpy.arange(2 * rate) / rate)
    if file:
        with wave.open(file) as sound:
            rate, channels = sound.getframerate(), sound.getnchannels()
            samples = numpy.frombuffer(sound.readframes(sound.getnframes()), "<i2")
    stream = connect(path, {"join": name, "rate": rate, "channels": channels})
    stream.write(samples.astype("<i2").tobytes())  # waits while the session has enough
    stream.flush()

def levels(path, *name):
    line = {"observe": "before-mixing", "rate": 16000, "channels": 1, "samplesPerCall": 1600}
    stream, names = connect(path, line | dict(zip(["source"], name))), {}
    while header := stream.read(32):
        position, milliseconds, size, source, flags, _ = struct.unpack("<QqIIII", header)
        payload = stream.read(size)
        if flags & 8:  # a line about the source
            names[source] = json.loads(payload).get("id", names.get(source))
        elif size:
            level = numpy.sqrt(numpy.mean((numpy.frombuffer(payload, "<i2") / 32768) ** 2))
            print(f"{milliseconds / 1000:.1f} s  {names[source]}  "
                  f"{20 * numpy.log10(max(level, 1e-6)):.1f} dBFS", flush=True)

{"join": join, "levels": levels}[sys.argv[2]](sys.argv[1], *sys.argv[3:])
