# SPDX-License-Identifier: Apache-2.0
"""The sound that is measured: spoken sentences with pauses between them, noises, and the two together.

Where there is speech is known from the clean sound: the frames of 10 ms whose level is at most 40 dB below the utterance's
loudest one, and the gaps of less than 100 ms between them. A signal-to-noise ratio is that of the levels (RMS) of the frames
with speech and of all of the noise.
"""

import shutil
import subprocess
import sys
import wave

import numpy as np

RATE = 16_000
FRAME = RATE // 100
SPEECH_LEVEL = 10 ** (-26 / 20)
BELOW_PEAK, SHORTEST_GAP = 40, 10

# espeak-ng's voice and words a minute; a voice of festival, and how it stretches the sounds.
VOICES = [
    ("en-us", 160), ("en-gb+f2", 175), ("festival", 1.0), ("en-gb-scotland", 150), ("en-us+f4", 190),
    ("en-029+m3", 165), ("festival", 1.25), ("en-gb-x-rp+m7", 200),
]
SENTENCES = """The train to the coast leaves at ten past nine.
Could you close the window, please?
No.
We measured the room twice, and the second time it was larger.
Thank you, that is all for today.
She keeps three old cameras on the shelf above her desk.
Seven, four, nine, zero, two.
Yes, I can hear you.
The report says that prices fell in March and rose again in May.
Put the box down slowly.
It rained all night, but the garden is still dry under the trees.
Which of these keys opens the cellar?
Good morning, everybody.
The engineer explained how the valve works, then drew a small picture of it.
I would rather walk.
Half of the apples were green; the others had spots.
Stop here.
My sister plays the cello in an orchestra of forty people.
When does the library open on Saturdays?
He wrote a short letter, folded it, and forgot to send it.""".splitlines()


def read(path):
    """The samples of a WAV file of 16 bits, and its rate."""
    with wave.open(str(path)) as file:
        return np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32768, file.getframerate()


def write(path, samples):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(quantised(samples).astype("<i2").tobytes())


def quantised(samples):
    return np.clip(np.rint(samples * 32768), -32768, 32767)


def resampled(samples, rate):
    """At RATE, through the Fourier transform of all of it."""
    count = len(samples) * RATE // rate
    spectrum = np.fft.rfft(samples)[: count // 2 + 1]
    return np.fft.irfft(spectrum, count) * count / len(samples)


def level(samples):
    return np.sqrt(np.mean(np.square(samples)))


def truth(samples):
    """For each frame of an utterance, whether there is speech in it."""
    levels = np.sqrt(np.mean(np.square(samples.reshape(-1, FRAME)), axis=1))
    is_speech = levels >= levels.max() * 10 ** (-BELOW_PEAK / 20)
    (places,) = is_speech.nonzero()
    for one, other in zip(places, places[1:], strict=False):
        if other - one - 1 < SHORTEST_GAP:
            is_speech[one:other] = True
    return is_speech


def spoken(voice, speed, text, path):
    """An utterance, as a whole number of frames."""
    if not path.exists():
        part = path.with_suffix(".part")
        if voice == "festival":
            words = ["text2wave", "-o", part, "-eval", "(voice_kal_diphone)", "-eval", f"(Parameter.set 'Duration_Stretch {speed})"]
        else:
            words = ["espeak-ng", "-v", voice, "-s", str(speed), "-w", part, "--stdin"]
        subprocess.run(words, input=text, text=True, check=True, stdout=subprocess.DEVNULL)
        part.rename(path)
    samples = resampled(*read(path))
    return np.pad(samples, (0, -len(samples) % FRAME))


class Track:
    """Utterances one after the other: the clean samples, the frames with speech, and where each utterance is."""

    def __init__(self, folder, voices, sentences):
        random = np.random.default_rng(83)
        has_festival = shutil.which("text2wave") is not None
        if not has_festival:
            print("voice-figures: there is no festival, so espeak-ng speaks its part", file=sys.stderr)
        sounds, frames, self.utterances = [], [], []
        for number, text in enumerate(SENTENCES[:sentences]):
            for voice, speed in VOICES[:voices]:
                if voice == "festival" and not has_festival:
                    voice, speed = f"en-us+m{int(speed * 4)}", round(160 / speed)
                sound = spoken(voice, speed, text, folder / f"{voice}-{speed}-{number}.wav")
                is_speech = truth(sound)
                sound *= SPEECH_LEVEL / level(sound.reshape(-1, FRAME)[is_speech])
                pause = np.zeros(int(random.integers(60, 160)), bool)
                start = sum(map(len, frames)) + len(pause)
                self.utterances.append(slice(start, start + len(is_speech)))
                sounds += [np.zeros(len(pause) * FRAME), sound]
                frames += [pause, is_speech]
        frames.append(np.zeros(100, bool))
        sounds.append(np.zeros(100 * FRAME))
        self.samples, self.frames = np.concatenate(sounds), np.concatenate(frames)

    def with_noise(self, noise, ratio):
        return self.samples + noise * (SPEECH_LEVEL / level(noise) * 10 ** (-ratio / 20))


def white(count, random):
    return random.standard_normal(count)


def pink(count, random):
    """Its power falls by 3 dB an octave."""
    spectrum = np.fft.rfft(random.standard_normal(count))
    return np.fft.irfft(spectrum / np.sqrt(np.maximum(np.arange(len(spectrum)), 20 * count / RATE)), count)


def hum(count, random):
    """50 Hz and its harmonics up to 1 kHz, whose strength moves slowly."""
    times = np.arange(count) / RATE
    strength = 1 + 0.2 * np.sin(2 * np.pi * 0.3 * times)
    return strength * sum(np.sin(2 * np.pi * 50 * n * times + random.uniform(0, 2 * np.pi)) / n for n in range(1, 21))


def keyboard(count, random):
    """Six keys a second, each of which clicks when it goes down and when it comes up."""
    sound = np.zeros(count + RATE)
    for start in np.sort(random.uniform(0, count, 6 * count // RATE)).astype(int):
        for offset, strength in ((0, 1), (int(random.uniform(0.06, 0.12) * RATE), 0.5)):
            times = np.arange(int(0.03 * RATE)) / RATE
            noise = np.diff(random.standard_normal(len(times)), prepend=0)
            ring = np.sin(2 * np.pi * random.uniform(1500, 4000) * times)
            click = (noise + ring) * np.exp(-times / random.uniform(0.002, 0.006))
            sound[start + offset:start + offset + len(times)] += random.uniform(0.5, 1) * strength * click
    return sound[:count]


def piano(count, random):
    """Chords and a melody, each note with the overtones of a stiff string, which fall silent one after the other."""
    sound = np.zeros(count + 4 * RATE)
    times = np.arange(3 * RATE) / RATE

    def note(start, key, strength):
        base = 440 * 2 ** ((key - 69) / 12)
        for n in range(1, 13):
            hertz = base * n * np.sqrt(1 + 4e-4 * n * n)
            if hertz < RATE / 2:
                fall = np.exp(-times * (1.2 + 0.6 * n)) * (1 - np.exp(-times / 0.003))
                sound[start:start + len(times)] += strength / n**1.3 * fall * np.sin(2 * np.pi * hertz * times)

    scale = [60, 62, 64, 65, 67, 69, 71, 72, 74, 76]
    for beat, start in enumerate(range(0, count, RATE // 2)):
        if beat % 4 == 0:
            root = int(random.choice([48, 53, 55, 45]))
            for key in (root, root + 7, root + 12, root + 16):
                note(start, key, 0.5)
        for part in range(int(random.integers(1, 3))):
            note(start + part * RATE // 4, int(random.choice(scale)), random.uniform(0.5, 1))
    return sound[:count]


NOISES = {"white": white, "pink": pink, "hum": hum, "keyboard": keyboard, "piano": piano}


def noise(name, count):
    return NOISES[name](count, np.random.default_rng([83, list(NOISES).index(name)]))
