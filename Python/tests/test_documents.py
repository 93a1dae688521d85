# SPDX-License-Identifier: Apache-2.0
"""docs/python.md does what it says: its blocks are one program, and print what stands under them."""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import warnings_of

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


PIECES = re.findall(r"^```(python)?\n(.*?)^```\n", PAGE.read_text(), flags=re.MULTILINE | re.DOTALL)


@pytest.mark.filterwarnings("default")
@pytest.mark.usefixtures("event_loop_kind")
def test_the_page_prints_what_it_says(card: Path) -> None:
    # No numbers of frames: the card's own samples are loud.
    card.write_bytes(bytes(2 * 48000))
    names: dict[str, object] = {"__name__": "page"}
    printed, checked = "", 0
    for language, text in PIECES:
        if not language:
            assert printed == text
            checked += 1
            continue
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(compile(text, str(PAGE), "exec"), names)
        printed = output.getvalue()
    assert checked > 8


def test_the_page_gives_no_warning(card: Path) -> None:
    card.write_bytes(bytes(2 * 48000))
    assert warnings_of("\n".join(text for language, text in PIECES if language)) == (0, "")


def test_the_page_is_typed(folder: Path) -> None:
    Path("page.py").write_text("\n".join(text for language, text in PIECES if language))
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "page.py"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
