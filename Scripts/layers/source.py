"""What a Swift file offers to other files and which names it uses, read as text.

What a file offers: its types, functions and constants outside of any type, and the members that it adds
to somebody else's type. The members of a type come with the type's own name.
"""

import re
from dataclasses import dataclass, field

TYPES = {"struct", "class", "enum", "protocol", "actor", "typealias"}
VALUES = {"func", "var", "let", "case"}
TOKEN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[{}()\[\]:.,]|\n")


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


def code_of(text):
    """`text` without comments and the text of string literals, lines kept.

    What is interpolated into a string is code and stays.
    """
    output = []
    index = 0
    # The open literals: the closing quotes of each, and the open parentheses of its interpolation.
    literals = []
    while index < len(text):
        if literals and literals[-1][1] == 0:
            quotes = literals[-1][0]
            if text.startswith("\\(", index):
                literals[-1][1] = 1
                output.append(" (")
                index += 2
            elif text[index] == "\\":
                index += 2
            elif text.startswith(quotes, index):
                literals.pop()
                output.append(" ")
                index += len(quotes)
            else:
                output.append("\n" if text[index] == "\n" else "")
                index += 1
        elif text.startswith("//", index):
            end = text.find("\n", index)
            index = len(text) if end < 0 else end
        elif text.startswith("/*", index):
            end = text.find("*/", index)
            end = len(text) if end < 0 else end + 2
            output.append("\n" * text.count("\n", index, end))
            index = end
        elif text[index] == '"':
            quotes = '"""' if text.startswith('"""', index) else '"'
            literals.append([quotes, 0])
            index += len(quotes)
        else:
            if literals:
                literals[-1][1] += {"(": 1, ")": -1}.get(text[index], 0)
            output.append(text[index])
            index += 1
    return "".join(output)


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
