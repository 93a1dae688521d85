# SPDX-License-Identifier: Apache-2.0
"""dask_corpus.py FOLDER SCHEDULER-FILE: converts the sounds that FOLDER/corpus.jsonl lists, on all workers of Dask.

All machines have FOLDER, under this name. Each batch leaves its results there, so the batch of a machine that dies is
done again by another one, and this program goes on when it is started again.
"""

import json
import sys
from pathlib import Path
from typing import Any
from uuid import uuid4

from distributed import Client, as_completed

import rawaudio as ra

BATCH = 25


def convert(items: list[dict[str, Any]], folder: Path) -> int:
    """Converts a batch on a worker, whose threads Dask counts. Returns the number of failures."""
    results = ra.convert(
        items, folder / "wav16/{id}.wav", rate=16000, channels=1, encoding="s16", overwrite=True, jobs=1
    )
    partial = folder / "results" / f"{uuid4()}.partial"
    partial.write_text("".join(json.dumps(result.details) + "\n" for result in results))
    partial.rename(partial.with_suffix(".jsonl"))
    return sum(result.status == "failed" for result in results)


def lines(folder: Path) -> dict[str, dict[str, Any]]:
    """The line of each item that has one: that of a failure only if there is no other."""
    read = [json.loads(line) for path in folder.glob("results/*.jsonl") for line in path.read_text().splitlines()]
    return {line["id"]: line for line in sorted(read, key=lambda line: line["status"] == "done")}


def main(folder: Path, scheduler_file: str) -> None:
    (folder / "results").mkdir(exist_ok=True)
    with (folder / "corpus.jsonl").open() as list_:
        items = [json.loads(line) for line in list_]
    done = {name for name, line in lines(folder).items() if line["status"] == "done"}
    rest = [{**item, "source": str(folder / item["source"])} for item in items if item["id"] not in done]
    batches = [rest[first : first + BATCH] for first in range(0, len(rest), BATCH)]
    with Client(scheduler_file=scheduler_file) as client:
        futures = client.map(convert, batches, folder=folder)
        failures = sum(future.result() for future in as_completed(futures))
    with (folder / "results.jsonl").open("w") as file:
        file.writelines(json.dumps(line) + "\n" for _, line in sorted(lines(folder).items()))
    print(f"{len(rest)} of {len(items)} files, {failures} failed")


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute(), sys.argv[2])
