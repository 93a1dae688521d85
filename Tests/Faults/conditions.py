# SPDX-License-Identifier: Apache-2.0
"""What a system may do to any command, and what is expected of rawaudio then."""

import signal
from dataclasses import dataclass, field

COMMANDS = ["convert", "mix", "session", "info", "play", "capture", "devices"]
WRITING = ["convert", "mix", "session", "capture"]
# Of these what came of the input cannot be had again, and is to be kept.
LIVE = ["convert -", "capture"]
READING = ["convert", "mix", "session", "play"]


@dataclass
class Condition:
    title: str
    # Words in front of the command; `{folder}` is where it works, `{storm}` what interrupts it.
    wrapper: list = field(default_factory=list)
    commands: list = field(default_factory=lambda: COMMANDS)
    # Those that are to fail: with one line, nothing left, and of a recording a valid file. The others have
    # to do as ever.
    failing: list = field(default_factory=list)
    must_say: str = ""
    # The input is `long.wav`, or `many` files, or comes `slowly`; the output is in the folder `disk`.
    input: str = "in.wav"
    folder: str = ""
    standard_output: str = ""
    # Where it cannot be said, each may succeed or fail, also by one of these signals.
    signals: tuple = ()
    may_fail: bool = False


def shell(line):
    return ["sh", "-c", line + ' && exec "$@"', "sh"]


def injecting(calls, error, when="", path=None):
    """strace(1) lets system calls fail, of any program."""
    return ["strace", "-f", "-qq", "-o", "/dev/null", *(["-P", "{folder}/" + path] if path else []),
            "-e", f"inject={calls}:error={error}{when}"]


def closed(streams):
    line = " ".join(f"{number}{'<' if number == 0 else '>'}&-" for number in streams)
    names = ", ".join(["input", "output", "error"][number] for number in streams)
    says = "bad file descriptor" if 1 in streams and 2 not in streams else ""
    return Condition(f"closed: standard {names}", shell(f"exec {line}"), must_say=says,
                     failing=["info", "devices"] if 1 in streams else [])


MEMORY = (signal.SIGABRT, signal.SIGILL, signal.SIGTRAP, signal.SIGSEGV)

CONDITIONS = [
    Condition("disk full", shell("mount -t tmpfs -o size=640k tmpfs disk"), [*WRITING, "convert -"],
              [*WRITING, "convert -"], "no space",
              folder="disk"),
    Condition("standard output full", [], ["info", "devices"], ["info", "devices"], "no space",
              standard_output="/dev/full"),
    Condition("no file beyond 200 KiB (`ulimit -f`)", shell("ulimit -f 400"), [*WRITING, "convert -"],
              [*WRITING, "convert -"], "too large"),
    # Elsewhere the file has another name until it is whole; a full disk shows the same.
    Condition("quota used up (EDQUOT)",
              injecting("write,pwrite64,pwritev,writev", "EDQUOT", ":when=2+", "out.wav"), ["capture"],
              ["capture"], "quota"),
    Condition("a file cannot be read to its end (EIO)",
              injecting("read,pread64,readv,preadv", "EIO", ":when=9+", "long.wav"), READING, READING,
              "input/output error", input="long.wav"),
    Condition("interrupted a thousand times a second (EINTR)", ["env", "LD_PRELOAD={storm}"]),
    *[closed([number for number in range(3) if mask >> number & 1]) for mask in range(1, 8)],
    Condition("folder removed meanwhile", [], ["convert", "capture"], ["convert", "capture"],
              "removed|no such file|does not exist", input="slowly", folder="removed"),
    Condition("4,096 inputs, 1,024 descriptors (`ulimit -n`)", shell("ulimit -n 1024"),
              ["mix", "info", "play"], ["mix", "play"], "too many open files", input="many"),
    Condition("64 MiB of memory (`ulimit -v`)", shell("ulimit -v 65536")),
    Condition("24 MiB of memory (`ulimit -v`)", shell("ulimit -v 24576"), signals=MEMORY, may_fail=True),
    Condition("no more threads (EAGAIN)", injecting("clone,clone3", "EAGAIN"),
              failing=["session", "play", "capture"], must_say="thread"),
]
