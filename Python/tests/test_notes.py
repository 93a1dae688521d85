# SPDX-License-Identifier: Apache-2.0
"""A note names the line of the program that called the package."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import sys
import threading
import warnings
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import RATE, noise

import rawaudio as ra
from rawaudio import blocking

LOUD = np.full((100, 1), 2.0, np.float32)


def line() -> int:
    """The line behind that of the call."""
    return sys._getframe(1).f_lineno + 1


def told(call: Callable[[], int]) -> None:
    """Checks that the only note of a call names the line that it returns."""
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        expected = call()
    assert [(note.category, note.filename, note.lineno) for note in notes] == [(ra.Note, __file__, expected)]


def test_a_function_names_its_caller(folder: Path) -> None:
    ra.write("loud.wav", LOUD, RATE)

    def write() -> int:
        number = line()
        ra.write("a.wav", LOUD, RATE, encoding="s16")
        return number

    def convert() -> int:
        number = line()
        ra.convert("loud.wav", "b.wav", encoding="s16")
        return number

    def pattern() -> int:
        number = line()
        ra.convert("loud.wav", "c-{stem}.wav", encoding="s16")
        return number

    def thread() -> int:
        numbers = []
        with concurrent.futures.ThreadPoolExecutor() as pool:
            pool.submit(lambda: numbers.append(write())).result()
        return numbers[0]

    for call in (write, convert, pattern):
        told(call)
        Path("a.wav").unlink(missing_ok=True)
    told(thread)


def session() -> ra.Session:
    return ra.session(playback="mix.wav", rate=16000, channels=1, encoding="s16", overwrite=True)


async def speak(session: ra.Session) -> None:
    async with await session.join("loud", rate=16000) as source:
        await source.write(LOUD)


@pytest.mark.usefixtures("event_loop_kind")
def test_a_session_names_its_block(folder: Path) -> None:
    async def block() -> int:
        number = line()
        async with session() as one:
            await speak(one)
        return number

    async def task() -> int:
        return await asyncio.create_task(block())

    async def stack() -> int:
        async with contextlib.AsyncExitStack() as exits:
            await speak(await exits.enter_async_context(session()))
            number = line()
            await exits.aclose()
        return number

    async def gathered() -> int:
        return (await asyncio.gather(block(), asyncio.sleep(0)))[0]

    works: list[Callable[[], Coroutine[Any, Any, int]]] = [block, task, stack, gathered]
    for work in works:
        told(lambda work=work: asyncio.run(work()))  # type: ignore[misc]


def test_the_blocking_twin_names_its_caller(folder: Path) -> None:
    def block() -> int:
        number = line()
        with blocking.session(playback="mix.wav", rate=16000, channels=1, encoding="s16", overwrite=True) as one:
            with one.join("loud", rate=16000) as source:
                source.write(LOUD)
        return number

    told(block)

    def thread() -> int:
        numbers: list[int] = []
        worker = threading.Thread(target=lambda: numbers.append(block()))
        worker.start()
        worker.join()
        return numbers[0]

    told(thread)


def test_a_note_may_be_an_exception(folder: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", ra.Note)
        with pytest.raises(ra.Note, match="clipped"):
            ra.write("a.wav", LOUD, RATE, encoding="s16")
        with pytest.raises(ra.Note, match="clipped"):
            with blocking.session(playback="mix.wav", rate=16000, channels=1, encoding="s16") as one:
                with one.join("loud", rate=16000) as source:
                    source.write(LOUD)
        ra.write("b.wav", noise(10), RATE)
