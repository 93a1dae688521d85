# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/corpora.md for Dask and Ray: a worker is killed, then the program; each file is done once."""

from __future__ import annotations

import contextlib
import filecmp
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import soundfile
from conftest import noise, serving
from test_worker import until

import rawaudio as ra

TREE = Path(__file__).parents[2]
# 10,000 in 'make python-examples'.
FILES = int(os.environ.get("CORPUS_FILES", "200"))
# In the middle of their batches.
WAITING = [FILES // 4 + 5, FILES // 2 + 5]


def lines(example: str) -> list[list[str]]:
    """The lines of the page that run an example, with the programs and the files of this one."""
    (block,) = re.findall(rf"\n\n((?: {{4}}.*\n)* {{4}}python {example}.*\n)", (TREE / "docs/corpora.md").read_text())
    places = {"python": sys.executable, example: str(TREE / "Python/examples" / example)}
    places["dask"] = str(Path(sys.executable).with_name("dask"))
    return [[places.get(word, word) for word in shlex.split(line.strip(" &"))] for line in block.splitlines()]


@pytest.fixture
def corpus(folder: Path) -> list[Path]:
    """Short files, the second of which holds no sound. Returns two that are pipes now, and wait to be read."""
    (folder / "in").mkdir()
    items = [{"id": f"{number:05}", "source": f"in/{number:05}.flac"} for number in range(FILES)]
    for number, item in enumerate(items):
        source, rate = Path(item["source"]), [44100, 48000, 16000, 22050][number % 4]
        if number == 1:
            source.write_text("no sound")
        elif number < 20:
            soundfile.write(source, noise(rate // 4 + number, 1 + number % 2, number), rate)
        else:
            source.hardlink_to(items[2 + number % 18]["source"])
    Path("corpus.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items))
    waiting = [Path(items[number]["source"]) for number in WAITING]
    for source in waiting:
        source.rename(source.with_suffix(".aside"))
        os.mkfifo(source)
    return waiting


@contextlib.contextmanager
def asked(source: Path, program: subprocess.Popen[bytes]) -> Iterator[int]:
    """Waits until a pipe is read, and gives the process that asked rawaudio to. From then on it is a file."""
    descriptor = -1
    while descriptor < 0:
        assert program.poll() is None, "the program has ended"
        time.sleep(0.01)
        # Without a reader it cannot be opened.
        with contextlib.suppress(OSError):
            descriptor = os.open(source, os.O_WRONLY | os.O_NONBLOCK)
    with open(descriptor, "wb") as pipe:
        identity = os.fstat(pipe.fileno()).st_ino

        def reads(process: int) -> bool:
            with contextlib.suppress(FileNotFoundError):
                return any(path.stat().st_ino == identity for path in Path(f"/proc/{process}/fd").iterdir())
            return False

        # Its opening ends a little later.
        while not (parents := [parent for process, parent in serving().items() if reads(process)]):
            time.sleep(0.01)
        source.with_suffix(".aside").replace(source)
        yield parents[0]


def check(printed: str) -> None:
    """Compares with the work of one machine: the bytes, and the lines of the results, one for each file."""
    assert re.fullmatch(rf"(\d+) of {FILES} files, 1 failed\n", printed)
    assert 1 < int(printed.split()[0]) < FILES - FILES // 8
    items = [json.loads(line) for line in Path("corpus.jsonl").read_text().splitlines()]
    sources = [{**item, "source": str(Path(item["source"]).absolute())} for item in items]
    output = Path("one/{id}.wav").absolute()
    results = ra.convert(sources, output, rate=16000, channels=1, encoding="s16")
    expected = [result.details for result in sorted(results, key=lambda result: result.source)]
    for line in expected:
        line["output"] = line["output"] and line["output"].replace("/one/", "/wav16/")
    assert [json.loads(line) for line in Path("results.jsonl").read_text().splitlines()] == expected
    assert sorted(os.listdir("one")) == sorted(os.listdir("wav16"))
    assert filecmp.cmpfiles("one", "wav16", os.listdir("one"), shallow=False)[1:] == ([], [])


def interrupt(words: list[str], waiting: list[Path]) -> None:
    """Runs the program. Kills a worker of it, and later the program."""
    program = subprocess.Popen(words, stdout=subprocess.PIPE)
    with asked(waiting[0], program) as worker:
        os.kill(worker, signal.SIGKILL)
    with asked(waiting[1], program):
        program.kill()
        program.communicate()


def test_dask_does_each_file_once(corpus: list[Path]) -> None:
    pytest.importorskip("distributed")
    *servers, words = lines("dask_corpus.py")
    with contextlib.ExitStack() as stack, open("log", "wb") as log:
        for server in servers:
            process = stack.enter_context(subprocess.Popen(server, stdout=log, stderr=log))
            stack.callback(process.terminate)
        until(Path("scheduler.json").exists)
        interrupt(words, corpus)
        check(subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout)


def test_ray_does_each_file_once(corpus: list[Path]) -> None:
    pytest.importorskip("ray")
    (words,) = lines("ray_corpus.py")
    interrupt(words, corpus)
    check(subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout)
