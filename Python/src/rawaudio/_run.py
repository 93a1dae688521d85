# SPDX-License-Identifier: Apache-2.0
"""One command line in a process of the program."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy.typing as npt

from . import _notes
from ._errors import Error, sentence
from ._wording import worded
from ._worker import Worker, pool

_WASTE_BYTES = 1 << 16


@dataclass
class Reply:
    """The end of a command line."""

    code: int
    error: Error | None
    # The line of --results of a conversion.
    result: dict[str, Any] | None
    notes: list[str] = field(default_factory=list)

    def require_success(self) -> None:
        """Issues the notes as warnings.

        Raises:
            Error: the command failed.
        """
        if self.error:
            raise self.error
        if self.code:
            raise Error("; ".join(self.notes) or f"it ended with exit code {self.code}", code=self.code)
        for note in self.notes:
            _notes.issue(note)


class Run:
    """A command line in a process. One thread at a time.

    Args:
        on_event: called with each of its lines of JSON, but not with the reply.
        texts: gets its lines for people.
    """

    def __init__(
        self,
        worker: Worker,
        words: Sequence[str],
        on_event: Callable[[dict[str, Any]], None] = lambda event: None,
        texts: list[str] | None = None,
    ) -> None:
        self._worker = worker
        self._on_event = on_event
        self._texts = [] if texts is None else texts
        self._reply: Reply | None = None
        worker.begin(words)

    def read(self, room: memoryview) -> int:
        """Waits for standard output. Returns the number of bytes that are in `room` now, 0 at the end."""
        while self._reply is None:
            if count := self._step(room):
                return count
        return self._worker.rest(room)

    def fill(self, room: memoryview) -> int:
        """Like :meth:`read`, but waits until `room` is full or the end is there."""
        used = 0
        while used < len(room) and (count := self.read(room[used:])):
            used += count
        return used

    def wait(self, condition: Callable[[], bool]) -> None:
        """Reads lines until a condition holds, or the command is over."""
        while self._reply is None and not condition():
            self._step(memoryview(b""))

    def end(self) -> Reply:
        """Drops the rest of standard output, and returns the reply."""
        waste = memoryview(bytearray(_WASTE_BYTES))
        while self.read(waste):
            pass
        assert self._reply
        return self._reply

    def _step(self, room: memoryview) -> int:
        count, lines = self._worker.step(room)
        for line in lines:
            if not line.startswith("{"):
                self._texts.append(worded(line))
            elif (event := json.loads(line))["event"] == "reply":
                self._reply = reply(event, self._texts)
            else:
                self._on_event(event)
        return count


def reply(event: dict[str, Any], texts: Sequence[str]) -> Reply:
    """Reads the last line about a command.

    Args:
        texts: the lines for people that came before, in the words of the package.
    """
    error = None
    # The shape of an array says that it is empty.
    known = ["'standard output' holds no sample"]
    if fault := event["error"]:
        reason, action, subject, advice = (fault.get(name) or "" for name in ("reason", "action", "subject", "advice"))
        error = Error(worded(reason), action=action, subject=subject, advice=worded(advice), code=event["code"])
        known += [worded(sentence(reason, action, subject, advice)), "Error:", "Usage:", "  See"]
    notes = [text.removeprefix("rawaudio: ") for text in texts if text]
    notes = [note for note in notes if not note.startswith(tuple(known))]
    return Reply(event["code"], error, event["result"], notes)


def run(words: Sequence[str], samples: tuple[npt.ArrayLike, int] | None = None) -> tuple[bytes, Reply]:
    """Runs a command line.

    Args:
        samples: its source, and their rate in hertz. None = the words name one.

    Returns:
        its standard output and its reply.
    """
    output = bytearray()
    buffer = memoryview(bytearray(_WASTE_BYTES))
    with contextlib.ExitStack() as stack:
        worker = stack.enter_context(pool.worker())
        source = stack.enter_context(worker.source(*samples)) if samples else []
        command = Run(worker, [*words, *source])
        while count := command.read(buffer):
            output += buffer[:count]
        return bytes(output), command.end()
