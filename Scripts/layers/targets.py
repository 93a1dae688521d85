# SPDX-License-Identifier: Apache-2.0
"""The picture of the targets: which uses which, as Package.swift says."""

import json
import os
import re
import subprocess

PICTURE = re.compile(r"(^## Targets\n.*?^```\n)(.*?)(^```)", re.MULTILINE | re.DOTALL)


def dependencies(manifest):
    """What each target names: of the library, the command and the system-library modules that they use.

    A target whose folder is a link is a copy of another one, for some architectures only, and is left out.
    """
    found = {}
    for target in manifest["targets"]:
        if target["type"] in ("regular", "executable") and not target.get("path") and not is_copy(target["name"]):
            names = [(entry.get("byName") or entry.get("target"))[0] for entry in target["dependencies"]]
            found[target["name"]] = [name for name in names if not is_copy(name)]
    return found


def is_copy(target):
    return os.path.islink(os.path.join("Sources", target))


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
