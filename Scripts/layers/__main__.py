# SPDX-License-Identifier: Apache-2.0
"""Holds the sources against the picture of their layers; exit 1 where one uses a higher one.

    python3 Scripts/layers            checks
    python3 Scripts/layers --graph    prints who uses what of whom
    python3 Scripts/layers --write    draws the targets anew, as Package.swift has them

The first picture in docs/architecture.md is that of the targets. The others stand in the pages of docs/architecture, one for
each folder of Sources that has layers: a block of text under a heading that ends with the folder's path, the highest layer
first, the rooms of a layer parted by " · ". A room uses the rooms of lower layers and no others.
"""

import glob
import os
import re
import sys

import graph
import targets

DOCUMENT = "docs/architecture.md"
PAGES = "docs/architecture/*.md"
HEADING = re.compile(r"^## Layers of `(Sources/[^`]+)`\n.*?^```\n(.*?)^```", re.MULTILINE | re.DOTALL)


def pictures():
    """Each page with a picture, its folder, and its layers, lowest first."""
    for page in sorted(glob.glob(PAGES)):
        with open(page, encoding="utf-8") as file:
            for folder, block in HEADING.findall(file.read()):
                lines = [re.split(r" {3,}", line.strip())[0] for line in block.splitlines()]
                layers = [line.split(" · ") for line in lines if line.strip("─ ")]
                yield page, folder, layers[::-1]


def others_of(folder):
    """The files of the other targets: a name that they declare as well may be theirs.

    A link to a folder has the files of that folder.
    """
    parent, own = os.path.split(folder)
    folders = [os.path.join(parent, name) for name in sorted(os.listdir(parent)) if name != own]
    return [file for path in folders if not os.path.islink(path) for file in graph.files_of(path)]


def faults(page, folder, layers):
    """What contradicts the picture, in lines."""
    heights = {room: height for height, layer in enumerate(layers) for room in layer}
    for room in heights:
        if not os.path.isdir(os.path.join(folder, room)):
            yield f"{page}: there is no folder {folder}/{room}"
    files = graph.files_of(folder)
    for file in files:
        if "/" in file.path and graph.room_of(file.path, heights) not in heights:
            yield f"{folder}/{file.path}: its folder is in no layer of {page}"
    for use in graph.uses(files, heights, others_of(folder)):
        if use.user not in heights or use.owner not in heights:
            continue
        if heights[use.owner] >= heights[use.user]:
            relation = "higher" if heights[use.owner] > heights[use.user] else "neighbouring"
            yield (
                f"{folder}/{use.place}: {use.user} uses '{use.name}' of the {relation} layer"
                f" {use.owner} ({folder}/{use.declaration})")


def print_graph(folder, layers):
    rooms = [room for layer in layers for room in layer]
    edges = {}
    for use in graph.uses(graph.files_of(folder), rooms, others_of(folder)):
        edges.setdefault((use.user, use.owner), set()).add(use.name)
    print(f"{folder}: {len(rooms)} rooms, {len(edges)} uses, cycles: {graph.cycles(edges) or 'none'}")
    for (user, owner), names in sorted(edges.items()):
        print(f"  {user} -> {owner}: {', '.join(sorted(names))}")


def main():
    found = list(pictures())
    if not found:
        sys.exit(f"layers: {PAGES} has no picture of layers")
    if "--graph" in sys.argv:
        for _, folder, layers in found:
            print_graph(folder, layers)
        return
    with open(DOCUMENT, encoding="utf-8") as file:
        document = file.read()
    drawn = targets.drawn(targets.manifest()) if os.path.exists("Package.swift") else None
    if "--write" in sys.argv:
        with open(DOCUMENT, "w", encoding="utf-8") as file:
            file.write(targets.with_picture(document, drawn))
        return
    lines = [line for page, folder, layers in found for line in faults(page, folder, layers)]
    if targets.picture(document) != drawn:
        lines.append(f"{DOCUMENT}: its targets are not those of Package.swift: python3 Scripts/layers --write")
    for line in lines:
        print(line, file=sys.stderr)
    sys.exit(1 if lines else 0)


main()
