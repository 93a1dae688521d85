# SPDX-License-Identifier: Apache-2.0
"""Tests of this tool: a small tree of sources in a temporary folder, and what is said of it.

    python3 Scripts/layers/test.py
"""

import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

import targets

TOOL = os.path.dirname(os.path.abspath(__file__))

PICTURE = """
    # Architecture

    ## Layers of `Sources/Example`

    A room uses the rooms of lower lines.

    ```
    Top                 the highest
    ──────────────
    Left · Right        neighbours
    ──────────────
    Bottom              the lowest
    ```
    """

# What keeps to the picture.
SOURCES = {
    "Top/Program.swift": "struct Program {\n  var link: LeftLink\n}\n",
    "Left/LeftLink.swift": "struct LeftLink {\n  var ground: Ground\n}\n",
    "Right/RightLink.swift": "struct RightLink {\n  var ground: Ground\n}\n",
    "Bottom/Ground.swift": "struct Ground {\n  var depth = 0\n}\n",
}


class Tree(unittest.TestCase):
    """A tree of sources to which each test adds what it is about."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.write("docs/architecture.md", "# Architecture\n")
        self.write("docs/architecture/example.md", textwrap.dedent(PICTURE))
        for path, text in SOURCES.items():
            self.plant(path, text)

    def write(self, path, text):
        path = os.path.join(self.folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def plant(self, path, text):
        self.write("Sources/Example/" + path, text)

    def run_tool(self, *options):
        return subprocess.run(
            [sys.executable, "-B", TOOL, *options],
            cwd=self.folder, capture_output=True, text=True, check=False)

    def expect(self, *lines):
        """The tool says `lines` and nothing else, and fails where there are any."""
        run = self.run_tool()
        self.assertEqual(run.stderr, "".join(line + "\n" for line in lines))
        self.assertEqual(run.stdout, "")
        self.assertEqual(run.returncode, 1 if lines else 0)


class LayerTests(Tree):
    def test_a_tree_that_keeps_to_its_picture(self):
        self.expect()

    def test_a_use_of_a_higher_layer(self):
        self.plant("Bottom/Plant.swift", "struct Plant {\n  var owner: Program\n}\n")
        self.expect(
            "Sources/Example/Bottom/Plant.swift:2: Bottom uses 'Program' of the higher layer Top"
            " (Sources/Example/Top/Program.swift:1)")

    def test_a_use_of_a_neighbouring_layer(self):
        self.plant("Left/Plant.swift", "\nfunc plant(_ link: RightLink) {}\n")
        self.expect(
            "Sources/Example/Left/Plant.swift:2: Left uses 'RightLink' of the neighbouring layer"
            " Right (Sources/Example/Right/RightLink.swift:1)")

    def test_a_folder_that_the_picture_does_not_name(self):
        self.plant("Attic/Box.swift", "struct Box {}\n")
        self.expect(
            "Sources/Example/Attic/Box.swift: its folder is in no layer of docs/architecture/example.md")

    def test_a_room_that_is_missing(self):
        os.remove(os.path.join(self.folder, "Sources/Example/Right/RightLink.swift"))
        os.rmdir(os.path.join(self.folder, "Sources/Example/Right"))
        self.expect("docs/architecture/example.md: there is no folder Sources/Example/Right")

    def test_every_fault_is_told(self):
        self.plant("Bottom/Plant.swift", "let plant = (Program(), LeftLink())\n")
        self.plant("Attic/Box.swift", "struct Box {}\n")
        self.expect(
            "Sources/Example/Attic/Box.swift: its folder is in no layer of docs/architecture/example.md",
            "Sources/Example/Bottom/Plant.swift:1: Bottom uses 'Program' of the higher layer Top"
            " (Sources/Example/Top/Program.swift:1)",
            "Sources/Example/Bottom/Plant.swift:1: Bottom uses 'LeftLink' of the higher layer Left"
            " (Sources/Example/Left/LeftLink.swift:1)")

    def test_a_member_that_another_room_adds(self):
        self.plant("Top/Ground+Roots.swift", "extension Ground {\n  func root() {}\n}\n")
        self.plant("Left/Plant.swift", "func plant(_ ground: Ground) { ground.root() }\n")
        self.expect(
            "Sources/Example/Left/Plant.swift:1: Left uses 'root' of the higher layer Top"
            " (Sources/Example/Top/Ground+Roots.swift:2)")

    def test_a_member_in_the_room_of_its_type(self):
        self.plant("Bottom/Ground+Roots.swift", "extension Ground {\n  func root() {}\n}\n")
        self.plant("Left/Plant.swift", "func plant(_ ground: Ground) { ground.root() }\n")
        self.expect()

    def test_a_name_that_several_rooms_declare(self):
        self.plant("Top/Box.swift", "struct Box {}\n")
        self.plant("Left/Box.swift", "struct Box {}\n")
        self.plant("Bottom/Plant.swift", "let plant = Box()\n")
        self.expect()

    def test_a_room_within_a_room(self):
        self.write(
            "docs/architecture/example.md",
            textwrap.dedent(PICTURE).replace("Left · Right  ", "Left · Bottom/Deep  "))
        os.rename(
            os.path.join(self.folder, "Sources/Example/Right"),
            os.path.join(self.folder, "Sources/Example/Bottom/Deep"))
        self.expect()
        self.plant("Bottom/Plant.swift", "let plant = RightLink()\n")
        self.expect(
            "Sources/Example/Bottom/Plant.swift:1: Bottom uses 'RightLink' of the higher layer"
            " Bottom/Deep (Sources/Example/Bottom/Deep/RightLink.swift:1)")

    def test_files_above_all_rooms_use_everything(self):
        self.plant("Main.swift", "let all = (Program(), LeftLink(), RightLink(), Ground())\n")
        self.expect()

    def test_no_picture(self):
        self.write("docs/architecture/example.md", "# Architecture\n")
        self.expect("layers: docs/architecture/*.md has no picture of layers")


class TextTests(Tree):
    """What counts as a use in the text of a file."""

    def expect_use(self, text, line):
        self.plant("Bottom/Plant.swift", text)
        self.expect(
            f"Sources/Example/Bottom/Plant.swift:{line}: Bottom uses 'Program' of the higher layer"
            " Top (Sources/Example/Top/Program.swift:1)")

    def expect_no_use(self, text):
        self.plant("Bottom/Plant.swift", text)
        self.expect()

    def test_comments_do_not_count(self):
        self.expect_no_use("/// A ``Program``.\nlet plant = 1  // Program\n")
        self.expect_no_use("/* Program\n   Program */\nlet plant = 1\n")
        self.expect_no_use("/* a /* b */ Program */\nlet plant = 1\n")
        self.expect_use("/* a /* b */ c */\nlet plant = Program()\n", 2)

    def test_strings_do_not_count(self):
        self.expect_no_use('let plant = "Program"\n')
        self.expect_no_use('let plant = "a \\" Program"\n')
        self.expect_no_use('let plant = """\n  a " Program\n  """\n')
        self.expect_no_use('let plant = #"a " \\(Program()) \\"#\n')
        self.expect_use('let plant = "// \\" /*"\nlet other = Program()\n', 2)
        self.expect_use('let plant = #"\\"#\nlet other = Program()\n', 2)

    def test_a_string_keeps_its_lines(self):
        self.expect_use('let plant = """\n  a \\\n  b\n  """\nlet other = Program()\n', 5)

    def test_interpolations_count(self):
        self.expect_use('let plant = "a \\(Program()) b"\n', 1)
        self.expect_use('let plant = """\n  a \\(Program())\n  """\n', 2)
        self.expect_use('let plant = "a \\(f("b", Program())) c"\n', 1)
        self.expect_use('let plant = #"a \\#(Program()) b"#\n', 1)
        self.expect_no_use('let plant = "a \\(f("Program")) Program"\n')

    def test_a_constraint_in_front_of_a_conformance_counts(self):
        self.plant(
            "Bottom/Holder.swift", "struct Holder<Element: LeftLink>: Sendable {}\n")
        self.expect(
            "Sources/Example/Bottom/Holder.swift:1: Bottom uses 'LeftLink' of the higher layer Left"
            " (Sources/Example/Left/LeftLink.swift:1)")

    def test_names_of_its_own_do_not_count(self):
        self.expect_no_use("struct Plant {\n  struct Program {}\n  var part: Program\n}\n")
        self.expect_no_use("private struct Program {}\nprivate let plant = Program()\n")

    def test_members_of_another_type_do_not_count(self):
        self.expect_no_use("let plant = Ground.Program\n")


class OtherTargetTests(Tree):
    def test_a_name_that_another_target_declares_does_not_count(self):
        self.plant("Bottom/Plant.swift", "let plant = Program()\n")
        self.assertNotEqual(self.run_tool().returncode, 0)
        self.write("Sources/Other/Program.swift", "public struct Program {}\n")
        self.assertEqual(self.run_tool().returncode, 0)

    def test_a_link_to_the_own_target_is_no_other_target(self):
        self.plant("Bottom/Plant.swift", "let plant = Program()\n")
        os.symlink("Example", os.path.join(self.folder, "Sources/Copy"))
        self.assertNotEqual(self.run_tool().returncode, 0)


class TargetTests(Tree):
    """Of what `swift package dump-package` says, the parts that count."""

    MANIFEST = {"targets": [
        {"name": "CThing", "type": "system", "dependencies": []},
        {"name": "Low", "type": "regular", "dependencies": [{"byName": ["CThing", None]}]},
        {"name": "Middle", "type": "regular", "dependencies": [{"byName": ["CThing", None]}, {"byName": ["Low", None]}]},
        {"name": "tool", "type": "executable", "dependencies": [{"byName": ["Middle", None]}]},
        {"name": "Example", "type": "executable", "path": "Examples/Example", "dependencies": []},
        {"name": "LowTests", "type": "test", "dependencies": [{"byName": ["Low", None]}]},
    ]}

    def test_targets_are_drawn_from_the_highest_on(self):
        self.assertEqual(targets.drawn(self.MANIFEST), (
            "tool   ─► Middle\n"
            "Middle ─► Low · CThing\n"
            "Low    ─► CThing\n"))

    def test_a_target_whose_folder_is_a_link_is_left_out(self):
        copy = {"name": "Copy", "type": "regular", "dependencies": []}
        user = {"name": "User", "type": "regular", "dependencies": [{"byName": ["Copy", None]}, {"byName": ["Low", None]}]}
        self.write("Sources/Low/Low.swift", "")
        os.symlink("Low", os.path.join(self.folder, "Sources/Copy"))
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder)
        self.assertEqual(targets.drawn({"targets": [copy, user]}), "User ─► Low\n")

    def test_the_picture_is_found_and_replaced(self):
        document = "# A\n\n## Targets\n\nText.\n\n```\nold\n```\n\n```\nother\n```\n"
        self.assertEqual(targets.picture(document), "old\n")
        self.assertEqual(targets.with_picture(document, "new\n"), document.replace("old", "new"))
        self.assertIsNone(targets.picture("# A\n"))


class GraphTests(Tree):
    def test_who_uses_whom(self):
        run = self.run_tool("--graph")
        self.assertEqual(
            run.stdout,
            "Sources/Example: 4 rooms, 3 uses, cycles: none\n"
            "  Left -> Bottom: Ground\n"
            "  Right -> Bottom: Ground\n"
            "  Top -> Left: LeftLink\n")
        self.assertEqual(run.stderr, "")
        self.assertEqual(run.returncode, 0)

    def test_a_cycle(self):
        self.plant("Bottom/Plant.swift", "let plant = Program()\n")
        self.assertEqual(
            self.run_tool("--graph").stdout.splitlines()[0],
            "Sources/Example: 4 rooms, 4 uses, cycles: [['Bottom', 'Left', 'Top']]")


if __name__ == "__main__":
    unittest.main()
