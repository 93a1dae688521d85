# SPDX-License-Identifier: Apache-2.0
"""rawaudio as a receiver of RTP and RTSP on the loopback, from scripted senders and from ffmpeg.

    python3 Tests/Network check [NAME…]     loses, breaks and ends what can be, in a minute
    python3 Tests/Network short             what has to hold however busy the machine is, in some seconds
    python3 Tests/Network figures           the table of docs/network.md, beside ffmpeg and GStreamer, in ten minutes

Exit 1 where anything is not as it should be. COMMAND_UNDER_TEST names the program.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import decoding
import decoding_figures
import figures
import packets
import servers
import telephones
from proofs.processes import Failure, give_children_default_signals


# On a busy machine a sender of the proof may itself be too late. A fault of the program fails every time.
ATTEMPTS = 4


ALL = packets.CHECKS + servers.CHECKS + telephones.CHECKS + decoding.CHECKS
# No packet that goes by TCP is lost.
SHORT = [packets.busy_recording, packets.full_disk, servers.ways_by_tcp, servers.silent_server,
         decoding.missing_decoders]


def check(functions, names=()):
    """Runs all checks, or those of these names. - Returns: how many failed."""
    return sum(not succeeds(function) for function in functions if not names or function.__name__ in names)


def succeeds(function):
    """Runs a check until it succeeds, and prints every failure."""
    for attempt in range(ATTEMPTS):
        with tempfile.TemporaryDirectory(prefix="network.") as folder:
            try:
                print(function(Path(folder)), flush=True)
                return True
            except (AssertionError, Failure, subprocess.TimeoutExpired) as error:
                print(f"{function.__name__}: {error}, {attempt + 1} of {ATTEMPTS}", flush=True)
            finally:
                packets.Recording.kill_all()
    return False


def main():
    give_children_default_signals()
    if sys.argv[1:2] == ["check"]:
        sys.exit(1 if check(ALL, sys.argv[2:]) else 0)
    elif sys.argv[1:2] == ["short"]:
        sys.exit(1 if check(SHORT) else 0)
    elif sys.argv[1:2] == ["figures"]:
        figures.measure()
        decoding_figures.measure()
    else:
        sys.exit(__doc__)


main()
