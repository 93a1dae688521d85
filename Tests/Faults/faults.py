# SPDX-License-Identifier: Apache-2.0
"""Every fault, and what is expected of rawaudio in it."""

from dataclasses import dataclass, field
import signal

PERIOD = 480
# What docs/recording.md allows to be missing, in samples per channel.
IN_DEVICE = 1_440
KILLED = 48_000
PLAYBACK_RING = 9_600  # of the card, as rawaudio sets it


@dataclass
class Fault:
    title: str
    card: dict = field(default_factory=dict)
    seconds: int = 2
    output: str = "file"
    pause: float = 0  # seconds for which the pipe's other end stands still
    options: list = field(default_factory=list)  # of rawaudio, which then runs alone
    ends_at: str = ""  # what the card's log says where the fault ends the run
    exit_code: int = 0
    may_miss: int = IN_DEVICE  # frames at the end; nothing else may be missing uncounted
    must_say: str = ""

    plays = False


class PlaybackFault(Fault):
    plays = True


def events(text, **others):
    return {"EVENTS": text, **others}


def ended_by(number, kind=Fault, **others):
    return kind(signal.Signals(number).name, events(f"60123:signal:{int(number)}"), seconds=3,
                ends_at="event signal", **others)


RECORDING = [
    Fault("overrun: the program is kept away for 1.5 s", events("24000:late:1500"), seconds=3,
          must_say="overrun"),
    Fault("overrun: the device stops, its ring is lost", events("48000:xrun"), must_say="overrun"),
    Fault("the same with `--fail-on xrun`", events("48000:xrun"), options=["--fail-on", "xrun"],
          exit_code=2, must_say="overrun"),
    Fault("the same with `--on-xrun fail`", events("48000:xrun"), options=["--on-xrun", "fail"],
          exit_code=1, ends_at="event xrun", must_say="overrun"),
    Fault("a hundred overruns", events("4800:xrun " + "+480:xrun " * 99), must_say=r"1\d\d overruns"),
    Fault("suspend", events("48000:suspend"), must_say="suspend"),
    Fault("input error, gone once prepared again", events("48000:eio:once"), must_say="restart"),
    Fault("input error for good", events("48000:eio"), ends_at="event eio", exit_code=1,
          must_say="card"),
    Fault("device lost", events("60123:nodev"), ends_at="nodev", exit_code=1, must_say="card"),
    Fault("device stands still for 1 s, loses nothing", events("48000:stall:1000")),
    Fault("disk stands still for 6.5 s (a pipe nobody reads)", seconds=8, output="pipe", pause=6.5),
    Fault("the same with `--ring-size 500ms`: the ring overflows", seconds=8, output="pipe",
          pause=6.5, options=["--ring-size", "500ms"], must_say="overflow"),
    Fault("disk full after 1.7 s", seconds=3, output="small disk", exit_code=1,
          must_say="no space"),
    Fault("`/dev/full`", seconds=1, output="/dev/full", exit_code=1, must_say="no space"),
    Fault("reader gone after 1 s (broken pipe)", output="pipe gone"),
    ended_by(signal.SIGINT),
    ended_by(signal.SIGTERM),
    ended_by(signal.SIGHUP),
    ended_by(signal.SIGKILL, exit_code=-9, may_miss=KILLED),
    Fault("clock 200 ppm fast", {"SPEED": 1.0002}, seconds=3),
    Fault("device delivers 37 frames at a time", {"GRAIN": 37}),
    Fault("device refuses the rate, has 44,100 Hz only", {"RATES": 44_100}, exit_code=1,
          must_say="44100"),
    Fault("device busy", {"OPEN_ERRNO": 16}, exit_code=1, must_say="card"),
]

PLAYBACK = [
    PlaybackFault("underrun: the program is kept away for 0.9 s", events("24000:late:900"),
                  must_say="underrun"),
    PlaybackFault("underrun: the input stands still for 1.5 s", output="pipe", pause=1.5,
                  must_say="underrun"),
    PlaybackFault("underrun: the device stops, its ring is lost", events("48000:xrun"),
                  may_miss=PLAYBACK_RING, must_say="underrun"),
    PlaybackFault("suspend", events("48000:suspend"), must_say="suspend"),
    PlaybackFault("device lost", events("60123:nodev"), ends_at="nodev", exit_code=1,
                  must_say="card"),
    ended_by(signal.SIGINT, kind=PlaybackFault),
    ended_by(signal.SIGTERM, kind=PlaybackFault),
    PlaybackFault("device refuses the rate, has 44,100 Hz only", {"RATES": 44_100}),
]
