# SPDX-License-Identifier: Apache-2.0
"""The one exception of the package, and its warning."""

from __future__ import annotations

import re


class Error(Exception):
    """A failure: the action, its subject, the reason, and advice.

    ``str(error)`` is the sentence that the command prints.

    Attributes:
        action: the action that failed, as a verb phrase behind "cannot": ``"open"``. Empty for a mistake in a request.
        subject: a path, a device or the id of a source. Empty if there is none.
        reason: why it failed.
        advice: what to do next. Empty if there is nothing to advise.
        code: the exit code of the command: 1 for a failure, 2 for a condition of ``--fail-on``, 64 for a mistake in
            the request, 130 after an interruption.
    """

    def __init__(self, reason: str, *, action: str = "", subject: str = "", advice: str = "", code: int = 1) -> None:
        super().__init__(reason, action, subject, advice, code)
        self.reason = reason
        self.action = action
        self.subject = subject
        self.advice = advice
        self.code = code

    def __str__(self) -> str:
        subject = f" '{self.subject}'" if self.subject else ""
        head = f"cannot {self.action}{subject}: " if self.action else ""
        return head + self.reason + (f"; {self.advice}" if self.advice else "")

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (self.reason, self.action, self.subject, self.advice, self.code)

    @classmethod
    def of(cls, sentence: str, subject: str, code: int) -> Error:
        """Takes a sentence of the program apart: ``cannot open 'x.wav': no such file; …``.

        Args:
            subject: the one that is expected.
        """
        found = re.match(rf"cannot ([^']*?) '({re.escape(subject)}|.*?)': ", sentence, re.DOTALL)
        if not found:
            return cls(sentence, code=code)
        reason, _, advice = sentence[found.end() :].partition("; ")
        return cls(reason, action=found[1], subject=found[2], advice=advice, code=code)

    @classmethod
    def printed(cls, line: str, code: int) -> Error | None:
        """Reads a line of standard error: ``rawaudio: cannot load …``. None if it tells of no failure."""
        sentence = line.removeprefix("rawaudio: ")
        return cls.of(sentence, "", code) if sentence != line and sentence.startswith("cannot ") else None


class SessionEnded(Error):
    """A session is gone. Its own failure, if there is one, is raised in place of this."""

    def __init__(self, action: str, subject: str) -> None:
        super().__init__("the session has ended", action=action, subject=subject)


def _restored(reason: str, action: str, subject: str, advice: str, code: int) -> Error:
    """Makes an error again that went to another process."""
    return Error(reason, action=action, subject=subject, advice=advice, code=code)


class Note(UserWarning):
    """A note of the command: lost metadata, a clipped sample, a truncated file.

    ``warnings.simplefilter("error", rawaudio.Note)`` makes every note an exception.
    """
