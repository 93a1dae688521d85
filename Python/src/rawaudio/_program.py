# SPDX-License-Identifier: Apache-2.0
"""Where the program is, and the environment that it gets."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from ._errors import Error
from ._version import __version__


def _candidates() -> Iterator[Path]:
    if named := os.environ.get("RAWAUDIO_PROGRAM"):
        yield Path(named)
        return
    # Beside the package, wherever that is: FOLDER/bin for FOLDER/lib/python3.11/site-packages/rawaudio, and for
    # FOLDER/rawaudio of 'pip install --target FOLDER'.
    for folder in Path(__file__).absolute().parents[1:5]:
        yield folder / "bin" / "rawaudio"
    # The package's sources, used in place.
    yield Path(sysconfig.get_path("scripts"), "rawaudio")


def program() -> str:
    """Returns the path of the program that this package runs.

    It is the one that was installed with the package, or the one that the environment variable ``RAWAUDIO_PROGRAM``
    names.

    Raises:
        Error: there is none.
    """
    for path in _candidates():
        if path.is_file():
            return str(path)
    raise Error(
        "it is not where this package was installed",
        action="find",
        subject="rawaudio",
        advice="install the package again, or name the program in RAWAUDIO_PROGRAM",
        code=1,
    )


@functools.cache
def library() -> str | None:
    """Returns the path of the libsndfile that the package soundfile brings. None if it brings none."""
    spec = find_spec("_soundfile_data")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for path in sorted(Path(folder).glob("libsndfile*.so*")):
            return str(path)
    return None


def environment() -> dict[str, str]:
    """Returns the environment of the program: this one's, with the way to libsndfile."""
    variables = dict(os.environ)
    if (path := library()) and "RAWAUDIO_LIBSNDFILE" not in variables:
        variables["RAWAUDIO_LIBSNDFILE"] = path
    return variables


def command_line(*words: str) -> list[str]:
    return [program(), *words]


def require_version(version: str) -> None:
    """Checks the version that the program states.

    Raises:
        Error: it is another one than the package's.
    """
    if version != __version__:
        raise Error(
            f"it has version {version or 'unknown'}, and this package needs {__version__}",
            action="use",
            subject=program(),
            advice=f"install the wheel of version {__version__}",
        )


def version_of(path: str) -> str:
    """Returns the version of a program that cannot serve this package. Empty if it states none."""
    done = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=10, check=False)
    return done.stdout.strip()


def main() -> None:
    """Runs the program in place of this process: ``python -m rawaudio``."""
    os.execve(program(), command_line(*sys.argv[1:]), environment())
