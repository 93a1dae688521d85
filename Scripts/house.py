# SPDX-License-Identifier: Apache-2.0
"""Checks the files of the tree, and that .ci/run runs every target and script; exit 1 and a line for each fault.

    python3 -B Scripts/house.py

- Every source file names its licence at its top, as SPDX has it, and has at most 500 lines.
- No file in git is larger than 200 kB: generated sound was committed once.
- A pattern of the shell in an example has `./` in front: a file may have the name of an option.
- A script that nothing runs is broken by the next change. So .ci/run runs every target of make and every script, or has its
  name and the reason in a comment, as `#   NAME: reason`. Of these make has to know the rules. A part of `make release-check`
  measures, or needs real time: .ci/run has its short form only, which a busy machine cannot fail.
- The syntax of every shell script holds; 'make test-python' has a linter for those in Python.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
LINES, BYTES = 500, 200_000
FOLDERS = ["Sources", "Tests", "Examples", "Benchmarks", "Scripts"]
LICENCE = re.compile(r"^(//|#) SPDX-License-Identifier: Apache-2\.0$", re.MULTILINE)
SOURCES = {".swift", ".c", ".h", ".modulemap", ".py", ".sh", ".conf", ".mk"}
NAMES = {"Makefile", "Containerfile", "run"}


def named(path):
    return str(path.relative_to(ROOT))


def below(folders, suffixes):
    for folder in folders:
        yield from sorted(path for path in (ROOT / folder).rglob("*") if path.suffix in suffixes and path.is_file())


def sources():
    own = [*below(FOLDERS, SOURCES | {""}), *ROOT.iterdir(), ROOT / ".ci/run"]
    return [path for path in own if path.is_file() and (path.suffix in SOURCES or path.name in NAMES)]


def files():
    for path in sources():
        text = path.read_text(encoding="utf-8")
        if not LICENCE.search(text[:200]):
            yield f"{named(path)}: the line 'SPDX-License-Identifier: Apache-2.0' is missing at its top"
        if text.count("\n") > LINES:
            yield f"{named(path)}: {text.count(chr(10))} lines; {LINES} are the most: is it one idea?"
    # A copy of the tree without git has nothing to commit.
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    for path in (ROOT / name for name in listed.split("\0")):
        if path.is_file() and path.stat().st_size > BYTES:
            yield f"{named(path)}: {path.stat().st_size} bytes; {BYTES} are the most for a file in git: is it generated?"


def patterns():
    """A word such as *.wav, outside of quotes and not behind --, becomes the names of files, which may be options."""
    commands = "rawaudio|convert|measure|info|plot|mix|concat|play|session"
    bare = re.compile(rf"\b(?:{commands})\b(?:(?! -- )[^'|;`]|'[^']*')*? ([*?]+\.\w+)")
    documents = [path for path in ROOT.glob("*.md") if path.name != "CHANGELOG.md"]
    examples = (path for path in (ROOT / "Examples").rglob("*") if path.is_file())
    for path in [*documents, *below(["docs"], {".md"}), *below(["Sources"], {".swift"}), *examples]:
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            for found in bare.finditer(line):
                yield f"{named(path)}:{number}: '{found[1]}' may become an option; write ./{found[1]}"


def run_by(calls, known):
    """The targets that the steps name, and all that these need."""
    names, found = [word for call in calls for word in call], set()
    while names:
        name = names.pop()
        if name in known and name not in found:
            found.add(name)
            names += known[name]
    return found


def steps():
    gate = (ROOT / ".ci/run").read_text()
    rules = "\n".join(path.read_text() for path in [ROOT / "Makefile", *sorted((ROOT / "Scripts/make").glob("*.mk"))])
    excused = dict(re.findall(r"^#   ([\w./-]+): (.+)$", gate, re.MULTILINE))
    # The targets that `make help` lists, and those that each needs.
    known = {name: needed.split() for name, needed in re.findall(r"^([a-z0-9-]+):(?!=)(.*?)##", rules, re.MULTILINE)}
    calls = [call.split() for call in re.findall(r"\bmake ([^'\n]+)", re.sub(r"^\s*#.*", "", gate, flags=re.MULTILINE))]
    run = run_by(calls, known)
    for name in sorted(known.keys() - run - excused.keys()):
        yield f".ci/run: no step runs 'make {name}', and no comment says why"
    for name in sorted(excused):
        if name in run:
            yield f".ci/run: a step runs '{name}', which a comment says is not run"
        if name not in known and not (ROOT / name).is_file():
            yield f".ci/run: there is no target or script '{name}'"
    for call in calls:
        for name in sorted(set(call) & set(known.get("release-check", []))) if "SHORT=1" not in call else []:
            yield f".ci/run: a step runs 'make {name}' without SHORT=1, which belongs to 'make release-check'"
    # make -n follows the rules of a target, and runs none of their lines.
    done = subprocess.run(["make", "-n", "BUILT=1", *sorted(excused.keys() & known.keys())], cwd=ROOT, capture_output=True,
                          text=True, check=False)
    if done.returncode != 0:
        yield f"make -n: {done.stderr.strip()}"
    yield from unnamed_scripts(gate + rules, excused)


def unnamed_scripts(callers, excused):
    """Scripts of Scripts that no rule, step, test or other script names."""
    texts = {path: path.read_text() for path in below(FOLDERS, {".py", ".sh", ".swift"}) if path.is_relative_to(ROOT / "Scripts")
             or path.is_relative_to(ROOT / "Tests")}
    for path in below(["Scripts"], {".py", ".sh"}):
        is_named = path.name in callers or any(path.name in text for other, text in texts.items() if other != path)
        if not (is_named or named(path) in excused or (path.parent / "__main__.py").exists()):
            yield f"{named(path)}: nothing runs it, and .ci/run does not say why"


def syntax():
    for path in below(FOLDERS, {".sh"}):
        done = subprocess.run(["bash", "-n", path], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            yield f"{named(path)}: {done.stderr.strip()}"


found = [*files(), *patterns(), *steps(), *syntax()]
sys.exit("\n".join(found) if found else 0)
