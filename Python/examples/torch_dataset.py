# SPDX-License-Identifier: Apache-2.0
"""torch_dataset.py FILE …: slices of 2 s at 16 kHz, as tensors that share the memory of the samples.

Each worker of the DataLoader has a process of rawaudio of its own.
"""

import sys

import torch
from torch.utils.data import DataLoader, Dataset

import rawaudio as ra

RATE, SECONDS = 16000, 2.0


class Slices(Dataset[torch.Tensor]):
    def __init__(self, paths: list[str]) -> None:
        self.places = [
            (path, number * SECONDS)
            for path in paths
            for number in range(int((ra.info(path).duration or 0) // SECONDS))
        ]

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, index: int) -> torch.Tensor:
        path, start = self.places[index]
        samples, _ = ra.read(path, RATE, 1, start=start, stop=start + SECONDS)
        return torch.from_numpy(samples)[:, 0]


if __name__ == "__main__":
    slices = Slices(sys.argv[1:])
    for batch in DataLoader(slices, batch_size=4, num_workers=2):
        print(tuple(batch.shape), f"{20 * batch.abs().max().log10():.1f} dBFS")
