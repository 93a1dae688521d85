# SPDX-License-Identifier: Apache-2.0
"""Shards by GNU parallel over ssh on two hosts, one of which is killed in the middle.

Both hosts are this machine: two sshd with names, ports and keys of their own, which listen to this machine only.
"""

import os
import pathlib
import subprocess

import comparison
import document
import merging
from corpus import SHARD_HELD, SHARDS
from processes import Failure, descendants, free_port, kill, run, start, text, wait_until

HOSTS = ("node-a", "node-b")

SERVER = """\
ListenAddress 127.0.0.1
Port {port}
HostKey {folder}/{name}.key
PidFile none
AuthorizedKeysFile {folder}/user.key.pub
AuthenticationMethods publickey
PermitRootLogin prohibit-password
StrictModes no
UsePAM no
SetEnv "PATH={path}"
"""

CLIENT = """\
Host {name}
  HostName 127.0.0.1
  HostKeyAlias {name}
  Port {port}
  IdentityFile {folder}/user.key
  IdentitiesOnly yes
  UserKnownHostsFile {folder}/known_hosts
  BatchMode yes
"""


class Hosts:
    """Two servers, and a program `ssh` for which they have names."""

    def __init__(self, folder, environment):
        self.folder = folder
        self.servers = {}
        folder.mkdir()
        # Where sshd locks itself in, as root. Left as it is: others may need it by then.
        if os.geteuid() == 0:
            pathlib.Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
        self.make_key("user")
        with open(folder / "config", "w") as config, open(folder / "known_hosts", "w") as known:
            for name in HOSTS:
                self.make_key(name)
                values = {"folder": folder, "name": name, "port": free_port(), "path": environment["PATH"]}
                (folder / f"{name}.conf").write_text(SERVER.format(**values))
                config.write(CLIENT.format(**values))
                known.write(f"{name} {(folder / f'{name}.key.pub').read_text()}")
        (folder / "ssh").write_text(f'#!/bin/sh\nexec /usr/bin/ssh -F "{folder}/config" "$@"\n')
        (folder / "ssh").chmod(0o755)
        self.environment = environment | {"PATH": f"{folder}:{environment['PATH']}"}
        for name in HOSTS:
            self.start(name)

    def make_key(self, name):
        run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", self.folder / f"{name}.key"])

    def start(self, name):
        log = self.folder / f"{name}.log"
        self.servers[name] = start(["/usr/sbin/sshd", "-D", "-e", "-f", self.folder / f"{name}.conf"], log)
        wait_until(lambda: "Server listening" in log.read_text() or self.servers[name].poll() is not None,
                   f"{name} listens")
        try:
            run(["ssh", name, "command -v rawaudio"], env=self.environment)
        except Failure as failure:
            raise Failure(f"{failure}: {log.read_text()}") from failure

    def working_on(self, shard):
        """The host that works on the shard, by the processes below its server."""
        for name, server in self.servers.items():
            for process in descendants(server.pid):
                if f"--shard\0{shard}/{SHARDS}\0" in text(process, "cmdline"):
                    return name
        raise Failure(f"nobody works on shard {shard}")

    def kill(self, name):
        """Like a power cut: the server, its sessions, and all that they run."""
        server = self.servers[name].pid
        kill([server, *descendants(server)])


    def go_on(self, folder, alone=None):
        """Starts the line of the document, with all hosts or one of them. Gives the process and where it writes."""
        line = document.block("--sshlogin")
        if alone:
            line = line.replace(",".join(HOSTS), alone)
        said = self.folder / "parallel.log"
        with open(said, "wb") as log:
            return subprocess.Popen(["bash", "-c", line], cwd=folder, env=self.environment, stdin=subprocess.DEVNULL,
                                    stdout=log, stderr=log), said

    def finish(self, folder, alone):
        process, said = self.go_on(folder, alone)
        # So many shards have a broken file: 1 and 2.
        if process.wait() != 2:
            raise Failure(f"parallel has ended with {process.returncode}: {said.read_text()}")


def test(corpus, folder, servers, environment, say):
    hosts = Hosts(servers, environment)
    say(f"{run(['parallel', '--version']).splitlines()[0]}: {' and '.join(HOSTS)} are up")

    corpus.hold()
    process, said = hosts.go_on(folder)
    wait_until(lambda: comparison.is_held(corpus, folder) or process.poll() is not None, "shard 2 is in the middle")
    if process.poll() is not None:
        raise Failure(f"parallel has ended with {process.returncode}: {said.read_text()}")
    victim = hosts.working_on(SHARD_HELD)
    survivor = next(name for name in HOSTS if name != victim)
    hosts.kill(victim)
    corpus.release()
    merging.forget_line(folder)
    say(f"{victim} killed in the middle of shard {SHARD_HELD}, {len(corpus.before_held)} items done, "
        f"{len(comparison.partial(folder))} begun")
    # Shard 3 fails, too, where the host that is gone was to take it.
    if process.wait() not in (2, 3):
        raise Failure(f"parallel has ended with {process.returncode}: {said.read_text()}")
    say(f"parallel: exit {process.returncode}; again, with {survivor} alone")
    hosts.finish(folder, survivor)
    merging.merge(folder, environment, lambda: hosts.finish(folder, survivor))
