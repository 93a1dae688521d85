# SPDX-License-Identifier: Apache-2.0
"""The events of a session, a class each: for ``match`` and ``isinstance``.

    async for event in session.events():
        match event:
            case events.Left(source=name, reason=None):
                print(name, "has left")

Rates are in hertz; positions and lengths are in samples per channel.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

__all__ = [
    "Attendant",
    "Broken",
    "Clipped",
    "Event",
    "Gap",
    "Joined",
    "Late",
    "Left",
    "Lost",
    "Muted",
    "Speech",
    "Unmuted",
]


@dataclass(frozen=True)
class Attendant:
    """A source that is in the session.

    Attributes:
        name: its id, as in ``"anna"`` or ``"hall/anna"``.
        rate, channels: of the samples that it sends.
        start: the time of its first sample, in samples per channel from the start of the session, at the sum's rate.
        samples: its samples so far, per channel.
        missing: the samples per channel of silence that stands for late or missing ones.
        gain: in decibels; None for silence.
        muted: False, True, or ``"everywhere"``: observers before mixing do not hear it, either.
    """

    name: str
    rate: int
    channels: int
    start: int
    samples: int
    missing: int
    gain: float | None
    muted: bool | Literal["everywhere"]


@dataclass(frozen=True)
class Joined:
    """A source is heard from now on.

    Attributes:
        source: its id, as in ``"anna"`` or ``"hall/anna"``.
        attendant: its format and figures.
    """

    source: str
    attendant: Attendant


@dataclass(frozen=True)
class Left:
    """A source has ended, was removed or died.

    Attributes:
        source: its id.
        attendant: its format and figures.
        reason: the reason of a failure. None if there was none.
    """

    source: str
    attendant: Attendant
    reason: str | None = None


@dataclass(frozen=True)
class Muted:
    """A source stays and is no longer heard.

    Attributes:
        source: its id.
        attendant: its format and figures.
    """

    source: str
    attendant: Attendant


@dataclass(frozen=True)
class Unmuted:
    """A source is heard again.

    Attributes:
        source: its id.
        attendant: its format and figures.
    """

    source: str
    attendant: Attendant


@dataclass(frozen=True)
class Gap:
    """Silence stands for samples that did not come. It is told when the source goes on or leaves.

    Attributes:
        source: its id.
        position: the start of the silence from the start of the session, at `rate`.
        samples: its length.
        rate: of the source, in hertz.
    """

    source: str
    position: int
    samples: int
    rate: int


@dataclass(frozen=True)
class Late:
    """Samples were dropped because they came after their silence. It is told when the source leaves.

    Attributes:
        source: its id.
        samples: their number per channel.
        rate: of the source, in hertz.
    """

    source: str
    samples: int
    rate: int


@dataclass(frozen=True)
class Broken:
    """The connection of a source ended in the middle of a sample or a packet.

    Attributes:
        source: its id.
    """

    source: str


@dataclass(frozen=True)
class Clipped:
    """Samples of a sum are beyond full scale. It is told once a second at most.

    Attributes:
        position: of the sum.
        samples: their number.
    """

    position: Literal["playback", "mixed"]
    samples: int


@dataclass(frozen=True)
class Speech:
    """Speech begins or ends in a stream. The observer ``voice`` of the session tells it.

    Attributes:
        source: the id of the source. None if the stream is a sum.
        at: the position in the session: ``"before-mixing"``, ``"record"``, ….
        begins: whether it begins.
        position: its first sample, or the first one behind it, from the start of the session, at `rate`.
        samples: the length of speech that ends; 0 at the beginning.
        rate: in hertz.
    """

    source: str | None
    at: str
    begins: bool
    position: int
    samples: int
    rate: int


@dataclass(frozen=True)
class Lost:
    """Events were dropped because this program read them too slowly.

    Attributes:
        events: their number.
    """

    events: int


#: An event of a session.
Event: TypeAlias = Joined | Left | Muted | Unmuted | Gap | Late | Broken | Clipped | Speech | Lost


def _name(members: dict[str, Any]) -> str:
    source: str = members["source"]
    return source if members.get("group") is None else f"{members['group']}/{source}"


def attendant(members: dict[str, Any]) -> Attendant:
    """Reads an entry of the session's status, or a line about a source."""
    return Attendant(
        _name(members),
        members["rate"],
        members["channels"],
        members["start"],
        members["samples"],
        members["missing"],
        members["gain"],
        members["muted"],
    )


_KINDS: dict[str, Callable[[dict[str, Any]], Event]] = {
    "joined": lambda line: Joined(_name(line), attendant(line)),
    "left": lambda line: Left(_name(line), attendant(line), line.get("reason")),
    "muted": lambda line: Muted(_name(line), attendant(line)),
    "unmuted": lambda line: Unmuted(_name(line), attendant(line)),
    "gap": lambda line: Gap(_name(line), line["position"], line["samples"], line["rate"]),
    "late": lambda line: Late(_name(line), line["samples"], line["rate"]),
    "broken": lambda line: Broken(_name(line)),
    "clipped": lambda line: Clipped(line["position"], line["samples"]),
    "voice": lambda line: Speech(
        _name(line) if "source" in line else None,
        line["at"],
        line["state"] == "begin",
        line["position"],
        line["samples"],
        line["rate"],
    ),
    "lost": lambda line: Lost(line["events"]),
}


def event_of(line: dict[str, Any]) -> Event | None:
    """Reads a line of docs/joining.md. None for one of a later version."""
    kind = _KINDS.get(line["event"])
    return kind(line) if kind else None
