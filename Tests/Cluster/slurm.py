# SPDX-License-Identifier: Apache-2.0
"""A job array of Slurm on two nodes, one of which is killed in the middle.

Both nodes are this machine: two slurmd with names and ports of their own under one slurmctld. Everything they keep is
in one folder, munge's key and socket too: without that key nobody can ask them for anything.
"""

import os
import pwd
import re
import socket

import comparison
import document
import merging
from corpus import SHARD_HELD, SHARDS
from processes import Failure, descendants, free_port, kill, run, start, text, wait_until

# A node that says nothing for so many seconds is down. Then its task is put back, and waits until no credential
# of the first attempt is valid any more, by default two minutes (slurm.conf(5), AuthInfo).
TIMEOUT = 10
CREDENTIAL = 10

CONFIGURATION = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire={credential}
ProctrackType=proctrack/linuxproc
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,bf_interval=1
MpiDefault=none
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
SlurmdTimeout={timeout}
ReturnToService=2
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=1
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=1
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
"""

# slurmd looks for cgroups even where nothing is to be done with them, and a container may have none. This plugin does
# not mind.
CGROUPS = "CgroupPlugin=cgroup/v1\n"


class Cluster:
    """One controller, and the nodes n1 and n2 of one processor each."""

    def __init__(self, folder, environment):
        self.folder = folder
        self.environment = environment | {"SLURM_CONF": str(folder / "slurm.conf")}
        self.servers, self.nodes = [], {}
        folder.mkdir()
        for name in ("state", "n1", "n2"):
            (folder / name).mkdir()
        (folder / "slurm.conf").write_text(CONFIGURATION.format(
            folder=folder, host=socket.gethostname().split(".")[0], user=pwd.getpwuid(os.geteuid()).pw_name,
            ports=[free_port() for _ in range(3)], timeout=TIMEOUT, credential=CREDENTIAL))
        (folder / "cgroup.conf").write_text(CGROUPS)
        self.start_munge()
        self.start("slurmctld", "-D")
        for name in ("n1", "n2"):
            self.start_node(name)
        self.wait_until_up(lambda: self.states() == {"n1": "idle", "n2": "idle"}, "two nodes of Slurm are idle")

    def start(self, program, *words):
        log = self.folder / f"{program}{len(self.servers)}.out"
        server = start([f"/usr/sbin/{program}", *words], log, env=self.environment, cwd=self.folder)
        self.servers.append((log, server))
        return server

    def wait_until_up(self, condition, what):
        """Waits for something that needs all servers, and fails where one has ended."""
        def is_met():
            for log, server in self.servers:
                if server.poll() is not None:
                    raise Failure(f"{log.stem} has ended: {' / '.join(log.read_text().splitlines()[-3:])}")
            return condition()

        wait_until(is_met, what)

    def start_munge(self):
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        # By force, because munge's clients are to reach a socket in a folder that is for us alone.
        self.start("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={self.folder}/munge.socket",
                   f"--pid-file={self.folder}/munge.pid", f"--log-file={self.folder}/munge.log",
                   f"--seed-file={self.folder}/munge.seed")
        self.wait_until_up((self.folder / "munge.socket").exists, "munge listens")

    def start_node(self, name):
        self.nodes[name] = self.start("slurmd", "-D", "-N", name)

    def run(self, *words):
        return run(words, env=self.environment)

    def states(self):
        """Of each node; empty while nobody answers."""
        try:
            return dict(line.split() for line in self.run("sinfo", "-h", "-N", "-o", "%N %T").splitlines())
        except Failure:
            return {}

    def tasks(self, job):
        """What Slurm says of each task of the job that it has looked at: the others are one line, `1-3`."""
        lines = self.run("scontrol", "show", "job", "-o", job).splitlines()
        tasks = [dict(re.findall(r"(\w+)=(\S*)", line)) for line in lines]
        return {int(task["ArrayTaskId"]): task for task in tasks if task["ArrayTaskId"].isdigit()}

    def kill_node(self, name):
        """Like a power cut: whoever could tell the controller of a task's end goes before the task does."""
        ours = descendants(os.getpid())
        tasks = [process for process in ours if f"SLURMD_NODENAME={name}\0" in text(process, "environ")]
        watchers = [process for process in ours
                    if "slurmstepd" in text(process, "cmdline") and set(descendants(process)) & set(tasks)]
        if not tasks or not watchers:
            raise Failure(f"{name} has no task")
        kill([self.nodes[name].pid, *watchers, *tasks])

    def submit(self, folder):
        """By the lines of the document; gives the number of the job."""
        told = document.run("sbatch --array", folder, self.environment)
        return re.fullmatch(r"Submitted batch job (\d+)\n", told)[1]

    def wait_for_end(self, job):
        """Waits until all tasks have ended, and sees that they did as they should."""
        ended = ("COMPLETED", "FAILED", "NODE_FAIL", "CANCELLED")
        wait_until(lambda: sum(task["JobState"] in ended for task in self.tasks(job).values()) == SHARDS,
                   "all tasks end")
        tasks = self.tasks(job)
        codes = [tasks[number]["ExitCode"] for number in range(1, SHARDS + 1)]
        # The status and the signal. Broken files are in the shards 1 and 2.
        if codes != ["1:0", "1:0", "0:0"]:
            raise Failure(f"the tasks ended with {codes}")


def test(corpus, folder, servers, environment, say):
    cluster = Cluster(servers, environment)
    say(f"{cluster.run('sinfo', '--version').strip()}: a controller and two nodes are up")

    (folder / "corpus.sh").write_text(document.block("#SBATCH"))
    corpus.hold()
    job = cluster.submit(folder)
    wait_until(lambda: comparison.is_held(corpus, folder), "shard 2 is in the middle")
    victim = cluster.tasks(job)[SHARD_HELD]["NodeList"]
    cluster.kill_node(victim)
    corpus.release()
    merging.forget_line(folder)
    say(f"{victim} killed in the middle of shard {SHARD_HELD}, {len(corpus.before_held)} items done, "
        f"{len(comparison.partial(folder))} begun")

    wait_until(lambda: cluster.states().get(victim, "").startswith("down"), f"{victim} is found to be down")
    wait_until(lambda: cluster.tasks(job)[SHARD_HELD]["Restarts"] != "0", "its task is put back")
    cluster.start_node(victim)
    wait_until(lambda: "down" not in cluster.states().get(victim, "down"), f"{victim} is back")
    cluster.wait_for_end(job)
    say(f"the task was put back by Slurm, and done on {cluster.tasks(job)[SHARD_HELD]['NodeList']}; "
        "exit codes 1, 1 and 0")
    merging.merge(folder, environment, lambda: cluster.wait_for_end(cluster.submit(folder)))
