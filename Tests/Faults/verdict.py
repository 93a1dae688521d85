# SPDX-License-Identifier: Apache-2.0
"""What an outcome comes to: the cells of the table, and where rawaudio is not as it must be."""

import json
import re
import signal

from card import FRAME_BYTES, RATE
from faults import PERIOD
from trial import DISK_BYTES, PLAYED_FRAMES

LONGEST_MESSAGE = 160


def cells(outcome):
    how = (played, report) if outcome.fault.plays else (kept, gap)
    return [how[0](outcome), header(outcome), how[1](outcome), exit_code(outcome), message(outcome)]


# Recording


def kept(outcome):
    recording = outcome.recording
    if recording.kept == 0:
        return "–"
    rate = recording.rate
    return f"{recording.kept / rate:.3f} of {end(outcome) / rate:.3f} s"


def end(outcome):
    """How far the device's clock was when the fault ended the run, or the run ended by itself."""
    recording = outcome.recording
    if outcome.fault.ends_at:
        return max(outcome.log.position(outcome.fault.ends_at) or 0, recording.end)
    if outcome.fault.output == "small disk" and recording.claimed is not None:
        return (DISK_BYTES - recording.size + recording.held) // FRAME_BYTES
    return recording.end


def missing_at_end(outcome):
    return end(outcome) - outcome.recording.end


def header(outcome):
    recording = outcome.recording
    if outcome.fault.plays or recording.size == 0 or outcome.fault.output == "pipe gone":
        return "–"
    if recording.claimed is None:
        return f"no: {recording.size} bytes without a header"
    if recording.is_open_ended and outcome.fault.output == "pipe":
        return "open-ended, as on any pipe"
    if recording.is_valid:
        return "yes"
    claimed, held = recording.claimed // FRAME_BYTES, recording.held // FRAME_BYTES
    return f"no: claims {claimed / RATE:.2f} s, holds {held / RATE:.2f} s"


def gap(outcome):
    recording = outcome.recording
    if recording.kept == 0:
        return "–"
    return "; ".join(gap_remarks(outcome, recording)) or "nothing missing"


def gap_remarks(outcome, recording):
    if recording.moved > PERIOD:
        yield f"no: moved up by {duration(recording.moved)}"
    elif recording.silent:
        how = "reported" if reported_samples(outcome) == recording.silent else "not reported"
        yield f"yes: {duration(recording.silent)} of silence, {how}"
    if missing_at_end(outcome) > PERIOD:
        yield f"last {duration(missing_at_end(outcome))} missing"
    if "SPEED" in outcome.fault.card:
        drift = summary(outcome).get("clockDrift")
        yield (f"drift stated: {drift['partsPerMillion']:.0f} ± {drift['uncertainty']:.0f} ppm"
               if drift else "drift not stated")
    if recording.rate != RATE:
        yield f"not at 48000 Hz: header and device say {recording.rate} Hz"


def duration(frames):
    return f"{1000 * frames / RATE:.1f} ms" if frames < RATE // 10 else f"{frames / RATE:.2f} s"


def summary(outcome):
    """The device's part of the last line that `capture --json` prints."""
    lines = [line for line in outcome.said.splitlines() if line.startswith('{"schema"')]
    return json.loads(lines[-1])["sources"][0] if lines else {}


def reported_samples(outcome):
    return summary(outcome).get("gaps", {}).get("lostSamples", 0)


# Playback


def played(outcome):
    """Frames of a resampled file are not to be found again; its length is."""
    rate = outcome.log.rate()
    heard = outcome.heard if rate == RATE else outcome.log.played()
    return f"{heard / rate:.3f} of {PLAYED_FRAMES / RATE:.3f} s"


def report(outcome):
    if outcome.log.happened("nodev by script"):
        says_how_far = re.search(r"\d+ samples", outcome.said)
        return "says how far it got" if says_how_far else "no: does not say how far it got"
    for event, word in (("underrun", "under-?run"), ("event suspend", "suspend")):
        if outcome.log.happened(event):
            is_reported = re.search(word, outcome.said, re.IGNORECASE)
            return "reported" if is_reported else "no: not reported"
    if outcome.log.rate() != RATE:
        is_whole = outcome.heard == PLAYED_FRAMES
        return "played too slowly" if is_whole else "converted to the device's rate"
    return "–"


# Both


def exit_code(outcome):
    code = outcome.exit_code
    if code is None:
        return "hangs"
    return signal.Signals(-code).name if code < 0 else str(code)


def message(outcome):
    text = outcome.program.message(outcome.said)
    return text if len(text) <= LONGEST_MESSAGE else text[:LONGEST_MESSAGE - 1] + "…"


def shortcomings(outcome):
    """What rawaudio must not do and did."""
    fault = outcome.fault
    if outcome.exit_code != fault.exit_code:
        yield f"exit code {outcome.exit_code} instead of {fault.exit_code}"
    if not re.search(fault.must_say, outcome.said, re.IGNORECASE):
        yield f"does not say '{fault.must_say}'"
    yield from (playback_shortcomings if fault.plays else recording_shortcomings)(outcome)


def playback_shortcomings(outcome):
    fault, log = outcome.fault, outcome.log
    goal = PLAYED_FRAMES * log.rate() // RATE
    if fault.ends_at:
        goal = log.position(fault.ends_at)
    heard = outcome.heard if log.rate() == RATE else log.played()
    if heard < goal - fault.may_miss:
        yield f"{goal - heard} samples per channel were not heard"


def recording_shortcomings(outcome):
    fault, recording = outcome.fault, outcome.recording
    if header(outcome).startswith("no"):
        yield f"header: {header(outcome)}"
    if recording.kept == 0:
        if fault.exit_code != 1 or fault.ends_at:
            yield "nothing was kept"
        return
    if recording.moved > PERIOD:
        yield f"off the device's clock by {recording.moved} samples per channel"
    if outcome.exit_code == 0 and reported_samples(outcome) != recording.silent:
        yield (f"reported {reported_samples(outcome)} lost samples per channel,"
               f" left out {recording.silent}")
    if outcome.exit_code == 0 and not fault.ends_at and fault.output != "pipe gone":
        if len(recording.frames) != fault.seconds * RATE:
            yield f"{len(recording.frames)} samples per channel instead of {fault.seconds} s"
    said = re.search(r"(?:after|the first) (\d+) samples per channel", message(outcome))
    if said and int(said[1]) != len(recording.frames):
        yield f"says {said[1]} samples per channel, kept {len(recording.frames)}"
    if missing_at_end(outcome) > fault.may_miss:
        yield f"the last {missing_at_end(outcome)} samples per channel are missing"
    if "SPEED" in fault.card:
        drift = summary(outcome).get("clockDrift")
        if not drift or abs(drift["partsPerMillion"] - 200) > max(20, 3 * drift["uncertainty"]):
            yield f"drift stated as {drift}"
