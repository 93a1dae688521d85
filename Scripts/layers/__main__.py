# SPDX-License-Identifier: Apache-2.0
"""Compares the pages of docs/architecture with the sources; exit 1 and a line for each difference.

    python3 -B Scripts/layers

The picture in docs/architecture.md is that of the targets, as Package.swift has them. The others stand in the pages of
docs/architecture, one for each folder of Sources that has layers: a block of text under a heading that ends with the folder's
path, the highest layer first, the rooms of a layer parted by " · ". A room uses the rooms of lower layers and no others.
Every other folder is in the first column of a table, and every type that a page names in backquotes exists.
"""

import glob
import json
import os
import re
import subprocess
import sys

import source

DOCUMENT = "docs/architecture.md"
TARGETS = re.compile(r"^## Targets\n.*?^```\n(.*?)^```", re.MULTILINE | re.DOTALL)
LAYERS = re.compile(r"^## Layers of `(Sources/[^`]+)`\n.*?^```\n(.*?)^```", re.MULTILINE | re.DOTALL)
"""Types of Swift's library."""
KNOWN = {"Float", "Double", "Int", "String", "Sources"}


def pictures(pages):
    """Each page with a picture, its folder, and its layers, lowest first."""
    for page, text in pages.items():
        for folder, block in LAYERS.findall(text):
            lines = [re.split(r" {3,}", line.strip())[0] for line in block.splitlines()]
            yield page, folder, [line.split(" · ") for line in lines if line.strip("─ ")][::-1]


def files_of(folder):
    """Every Swift file below a folder, read; a link to a folder has the files of that folder."""
    paths = sorted(glob.glob(f"{glob.escape(folder)}/**/*.swift", recursive=True)) if not os.path.islink(folder) else []
    return [source.read(path, os.path.relpath(path, folder)) for path in paths]


def room_of(path, rooms):
    """The innermost room that holds the file at `path`; its own folder where no room does."""
    return max((room for room in rooms if path.startswith(room + "/")), key=len, default=path.partition("/")[0])


def uses(files, rooms, others):
    """Each name in a file of one room that only another room declares: user, owner, name, its place and its declaration.

    Where several declare a name, also one of `others`, the files of other targets, only the compiler knows which is meant.
    """
    outside, members = {}, {}

    def declare(file, owner):
        for name, line in file.declared.items():
            outside.setdefault(name, {})[owner] = f"{file.path}:{line}"

    def add(file, owner):
        for (extended, name), line in file.added.items():
            # An extension in its type's own room says no more than the type does.
            if owner is None or owner not in outside.get(extended, {}):
                members.setdefault(name, {})[owner] = f"{file.path}:{line}"

    owned = [(file, None) for file in others] + [(file, room_of(file.path, rooms)) for file in files]
    for step in declare, add:
        for pair in owned:
            step(*pair)
    own_members = set().union(*(file.bound for file in files))
    for file in files:
        user = room_of(file.path, rooms)
        for used, declared, own in ((file.used, outside, file.bound), (file.used_as_member, members, own_members)):
            for name, line in used.items():
                owners = declared.get(name, {})
                if len(owners) == 1 and name not in own and user not in owners:
                    (owner, declaration), = owners.items()
                    yield user, owner, name, f"{file.path}:{line}", declaration


def layer_faults(page, folder, layers, targets):
    heights = {room: height for height, layer in enumerate(layers) for room in layer}
    for room in heights:
        if not os.path.isdir(f"{folder}/{room}"):
            yield f"{page}: there is no folder {folder}/{room}"
    for file in targets[folder]:
        if "/" in file.path and room_of(file.path, heights) not in heights:
            yield f"{folder}/{file.path}: its folder is in no layer of {page}"
    others = [file for name, files in targets.items() if name != folder for file in files]
    for user, owner, name, place, declaration in uses(targets[folder], heights, others):
        if heights.get(owner, -1) >= heights.get(user, len(layers)):
            relation = "higher" if heights[owner] > heights[user] else "neighbouring"
            yield f"{folder}/{place}: {user} uses '{name}' of the {relation} layer {owner} ({folder}/{declaration})"


def rows(text):
    """The folders that tables name in their first column: `A/B`, `C` are A/B and A/C."""
    for cell in re.findall(r"^\| ((?:`[A-Za-z.0-9/]+`(?:, )?)+) \|", text, re.MULTILINE):
        first, *names = re.findall(r"`([^`]+)`", cell)
        yield from (first, *(f"{os.path.dirname(first)}/{name}".strip("/") if "/" not in name else name for name in names))


def folder_faults(pages, layered):
    named = {row for text in pages.values() for row in rows(text)} | layered
    for folder in sorted(folder for folder, _, names in os.walk("Sources") if any(name.endswith(".swift") for name in names)):
        if folder != "Sources" and folder.removeprefix("Sources/") not in named:
            yield f"{folder}: it is in no picture and no table of docs/architecture"
    for name in sorted(named):
        if os.path.isdir(f"Sources/{name.partition('/')[0]}") and not os.path.isdir(f"Sources/{name}"):
            yield f"docs/architecture: there is no folder Sources/{name}"


def type_faults(pages):
    declared = set(KNOWN)
    for folder in ("Sources", "Tests", "Examples", "Benchmarks"):
        declared |= {os.path.basename(path) for path in glob.glob(f"{folder}/**/*", recursive=True)}
        for path in glob.glob(f"{folder}/**/*.swift", recursive=True):
            with open(path, encoding="utf-8") as file:
                declared |= set(re.findall(r"\b(?:struct|class|enum|protocol|actor|typealias|macro)\s+(\w+)", file.read()))
    for page, text in pages.items():
        prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
        for name in sorted(set(re.findall(r"`([A-Z][a-z]\w*)(?:[.(][^`]*)?`", prose)) - declared):
            if not os.path.exists(name):
                yield f"{page}: there is no type '{name}'"


def drawn(manifest):
    """The targets of the library and the command, and those that each names, the highest first.

    A target whose folder is a link is a copy of another one, for some architectures only, and is left out.
    """
    uses = {}
    for target in manifest["targets"]:
        if target["type"] in ("regular", "executable") and not target.get("path"):
            uses[target["name"]] = [(entry.get("byName") or entry.get("target"))[0] for entry in target["dependencies"]]
    copies = {name for name in uses if os.path.islink(f"Sources/{name}")}
    uses = {name: [other for other in others if other not in copies] for name, others in uses.items() if name not in copies}

    def height(name):
        return 1 + max((height(other) for other in uses.get(name, [])), default=0)

    width = max(map(len, uses))
    for name in sorted(uses, key=lambda name: (-height(name), name)):
        others = sorted(uses[name], key=lambda other: (other not in uses, -height(other), other))
        yield f"{name:{width}} ─► {' · '.join(others)}\n" if others else f"{name}\n"


def target_faults(document):
    said = subprocess.run(["swift", "package", "dump-package"], capture_output=True, text=True, check=True).stdout
    picture = "".join(drawn(json.loads(said)))
    found = TARGETS.search(document)
    if not found or found[1] != picture:
        yield f"{DOCUMENT}: its picture of targets is not that of Package.swift:\n{picture}"


def main():
    pages = {}
    for page in (DOCUMENT, *sorted(glob.glob("docs/architecture/*.md"))):
        with open(page, encoding="utf-8") as file:
            pages[page] = file.read()
    found = list(pictures(pages))
    if not found:
        sys.exit("layers: docs/architecture/*.md has no picture of layers")
    targets = {f"Sources/{name}": files_of(f"Sources/{name}") for name in sorted(os.listdir("Sources"))}
    layered = {f"{folder.removeprefix('Sources/')}/{room}" for _, folder, layers in found for layer in layers for room in layer}
    lines = [line for picture in found for line in layer_faults(*picture, targets)]
    lines += [*folder_faults(pages, layered), *type_faults(pages)]
    if os.path.exists("Package.swift"):
        lines += target_faults(pages[DOCUMENT])
    sys.exit("\n".join(lines) if lines else 0)


if __name__ == "__main__":
    main()
