# SPDX-License-Identifier: Apache-2.0
"""Tests of this tool: a small tree of sources in a temporary folder, and the faults that are found in it.

    python3 -B Scripts/layers/test.py
"""

import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parent
ROOM = "Sources/Example/"
PAGE = "docs/architecture/example.md"
PICTURE = """# Architecture

## Layers of `Sources/Example`

```
Top                 the highest
──────────────
Left · Right        neighbours
──────────────
Bottom              the lowest
```
"""
# What keeps to the picture.
TREE = {
    "docs/architecture.md": "# Architecture\n\n| target | holds |\n|---|---|\n| `Example` | all |\n",
    PAGE: PICTURE,
    ROOM + "Top/Program.swift": "struct Program {\n  var link: LeftLink\n}\n",
    ROOM + "Left/LeftLink.swift": "struct LeftLink {\n  var ground: Ground\n}\n",
    ROOM + "Right/RightLink.swift": "struct RightLink {\n  var ground: Ground\n}\n",
    ROOM + "Bottom/Ground.swift": "struct Ground {\n  var depth = 0\n}\n",
}
PLANT = ROOM + "Bottom/Plant.swift"


def use(line, name="Program", owner="Top", room="Bottom", file="Plant", declared="Program.swift:1", relation="higher"):
    return f"{ROOM}{room}/{file}.swift:{line}: {room} uses '{name}' of the {relation} layer {owner} ({ROOM}{owner}/{declared})"


LEFT_LINK = {"name": "LeftLink", "owner": "Left", "declared": "LeftLink.swift:1"}
ROOTS = {ROOM + "Left/Plant.swift": "func plant(_ ground: Ground) { ground.root() }\n"}
DEEP = {PAGE: PICTURE.replace("Left · Right  ", "Left · Bottom/Deep  "), ROOM + "Right/RightLink.swift": None,
        ROOM + "Bottom/Deep/RightLink.swift": TREE[ROOM + "Right/RightLink.swift"]}
# What is added to the tree or, as None, taken away, and the faults.
CASES = {
    "the picture": ({}, []),
    "a higher layer": ({PLANT: "struct Plant {\n  var owner: Program\n}\n"}, [use(2)]),
    "a neighbouring layer": ({ROOM + "Left/Plant.swift": "\nfunc plant(_ link: RightLink) {}\n"}, [
        use(2, "RightLink", "Right", "Left", declared="RightLink.swift:1", relation="neighbouring")]),
    "a folder outside of the picture": ({ROOM + "Attic/Box.swift": "struct Box {}\n"}, [
        f"{ROOM}Attic/Box.swift: its folder is in no layer of {PAGE}",
        f"{ROOM}Attic: it is in no picture and no table of docs/architecture"]),
    "a room that is missing": ({ROOM + "Right/RightLink.swift": None}, [
        f"{PAGE}: there is no folder {ROOM}Right", f"docs/architecture: there is no folder {ROOM}Right"]),
    "a row without a folder": ({PAGE: PICTURE + "\n| `Example/Top`, `Roof` | highest |\n"}, [
        f"docs/architecture: there is no folder {ROOM}Roof", f"{PAGE}: there is no type 'Roof'"]),
    "a type that is missing": ({PAGE: PICTURE + "\n`Program` uses `Ladder`.\n"}, [f"{PAGE}: there is no type 'Ladder'"]),
    "two faults": ({PLANT: "let plant = (Program(), LeftLink())\n"}, [use(1), use(1, **LEFT_LINK)]),
    "a member that another room adds": ({
        **ROOTS, ROOM + "Top/Ground+Roots.swift": "extension Ground {\n  func root() {}\n}\n"}, [
        use(1, "root", room="Left", declared="Ground+Roots.swift:2")]),
    "a member in its type's room": ({
        **ROOTS, ROOM + "Bottom/Ground+Roots.swift": "extension Ground {\n  func root() {}\n}\n"}, []),
    "a name that several rooms declare": ({
        ROOM + "Top/Box.swift": "struct Box {}\n", ROOM + "Left/Box.swift": "struct Box {}\n", PLANT: "let plant = Box()\n"}, []),
    "a room within a room": (DEEP, []),
    "a use of a room within": ({**DEEP, PLANT: "let plant = RightLink()\n"}, [
        use(1, "RightLink", "Bottom/Deep", declared="RightLink.swift:1")]),
    "files above all rooms": ({ROOM + "Main.swift": "let all = (Program(), LeftLink(), RightLink(), Ground())\n"}, []),
    "no picture": ({PAGE: "# Architecture\n"}, ["layers: docs/architecture/*.md has no picture of layers"]),
    "a name of another target": ({
        PLANT: "let plant = Program()\n", "Sources/Other/Program.swift": "public struct Program {}\n",
        "docs/architecture.md": TREE["docs/architecture.md"] + "| `Other` | more |\n"}, []),
    "a constraint in front of a conformance": ({PLANT: "struct Holder<Element: LeftLink>: Sendable {}\n"}, [
        use(1, **LEFT_LINK)]),
}
# The lines of a file in the lowest room that use a type of the highest.
TEXTS = [
    ("/// A ``Program``.\nlet plant = 1  // Program\n", None),
    ("/* Program\n   Program */\nlet plant = 1\n", None),
    ("/* a /* b */ Program */\nlet plant = 1\n", None),
    ("/* a /* b */ c */\nlet plant = Program()\n", 2),
    ('let plant = "Program"\n', None),
    ('let plant = "a \\" Program"\n', None),
    ('let plant = """\n  a " Program\n  """\n', None),
    ('let plant = #"a " \\(Program()) \\"#\n', None),
    ('let plant = "// \\" /*"\nlet other = Program()\n', 2),
    ('let plant = #"\\"#\nlet other = Program()\n', 2),
    ('let plant = """\n  a \\\n  b\n  """\nlet other = Program()\n', 5),
    ('let plant = "a \\(Program()) b"\n', 1),
    ('let plant = """\n  a \\(Program())\n  """\n', 2),
    ('let plant = "a \\(f("b", Program())) c"\n', 1),
    ('let plant = #"a \\#(Program()) b"#\n', 1),
    ('let plant = "a \\(f("Program")) Program"\n', None),
    ("struct Plant {\n  struct Program {}\n  var part: Program\n}\n", None),
    ("private struct Program {}\nprivate let plant = Program()\n", None),
    ("let plant = Ground.Program\n", None),
]
MANIFEST = {"targets": [
    {"name": "CThing", "type": "system", "dependencies": []},
    {"name": "Low", "type": "regular", "dependencies": [{"byName": ["CThing", None]}]},
    {"name": "Copy", "type": "regular", "dependencies": [{"byName": ["CThing", None]}]},
    {"name": "Middle", "type": "regular", "dependencies": [{"byName": ["Copy", None]}, {"byName": ["Low", None]}]},
    {"name": "tool", "type": "executable", "dependencies": [{"byName": ["Middle", None]}]},
    {"name": "Example", "type": "executable", "path": "Examples/Example", "dependencies": []},
    {"name": "LowTests", "type": "test", "dependencies": [{"byName": ["Low", None]}]},
]}


class LayerTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def expect(self, name, added, faults):
        """The tool names these faults and no others, and fails if there are any."""
        with self.subTest(name):
            tree = self.folder / name.replace("/", "|")
            for path, text in {**TREE, **added}.items():
                if text is not None:
                    (tree / path).parent.mkdir(parents=True, exist_ok=True)
                    (tree / path).write_text(text)
            run = subprocess.run([sys.executable, "-B", TOOL], cwd=tree, capture_output=True, text=True, check=False)
            self.assertEqual(run.stderr, "".join(line + "\n" for line in faults))
            self.assertEqual((run.stdout, run.returncode), ("", 1 if faults else 0))

    def test_trees(self):
        for name, case in CASES.items():
            self.expect(name, *case)

    def test_texts(self):
        for number, (text, line) in enumerate(TEXTS):
            self.expect(f"text {number}", {PLANT: text}, [use(line)] if line else [])

    def test_targets_without_copies_from_the_highest_on(self):
        (self.folder / "Sources").mkdir()
        (self.folder / "Sources/Copy").symlink_to("Low")
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        description = importlib.util.spec_from_file_location("layers", TOOL / "__main__.py")
        layers = importlib.util.module_from_spec(description)
        description.loader.exec_module(layers)
        self.assertEqual("".join(layers.drawn(MANIFEST)), "tool   ─► Middle\nMiddle ─► Low\nLow    ─► CThing\n")


if __name__ == "__main__":
    unittest.main()
