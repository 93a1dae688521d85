# SPDX-License-Identifier: Apache-2.0
"""Meetings: sessions of rawaudio that programs join.

    python3 Tests/Meeting meeting               four clients, two observers, as a user would hold it
    python3 Tests/Meeting clients               the clients in shell and Swift
    python3 Tests/Meeting hostile [SECONDS]     a hundred clients that misbehave (60)
    python3 Tests/Meeting limits [KIND]         clients that ask for too much, or for all that they may (late, slow,
                                                observers, flood)
    python3 Tests/Meeting load [PARTICIPANTS]   what it costs (200)
    python3 Tests/Meeting first-sample          how soon a client is heard
    python3 Tests/Meeting come-and-go [COUNT]   whether anything is left of clients (10000)

Exit 1 where anything is not as it should be. COMMAND_UNDER_TEST names the program. What takes longer than
MEETING_LIMIT seconds, if that is set, ends with a trace of where it stood, on standard error.
"""

import faulthandler
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import clients
import hostile
import limits
import load
import meeting


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    limit = os.environ.get("MEETING_LIMIT")
    if limit:
        faulthandler.dump_traceback_later(float(limit), exit=True)
    numbers = [int(word) if word.isdigit() else word for word in sys.argv[2:]]
    kinds = {"meeting": meeting.hold, "clients": clients.hold, "hostile": hostile.hold, "limits": limits.hold, "load": load.hold,
             "first-sample": load.first_sample, "come-and-go": load.come_and_go}
    print(sys.argv[1], flush=True)
    sys.exit(1 if kinds[sys.argv[1]](*numbers) else 0)


main()
