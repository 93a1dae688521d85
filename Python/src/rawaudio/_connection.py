# SPDX-License-Identifier: Apache-2.0
"""A connection to a session, and what a program has opened by it."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import socket
import struct
from collections.abc import Awaitable, Callable, Mapping
from types import TracebackType
from typing import Any

from . import _protocol
from ._errors import Error, SessionEnded
from ._protocol import answer


class Connection:
    """A connection to a session's socket, after the first line of each side."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self._end: asyncio.Future[None] | None = None

    @classmethod
    async def open(
        cls, path: str, first: Mapping[str, Any], action: str, subject: str, *, process: int | None = None
    ) -> Connection:
        """Connects.

        Args:
            process: that listens there. None = any of this user, or of root.

        Raises:
            Error: there is no session, or it refuses.
        """
        reader, writer = await asyncio.open_unix_connection(
            sock=await _connected(path, process), limit=_protocol.MOST_PACKET_BYTES
        )
        connection = cls(reader, writer)
        try:
            await connection.ask(first, action, subject)
        except BaseException:
            connection.abort()
            raise
        return connection

    async def ask(self, value: Mapping[str, Any], action: str, subject: str) -> dict[str, Any]:
        """Sends a line, and returns the answer.

        Raises:
            Error: the session refuses, is gone, or does not answer.
        """
        text = b""
        try:
            self.writer.write(_protocol.line(value))
            reading = asyncio.ensure_future(self.reader.readline())
            try:
                done, _ = await asyncio.wait([reading], timeout=_protocol.PATIENCE)
            finally:
                reading.cancel()
            if not done:
                self.abort()
                reason = f"the session did not answer within {_protocol.PATIENCE:g} s"
                raise Error(reason, action=action, subject=subject)
            text = reading.result()
        except ConnectionError:
            pass
        return answer(text, action, subject)

    @property
    def is_closed(self) -> bool:
        return self._end is not None

    def abort(self) -> None:
        """Ends it, and drops what was not sent."""
        self.writer.transport.abort()
        self._close()

    async def close(self) -> None:
        """Ends it. Harmless a second time. A cancelled call ends it, too."""
        await asyncio.wait([self._close()])

    def _close(self) -> asyncio.Future[None]:
        if self._end is None:
            self.writer.close()
            self._end = asyncio.ensure_future(self._closed())
        return self._end

    async def _closed(self) -> None:
        with contextlib.suppress(OSError):
            await self.writer.wait_closed()


async def _connected(path: str, process: int | None) -> socket.socket:
    client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK)
    try:
        await asyncio.get_running_loop().sock_connect(client, path)
        # unix(7): the process, user and group that listen.
        listener, user, _ = struct.unpack("iII", client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        if user not in (os.geteuid(), 0) or process not in (None, listener):
            reason = "another program listens there" if process else f"user {user} listens there, not this one"
            raise Error(reason, action="join the session at", subject=path)
    except OSError as error:
        client.close()
        if process is not None and error.errno in (errno.ENOENT, errno.ECONNREFUSED):
            raise SessionEnded("join", "the session") from error
        reason = (error.strerror or str(error)).lower()
        raise Error(reason, action="join the session at", subject=path) from error
    except BaseException:
        client.close()
        raise
    return client


#: Opens a connection: first line, action and subject.
Opening = Callable[[Mapping[str, Any], str, str], Awaitable[Connection]]
#: Sends a command, and returns its answer.
Command = Callable[[Mapping[str, Any], str, str], Awaitable[dict[str, Any]]]


class Part:
    """What a program has opened in a session.

    Args:
        parts: all of the program; this one is among them until it is closed.
    """

    def __init__(self, parts: set[Part]) -> None:
        self._parts = parts
        self._connection: Connection | None = None
        parts.add(self)

    async def close(self) -> None:
        """Ends it. The session goes on."""
        self._parts.discard(self)
        if self._connection:
            await self._connection.close()

    def abort(self) -> None:
        """Ends it at once."""
        self._parts.discard(self)
        if self._connection:
            self._connection.abort()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
