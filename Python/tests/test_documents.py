# SPDX-License-Identifier: Apache-2.0
"""docs/python.md does what it says: its blocks are one program, and print what stands under them."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


@pytest.mark.filterwarnings("default")
@pytest.mark.usefixtures("event_loop_kind")
def test_the_page_prints_what_it_says(card: Path) -> None:
    # No numbers of frames: the card's own samples are loud.
    card.write_bytes(bytes(2 * 48000))
    pieces = re.findall(r"^```(python)?\n(.*?)^```\n", PAGE.read_text(), flags=re.MULTILINE | re.DOTALL)
    names: dict[str, object] = {"__name__": "page"}
    printed, checked = "", 0
    for language, text in pieces:
        if not language:
            assert printed == text
            checked += 1
            continue
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(compile(text, str(PAGE), "exec"), names)
        printed = output.getvalue()
    assert checked > 8
