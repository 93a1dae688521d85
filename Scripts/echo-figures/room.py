# SPDX-License-Identifier: Apache-2.0
"""The material: voices by espeak-ng, and their echo in a room by the image method."""

import subprocess
import wave

import numpy as np

RATE = 16_000
# IEEE Transactions on Audio and Electroacoustics 17, 1969: "Harvard sentences", lists 1 to 3.
TEXTS = [
    "The birch canoe slid on the smooth planks. Glue the sheet to the dark blue background. It is easy to tell the depth of a well.",
    "Rice is often served in round bowls. The juice of lemons makes fine punch. The box was thrown beside the parked truck.",
    "Four hours of steady work faced us. A large size in stockings is hard to sell. The boy was there when the sun rose.",
    "A rod is used to catch pink salmon. The source of the huge river is the clear spring. Kick the ball straight and follow through.",
]


def read(path):
    with wave.open(str(path)) as file:
        return np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32_768


def write(path, samples):
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        file.writeframes(integers(samples).tobytes())


def integers(samples):
    return np.clip(np.round(samples * 32_768), -32_768, 32_767).astype("<i2")


def level(samples):
    return np.sqrt(np.mean(samples**2))


def voice(folder, name, first, seconds, rms):
    """`seconds` of a voice of espeak-ng, with pauses of a quarter of a second between its texts."""
    parts = []
    for number in range(len(TEXTS)):
        spoken, path = folder / "spoken.wav", folder / "voice.wav"
        text = TEXTS[(first + number) % len(TEXTS)]
        subprocess.run(["espeak-ng", "-v", name, "-s", "150", "-w", spoken, text], check=True)
        subprocess.run(["rawaudio", "convert", "-q", spoken, "-r", str(RATE), "--force", "-o", path], check=True)
        parts += [read(path), np.zeros(RATE // 4)]
    sound = np.resize(np.concatenate(parts), seconds * RATE)
    return sound * (rms / level(sound))


def response(decay=0.3, delay=0.05):
    """The way from a loudspeaker to a microphone 0.7 m apart in a room of 5 m by 4 m by 2.7 m.

    J. B. Allen and D. A. Berkley, "Image method for efficiently simulating small-room acoustics", JASA 65, 1979. `decay` is
    RT60 in seconds, from which Eyring's formula gives the walls; `delay` is that of the devices.
    """
    size, source, microphone = np.array([5, 4, 2.7]), np.array([2, 1.6, 1.1]), np.array([2.6, 1.9, 1.2])
    speed, length = 343, int(decay * 1.2 * RATE)
    surface = 2 * (size[0] * size[1] + size[0] * size[2] + size[1] * size[2])
    absorbed = 1 - np.exp(-24 * np.log(10) * size.prod() / (speed * surface * decay))
    count = np.ceil(speed * decay * 1.2 / (2 * size)).astype(int) + 1
    grid = np.stack(np.meshgrid(*(np.arange(-n, n + 1) for n in count), indexing="ij"), -1).reshape(-1, 3)
    taps = np.zeros(length + 2)
    for sides in np.ndindex(2, 2, 2):
        side = np.array(sides)
        distance = np.linalg.norm((1 - 2 * side) * source + 2 * grid * size - microphone, axis=1)
        bounces = np.abs(grid - side).sum(1) + np.abs(grid).sum(1)
        place = distance / speed * RATE
        heard = place < length
        gain = np.sqrt(1 - absorbed) ** bounces[heard] / (4 * np.pi * distance[heard])
        whole, part = np.divmod(place[heard], 1)
        np.add.at(taps, whole.astype(int), gain * (1 - part))
        np.add.at(taps, whole.astype(int) + 1, gain * part)
    return np.concatenate([np.zeros(int(delay * RATE)), taps])


def heard(sound, taps, rms):
    """The sound behind the room, with a level."""
    size = len(sound) + len(taps)
    echo = np.fft.irfft(np.fft.rfft(sound, size) * np.fft.rfft(taps, size), size)[: len(sound)]
    return echo * (rms / level(echo))


def at(sound, places):
    """The sound at fractions of its samples: eight times the rate, and a line of Lagrange between four of them."""
    size = len(sound) + 2_000
    fine = np.fft.irfft(np.fft.rfft(sound, size), 8 * size) * 8
    whole, part = np.divmod(places * 8, 1)
    index = np.clip(whole.astype(int), 1, len(fine) - 3)
    before, here, next_, last = fine[index - 1], fine[index], fine[index + 1], fine[index + 2]
    third = (last - before) / 6 + (here - next_) / 2
    second = (before + next_) / 2 - here
    return here + part * (next_ - before / 3 - here / 2 - last / 6 + part * (second + part * third))
