# SPDX-License-Identifier: Apache-2.0
"""datasets_decode.py FILE …: a data set whose sounds are decoded by rawaudio, at 16 kHz, when a row is asked for."""

import sys
from typing import Any

import datasets

import rawaudio as ra

RATE = 16000


def decoded(rows: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Replaces the path of each row by its samples, as datasets' own Audio does."""
    sounds = [sound["path"] for sound in rows["audio"]]
    return rows | {
        "audio": [{"path": path, "array": ra.read(path, RATE, 1)[0][:, 0], "sampling_rate": RATE} for path in sounds]
    }


def load(paths: list[str]) -> datasets.Dataset:
    rows = datasets.Dataset.from_dict({"audio": paths, "text": ["" for _ in paths]})
    return rows.cast_column("audio", datasets.Audio(decode=False)).with_transform(decoded)


if __name__ == "__main__":
    for row in load(sys.argv[1:]):
        print(row["audio"]["path"], row["audio"]["array"].shape, row["audio"]["sampling_rate"])
