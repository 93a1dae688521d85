# SPDX-License-Identifier: Apache-2.0
"""What a Swift file offers to other files and which names it uses, read as text.

What a file offers: its types, functions and constants outside of any type, and the members that it adds
to somebody else's type. The members of a type come with the type's own name.
"""

import re
from dataclasses import dataclass, field

TYPES = {"struct", "class", "enum", "protocol", "actor", "typealias"}
VALUES = {"func", "var", "let", "case"}
TOKEN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[{}()\[\]:.,<>]|\n")
LITERAL = re.compile(r'(?P<hashes>#*)(?P<quotes>"""|")')
COMMENT_MARK = re.compile(r"/\*|\*/")


@dataclass
class SourceFile:
    path: str
    # Name -> line, of what stands outside of any type.
    declared: dict = field(default_factory=dict)
    # (Extended type, name) -> line, of the members of extensions.
    added: dict = field(default_factory=dict)
    # Name -> line of its first use.
    used: dict = field(default_factory=dict)
    # The same for names behind a dot.
    used_as_member: dict = field(default_factory=dict)
    # What the file itself gives a name to: members, parameters, locals.
    bound: set = field(default_factory=set)


@dataclass
class Literal:
    """A string literal that is being read."""

    hashes: str
    quotes: str
    # The open parentheses of its interpolation; 0 in its text.
    depth: int = 0

    @property
    def end(self):
        return self.quotes + self.hashes

    @property
    def escape(self):
        return "\\" + self.hashes


def code_of(text):
    """`text` without comments and the text of string literals, lines kept.

    What is interpolated into a string is code and stays.
    """
    output = []
    index = 0
    # The open literals, from the outermost on.
    literals = []
    while index < len(text):
        if literals and literals[-1].depth == 0:
            literal = literals[-1]
            if text.startswith(literal.escape + "(", index):
                literal.depth = 1
                output.append(" (")
                index += len(literal.escape) + 1
            elif text.startswith(literal.escape, index):
                index += len(literal.escape)
                # What is escaped ends nothing, but a line that goes on behind a backslash is a line.
                output.append("\n" if text.startswith("\n", index) else "")
                index += 1
            elif text.startswith(literal.end, index):
                literals.pop()
                output.append(" ")
                index += len(literal.end)
            else:
                output.append("\n" if text[index] == "\n" else "")
                index += 1
        elif text.startswith("//", index):
            end = text.find("\n", index)
            index = len(text) if end < 0 else end
        elif text.startswith("/*", index):
            end = end_of_comment(text, index)
            output.append("\n" * text.count("\n", index, end))
            index = end
        elif opening := LITERAL.match(text, index):
            literals.append(Literal(opening["hashes"], opening["quotes"]))
            index = opening.end()
        else:
            if literals:
                literals[-1].depth += {"(": 1, ")": -1}.get(text[index], 0)
            output.append(text[index])
            index += 1
    return "".join(output)


def end_of_comment(text, begin):
    """Behind the block comment at `begin`, and behind those within it."""
    depth = 0
    for mark in COMMENT_MARK.finditer(text, begin):
        depth += 1 if mark.group() == "/*" else -1
        if depth == 0:
            return mark.end()
    return len(text)


def tokens_of(code):
    line = 1
    for match in TOKEN.finditer(code):
        if match.group() == "\n":
            line += 1
        else:
            yield match.group(), line


def read(path, shown_path):
    with open(path, encoding="utf-8") as file:
        tokens = list(tokens_of(code_of(file.read())))
    source = SourceFile(shown_path)
    # The open braces: the name of an extension's type, or "" for anything else.
    scopes = []
    opened = ""
    is_hidden = False
    for index, (token, line) in enumerate(tokens):
        previous = tokens[index - 1][0] if index else ""
        following = tokens[index + 1][0] if index + 1 < len(tokens) else ""
        if token == "{":
            scopes.append(opened)
            opened = ""
        elif token == "}":
            if scopes:
                scopes.pop()
        elif token in ("private", "fileprivate"):
            is_hidden = following != "("
        elif token == "extension" and not scopes:
            opened = following
            source.used.setdefault(following, line)
        elif token.isidentifier() and previous in TYPES | VALUES:
            if token in VALUES:
                continue
            if is_hidden:
                source.bound.add(token)
            elif not scopes:
                source.declared.setdefault(token, line)
            elif len(scopes) == 1 and scopes[0]:
                source.added.setdefault((scopes[0], token), line)
            else:
                source.bound.add(token)
            is_hidden = False
        elif following == ":" and previous != "?":
            source.bound.add(token)
        elif token.isidentifier():
            uses = source.used_as_member if previous == "." else source.used
            uses.setdefault(token, line)
    return source
