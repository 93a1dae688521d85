# SPDX-License-Identifier: Apache-2.0
"""The processes that stay: shared by threads, not by forks, and never left behind."""

from __future__ import annotations

import concurrent.futures
import os
import pickle
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from conftest import others, run_python, served

import rawaudio as ra
from rawaudio import _plain, _worker
from rawaudio._program import command_line, environment, program
from rawaudio._version import __version__


@pytest.fixture(autouse=True)
def no_plain_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program reads all files."""
    monkeypatch.setattr(_plain, "read", lambda *_: None)


def test_small_reads_share_one_process(wav: Path) -> None:
    _worker.pool.close()
    ra.read(wav)
    (process,) = served()
    for _ in range(50):
        ra.read(wav, start=0.1, stop=0.2)
    with pytest.raises(ra.Error):
        ra.read("none.wav")
    assert served() == [process]


def test_threads_have_processes_of_their_own(wav: Path) -> None:
    whole, _ = ra.read(wav)

    def part(number: int) -> bool:
        start = number % 50
        return bool((ra.read(wav, start=f"{start}S", stop=f"{start + 9000}S")[0] == whole[start : start + 9000]).all())

    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        assert all(threads.map(part, range(200)))
    assert len(served()) <= (os.cpu_count() or 1)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_begins_anew(wav: Path) -> None:
    whole, _ = ra.read(wav)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, b"+" if (ra.read(wav)[0] == whole).all() else b"-")
        _worker.pool.close()
        os._exit(0)
    os.close(writing)
    np.testing.assert_array_equal(ra.read(wav)[0], whole)
    assert os.read(reading, 1) == b"+"
    assert os.waitpid(child, 0)[1] == 0
    os.close(reading)
    np.testing.assert_array_equal(ra.read(wav)[0], whole)


def test_a_process_that_dies_is_told_and_replaced(wav: Path) -> None:
    ra.read(wav)
    for worker in _worker.pool._idle:
        worker._process.kill()
        worker._process.wait()
    # More than a pipe holds.
    blocks = ra.blocks(wav, 192000, blocksize=100)
    next(blocks)
    for process in served():
        os.kill(process, signal.SIGKILL)
    with pytest.raises(ra.Error, match="signal 9 ended it") as caught:
        list(blocks)
    assert caught.value.action == "run"
    assert len(ra.read(wav)[0]) == 132300


def test_an_interrupted_read_leaves_nothing(wav: Path) -> None:
    fifo = Path("fifo.wav")
    os.mkfifo(fifo)
    main = threading.main_thread().ident or 0
    threading.Timer(0.2, lambda: signal.pthread_kill(main, signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        ra.read(fifo)
    assert len(ra.read(wav)[0]) == 132300


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_killed_interpreter_leaves_nothing(folder: Path, number: signal.Signals) -> None:
    # 400 s of noise take FLAC some seconds.
    child = run_python(
        "import numpy, rawaudio\n"
        "noise = numpy.random.default_rng(1).integers(-9999, 9999, (400 * 48000, 2)).astype(numpy.int16)\n"
        "print('begun', flush=True)\n"
        "options = ['--compression', '8', '-r', '44100', '--resampler-quality', 'best']\n"
        "rawaudio.write('out.flac', noise, 48000, options=options)\n",
        folder=folder,
    )
    assert child.stdout and child.stderr
    assert child.stdout.readline() == "begun\n"
    until(lambda: bool(list(folder.glob(".out.flac*"))))
    child.send_signal(number)
    child.communicate()
    until(lambda: not list(folder.glob(".out.flac*")))
    assert not Path("out.flac").exists()
    until(lambda: not others())


def test_the_module_is_the_command(wav: Path) -> None:
    for words in (["--version"], ["info", "noise.wav"], ["info", "none.wav"]):
        done, expected = (
            subprocess.run([*head, *words], text=True, capture_output=True, env=environment())
            for head in ([sys.executable, "-m", "rawaudio"], command_line())
        )
        assert (done.returncode, done.stdout, done.stderr) == (expected.returncode, expected.stdout, expected.stderr)


def test_an_interpreter_that_ends_leaves_nothing(wav: Path, folder: Path) -> None:
    child = run_python("import rawaudio; rawaudio.read('noise.wav'); rawaudio.info('noise.wav')", folder=folder)
    output, errors = child.communicate()
    assert (child.returncode, output, errors) == (0, "", "")
    until(lambda: not others())


def test_a_program_of_another_version_says_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _worker.pool.close()
    other = folder / "rawaudio"
    other.write_text('#!/bin/sh\nif [ "$1" = --version ]; then echo 0.0.9; else echo Error: Unknown >&2; exit 64; fi\n')
    other.chmod(stat.S_IRWXU)
    monkeypatch.setenv("RAWAUDIO_PROGRAM", str(other))
    with pytest.raises(ra.Error, match=f"it has version 0.0.9, and this package needs {__version__}"):
        ra.info("a.wav")
    monkeypatch.setenv("RAWAUDIO_PROGRAM", str(folder / "none"))
    with pytest.raises(ra.Error, match="install the package again"):
        ra.info("a.wav")


def test_a_library_that_is_missing_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAWAUDIO_LIBSNDFILE", str(folder / "none.so"))
    ra.write("a.wav", np.zeros(10, np.int16), 8000)
    with pytest.raises(ra.Error, match="cannot load libsndfile.so.1: .*none.so: cannot open shared object file"):
        ra.write("a.mp3", np.zeros(9999, np.int16), 44100)
    monkeypatch.undo()
    assert not Path("a.mp3").exists()


def test_an_error_goes_to_another_process() -> None:
    error = ra.Error("full", action="write to", subject="a.wav", advice="free some", code=1)
    copy = pickle.loads(pickle.dumps(error))
    assert vars(copy) == vars(error)
    assert str(copy) == "cannot write to 'a.wav': full; free some"


def test_the_memory_of_a_process_stays(wav: Path) -> None:
    def size() -> int:
        (process,) = served()
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * 4

    _worker.pool.close()
    for _ in range(200):
        ra.read(wav, 16000, 1, start=0.5, stop=0.6)
        ra.info(wav)
    before = size()
    for _ in range(800):
        ra.read(wav, 16000, 1, start=0.5, stop=0.6)
        ra.info(wav)
    assert size() < before + 1024


def test_idle_processes_end(wav: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _worker.pool.close()
    monkeypatch.setattr(_worker, "IDLE", -4)
    ra.read(wav)
    until(lambda: not served())
    # The next call starts another.
    ra.read(wav)
    _worker.pool.close()


def test_the_pool_is_as_large_as_the_machine(wav: Path) -> None:
    allowed = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(allowed)})
        assert _worker.processors() == 1
    finally:
        os.sched_setaffinity(0, allowed)
    assert 1 <= _worker.processors() <= len(allowed)


def test_a_limit_of_the_control_group_counts(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    group = folder / "cgroup" / "above" / "below"
    group.mkdir(parents=True)
    (folder / "self").write_text("1:name=systemd:/x\n0::/above/below\n")
    monkeypatch.setattr(_worker, "_CONTROL_GROUPS", folder / "cgroup")
    monkeypatch.setattr(_worker, "_OWN_CONTROL_GROUP", folder / "self")
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(64)))
    for above, below, count in [("max 100000", "350000 100000", 4), ("150000 100000", "max 100000", 2)]:
        (group.parent / "cpu.max").write_text(above)
        (group / "cpu.max").write_text(below)
        assert _worker.processors() == count


@pytest.mark.skipif(os.geteuid() != 0, reason="becomes another user")
def test_another_user_may_work_on(folder: Path) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as place:
        os.chmod(place, 0o777)
        child = run_python(
            "import os, numpy, rawaudio as ra\n"
            # A process from before, and what the program needs for one of its own.
            "ra.measure(numpy.zeros(10, numpy.int16), 8000)\n"
            "os.setgid(65534); os.setuid(65534)\n"
            "ra.write('a.wav', numpy.ones(8000, numpy.int16), 8000)\n"
            "print(ra.measure(numpy.ones(10, numpy.int16), 8000).samples)\n"
            "print([result.error for result in ra.convert(['a.wav'], '{stem}.flac')])\n",
            folder=Path(place),
        )
        assert child.communicate() == ("10\n[None]\n", "")


@pytest.mark.parametrize("place", ["lib/python3.11/site-packages", "lib/python3/dist-packages", ""])
def test_the_program_is_found_beside_the_package(folder: Path, place: str) -> None:
    package = folder / "prefix" / place
    package.mkdir(parents=True)
    (package / "rawaudio").symlink_to(Path(ra.__file__).parent)
    bin = folder / "prefix" / "bin"
    bin.mkdir()
    (bin / "rawaudio").symlink_to(Path(program()).resolve())
    child = subprocess.run(
        [sys.executable, "-c", "from rawaudio._program import program; print(program())"],
        env={**os.environ, "PYTHONPATH": str(package), "RAWAUDIO_PROGRAM": ""},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    assert child.stdout == f"{bin}/rawaudio\n"


def until(condition: Callable[[], bool]) -> None:
    """Waits for a condition that will hold."""
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)
