# SPDX-License-Identifier: Apache-2.0
"""ray_corpus.py FOLDER: converts the sounds that FOLDER/corpus.jsonl lists, on all machines of a Ray cluster.

All machines have FOLDER, under this name. Each batch leaves its results there, so the batch of a machine that dies is
done again by another one, and this program goes on when it is started again.
"""

import json
import sys
from pathlib import Path
from typing import Any
from uuid import uuid4

import ray

import rawaudio as ra

BATCH = 25


def convert(batch: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Converts a batch: columns of sources and ids become a column with the status of each."""
    items = [dict(zip(batch, row, strict=True)) for row in zip(*batch.values(), strict=True)]
    results = ra.convert(
        items, folder / "wav16/{id}.wav", rate=16000, channels=1, encoding="s16", overwrite=True, jobs=1
    )
    partial = folder / "results" / f"{uuid4()}.partial"
    partial.write_text("".join(json.dumps(result.details) + "\n" for result in results))
    partial.rename(partial.with_suffix(".jsonl"))
    return {"status": [result.status for result in results]}


def lines(folder: Path) -> dict[str, dict[str, Any]]:
    """The line of each item that has one: that of a failure only if there is no other."""
    read = [json.loads(line) for path in folder.glob("results/*.jsonl") for line in path.read_text().splitlines()]
    return {line["id"]: line for line in sorted(read, key=lambda line: line["status"] == "done")}


def main(folder: Path) -> None:
    (folder / "results").mkdir(exist_ok=True)
    with (folder / "corpus.jsonl").open() as list_:
        items = [json.loads(line) for line in list_]
    done = {name for name, line in lines(folder).items() if line["status"] == "done"}
    rest = [{**item, "source": str(folder / item["source"])} for item in items if item["id"] not in done]
    failures = 0
    if rest:
        data = ray.data.from_items(rest, override_num_blocks=-(-len(rest) // BATCH))
        statuses = data.map_batches(convert, batch_size=None, fn_kwargs={"folder": folder}, num_cpus=1)
        failures = sum(row["status"] == "failed" for row in statuses.iter_rows())
    with (folder / "results.jsonl").open("w") as file:
        file.writelines(json.dumps(line) + "\n" for _, line in sorted(lines(folder).items()))
    print(f"{len(rest)} of {len(items)} files, {failures} failed")


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute())
