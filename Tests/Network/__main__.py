# SPDX-License-Identifier: Apache-2.0
"""rawaudio as a receiver of RTP and RTSP on the loopback, from scripted senders and from ffmpeg.

    python3 Tests/Network check [NAME…]     loses, breaks and ends what can be, in a minute
    python3 Tests/Network figures           the table of docs/network.md, beside ffmpeg and GStreamer, in three minutes

Exit 1 where anything is not as it should be. COMMAND_UNDER_TEST names the program.
"""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import figures
import packets
import servers
from proofs.processes import Failure, give_children_default_signals


def check(names):
    """Runs all checks, or those of these names. - Returns: how many failed."""
    failures = 0
    for function in packets.CHECKS + servers.CHECKS:
        if names and function.__name__ not in names:
            continue
        with tempfile.TemporaryDirectory(prefix="network.") as folder:
            try:
                print(function(Path(folder)), flush=True)
            except (AssertionError, Failure) as error:
                failures += 1
                print(f"{function.__name__}: {error}", flush=True)
    return failures


def main():
    give_children_default_signals()
    if sys.argv[1:2] == ["check"]:
        sys.exit(1 if check(sys.argv[2:]) else 0)
    elif sys.argv[1:2] == ["figures"]:
        figures.measure()
    else:
        sys.exit(__doc__)


main()
