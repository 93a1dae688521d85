# SPDX-License-Identifier: Apache-2.0
"""Sessions that this program runs."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import signal
import tempfile
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any

from . import _run, _worker
from ._client import SessionClient
from ._errors import Error
from ._program import command_line, environment, program, require_version
from ._words import PathName, Time, option, path, time

_numbers = itertools.count(1)
# Between two attempts to connect to a session that begins.
_PAUSE = 0.005
# Of a session that was asked to end. Then it is killed.
_PATIENCE = 30.0


class Session(SessionClient):
    """A session that this program runs. :func:`session` makes it; ``async with`` begins and ends it.

    Attributes:
        summary: the summary of ``rawaudio session --json`` (docs/events.md), after the end.
        notes: its lines for people.
    """

    def __init__(self, words: Sequence[str]) -> None:
        folder = os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()
        super().__init__(os.path.join(folder, f"rawaudio-{os.getpid()}-{next(_numbers)}.sock"))
        self.summary: dict[str, Any] | None = None
        self.notes: list[str] = []
        self._words = ["session", "--json", f"--listen={self.socket}", *words]
        self._process: asyncio.subprocess.Process | None = None
        self._end: asyncio.Future[_run.Reply] | None = None

    async def __aenter__(self) -> Session:
        self._process = await asyncio.create_subprocess_exec(
            *command_line("serve"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            env=environment(),
            start_new_session=True,
            limit=1 << 20,
        )
        try:
            self._end = asyncio.ensure_future(self._follow())
            while True:
                with contextlib.suppress(Error):
                    await self._connect()
                    return self
                if self._end.done():
                    raise (await self._end).error or Error("it has ended", action="run", subject="the session")
                await asyncio.sleep(_PAUSE)
        except BaseException:
            await self._give_up()
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process and self._end
        try:
            if not self._end.done():
                self._signal(signal.SIGINT)
            reply = await asyncio.wait_for(asyncio.shield(self._end), _PATIENCE)
        finally:
            await self._give_up()
        if error is None and reply.error:
            raise reply.error

    async def wait(self) -> None:
        """Waits until the session has ended by itself: by `duration`, `until_empty` or :meth:`stop`.

        Raises:
            Error: it has failed.
        """
        assert self._end
        reply = await asyncio.shield(self._end)
        if reply.error:
            raise reply.error

    async def _follow(self) -> _run.Reply:
        """Sends the command line, and reads all lines up to the reply."""
        assert self._process and self._process.stdin and self._process.stderr
        lines = self._process.stderr
        ready = await lines.readline()
        if not ready.startswith(b"{"):
            text = await lines.read()
            return _run.Reply(64, Error((ready + text).decode().strip(), action="use", subject=program()), None)
        require_version(json.loads(ready)["version"])
        self._process.stdin.write(_worker.request(self._words))
        await self._process.stdin.drain()
        async for block in lines:
            line = block.decode(errors="surrogateescape").rstrip("\n")
            if not line.startswith("{"):
                self.notes.append(line)
                continue
            event = json.loads(line)
            if event["event"] == "reply":
                return _run.reply(event, self.notes)
            if event["event"] == "summary":
                self.summary = event
        code = await self._process.wait()
        if self.notes and (error := Error.printed(self.notes[-1], code)):
            return _run.Reply(code, error, None)
        return _run.Reply(1, Error(f"it ended with exit code {code}", action="run", subject="the session"), None)

    def _signal(self, number: int) -> None:
        assert self._process
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(number)

    async def _give_up(self) -> None:
        """Ends the process. A session that still runs is killed."""
        await self.close()
        assert self._process and self._process.stdin
        if self._end and not self._end.done():
            self._signal(signal.SIGKILL)
        self._process.stdin.close()
        with contextlib.suppress(ConnectionError):
            await self._process.stdin.wait_closed()
        await self._process.wait()
        if self._end and not self._end.done():
            self._end.cancel()
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.socket)


def session(
    *,
    playback: PathName | None = None,
    mixed: PathName | None = None,
    publish: PathName | None = None,
    tracks: str | None = None,
    local: PathName | None = None,
    remotes: Mapping[str, PathName] | None = None,
    rate: int | None = None,
    channels: int | None = None,
    encoding: str | None = None,
    duration: Time | None = None,
    until_empty: bool = False,
    options: Sequence[str] = (),
) -> Session:
    """Describes a session: ``async with rawaudio.session(…) as s``.

    It goes by the clock of its device, otherwise of the machine. It ends with the block, as by Ctrl-C: every file is
    complete.

    Args:
        playback: where the sum of all sources but the local one goes to: a path, or ``"alsa:default"``.
        mixed: where all sources together go to.
        publish: where the local source goes to.
        tracks: a file for each source: ``"track-%s.wav"``.
        local: the local source: a path, or ``"alsa:default"`` for the microphone.
        remotes: files that are sources from the start, by their ids.
        rate, channels: of the sums, in hertz. None = 48000 Hz, mono, unless the first sources have more.
        encoding: of the sums' files, such as ``"f32"``. None = that of the sources that are there at the start, else 16
            bits.
        duration: when it ends: seconds, or a text such as ``"1:30"``.
        until_empty: whether it ends when the last source has left, once there was one.
        options: further words of ``rawaudio session``.
    """
    words = [*_end("local", local), *_end("publish", publish), *_end("mixed", mixed)]
    words += [f"--remote={name}={path(file)}" for name, file in (remotes or {}).items()]
    if playback is not None or (mixed is None and publish is None):
        words += option("playback", path(playback) if playback is not None else "null:")
    if tracks is not None:
        words.append(f"--observe=before-mixing:tap={tracks}")
    words += [*option("rate", rate), *option("channels", channels), *option("format", encoding)]
    words += option("duration", None if duration is None else time(duration))
    words += ["--until-empty"] if until_empty else []
    return Session([*words, *options])


def _end(name: str, value: PathName | None) -> list[str]:
    return option(name, None if value is None else path(value))
