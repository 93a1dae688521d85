# SPDX-License-Identifier: Apache-2.0
"""rawaudio and a PipeWire server, which is started without a sound card and ended again.

    python3 Tests/PipeWire check                     plays, records and lists, once
    python3 Tests/PipeWire short                     what has to hold however busy the machine is
    python3 Tests/PipeWire losses [RUNS] [SECONDS]   counts lost samples, ours beside other programs' (20 of 60 s)

Exit 1 where anything is not as it should be. COMMAND_UNDER_TEST names the program.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import check
import losses
from proofs.processes import give_children_default_signals


def main():
    give_children_default_signals()
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    numbers = [int(word) for word in sys.argv[2:]]
    if sys.argv[1] == "check":
        sys.exit(1 if check.check(check.listing, check.round_trip) else 0)
    elif sys.argv[1] == "short":
        sys.exit(1 if check.check(check.listing) else 0)
    elif sys.argv[1] == "losses":
        losses.measure(*(numbers + [20, 60][len(numbers):]))
    else:
        sys.exit(__doc__)


main()
