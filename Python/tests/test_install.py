# SPDX-License-Identifier: Apache-2.0
"""The wheel, installed as the pages say and in the other ways of pip: program and libsndfile are those beside it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TREE = Path(__file__).parents[2]
WHEELS = TREE / ".build/wheel"

USE = """
import numpy, rawaudio
rawaudio.write("a.mp3", numpy.zeros(4800), 48000, overwrite=True)
print(rawaudio._program.program(), rawaudio._program.library())
"""


def run(*words: str | Path, place: Path | str = ".", home: Path | None = None, packages: str = "") -> str:
    """Runs a command where nothing of this environment is seen."""
    hidden = {"MAKEFLAGS", "MAKELEVEL", "PYTHONPATH", "RAWAUDIO_PROGRAM", "RAWAUDIO_LIBSNDFILE", "VIRTUAL_ENV"}
    variables = {name: value for name, value in os.environ.items() if name not in hidden}
    # Half of the time of pip.
    variables["PIP_NO_COMPILE"] = "1"
    variables |= {"HOME": str(home)} if home else {}
    variables |= {"PYTHONPATH": packages} if packages else {}
    done = subprocess.run(words, cwd=place, env=variables, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def check(python: Path, folder: Path, packages: str = "") -> None:
    """Uses the package and the command that are installed in a folder."""
    program, library = run(python, "-c", USE, packages=packages).split()
    assert Path(program) == folder / "bin/rawaudio"
    assert Path(library).is_relative_to(folder)
    # There the command looks for the numbers of the voice detector.
    assert {path.suffix for path in (folder / "share/rawaudio").iterdir()} == {".safetensors", ".LICENSE"}
    # The command looks for itself.
    (found,) = set(re.findall(r"calling init: (.*libsndfile.*)", run("env", "LD_DEBUG=libs", program, "info", "a.mp3")))
    assert Path(found).resolve() == Path(library).resolve()


def lines(page: str) -> str:
    """The lines of a page that install the wheel."""
    (found,) = re.findall(r"\n\n((?: {4}.*\n)*? {4}pip install .*\n)\n", (TREE / page).read_text())
    return str(found)


def test_the_lines_of_the_pages_install_it(folder: Path) -> None:
    wanted = lines("README.md")
    assert wanted == lines("docs/python.md")
    # On a machine that has the file, and no sources.
    assert wanted.replace("    make wheel\n", "").replace(".build/wheel/*", "rawaudio-*") == lines("Python/README.md")
    run("bash", "-euxc", wanted, place=TREE, home=folder)
    check(folder / "sound/bin/python", folder / "sound")
    # The wheel of newer sources has the same version.
    (again,) = re.findall(r"`(pip install --force[^`]*)`", (TREE / "docs/python.md").read_text())
    (package,) = (folder / "sound").rglob("rawaudio/__init__.py")
    package.write_text("an older one")
    run("bash", "-euxc", f". ~/sound/bin/activate && {' '.join(again.split())}", place=TREE, home=folder)
    check(folder / "sound/bin/python", folder / "sound")


@pytest.mark.parametrize("way", ["--target", "--prefix", "--system-site-packages"])
def test_pip_installs_it_elsewhere(folder: Path, way: str) -> None:
    python, other, packages = Path(sys.executable), folder / "other", ""
    if way == "--system-site-packages":
        run(python, "-m", "venv", way, other)
        python = other / "bin/python"
        run(python, "-m", "pip", "install", *WHEELS.glob("*.whl"))
    else:
        run(python, "-m", "pip", "install", "--ignore-installed", way, other, *WHEELS.glob("*.whl"))
        packages = str(next(other.rglob("rawaudio/__init__.py")).parents[1])
    check(python, other, packages)


def test_the_pages_name_the_glibc_of_the_wheel() -> None:
    (wheel,) = WHEELS.glob("*.whl")
    (version,) = re.findall(r"manylinux_2_(\d+)_", wheel.name)
    for page in ("docs/python.md", "Python/README.md"):
        assert f"with glibc 2.{version} or newer" in (TREE / page).read_text()


UNWINDING = """
#include <math.h>
#include <stdio.h>
#include <unwind.h>
static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *count) { ++*(int *)count; return 0; }
__attribute__((noinline)) int depth(volatile int *further) {
  int count = 0;
  if ((*further)-- > 0) { count = depth(further); *further = 0; return count; }
  _Unwind_Backtrace(step, &count);
  return count;
}
int main(int count, char **words) {
  volatile int none = 0, ten = 10;
  printf("%d %g %g\\n", -depth(&none) + depth(&ten), hypot(count * 3, 4), hypotf(count * 3, 4));
}
"""


@pytest.mark.skipif(not shutil.which("clang"), reason="there is no compiler")
def test_the_stand_ins_for_newer_functions_work(folder: Path) -> None:
    Path("a.c").write_text(UNWINDING)
    stand_ins = TREE / "Scripts/package/glibc-2.34.c"
    run("clang", "-std=gnu17", "-O1", "-fno-optimize-sibling-calls", "-static-libgcc", "a.c", stand_ins, "-lm")
    assert run("./a.out") == "10 5 5\n"
    assert b"GLIBC_2.35" not in Path("a.out").read_bytes()
