# SPDX-License-Identifier: Apache-2.0
"""rawaudio: sound files, devices and sessions, by the program of that name.

Samples are float32 arrays of the shape (samples, channels), full scale is ±1. Rates are in hertz, positions in samples
per channel, times in seconds.
"""

from ._arrays import Samples
from ._client import Attendant, SessionClient, connect
from ._convert import Result, convert, convert_each
from ._devices import Capture, Device, capture, devices
from ._errors import Error, Note
from ._facts import Info, Mark, Measurement, info, measure
from ._files import Block, blocks, read, write
from ._playback import Playback, play, playback
from ._session import Session, session
from ._streams import Editor, Events, Frame, Observer, Source
from ._version import __version__

__all__ = [
    "Attendant",
    "Block",
    "Capture",
    "Device",
    "Editor",
    "Error",
    "Events",
    "Frame",
    "Info",
    "Mark",
    "Measurement",
    "Note",
    "Observer",
    "Playback",
    "Result",
    "Samples",
    "Session",
    "SessionClient",
    "Source",
    "__version__",
    "blocks",
    "capture",
    "connect",
    "convert",
    "convert_each",
    "devices",
    "info",
    "measure",
    "play",
    "playback",
    "read",
    "session",
    "write",
]
