# SPDX-License-Identifier: Apache-2.0
"""Compares the public interface of the library with the one that is kept; exit 1 and a line for each difference.

    python3 -B Scripts/interface.py MODULES KEPT [NAME…] [--write] [--versions]

MODULES is a build's folder of modules, NAMEs are those of the modules, without which they are the library's. KEPT has a file
for each, with a line for each public declaration: its parent, then itself, as 'Metadata.Family: case riff'. --write writes
these files.

A difference breaks programs if a declaration is gone or another one (parameter labels and types are part of it; names of
parameters within the function are not), if an enum has a case more, unless it is @nonexhaustive, or a protocol a requirement
without a default. --versions compares with the files in the last version of git, and in the last one of the minor version
before, too: there only differences that break programs count, and a declaration may go that both have as deprecated.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
LINE = re.compile(r"^(\S+): ((?:(?:deprecated|requires|open) )*)(.*)$")
NAME = re.compile(r"\b(?:func|var|let|case|enum|struct|class|actor|protocol|typealias) ([^(<:\s]+)|\b(init|subscript)\b")
# Conformances of all types.
EVERY = {"Copyable", "Escapable", "SendableMetatype"}


def graphs(folder, module):
    return [json.loads(path.read_text()) for path in sorted(folder.glob("*.symbols.json"))
            if re.split("[@.]", path.name)[0] == module]


def is_deprecated(symbol):
    return any(entry.get("isUnconditionallyDeprecated") for entry in symbol.get("availability", []))


def unexplained(folder, module):
    """Deprecated declarations that name nothing to use in their place."""
    for graph in graphs(folder, module):
        for symbol in filter(is_deprecated, graph["symbols"]):
            if not any(entry.keys() & {"renamed", "message"} for entry in symbol["availability"]):
                yield f"{module}: deprecated, and says nothing to use: {'.'.join(symbol['pathComponents'])}"


def declared(symbol):
    """The declaration in one line, without the names that parameters have within the function."""
    parts = (part["spelling"] for part in symbol["declarationFragments"] if part["kind"] != "internalParam")
    text = " ".join("".join(parts).split()).replace(" :", ":")
    rules = [f"{rule['lhs']} {'==' if rule['kind'] == 'sameType' else ':'} {rule['rhs']}"
             for rule in symbol.get("swiftExtension", {}).get("constraints", [])]
    return text + (f" (where {', '.join(rules)})" if rules else "")


def interface(folder, module):
    """The public declarations of a module: (parent, declaration) and marks such as 'deprecated'."""
    own = graphs(folder, module)
    symbols = [symbol for graph in own for symbol in graph["symbols"]
               if "::SYNTHESIZED::" not in symbol["identifier"]["precise"]]
    links = [link for graph in own for link in graph["relationships"]]
    names = {symbol["identifier"]["precise"]: ".".join(symbol["pathComponents"]) for symbol in symbols}
    # Types of others, which this module extends.
    names |= {link["target"]: names[link["source"]].rpartition(".")[0] for link in links
              if link["kind"] == "memberOf" and link["source"] in names and link["target"] not in names}
    requirements = ({link["source"] for link in links if link["kind"] == "requirementOf"}
                    - {link["target"] for link in links if link["kind"] == "defaultImplementationOf"})
    found = collections.defaultdict(set)
    for symbol in symbols:
        *parents, _ = symbol["pathComponents"]
        marks = found[".".join(parents) or module, declared(symbol)]
        marks |= {mark for mark, holds in (
            ("deprecated", is_deprecated(symbol)), ("requires", symbol["identifier"]["precise"] in requirements),
            ("open", symbol["accessLevel"] == "open")) if holds}
    for link in links:
        target = names.get(link["target"]) or link.get("targetFallback", link["target"]).rpartition(".")[2]
        if link["kind"] in ("conformsTo", "inheritsFrom") and link["source"] in names and target not in EVERY:
            found[names[link["source"]], f"is {target}"] = set()
    return dict(found)


def line(key, marks):
    return ": ".join((key[0], "".join(f"{mark} " for mark in sorted(marks)) + key[1]))


def read(text):
    """An interface that is kept."""
    return {(parent, declaration): set(marks.split())
            for parent, marks, declaration in (LINE.match(kept).groups() for kept in text.splitlines())}


def types(found, kind, module):
    """The paths of the types of a kind, without enums that are not exhaustive."""
    for parent, declaration in found:
        match = re.search(rf"\b{kind} (\w+)", declaration)
        if match and "@nonexhaustive" not in declaration:
            yield match[1] if parent == module else f"{parent}.{match[1]}"


def name(declaration):
    """The name without labels; a conformance has none."""
    match = NAME.search(declaration)
    return match[1] or match[2] if match else declaration


def breaks(old, new, module):
    """Differences that break programs: a line for each, and its declaration."""
    for key, marks in sorted(old.items()):
        if key in new:
            if "open" in marks - new[key]:
                yield f"no longer open: {line(key, marks)}", key
            if "requires" in new[key] - marks:
                yield f"a requirement without a default now: {line(key, marks)}", key
        else:
            others = [line(other, new[other]) for other in sorted(new.keys() - old.keys())
                      if other[0] == key[0] and name(other[1]) == name(key[1])]
            yield f"gone: {line(key, marks)}" + "".join(f"; now: {other}" for other in others), key
    enums = {*types(old, "enum", module)} & {*types(new, "enum", module)}
    protocols = {*types(old, "protocol", module)}
    for key in sorted(new.keys() - old.keys()):
        if key[0] in enums and key[1].startswith(("case ", "indirect case ")):
            yield f"a case that a client's switch lacks: {line(key, new[key])}", key
        if key[0] in protocols and "requires" in new[key]:
            yield f"a requirement that a client's type lacks: {line(key, new[key])}", key


def differences(old, new, module):
    """Lines for differences that break programs, and for all others."""
    broken = dict((key, text) for text, key in breaks(old, new, module))
    others = [f"{'has other marks' if key in old else 'new'}: {line(key, marks)}" for key, marks in sorted(new.items())
              if key not in broken and old.get(key) != marks]
    return [[f"{module}: {text}" for text in texts] for texts in (broken.values(), others)]


def git(folder, *words):
    done = subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def versions(folder):
    """The tags of the last version and of the last one of the minor version before, from 1.0 on."""
    newest = {}
    for tag in git(folder, "tag", "--list", "v*", "--merged").split():
        if match := re.fullmatch(r"v(\d+)\.(\d+)\.(\d+)", tag):
            major, minor, patch = map(int, match.groups())
            newest[major, minor] = max(newest.get((major, minor), (0, "")), (patch, tag))
    last = [entry for entry in sorted(newest) if entry[0] >= 1]
    return [newest[entry][1] for entry in last[-2:] if entry[0] == last[-1][0]]


def since_versions(folder, found):
    """Lines for differences that break programs written for one of the versions."""
    tags = versions(folder)
    print("interface: compared with", " and ".join(tags) or "no version, because git has no tag from v1.0.0 on")
    for tag in tags:
        for path in git(folder, "ls-tree", "--name-only", f"{tag}:./").split():
            module = path.removesuffix(".txt")
            old, new = read(git(folder, "show", f"{tag}:./{path}")), found.get(module, {})
            for text, key in breaks(old, new, module):
                if key in new or "deprecated" not in old[key]:
                    yield f"{module}: since {tag}: {text}"


def unnamed():
    """The targets of the library that no product names: clients and Swift's own tools see only those of products."""
    said = subprocess.run(["swift", "package", "dump-package"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    products = {target for product in json.loads(said)["products"] for target in product["targets"]}
    own = {path.name for path in (ROOT / "Sources").glob("Audio*") if not path.is_symlink()}
    return [f"no product of Package.swift names the target {target}" for target in sorted(own - products)]


def write(folder, found):
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.txt"):
        path.unlink()
    for module, declarations in found.items():
        lines = [line(key, marks) + "\n" for key, marks in sorted(declarations.items())]
        (folder / f"{module}.txt").write_text("".join(lines))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("modules", type=pathlib.Path)
    parser.add_argument("kept", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--versions", action="store_true")
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as symbols:
        subprocess.run([ROOT / "Scripts/symbols.sh", given.modules, symbols, *given.names], check=True)
        folder = pathlib.Path(symbols)
        modules = given.names or sorted({re.split("[@.]", path.name)[0] for path in folder.iterdir()})
        found = {module: interface(folder, module) for module in modules}
        plain = [fault for module in modules for fault in unexplained(folder, module)]
    kept = {path.stem: path for path in given.kept.glob("*.txt") if path.stem in found or not given.names}
    if given.write:
        write(given.kept, found)
        return 0
    plain += [] if given.names else unnamed()
    broken, others = [], []
    for module in sorted(found.keys() | kept.keys()):
        old = read(kept[module].read_text()) if module in kept else {}
        for every, some in zip((broken, others), differences(old, found.get(module, {}), module)):
            every += some
    promised = list(since_versions(given.kept, found)) if given.versions else []
    faults = plain + broken + others + promised
    if promised:
        faults.append("1.x keeps all that its versions had: docs/stability.md")
    elif broken + others:
        faults.append(f"{len(broken)} break programs, {len(others)} do not; if you meant them: make expected-interface")
    for fault in faults:
        print(f"interface: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
