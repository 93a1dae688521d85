# SPDX-License-Identifier: Apache-2.0
"""The program's messages in the words of this package: arguments stand in the place of options."""

from __future__ import annotations

import re

# The arguments that say what an option says. All others are words of `options`.
_ARGUMENTS = {
    "channels": "channels",
    "device": "device",
    "duration": "duration",
    "end": "stop",
    "force": "overwrite",
    "format": "encoding",
    "input-rate": "rate",
    "jobs": "jobs",
    "local": "local",
    "loudness": "loudness",
    "mixed": "mixed",
    "output": "output",
    "playback": "playback",
    "publish": "publish",
    "rate": "rate",
    "remote": "remotes",
    "start": "start",
    "tag": "tags",
    "type": "container",
    "until-empty": "until_empty",
}

# Whole phrases that have others in Python.
_PHRASES = [
    (r"use --force to overwrite", "pass overwrite=True"),
    (r"use --existing skip or --existing replace", "pass overwrite=True or skip_existing=True"),
    (r"use --force or --existing replace", "pass overwrite=True"),
    (r"^Missing expected argument '<.*?>'", "There is no source"),
    (r"\bsay (?=--)", "pass "),
    (r"\bfor example -o ", "for example "),
    (r", or add them: 'rawaudio mix .*? --track all'", ': options=["--track", "2"]'),
    (r"another program loads it: curl .*", "load it first"),
    (r"if it is the output, say -o in front of it", ""),
    (r"never ends; say how long with '--duration.*?'", "never ends; say where with stop="),
    (r"; --json or -v lists them", "; the summary lists them"),
    # Options of other programs.
    (r"a container needs --device /dev/snd", "a container needs the devices in /dev/snd"),
    (r"start it with a higher --port-max", "start it with more ports"),
]

_VALUE = r"<[^>]*>|[A-Z]{2,}\b|-?\d(?:[\w.:*+-]|,(?=\d))*|[a-z]+\d\w*|[a-z]+=[\w.,=]+|raw|resample|ffmpeg|tpdf|udp"
_OPTION = rf"--([a-z][a-z-]*[a-z])(?:[= ]({_VALUE}))?"
_LABEL = re.compile(r"'--([a-z][a-z-]*[a-z])(?:\[?[= ]<[^>]*>\]?)?'")
# Text in quotes is a name, or a value of the caller, unless it is an option alone.
_QUOTED_OR_OPTIONS = re.compile(rf"(?<!\w)'[^']*'|(?<![\w\"/=-]){_OPTION}(?: {_OPTION})*")


def _replaced(found: re.Match[str]) -> str:
    text = found[0]
    if label := _LABEL.fullmatch(text):
        return f"'{_ARGUMENTS[label[1]]}'" if label[1] in _ARGUMENTS else f'options=["--{label[1]}"]'
    if text.startswith("'"):
        return text
    # One option, or several in a row, with their values.
    options = re.findall(_OPTION, text)
    name, value = options[0]
    if len(options) == 1 and name in _ARGUMENTS:
        return f"{_ARGUMENTS[name]}={value}"
    words = [f'"{word}"' for name, value in options for word in (f"--{name}", value) if word]
    return f"options=[{', '.join(words)}]"


def worded(text: str) -> str:
    """Returns a message of the program without options of the command line."""
    for pattern, phrase in _PHRASES:
        text = re.sub(pattern, phrase, text)
    # A word that the caller has misspelt stays.
    return text if text.startswith("Unknown option") else _QUOTED_OR_OPTIONS.sub(_replaced, text)
