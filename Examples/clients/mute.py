#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mute.py SOCKET NAME FROM TO: silences what NAME says from second FROM to second TO of the session."""
import json, socket, struct, sys
import numpy

path, name, start, end = sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4])
rate = 16000
connection = socket.socket(socket.AF_UNIX)
connection.connect(path)
stream = connection.makefile("rwb")
line = {"observe": "before-mixing", "source": name, "mode": "read-write", "latency": 1000,
        "rate": rate, "channels": 1, "samplesPerCall": 320, "encoding": "f32"}
stream.write(json.dumps(line).encode() + b"\n")
stream.flush()
reply = json.loads(stream.readline())
if not reply["ok"]:
    sys.exit(reply["error"])
print("listening to", name, flush=True)
while header := stream.read(32):
    position, milliseconds, size, source, flags, _ = struct.unpack("<QqIIII", header)
    payload = stream.read(size)
    if flags & 8:  # a line about the source: nothing is given back for it
        continue
    samples = numpy.frombuffer(payload, "<f4").copy()
    time = (position + numpy.arange(len(samples))) / rate
    samples[(start <= time) & (time < end)] = 0
    stream.write(samples.tobytes())
    stream.flush()
