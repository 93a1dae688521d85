# SPDX-License-Identifier: Apache-2.0
"""Checks the rules of CONTRIBUTING.md for files and the names in the pages of docs/architecture; exit 1 and a line for each fault.

    python3 -B Scripts/house.py

- No Swift file has more than 350 lines.
- Every folder of Sources is in a picture or a table of docs/architecture, and every row has its folder.
- Every type that docs/architecture.md or a page names in backquotes exists.
- No comment has one of the worst words.
- A pattern of the shell in an example has `./` in front: a file may have the name of an option.
- No file in git is larger than 200 kB: generated sound was committed once.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
LINES = 350
BYTES = 200_000
PAGES = [ROOT / "docs/architecture.md", *sorted((ROOT / "docs/architecture").glob("*.md"))]
FOLDERS = ["Sources", "Tests", "Examples", "Benchmarks"]
"""Words that hide the subject of a sentence, and the rule that they break."""
WORST = {
    r"\bas far as\b": "say 'if', or name the part",
    r"\b(?:by|of|for|from|to) what\b": "name the thing",
    r"\b(?:nobody|somebody|everybody|whoever)\b": "name the subject",
    r"(?:^|[.:] )the same\b": "name the subject again",
}


def swift_files():
    for name in FOLDERS:
        yield from sorted((ROOT / name).rglob("*.swift"))


def lengths():
    for path in swift_files():
        count = path.read_text().count("\n")
        if count > LINES:
            yield f"{path.relative_to(ROOT)}: {count} lines; {LINES} are the most: is it one idea?"


def sizes():
    """A copy of the tree without git has nothing to commit."""
    if not (ROOT / ".git").exists():
        return
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        path = ROOT / name
        if path.is_file() and path.stat().st_size > BYTES:
            yield f"{name}: {path.stat().st_size} bytes; {BYTES} are the most for a file in git: is it generated?"


def comments(text):
    """Each block of comment lines as one text, with the number of its first line."""
    block, first = [], 0
    for number, line in enumerate([*text.splitlines(), ""], 1):
        comment = re.match(r"\s*///?(?: |$)(.*)", line)
        if comment:
            first = first if block else number
            block.append(comment.group(1).strip())
        elif block:
            yield first, " ".join(block)
            block = []


def words():
    for path in swift_files():
        for number, text in comments(path.read_text()):
            for pattern, advice in WORST.items():
                found = re.search(pattern, text, re.IGNORECASE)
                if found:
                    yield f"{path.relative_to(ROOT)}:{number}: '{found.group().strip('.: ')}' in a comment; {advice}"


def patterns():
    """A word such as *.wav, outside of quotes and not behind --, becomes the names of files, which may be options."""
    commands = "rawaudio|convert|measure|info|plot|mix|concat|play|session"
    bare = re.compile(rf"\b(?:{commands})\b(?:(?! -- )[^'|;`]|'[^']*')*? ([*?]+\.\w+)")
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "Examples").rglob("*")]
    for path in [*documents, *(ROOT / "Sources").rglob("*.swift")]:
        if not path.is_file() or path.name == "CHANGELOG.md":
            continue
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            for found in bare.finditer(line):
                yield f"{path.relative_to(ROOT)}:{number}: '{found.group(1)}' may become an option; write ./{found.group(1)}"


def rows(document):
    """The folders that tables name in their first column: `A/B`, `C` are A/B and A/C."""
    for cell in re.findall(r"^\| ((?:`[A-Za-z.0-9/]+`(?:, )?)+) \|", document, re.MULTILINE):
        names = re.findall(r"`([^`]+)`", cell)
        parent = names[0].rpartition("/")[0]
        yield names[0]
        yield from (f"{parent}/{name}" if parent and "/" not in name else name for name in names[1:])


def rooms(document):
    """The folders in the pictures of layers."""
    for folder, picture in re.findall(r"^## Layers of `Sources/([^`]+)`\n.*?^```\n(.*?)^```", document, re.M | re.S):
        for line in picture.splitlines():
            yield from (f"{folder}/{room}" for room in re.split(r" {3,}", line)[0].split(" · "))


def folders(document):
    named = {*rows(document), *rooms(document)}
    sources = ROOT / "Sources"
    for folder in sorted(path for path in sources.rglob("*") if path.is_dir()):
        name = str(folder.relative_to(sources))
        if any(folder.glob("*.swift")) and name not in named:
            yield f"Sources/{name}: it is in no picture and no table of docs/architecture"
    for name in sorted(named):
        target = name.partition("/")[0]
        if "/" in name and "─" not in name and (sources / target).is_dir() and not (sources / name).is_dir():
            yield f"docs/architecture: there is no folder Sources/{name}"


def types():
    declared = set()
    for path in swift_files():
        declared |= set(re.findall(r"\b(?:struct|class|enum|protocol|actor|typealias|macro)\s+(\w+)", path.read_text()))
    for page in PAGES:
        prose = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
        for name in sorted(set(re.findall(r"`([A-Z][a-z]\w*)(?:[.(][^`]*)?`", prose))):
            if name not in declared | KNOWN and not (ROOT / name).exists():
                yield f"{page.relative_to(ROOT)}: there is no type '{name}'"


"""Types of Swift's library, and names of targets and folders."""
KNOWN = {"Float", "Double", "Int", "String", "Sources", *(path.name for path in (ROOT / "Sources").rglob("*"))}


def main():
    document = "".join(page.read_text() for page in PAGES)
    faults = [*lengths(), *sizes(), *folders(document), *types(), *words(), *patterns()]
    print(*faults, sep="\n" if faults else "", end="\n" if faults else "", file=sys.stderr)
    return min(len(faults), 1)


sys.exit(main())
