# SPDX-License-Identifier: Apache-2.0
"""The programs that are measured, each as the command line that a user would type."""

import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy

import wavefile


@dataclass(frozen=True)
class Program:
    """A converter of sound files. In `command`, {input}, {output} and {rate} stand for themselves;
    `encoding` is that of the input file, and `package` who makes it in Debian."""

    name: str
    command: str
    encoding: str = "f64"
    package: str | None = None

    def convert(self, samples: numpy.ndarray, input_rate: int, output_rate: int) -> numpy.ndarray:
        """`samples`, shaped (samples per channel, channels), at another rate."""
        with tempfile.TemporaryDirectory(prefix="fidelity-") as folder:
            source, target = Path(folder) / "in.wav", Path(folder) / "out.wav"
            wavefile.write(source, samples, input_rate, self.encoding)
            run([
                word.format(input=source, output=target, rate=output_rate)
                for word in self.command.split()
            ])
            output, rate = wavefile.read(target)
        if rate != output_rate or output.shape[1] != samples.shape[1]:
            raise RuntimeError(f"{self.name} wrote {output.shape[1]} channels at {rate} Hz")
        return output


def run(command: list[str]) -> None:
    """Runs a program that must succeed."""
    result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if result.returncode != 0:
        message = result.stderr.strip() or "no message"
        raise RuntimeError(f"exit {result.returncode} of '{' '.join(command)}': {message}")


def rawaudio(quality: str, encoding: str = "f64") -> Program:
    """Ours, from the PATH. With 64-bit floats it computes in double precision; with 32-bit floats in and
    out `fast` and `high` compute in single precision."""
    return Program(
        name=f"rawaudio `{quality}`" + (", f32" if encoding == "f32" else ""),
        command=f"rawaudio convert {{input}} -r {{rate}} -f {encoding} "
        f"--resampler-quality {quality} -q -o {{output}}",
        encoding=encoding,
    )


PEERS = (
    Program(
        name="sox `rate -v`",
        command="sox -D {input} -b 64 -e floating-point {output} rate -v {rate}",
        package="sox",
    ),
    Program(
        name="sox `rate -h`",
        command="sox -D {input} -b 64 -e floating-point {output} rate -h {rate}",
        package="sox",
    ),
    Program(
        name="libsamplerate best",
        command="sndfile-resample -to {rate} -c 0 --no-normalize {input} {output}",
        package="libsamplerate0",
    ),
    Program(
        name="ffmpeg default",
        command="ffmpeg -v error -i {input} -ar {rate} -c:a pcm_f64le {output}",
        package="ffmpeg",
    ),
    Program(
        name="ffmpeg soxr",
        command="ffmpeg -v error -i {input} -af aresample={rate}:resampler=soxr:precision=28 "
        "-c:a pcm_f64le {output}",
        package="libsoxr0",
    ),
)
