# SPDX-License-Identifier: Apache-2.0
"""Collections of files on several machines, by docs/corpora.md: shards, a machine that dies, and going on.

    python3 Tests/Cluster          both
    python3 Tests/Cluster slurm    a job array of Slurm on two nodes
    python3 Tests/Cluster ssh      GNU parallel over ssh on two hosts

All machines are this one. Exit 1 where anything is not as it should be. COMMAND_UNDER_TEST names the program. KEEP=1
leaves the folder with everything.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import comparison
import slurm
import ssh
from corpus import SHARDS, Corpus
from processes import Failure, adopt_orphans, die_with_parent, kill_all

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
TESTS = {"slurm": slurm.test, "ssh": ssh.test}


def clean_environment(scratch):
    """What everything is started with: nothing of a job, a shell or a home that surrounds the test."""
    programs = scratch / "bin"
    programs.mkdir()
    (programs / "rawaudio").symlink_to(pathlib.Path(os.environ["COMMAND_UNDER_TEST"]).resolve())
    home = scratch / "home"
    home.mkdir()
    return {"PATH": f"{programs}:/usr/local/bin:/usr/bin:/bin", "HOME": str(home), "LC_ALL": "C.UTF-8"}


def hold_test(name, scratch, environment):
    begin = time.monotonic()
    scratch.mkdir()

    def say(line):
        print(f"{name}: {line}", flush=True)

    corpus = Corpus(scratch)
    corpus.convert_whole(os.environ["COMMAND_UNDER_TEST"])
    say(f"{len(corpus.sources)} files, {len(corpus.broken)} of them broken, in {SHARDS} shards")
    folder = corpus.make_folder("two machines")
    try:
        TESTS[name](corpus, folder, scratch / "servers", environment, say)
    finally:
        kill_all()
    comparison.check_all(corpus, folder)
    say(f"{len(comparison.outputs(folder))} outputs are those of one machine, each item was done once; "
        f"{time.monotonic() - begin:.0f} s")


def hold_tests(names, scratch):
    """Exits: 0 where nothing is wrong."""
    environment = clean_environment(scratch)
    failed = False
    for name in names:
        try:
            hold_test(name, scratch / name, environment)
        except (Failure, subprocess.SubprocessError) as failure:
            print(f"{name}: {failure}", flush=True)
            failed = True
    print("cluster-test: something is wrong" if failed else "cluster-test: nothing is wrong", flush=True)
    sys.exit(1 if failed else 0)


def clean(scratch):
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    kill_all()
    if os.environ.get("KEEP"):
        print(f"everything is in {scratch}")
    else:
        shutil.rmtree(scratch, ignore_errors=True)


def main():
    names = sys.argv[1:] or list(TESTS)
    if not set(names) <= TESTS.keys():
        sys.exit(__doc__)
    # Not where TMPDIR says: the names of sockets have to be short, and Slurm's may have no spaces.
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="cluster-test-", dir="/tmp"))
    # Two processes, so that one cleans where the other is killed.
    sys.stdout.flush()
    first = os.getpid()
    tests = os.fork()
    adopt_orphans()
    if tests == 0:
        die_with_parent(signal.SIGTERM)
        for number in SIGNALS:
            signal.signal(number, lambda number, _: sys.exit(128 + number))
        try:
            if os.getppid() == first:
                hold_tests(names, scratch)
        finally:
            # Where the first process is gone, nobody else cleans.
            if os.getppid() != first:
                clean(scratch)
    for number in SIGNALS:
        signal.signal(number, lambda number, _: os.kill(tests, number))
    code = os.waitstatus_to_exitcode(os.waitpid(tests, 0)[1])
    clean(scratch)
    sys.exit(code if code >= 0 else 128 - code)


main()
