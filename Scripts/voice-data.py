#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Gets the numbers of the voice detector Silero from PyPI's wheel, and writes them and their licence into FOLDER.

    python3 -B Scripts/voice-data.py FOLDER

The program reads the numbers from there (`--threshold voice`). They are the network's weights as the wheel's ONNX file holds
them, in single precision, without the Fourier transform's basis, which is a formula. Both files are written as a whole or not
at all. If they are there and right, nothing is done, and no network is needed. Exit 1 and a line if they cannot be had.
"""

import contextlib
import hashlib
import importlib.util
import io
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import urllib.request
import zipfile

PROJECT, VERSION = "silero-vad", "6.2.3"
WHEEL = "silero_vad-6.2.3-py3-none-any.whl"
WHEEL_SHA256 = "7b7f5436cfcb02fae583a05b512ea96467fd449fe54cb49a5e4f06c51a1e43b8"
# The wheel's safetensors file holds numbers of an older version.
NETWORK = "silero_vad/data/silero_vad_16k_op15.onnx"
LICENCE = "silero_vad-6.2.3.dist-info/licenses/LICENSE"
# The files that are written.
SHA256 = {
    "silero-vad-6.2.safetensors": "45ecb4e1a89bd65de958c10d0a40f8439de1528d1f68f2f732fcd16691f94697",
    "silero-vad-6.2.LICENSE": "2e63e9a38b6e8fc0c7bc37ce174caca1862870856c6daf5697cfb785e925520b",
}
# The names in the ONNX file begin so; the STFT's basis has no name here.
NAMES = {f"model.encoder.{layer}.reparam_conv": f"encoder.{layer}" for layer in range(4)} | {
    "model.decoder.rnn": "lstm", "model.decoder.decoder.2": "output"}


def fields(message):
    """The fields of a message of Protocol Buffers: their numbers and values (https://protobuf.dev/programming-guides/encoding)."""
    stream = io.BytesIO(message)

    def varint():
        value = shift = 0
        while True:
            (byte,) = stream.read(1)
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while stream.tell() < len(message):
        key = varint()
        kind = key & 7
        # A number; 8 bytes; bytes or a message; 4 bytes.
        yield key >> 3, varint() if kind == 0 else stream.read({1: 8, 5: 4}[kind] if kind != 2 else varint())


def tensors(model):
    """The initializers of a model (onnx.proto): their names, shapes and bytes."""
    (graph,) = (value for number, value in fields(model) if number == 7)
    for number, value in fields(graph):
        if number == 5:
            tensor = list(fields(value))
            found = dict(tensor)
            # 1: FLOAT
            assert found[2] == 1
            yield found[8].decode(), [size for number, size in tensor if number == 1], found[9]


def safetensors(model):
    """A file of https://github.com/huggingface/safetensors: the length of a header, the header, the numbers."""
    header = {"__metadata__": {"name": "Silero VAD", "version": "6.2", "source": WHEEL, "sha256": WHEEL_SHA256, "license": "MIT"}}
    numbers = b""
    for name, shape, data in tensors(model):
        layer, _, kind = name.rpartition(".")
        if layer in NAMES:
            end = len(numbers) + len(data)
            header[f"{NAMES[layer]}.{kind}"] = {"dtype": "F32", "shape": shape, "data_offsets": [len(numbers), end]}
            numbers += data
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + numbers


def wheel():
    """The bytes of PyPI's wheel, through pip if it is there, because that knows this machine's mirrors."""
    if importlib.util.find_spec("pip"):
        with tempfile.TemporaryDirectory() as folder:
            words = ["download", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:", "--dest", folder]
            done = subprocess.run([sys.executable, "-m", "pip", *words, f"{PROJECT}=={VERSION}"], capture_output=True, text=True,
                                  check=False)
            if done.returncode:
                raise OSError((done.stderr.strip() or "pip failed").splitlines()[-1])
            return (pathlib.Path(folder) / WHEEL).read_bytes()
    index = urllib.request.Request(f"https://pypi.org/simple/{PROJECT}/", headers={"Accept": "application/vnd.pypi.simple.v1+json"})
    with urllib.request.urlopen(index, timeout=60) as answer:
        (address,) = (file["url"] for file in json.load(answer)["files"] if file["filename"] == WHEEL)
    with urllib.request.urlopen(address, timeout=60) as answer:
        return answer.read()


def is_right(name, data):
    return hashlib.sha256(data).hexdigest() == SHA256[name]


def are_there(folder):
    return all((folder / name).is_file() and is_right(name, (folder / name).read_bytes()) for name in SHA256)


def write(path, data):
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        part.write_bytes(data)
        part.replace(path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            part.unlink()


def main(folder):
    if are_there(folder):
        return
    data = wheel()
    if hashlib.sha256(data).hexdigest() != WHEEL_SHA256:
        raise OSError(f"{WHEEL} has another checksum than {WHEEL_SHA256}")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        made = dict(zip(SHA256, [safetensors(archive.read(NETWORK)), archive.read(LICENCE)], strict=True))
    for name, content in made.items():
        if not is_right(name, content):
            raise OSError(f"the {name} that was made of {WHEEL} has another checksum than {SHA256[name]}")
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in made.items():
        write(folder / name, content)
    print(f"{folder / next(iter(made))}: {len(made[next(iter(made))])} bytes")


if __name__ == "__main__":
    try:
        main(pathlib.Path(sys.argv[1]))
    except OSError as error:
        sys.exit(f"voice-data: cannot get {PROJECT} {VERSION} from PyPI: {error}")
