# SPDX-License-Identifier: Apache-2.0
"""Checks that .ci/run runs every target of make and every script that a person may call; exit 1 and a line for each fault.

    python3 -B Scripts/gate.py

A script that nothing runs is broken by the next change. Those that .ci/run cannot run stand in its comments, each with its
reason, as `#   NAME: reason`. Of these make has to know the rules, and of every script the syntax has to hold. A part of
`make release-check` measures, or needs real time: there it runs in its short form only, which a busy machine cannot fail.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
GATE = ROOT / ".ci/run"
MAKEFILES = [ROOT / "Makefile", *sorted((ROOT / "Scripts/make").glob("*.mk"))]
FOLDERS = ["Scripts", "Tests", "Benchmarks", "Examples"]


def scripts():
    for folder in FOLDERS:
        yield from sorted(path for path in (ROOT / folder).rglob("*") if path.suffix in (".py", ".sh") and path.is_file())


def targets(text):
    """The targets that `make help` lists, and those that each needs."""
    return {name: needed.split() for name, needed in re.findall(r"^([a-z0-9-]+):(?!=)(.*?)##", text, re.MULTILINE)}


def calls(gate):
    """The words behind each `make` of the steps."""
    steps = re.sub(r"^\s*#.*", "", gate, flags=re.MULTILINE)
    return [call.split() for call in re.findall(r"\bmake ([^'\n]+)", steps)]


def run_by(gate, known):
    """The targets that the steps name, and all that these need."""
    names = [word for call in calls(gate) for word in call]
    found = set()
    while names:
        name = names.pop()
        if name in known and name not in found:
            found.add(name)
            names += known[name]
    return found


def faults():
    gate = GATE.read_text(encoding="utf-8")
    excused = dict(re.findall(r"^#   ([\w./-]+): (.+)$", gate, re.MULTILINE))
    rules = "\n".join(path.read_text(encoding="utf-8") for path in MAKEFILES)
    known = targets(rules)
    run = run_by(gate, known)
    for name in sorted(known.keys() - run - excused.keys()):
        yield f".ci/run: no step runs 'make {name}', and no comment says why"
    for name in sorted(excused):
        if name in run:
            yield f".ci/run: a step runs '{name}', which a comment says is not run"
        if name not in known and not (ROOT / name).is_file():
            yield f".ci/run: there is no target or script '{name}'"
    for call in calls(gate):
        for name in sorted(set(call) & set(known.get("release-check", []))) if "SHORT=1" not in call else []:
            yield f".ci/run: a step runs 'make {name}' without SHORT=1, which belongs to 'make release-check'"
    yield from rules_without_a_way(sorted(excused.keys() & known.keys()))
    yield from unnamed_scripts(gate + rules, excused)
    for path in scripts():
        yield from syntax_errors(path)


def rules_without_a_way(names):
    """make -n follows the rules of a target, and runs none of their lines."""
    if not names:
        return
    done = subprocess.run(["make", "-n", "BUILT=1", *names], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        yield f"make -n {' '.join(names)}: {done.stderr.strip()}"


def unnamed_scripts(callers, excused):
    """Scripts of Scripts that no rule, step, test or other script names."""
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "Tests").rglob("*.swift")]
    others = {path: path.read_text(encoding="utf-8") for path in scripts()}
    for path in sorted((ROOT / "Scripts").rglob("*.[ps][yh]")):
        name = str(path.relative_to(ROOT))
        if path.parent.name == "layers" or name in excused:
            continue
        if not any(path.name in text for text in [callers, *texts, *(others[other] for other in others if other != path)]):
            yield f"{name}: nothing runs it, and .ci/run does not say why"


def syntax_errors(path):
    if path.suffix == ".py":
        try:
            compile(path.read_text(encoding="utf-8"), str(path), "exec")
        except SyntaxError as error:
            yield f"{path.relative_to(ROOT)}:{error.lineno}: {error.msg}"
        return
    done = subprocess.run(["bash", "-n", path], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        yield f"{path.relative_to(ROOT)}: {done.stderr.strip()}"


def main():
    found = list(faults())
    print(*found, sep="\n" if found else "", end="\n" if found else "", file=sys.stderr)
    return min(len(found), 1)


sys.exit(main())
