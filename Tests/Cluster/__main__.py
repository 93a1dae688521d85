# SPDX-License-Identifier: Apache-2.0
"""Collections of files on several machines, by docs/corpora.md: shards, a machine that dies, and going on.

    python3 Tests/Cluster          both
    python3 Tests/Cluster slurm    the script of a job array, its tasks on two nodes
    python3 Tests/Cluster ssh      GNU parallel on two hosts

All machines are this one: `sbatch` and `ssh` on the PATH start the processes of a machine with its name in MACHINE, and a
machine is killed with all of them. Exit 1 where anything is not as it should be.
"""

import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from corpus import SHARD_HELD, Corpus
from proofs import command, document
from proofs.processes import Failure, give_children_default_signals, kill, text, wait_until, with_variable

# A host that is down answers as ssh does where no host answers.
SSH = """\
#!/bin/sh
machine=$1; shift
[ "$1" != -- ] || shift
[ ! -e "{down}/$machine" ] || exit 255
cd && exec env MACHINE="$machine" SHELL=/bin/sh sh -c "$*"
"""

# Each node takes every second task. A task whose node is down is left.
SBATCH = """\
#!/bin/bash
last=${{1##*-}}
for node in 1 2; do
  for ((task = node; task <= last; task += 2)); do
    [[ -e {down}/n$node ]] || env MACHINE=n$node SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_COUNT=$last \\
      SLURM_CPUS_PER_TASK=1 bash "$2"
  done &
done
wait
echo "Submitted batch job 1"
"""

NAMES = ("node-a", "node-b", "n1", "n2")
MARKS = {"slurm": "sbatch --array", "ssh": "--sshlogin"}


class Machines:
    """Two machines, the lines of the document that use them, and the folder that they share."""

    def __init__(self, kind, scratch, folder):
        self.folder = folder
        self.line = document.block(MARKS[kind])
        self.down = scratch / "down"
        programs = scratch / "bin"
        for path in (self.down, programs, scratch / "home"):
            path.mkdir()
        for name, script in (("ssh", SSH), ("sbatch", SBATCH)):
            (programs / name).write_text(script.format(down=self.down))
            (programs / name).chmod(0o755)
        (programs / "rawaudio").symlink_to(command.PROGRAM)
        self.environment = {"PATH": f"{programs}:/usr/local/bin:/usr/bin:/bin", "HOME": str(scratch / "home"),
                            "LC_ALL": "C.UTF-8"}
        if kind == "slurm":
            (folder / "corpus.sh").write_text(document.block("#SBATCH"))

    def start(self):
        return subprocess.Popen(["bash", "-c", self.line], cwd=self.folder, env=self.environment,
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def working_on(self, shard):
        """The machine that works on the shard."""
        for name in NAMES:
            if any(f"--shard\0{shard}/" in text(process, "cmdline") for process in with_variable(f"MACHINE={name}")):
                return name
        raise Failure(f"no machine works on shard {shard}")

    def kill(self, name):
        """Like a power cut."""
        (self.down / name).touch()
        while processes := with_variable(f"MACHINE={name}"):
            kill(processes)

    def repair(self):
        for path in self.down.iterdir():
            path.unlink()

    def run_lines(self, mark):
        return document.run(mark, self.folder, self.environment)

    def merge(self):
        """Merges the results by the lines of the document. An item that was done without a line is done again."""
        self.run_lines("group_by")
        if doubles := self.run_lines("uniq -d"):
            raise Failure(f"outputs of two sources: {doubles}")
        if '"skipped"' not in (self.folder / "results.jsonl").read_text():
            raise Failure("no item was done without a line")
        self.run_lines("xargs")
        self.start().wait()
        self.run_lines("group_by")


def hold_test(kind, scratch):
    scratch.mkdir()
    corpus = Corpus(scratch)
    folder = corpus.make_folder("two machines")
    machines = Machines(kind, scratch, folder)
    corpus.hold()
    process = machines.start()
    try:
        wait_until(lambda: corpus.is_held(folder) or process.poll() is not None, f"shard {SHARD_HELD} is in the middle")
        victim = machines.working_on(SHARD_HELD)
        machines.kill(victim)
        corpus.release()
        corpus.forget_line(folder)
        process.wait()
        machines.repair()
        machines.start().wait()
        machines.merge()
    finally:
        for name in NAMES:
            machines.kill(name)
    count = corpus.check(folder)
    print(f"{kind}: {victim} killed in the middle of shard {SHARD_HELD}; {count} outputs are those of one machine, each "
          "item was done once", flush=True)


def main():
    kinds = sys.argv[1:] or list(MARKS)
    if not set(kinds) <= MARKS.keys():
        sys.exit(__doc__)
    give_children_default_signals()
    failed = False
    with tempfile.TemporaryDirectory(prefix="cluster-test-") as scratch:
        for kind in kinds:
            try:
                hold_test(kind, pathlib.Path(scratch) / kind)
            except Failure as failure:
                print(f"{kind}: {failure}", flush=True)
                failed = True
    print("cluster-test: something is wrong" if failed else "cluster-test: nothing is wrong", flush=True)
    sys.exit(failed)


main()
