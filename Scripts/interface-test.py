# SPDX-License-Identifier: Apache-2.0
"""Tests of interface.py: small modules that the compiler makes, and the breaks planted in them.

    python3 -B Scripts/interface-test.py
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).with_name("interface.py")

MODULE = """
public enum Shape: Sendable { case round, square(side: Int) }
@nonexhaustive public enum Cause { case xrun }
public protocol Source { func read(count: Int) -> Int; func close() }
extension Source { public func close() {} }
open class Sink { public init() {}; open func write(_ samples: [Float], at position: Int = 0) {} }
extension Array where Element == Float { public func peak() -> Float { 0 } }
extension Sink: Source { public func read(count: Int) -> Int { 0 } }
struct Hidden {}
"""
MEANT = "if you meant them: make expected-interface"


class InterfaceTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.kept = self.folder / "kept"
        self.compile(MODULE)
        self.tool("--write")

    def compile(self, source):
        (self.folder / "Sounds.swift").write_text(source)
        subprocess.run(["swiftc", "-emit-module", "-parse-as-library", "-module-name", "Sounds", self.folder / "Sounds.swift",
                        "-o", self.folder / "Sounds.swiftmodule"], check=True)

    def tool(self, *words):
        return subprocess.run([sys.executable, "-B", TOOL, self.folder, self.kept, "Sounds", *words], capture_output=True,
                              text=True, check=False)

    def check(self, *told, words=(), end=None):
        done = self.tool(*words)
        expected = [f"interface: Sounds: {text}" for text in told] + ([f"interface: {end}"] if end else [])
        self.assertEqual((done.returncode, done.stderr.splitlines()), (1 if told else 0, expected))

    def plant(self, *changes):
        source = MODULE
        for old, new in changes:
            self.assertIn(old, source)
            source = source.replace(old, new)
        self.compile(source)

    def test_names_within_functions_and_all_that_is_not_public_may_change(self):
        self.plant(("at position: Int", "at place: Int"), ("struct Hidden {}", ""))
        self.check()

    def test_a_removed_symbol_and_another_label(self):
        self.plant(("public func peak", "func peak"), ("at position: Int", "from position: Int"))
        self.check("gone: Array: func peak() -> Float (where Element == Float)",
                   "gone: Sink: open func write(_: [Float], at: Int = 0); now: Sink: open func write(_: [Float], from: Int = 0)",
                   "new: Sink: open func write(_: [Float], from: Int = 0)", end=f"2 break programs, 1 do not; {MEANT}")

    def test_types_that_promise_more_to_a_switch_and_to_a_conformance(self):
        self.plant(("case round,", "case round, oval,"), ("; func close() }", "; func close(); func drain() }"),
                   ("extension Source { public func close() {} }", "extension Sink { public func close() {}; public func drain() {} }"))
        self.check("a requirement without a default now: Source: func close()",
                   "a case that a client's switch lacks: Shape: case oval",
                   "a requirement that a client's type lacks: Source: requires func drain()",
                   "new: Sink: func close()", "new: Sink: func drain()", end=f"3 break programs, 2 do not; {MEANT}")

    def test_types_that_are_less(self):
        self.plant(("open func write", "public func write"), ("extension Sink: Source", "extension Sink"))
        self.check("no longer open: Sink: open func write(_: [Float], at: Int = 0)", "gone: Sink: is Source",
                   end=f"2 break programs, 0 do not; {MEANT}")

    def test_additions_break_nothing_and_are_told(self):
        self.plant(("case xrun", "case xrun, suspend"), ("; func close() }", "; func close(); var rate: Int { get } }"),
                   ("extension Source {", "extension Source { public var rate: Int { 1 };"))
        self.check("new: Cause: case suspend", "new: Source: var rate: Int { get }", end=f"0 break programs, 2 do not; {MEANT}")

    def test_a_deprecated_declaration_says_what_to_use(self):
        self.plant(("public func peak", "@available(*, deprecated) public func peak"))
        self.check("deprecated, and says nothing to use: Array.peak()",
                   "has other marks: Array: deprecated func peak() -> Float (where Element == Float)",
                   end=f"0 break programs, 1 do not; {MEANT}")

    def test_versions_keep_all_but_declarations_that_two_of_them_have_as_deprecated(self):
        path = self.kept / "Sounds.txt"
        first = path.read_text()
        deprecated = first.replace("open func write", "deprecated open func write")
        git = ["git", "-C", self.kept, "-c", "user.name=a", "-c", "user.email=a"]
        subprocess.run([*git, "init", "-q"], check=True)
        self.plant(("open func write", "open func put"))
        self.tool("--write")
        now = path.read_text()

        def version(tag, text):
            path.write_text(text)
            for words in ["add", "."], ["commit", "-q", "--allow-empty", "-m", tag], ["tag", tag]:
                subprocess.run([*git, *words], check=True)
            path.write_text(now)

        gone = "gone: Sink: open func write(_: [Float], at: Int = 0)"
        kept = "1.x keeps all that its versions had: docs/stability.md"
        version("v0.9.0", "Sounds: struct Other\n")
        self.check(words=["--versions"])
        version("v1.2.0", first)
        self.check(f"since v1.2.0: {gone}", words=["--versions"], end=kept)
        version("v1.3.0", deprecated)
        self.check(f"since v1.2.0: {gone}", words=["--versions"], end=kept)
        version("v1.4.0", first)
        version("v1.4.1", deprecated)
        self.check(words=["--versions"])


if __name__ == "__main__":
    unittest.main()
