# SPDX-License-Identifier: Apache-2.0
"""rawaudio on JACK: jackd with its dummy driver and PipeWire, which are started without a sound card and ended again.

    python3 Tests/Jack check [NAME…]             records, plays and breaks what can break, in a minute and a half
    python3 Tests/Jack short                     what has to hold however busy the machine is, in some seconds
    python3 Tests/Jack losses [RUNS] [SECONDS]   counts lost samples, ours beside other programs' (5 of 30 s)

Exit 1 where anything is not as it should be. COMMAND_UNDER_TEST names the program, JACK_COUNTER the client of counter.c,
ALLOCATION_COUNTER the library of Tests/AllocationCounter.
"""

import contextlib
import functools
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import errors
import graph
import losses
import streams
from proofs.attempts import failures
from proofs.processes import give_children_default_signals
from servers import Jackd, PipeWire


ALL = [*((server, streams.EVERYWHERE) for server in (Jackd(), Jackd("-S"), PipeWire())),
       (Jackd(), streams.ON_JACKD + graph.CHECKS + errors.CHECKS), (PipeWire(), errors.ON_PIPEWIRE)]
# A synchronous server waits for its clients, here for a minute: none loses a cycle.
SHORT = [(Jackd("-S", "-t", "60000"), [streams.recording, streams.playback, streams.end_of_sound,
                                         streams.by_hand]),
         (Jackd(), [streams.busy_recording, errors.no_server]), (PipeWire(), [streams.busy_recording, errors.no_inputs])]


def check(plan, names=()):
    """Runs all checks of a plan, or those of these names. - Returns: how many failed."""
    failed = 0
    for server, checks in plan:
        if any(not names or function.__name__ in names for function in checks):
            with server:
                failed += failures(checks, names, functools.partial(begun, server), f"{server.name}: ")
    return failed


@contextlib.contextmanager
def begun(server, attempt):
    """After the first attempt with a server of its own."""
    if attempt > 0:
        server.__exit__()
        server.__enter__()
    try:
        yield server
    finally:
        server.end_clients()


def main():
    give_children_default_signals()
    if sys.argv[1:2] == ["check"]:
        sys.exit(1 if check(ALL, sys.argv[2:]) else 0)
    elif sys.argv[1:2] == ["short"]:
        sys.exit(1 if check(SHORT) else 0)
    elif sys.argv[1:2] == ["losses"]:
        numbers = [int(word) for word in sys.argv[2:]]
        losses.measure(*(numbers + [5, 30][len(numbers):]))
    else:
        sys.exit(__doc__)


main()
