# SPDX-License-Identifier: Apache-2.0
"""The results of all shards in one file, by the lines of docs/corpora.md."""

import json

import document
from corpus import SHARD_HELD
from processes import Failure


def forget_line(folder):
    """Takes the last line from the shard that was killed, as if it had been killed before it could write it."""
    path = folder / f"results/{SHARD_HELD}.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    if json.loads(lines[-1])["status"] != "done":
        raise Failure(f"the last line of {path.name} is not that of an item that is done: {lines[-1]}")
    path.write_text("".join(lines[:-1]))


def merge(folder, environment, start_again):
    """Merges the results. What was done without a line is done again by `start_again`."""
    document.run("group_by", folder, environment)
    if doubles := document.run("uniq -d", folder, environment):
        raise Failure(f"outputs of two sources: {doubles}")
    if '"skipped"' not in (folder / "results.jsonl").read_text():
        raise Failure("no item was done without a line")
    document.run("xargs", folder, environment)
    start_again()
    document.run("group_by", folder, environment)
