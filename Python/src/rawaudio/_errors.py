# SPDX-License-Identifier: Apache-2.0
"""The one exception of the package, and its warning."""

from __future__ import annotations

import errno
import functools
import os
import re
from typing import Any

from ._wording import worded


def _reason(number: int) -> str:
    """The program's text of an error number: that of the system, with a small first letter."""
    text = os.strerror(number)
    return text[:1].lower() + text[1:]


# The reasons that are an error of the system, in its words and in the program's. Python has its classes by the numbers:
# that of ENOENT is FileNotFoundError.
_NUMBERS = {
    **{_reason(number): number for number in errno.errorcode},
    "no such file": errno.ENOENT,
    "its directory does not exist": errno.ENOENT,
    "it was removed while it was written": errno.ENOENT,
    "it is not where this package was installed": errno.ENOENT,
    "it exists already": errno.EEXIST,
    "it already exists": errno.EEXIST,
    "it is a directory": errno.EISDIR,
    "a part of the path is not a directory": errno.ENOTDIR,
    "permission denied": errno.EACCES,
    "another run is writing to it": errno.EBUSY,
    "others may write there": errno.EACCES,
}
_LATE = re.compile(r"did not answer within|does not answer|it did nothing for")


def _number(reason: str) -> int | None:
    """The error number of a reason. None if the system has none for it."""
    number = _NUMBERS.get(reason.partition(" (")[0])
    return errno.ETIMEDOUT if number is None and _LATE.search(reason) else number


@functools.cache
def _also(kind: type[Exception]) -> type[Error]:
    """The class of the errors that are also of a class of Python."""
    made: type[Error] = type("Error", (Error, kind), {"__module__": Error.__module__, "__doc__": Error.__doc__})
    return made


def sentence(reason: str, action: str, subject: str, advice: str) -> str:
    """An error as the program prints it."""
    head = f"cannot {action} '{subject}': " if action and subject else f"cannot {action}: " if action else ""
    return head + reason + (f"; {advice}" if advice else "")


class Error(Exception):
    """A failure: the action, its subject, the reason, and advice.

    ``str(error)`` is the sentence that the command prints, in the words of this package. An error is also of the class
    that Python's own functions raise in its place: `FileNotFoundError`, `FileExistsError`, `PermissionError`,
    `TimeoutError` or another `OSError`, with `errno` and `filename`; `ValueError` for an impossible value; `TypeError`
    for an argument of a wrong type. So ``except OSError`` and ``except rawaudio.Error`` both work. It can be pickled.

    Attributes:
        action: the action that failed, as a verb phrase behind "cannot": ``"open"``. Empty for a mistake in a request.
        subject: a path, a device or the id of a source. Empty if there is none.
        reason: why it failed.
        advice: what to do next. Empty if there is nothing to advise.
        code: the exit code of the command: 1 for a failure, 2 for a condition of ``--fail-on``, 64 for a mistake in
            the request, 130 after an interruption.
    """

    def __new__(cls, *words: Any, **parts: Any) -> Error:
        """Makes an error of the class of Python that fits, as `OSError` itself does."""
        if cls is not Error:
            return super().__new__(cls)
        reason, kind = words[0], parts.get("kind")
        number = _number(reason) if kind is None else None
        if number is not None:
            made: Any = _also(type(OSError(number, reason)))  # type: ignore[arg-type]
            return OSError.__new__(made, number, reason, parts.get("subject") or None)  # type: ignore[no-any-return]
        if kind is None and (parts.get("code") == 64 or parts.get("action", "").startswith("use ")):
            kind = ValueError
        return Exception.__new__(cls if kind is None else _also(kind))

    def __init__(
        self,
        reason: str,
        *,
        action: str = "",
        subject: str = "",
        advice: str = "",
        code: int = 1,
        kind: type[Exception] | None = None,
    ) -> None:
        """
        Args:
            kind: the class of Python that it is, too. None finds it by the reason and the code.
        """
        super().__init__(reason, action, subject, advice, code)
        self.reason = reason
        self.action = action
        self.subject = subject
        self.advice = advice
        self.code = code
        self._kind = kind

    def __str__(self) -> str:
        return sentence(self.reason, self.action, self.subject, self.advice)

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (self.reason, self.action, self.subject, self.advice, self.code, self._kind), self.__dict__

    @classmethod
    def of(cls, sentence: str, subject: str, code: int) -> Error:
        """Takes a sentence of the program apart: ``cannot open 'x.wav': no such file; …``.

        Args:
            subject: the one that is expected.
            code: the exit code of the command.
        """
        found = re.match(rf"cannot ([^']*?) '({re.escape(subject)}|.*?)': ", sentence, re.DOTALL)
        if not found:
            return cls(worded(sentence), code=code)
        reason, _, advice = worded(sentence[found.end() :]).partition("; ")
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


def _restored(
    reason: str, action: str, subject: str, advice: str, code: int, kind: type[Exception] | None = None
) -> Error:
    """Makes an error again that went to another process."""
    return Error(reason, action=action, subject=subject, advice=advice, code=code, kind=kind)


class Note(UserWarning):
    """A note of the command: lost metadata, a clipped sample, a truncated file. It names the line of the caller.

    ``warnings.simplefilter("error", rawaudio.Note)`` makes every note an exception.
    """
