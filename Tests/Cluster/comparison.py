# SPDX-License-Identifier: Apache-2.0
"""Whether what several machines made is what one makes, and every item was done once."""

import collections
import json
import pathlib

from corpus import SHARD_HELD, SHARDS
from processes import Failure


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def partial(folder):
    return list(folder.rglob(".*.rawaudio-partial"))


def is_held(corpus, folder):
    """Whether shard 2 is at the files that are held: everything before them is done, and one of them is begun."""
    begun = {path.name.split(".")[1] for path in partial(folder)}
    return (len(lines(folder / f"results/{SHARD_HELD}.jsonl")) == len(corpus.before_held)
            and any(pathlib.Path(name).stem in begun for name in corpus.held))


def outputs(folder):
    root = folder / "wav16"
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def check_outputs(corpus, folder):
    """Every byte, and no file more or less."""
    ours, whole = outputs(folder), outputs(corpus.whole)
    wrong = [name for name in ours.keys() | whole.keys() if ours.get(name) != whole.get(name)]
    if wrong or len(whole) != len(corpus.sources) - len(corpus.broken):
        raise Failure(f"{len(wrong)} of {len(whole)} outputs differ from those of one machine: {sorted(wrong)[:5]}")


def check_once(corpus, folder):
    """Each shard has told of its own items and of no others; each of them was done once, or failed."""
    for number in range(1, SHARDS + 1):
        shard = corpus.shard(number)
        told = collections.defaultdict(collections.Counter)
        for line in lines(folder / f"results/{number}.jsonl"):
            told[line["source"]][line["status"]] += 1
        wrong = set(shard) ^ told.keys()
        for source in shard:
            counts = told[source]
            # Only where a shard was begun again there is more than one line.
            begun_again = counts.total() - 1
            right = {"failed": 1 + begun_again} if source in corpus.broken else {"done": 1, "skipped": begun_again}
            if counts != collections.Counter(right):
                wrong.add(source)
        if wrong:
            raise Failure(f"shard {number}: not done exactly once: "
                          + ", ".join(f"{source} {dict(told[source])}" for source in sorted(wrong)[:5]))


def check_merged(corpus, folder):
    """results.jsonl, as the document merges it, says of each item what one machine says."""
    def by_source(path):
        return sorted(lines(path), key=lambda line: line["source"])

    ours, whole = by_source(folder / "results.jsonl"), by_source(corpus.whole / "results.jsonl")
    wrong = [one["source"] for one, other in zip(ours, whole) if one != other]
    if len(ours) != len(whole) or wrong:
        raise Failure(f"{len(ours)} merged results, {len(whole)} of one machine; these differ: {wrong[:5]}")


def check_all(corpus, folder):
    if left := partial(folder):
        raise Failure(f"{left[0]} is left")
    check_outputs(corpus, folder)
    check_once(corpus, folder)
    check_merged(corpus, folder)
