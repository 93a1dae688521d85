# SPDX-License-Identifier: Apache-2.0
"""Which room uses which. A room is a folder that the picture of the layers names."""

import os
from dataclasses import dataclass

import source


@dataclass(frozen=True)
class Use:
    """A name in a file of one room that only another room declares."""

    user: str
    owner: str
    name: str
    place: str
    declaration: str


def files_of(folder):
    """Every Swift file below `folder`, read."""
    paths = [
        os.path.join(parent, name)
        for parent, _, names in os.walk(folder)
        for name in names
        if name.endswith(".swift")
    ]
    return [source.read(path, os.path.relpath(path, folder)) for path in sorted(paths)]


def room_of(path, rooms):
    """The innermost room that holds the file at `path`; its own folder where no room does."""
    holding = [room for room in rooms if path.startswith(room + "/")]
    return max(holding, key=len, default=path.partition("/")[0])


def uses(files, rooms, others=()):
    """What the files of each room use of the others, once for each file and name.

    `others` are files of other targets: only the compiler knows whether a name that they declare as well is theirs.
    """
    outside, members = {}, {}
    for file in others:
        for name, line in file.declared.items():
            outside.setdefault(name, {})[None] = f"{file.path}:{line}"
        for (_, name), line in file.added.items():
            members.setdefault(name, {})[None] = f"{file.path}:{line}"
    for file in files:
        owner = room_of(file.path, rooms)
        for name, line in file.declared.items():
            outside.setdefault(name, {})[owner] = f"{file.path}:{line}"
    for file in files:
        owner = room_of(file.path, rooms)
        for (extended, name), line in file.added.items():
            # An extension in its type's own room says no more than the type does.
            if owner not in outside.get(extended, {}):
                members.setdefault(name, {})[owner] = f"{file.path}:{line}"
    own_members = set().union(*(file.bound for file in files))
    found = []
    for file in files:
        user = room_of(file.path, rooms)
        for used, declared in ((file.used, outside), (file.used_as_member, members)):
            for name, line in used.items():
                owners = declared.get(name, {})
                # Where several declare a name, only the compiler knows which of them is meant.
                is_ambiguous = len(owners) != 1 or name in (
                    own_members if declared is members else file.bound)
                if is_ambiguous or user in owners:
                    continue
                owner, declaration = next(iter(owners.items()))
                found.append(Use(user, owner, name, f"{file.path}:{line}", declaration))
    return found


def cycles(edges):
    """The sets of rooms that reach each other, by Tarjan's algorithm."""
    graph = {}
    for user, owner in edges:
        graph.setdefault(user, set()).add(owner)
        graph.setdefault(owner, set())
    order, lowest, stack, found = {}, {}, [], []

    def visit(room):
        order[room] = lowest[room] = len(order)
        stack.append(room)
        for owner in sorted(graph[room]):
            if owner not in order:
                visit(owner)
                lowest[room] = min(lowest[room], lowest[owner])
            elif owner in stack:
                lowest[room] = min(lowest[room], order[owner])
        if lowest[room] == order[room]:
            begin = stack.index(room)
            if len(stack) - begin > 1:
                found.append(sorted(stack[begin:]))
            del stack[begin:]

    for room in sorted(graph):
        if room not in order:
            visit(room)
    return found
