# SPDX-License-Identifier: Apache-2.0
"""The picture of the targets: which uses which, as Package.swift says."""

import json
import re
import subprocess

PICTURE = re.compile(r"(^## Targets\n.*?^```\n)(.*?)(^```)", re.MULTILINE | re.DOTALL)


def dependencies(manifest):
    """What each target names: of the library, the command and the system-library modules that they use."""
    found = {}
    for target in manifest["targets"]:
        if target["type"] in ("regular", "executable") and not target.get("path"):
            names = [(entry.get("byName") or entry.get("target"))[0] for entry in target["dependencies"]]
            found[target["name"]] = names
    return found


def drawn(manifest):
    """A line for each target, the highest first."""
    uses = dependencies(manifest)

    def height(name):
        return 1 + max((height(other) for other in uses.get(name, [])), default=0)

    width = max(map(len, uses))
    lines = []
    for name in sorted(uses, key=lambda name: (-height(name), name)):
        others = sorted(uses[name], key=lambda other: (other not in uses, -height(other), other))
        lines.append(f"{name:{width}} ─► {' · '.join(others)}" if others else name)
    return "".join(line + "\n" for line in lines)


def manifest():
    return json.loads(subprocess.run(
        ["swift", "package", "dump-package"], capture_output=True, text=True, check=True).stdout)


def picture(document):
    """The picture in a document; None where it has none."""
    match = PICTURE.search(document)
    return match and match[2]


def with_picture(document, text):
    return PICTURE.sub(lambda match: match[1] + text + match[3], document, count=1)
