# SPDX-License-Identifier: Apache-2.0
"""rawaudio as a receiver of RTP and RTSP on the loopback, from scripted senders and from ffmpeg.

    python3 Tests/Network check [NAME…]     loses, breaks and ends what can be, in a minute
    python3 Tests/Network short             what has to hold however busy the machine is, in some seconds
    python3 Tests/Network figures           the table of docs/network.md, beside ffmpeg and GStreamer, in ten minutes

Exit 1 where anything is not as it should be. COMMAND_UNDER_TEST names the program.
"""

import contextlib
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
from proofs.attempts import failures
from proofs.processes import give_children_default_signals


ALL = packets.CHECKS + servers.CHECKS + telephones.CHECKS + decoding.CHECKS
# No packet that goes by TCP is lost.
SHORT = [packets.busy_recording, packets.full_disk, servers.ways_by_tcp, servers.silent_server,
         decoding.missing_decoders]


@contextlib.contextmanager
def begun(_):
    with tempfile.TemporaryDirectory(prefix="network.") as folder:
        try:
            yield Path(folder)
        finally:
            packets.Recording.kill_all()


def main():
    give_children_default_signals()
    if sys.argv[1:2] == ["check"]:
        sys.exit(1 if failures(ALL, sys.argv[2:], begun) else 0)
    elif sys.argv[1:2] == ["short"]:
        sys.exit(1 if failures(SHORT, (), begun) else 0)
    elif sys.argv[1:2] == ["figures"]:
        figures.measure()
        decoding_figures.measure()
    else:
        sys.exit(__doc__)


main()
