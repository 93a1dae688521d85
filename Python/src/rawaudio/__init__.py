# SPDX-License-Identifier: Apache-2.0
"""rawaudio: sound files, devices and sessions, by the program of that name.

Samples are float32 arrays of the shape (samples, channels), full scale is ±1. Rates are in hertz, positions in samples
per channel, times in seconds.

Functions work in any thread. An iterator and a :class:`Capture` serve one thread at a time, a session its event loop;
:mod:`rawaudio.blocking` has sessions for threads. A failure is an :class:`Error`, and also the exception that Python
has for it.
"""

from . import events
from ._arrays import Samples
from ._choices import DeviceEncoding, EditPosition, Position, Status
from ._client import SessionClient, connect
from ._convert import Result, convert, convert_each
from ._devices import Capture, Device, capture, devices
from ._errors import Error, Note
from ._facts import Info, Mark, Measurement, info, measure
from ._files import Block, blocks, read, write
from ._playback import Playback, play, playback
from ._resample import Quality, Resampler, resample
from ._session import Session, session
from ._streams import Editor, Events, Frame, Observer, Source
from ._version import __version__
from ._voice import Voice, voice
from .events import Attendant, Event

__all__ = [
    "Attendant",
    "Block",
    "Capture",
    "Device",
    "DeviceEncoding",
    "EditPosition",
    "Editor",
    "Error",
    "Event",
    "Events",
    "Frame",
    "Info",
    "Mark",
    "Measurement",
    "Note",
    "Observer",
    "Playback",
    "Position",
    "Quality",
    "Resampler",
    "Result",
    "Samples",
    "Session",
    "SessionClient",
    "Source",
    "Status",
    "Voice",
    "__version__",
    "blocks",
    "capture",
    "connect",
    "convert",
    "convert_each",
    "devices",
    "events",
    "info",
    "measure",
    "play",
    "playback",
    "read",
    "resample",
    "session",
    "voice",
    "write",
]
