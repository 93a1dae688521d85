# SPDX-License-Identifier: Apache-2.0
"""Sessions that this program runs."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import signal
import stat
import tempfile
import threading
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any

from . import _run, _worker
from ._client import SessionClient
from ._connection import Connection
from ._errors import Error, SessionEnded
from ._program import environment
from ._streams import Source
from ._words import PathName, Time, flag, option, path, time

_numbers = itertools.count(1)
# Between two attempts to connect to a session that begins.
_PAUSE = 0.005
# Of a session that was asked to end: it is killed if it uses no processor for so long, in seconds.
_PATIENCE = 5.0


class Session(SessionClient):
    """A session that this program runs. :func:`session` makes it; ``async with`` begins and ends it, once.

    Attributes:
        summary: the summary of ``rawaudio session --json`` (docs/events.md), after the end.
        notes: its lines for people. Those of a session that has ended well are warnings, too: :class:`rawaudio.Note`.
    """

    def __init__(self, words: Sequence[str], *, drain: bool = True) -> None:
        super().__init__("")
        self.summary: dict[str, Any] | None = None
        self.notes: list[str] = []
        self._words = words
        self._drain = drain
        self._is_entered = False
        self._worker: asyncio.Future[_worker.Worker] | None = None
        self._end: asyncio.Future[_run.Reply] | None = None
        # It follows the process, as event loops do that in different ways.
        self._follower: threading.Thread | None = None

    async def __aenter__(self) -> Session:
        if self._end:
            reason = "it has been entered before"
            raise Error(reason, action="begin", subject="the session", advice="make another one", code=64)
        loop = asyncio.get_running_loop()
        self._worker, self._end = loop.create_future(), loop.create_future()
        self.socket = os.path.join(_folder(), f"rawaudio-{os.getpid()}-{next(_numbers)}.sock")
        self._follower = threading.Thread(
            target=self._follow, args=[loop, environment()], name="rawaudio session", daemon=True
        )
        self._follower.start()
        try:
            await self._first_of_both()
            used, asked = -1.0, loop.time()
            while not self._end.done():
                with contextlib.suppress(Error):
                    await self._connect()
                    self._is_entered = True
                    return self
                await asyncio.sleep(_PAUSE)
                if loop.time() - asked > _PATIENCE:
                    asked, before, used = loop.time(), used, _used(self._worker.result().process)
                    if before == used:
                        reason = f"it did nothing for {_PATIENCE:g} s, and was killed"
                        raise Error(reason, action="begin", subject="the session")
            raise self._end.result().error or Error("it has ended", action="run", subject="the session")
        except BaseException:
            await self._give_up()
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._end
        try:
            if error is None and self._drain:
                await self._close_sources()
            await self._ended()
        finally:
            await self._give_up()
        reply = self._end.result()
        if isinstance(error, SessionEnded) and reply.error:
            raise reply.error from error
        if error is None:
            reply.require_success()

    async def wait(self) -> None:
        """Waits until the session has ended by itself: by `duration`, `until_empty` or :meth:`stop`.

        Raises:
            Error: it has failed.
        """
        reply = await asyncio.shield(self._begun())
        if reply.error:
            raise reply.error

    def _begun(self) -> asyncio.Future[_run.Reply]:
        if self._end is None:
            advice = "use 'async with' first"
            raise Error("it has not begun", action="use", subject="the session", advice=advice, code=64)
        return self._end

    def _follow(self, loop: asyncio.AbstractEventLoop, variables: dict[str, str]) -> None:
        """The process from its beginning to its end, in a thread."""

        def tell(future: asyncio.Future[Any] | None, value: object) -> None:
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(lambda: None if not future or future.done() else future.set_result(value))

        try:
            worker = _worker.Worker(variables)
            tell(self._worker, worker)
            try:
                words = ["session", "--json", f"--listen={self.socket}", *self._words]
                reply = _run.Run(worker, words, self._take, self.notes).end()
            finally:
                worker.close()
        except Exception as error:
            failure = error if isinstance(error, Error) else Error(repr(error), action="run", subject="the session")
            reply = _run.Reply(failure.code, failure, None)
        tell(self._end, reply)

    def _take(self, event: dict[str, Any]) -> None:
        if event["event"] == "summary":
            self.summary = event

    async def _open(self, first: Mapping[str, Any], action: str, subject: str) -> Connection:
        end = self._begun()
        if end.done():
            raise end.result().error or SessionEnded(action, subject)
        assert self._worker
        process = self._worker.result().process
        try:
            return await Connection.open(self.socket, first, action, subject, process=process)
        except Error as error:
            # The socket of a session that has failed is gone.
            is_gone = isinstance(error, SessionEnded) or error.subject == str(self.socket)
            if not is_gone or not self._is_entered:
                raise
            raise await self._failure() or error from None

    async def _command(self, command: Mapping[str, Any], action: str, subject: str) -> dict[str, Any]:
        try:
            return await super()._command(command, action, subject)
        except SessionEnded:
            raise await self._failure() or SessionEnded(action, subject) from None

    async def _failure(self) -> Error | None:
        """The failure of a session that is gone, which says more than that it is."""
        end = self._begun()
        await asyncio.wait([end], timeout=_PATIENCE)
        return end.result().error if end.done() else None

    async def _first_of_both(self) -> None:
        """Waits until the process has begun, or could not begin."""
        both: list[asyncio.Future[Any]] = [future for future in (self._worker, self._end) if future]
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)

    async def _close_sources(self) -> None:
        """Waits until all that this program has written is heard."""
        await asyncio.gather(*(part.close() for part in list(self._parts) if isinstance(part, Source)))

    async def _ended(self) -> None:
        """Asks the session to end, and waits for it as long as it works."""
        assert self._worker and self._end
        if self._end.done():
            return
        worker = self._worker.result()
        worker.signal(signal.SIGINT)
        used = -1.0
        while not self._end.done() and (now := _used(worker.process)) != used:
            used = now
            await asyncio.wait([self._end], timeout=_PATIENCE)
        if not self._end.done():
            worker.signal(signal.SIGKILL)
            await asyncio.wait([self._end])
            reason = f"it did nothing for {_PATIENCE:g} s, and was killed"
            raise Error(reason, action="end", subject="the session")

    async def _give_up(self) -> None:
        """Ends all at once. A session that still runs is killed."""
        assert self._worker and self._end
        self._abort()
        await self._first_of_both()
        if not self._end.done():
            self._worker.result().signal(signal.SIGKILL)
            await asyncio.wait([self._end])
        if self._follower:
            # The end was its last word.
            self._follower.join()
        self._worker.cancel()
        await self.close()
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.socket)


def _folder() -> str:
    """A folder into which no other user comes, for sockets.

    Raises:
        Error: there is none.
    """
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if runtime and _is_private(runtime):
        return runtime
    # One for all sessions of the user, so a killed interpreter leaves no other.
    folder = os.path.join(tempfile.gettempdir(), f"rawaudio-{os.geteuid()}")
    with contextlib.suppress(FileExistsError):
        os.mkdir(folder, 0o700)
    if not _is_private(folder):
        advice = "remove it, or set XDG_RUNTIME_DIR to a folder of your own"
        raise Error("others may write there", action="make a socket in", subject=folder, advice=advice)
    return folder


def _is_private(folder: str) -> bool:
    try:
        status = os.lstat(folder)
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid() and not status.st_mode & 0o077


def _used(process: int) -> float:
    """The processor time of a process so far: proc(5), utime and stime."""
    try:
        with open(f"/proc/{process}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return float(fields[11]) + float(fields[12])
    except OSError:
        return 0


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
    drain: bool = True,
    overwrite: bool = False,
    options: Sequence[str] = (),
) -> Session:
    """Describes a session: ``async with rawaudio.session(…) as s``.

    It goes by the clock of its device, otherwise of the machine. It ends with the block, when everything is heard that
    this program has written, as by Ctrl-C: every file is complete. An exception ends it at once.

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
        drain: whether the end waits until everything is heard that the sources of this program have written.
        overwrite: whether files that exist are replaced. Otherwise they are an error, as in :func:`write` and
            :func:`convert`.
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
    words += [*flag("until-empty", until_empty), *flag("force", overwrite)]
    return Session([*words, *options], drain=drain)


def _end(name: str, value: PathName | None) -> list[str]:
    return option(name, None if value is None else path(value))
