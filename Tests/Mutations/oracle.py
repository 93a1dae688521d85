# SPDX-License-Identifier: Apache-2.0
"""What has to hold, whatever is in a file."""

import json
import re
import struct
import unicodedata
from dataclasses import dataclass, field

from proofs.riff import chunks

MOST_SECONDS = 5
MOST_BYTES = 64 << 20
OTHER_RATE = 22_050
GOOD_RATE, GOOD_LENGTH = 16_000, 1_600


@dataclass
class Verdict:
    outcome: str
    faults: list = field(default_factory=list)  # what is wrong, and the run that shows it


@dataclass
class Runs:
    """What was done with a file; one without a header is only converted."""

    info: object
    json: object
    convert: object
    resample: object
    mix: object
    wave: object  # of each the file that it wrote, nothing where it wrote none
    resampled: object
    mixed: object

    @property
    def all(self):
        return [run for run in (self.info, self.json, self.convert, self.resample, self.mix) if run]


def judge(runs, length):
    """`length`: of a file that is as the program itself wrote it, in samples per channel; else nothing."""
    faults = [(fault, run) for run in runs.all for fault in manners(run)]
    told = None
    if runs.json:
        told, fault = parsed(runs.json)
        faults += [(fault, runs.json)] if fault else []
    faults += list(lengths(runs, told))
    if length is not None:
        faults += [("a file of its own making is not read without a word", run)
                   for run in runs.all if run.code != 0 or run.errors]
        if runs.wave and runs.wave.length != length:
            faults.append((f"gives {runs.wave.length} samples per channel of the {length} that were written",
                           runs.convert))
    return Verdict(outcome(runs), faults)


def outcome(runs):
    if runs.json and runs.json.code != 0:
        return "refused"
    if runs.convert.code != 0:
        return "failed while read" if runs.json else "refused"
    return "told as truncated" if said_truncated(runs.convert) else "read"


def manners(run):
    if run.code is None:
        yield "did not end"
    elif run.code < 0:
        yield f"ended by signal {-run.code}"
    elif run.code not in (0, 1):
        yield f"exit code {run.code}"
    if run.seconds > MOST_SECONDS:
        yield f"took {run.seconds:.1f} s of the processor"
    if run.peak > MOST_BYTES:
        yield f"took {run.peak >> 20} MiB"
    try:
        errors, output = run.errors.decode(), run.output.decode()
    except UnicodeDecodeError:
        yield "printed what is not UTF-8"
        return
    lines = errors.split("\n")
    if lines[-1] or any(not line.startswith("rawaudio: ") for line in lines[:-1]):
        yield "printed something else than lines of its own"
    if run.code == 1 and len(lines) != 2:
        yield f"{len(lines) - 1} lines of error"
    if any(unicodedata.category(letter) in ("Cc", "Cf") and letter != "\n" for letter in errors + output):
        yield "printed control characters"


def parsed(run):
    """What `info --json` told of the file, and what is wrong with the JSON."""
    try:
        found = json.loads(run.output.decode(), parse_constant=refuse, object_pairs_hook=unique)
        json.dumps(found, ensure_ascii=False).encode()
    except ValueError as error:
        return None, f"invalid JSON: {error}"
    if len(found) != 1:
        return None, f"tells of {len(found)} files"
    if run.code != 0:
        return None, None if set(found[0]) == {"path", "error"} else "tells more than why it cannot be read"
    return found[0], None


def refuse(constant):
    raise ValueError(f"{constant} is no JSON")


def unique(pairs):
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key comes twice")
    return dict(pairs)


def lengths(runs, told):
    """What `info` tells, `convert` gives, or says that it did not; and all others make of it what follows."""
    if runs.info and runs.info.code != runs.json.code:
        yield "info says no, info --json yes, or the other way round", runs.info
    if runs.json and runs.json.code != 0 and runs.convert.code == 0:
        yield "reads what info refuses", runs.convert
    for run, file in ((runs.convert, runs.wave), (runs.resample, runs.resampled), (runs.mix, runs.mixed)):
        if run and (run.code == 0) != (file is not None):
            yield "left no file, or an incomplete one", run
            return
        if file and file.claimed != file.held:
            yield f"header claims {file.claimed} bytes of {file.held}", run
    if runs.convert.code != 0:
        return
    length, rate = runs.wave.length, runs.wave.rate
    if told:
        expected = told["samplesPerChannel"]
        if expected not in (None, length) and not said_truncated(runs.convert):
            yield f"gives {length} samples per channel of {expected}", runs.convert
        if told["claimedSamplesPerChannel"] is not None and not said_truncated(runs.convert):
            yield "does not say that it is truncated, as info does", runs.convert
        if (rate, runs.wave.channels) != (told["sampleRate"], told["channelCount"]):
            yield "rate or channels are not as told", runs.convert
    said = re.search(rb"it holds (\d+) of the (\d+) samples", runs.convert.errors)
    if said and int(said[1]) != length:
        yield f"gives {length} samples per channel and says {int(said[1])}", runs.convert
    yield from followers(runs, length, rate)


def followers(runs, length, rate):
    if runs.resampled is None:
        yield "cannot convert the rate of what can be read", runs.resample
    elif runs.resampled.length != converted(length, rate, OTHER_RATE):
        yield f"makes {runs.resampled.length} samples per channel of {length} at {rate} Hz", runs.resample
    if not runs.mix:
        return
    sum_rate = max(rate, GOOD_RATE)
    if runs.mixed is None:
        yield "cannot mix what can be read", runs.mix
    elif runs.mixed.length != max(converted(length, rate, sum_rate),
                                  converted(GOOD_LENGTH, GOOD_RATE, sum_rate)):
        yield f"a mix of {runs.mixed.length} samples per channel with {length} at {rate} Hz", runs.mix


def converted(length, rate, other):
    return -(-length * other // rate)


def said_truncated(run):
    return b"is truncated" in run.errors


@dataclass
class Wave:
    """What the program wrote, read without trust in its header."""

    rate: int
    channels: int
    claimed: int
    held: int
    length: int

    @classmethod
    def read(cls, path):
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return None
        rate = channels = block = 0
        for name, at, size in chunks(data):
            if name == b"fmt ":
                channels, rate, _, block = struct.unpack_from("<HIIH", data, at + 2)
            if name == b"data":
                # Behind the samples there are whole chunks, of what else the file carries, or nothing.
                held = size if is_tiled(data, at + size + size % 2) else len(data) - at
                return cls(rate, channels, size, held, held // block)
        return None


def is_tiled(data, at):
    """Whether whole chunks lie from there to the end of a RIFF file, which is where its header says."""
    if struct.unpack_from("<I", data, 4)[0] + 8 != len(data):
        return False
    for _, place, size in chunks(data, at):
        at = place + size + size % 2
    return at == len(data)
