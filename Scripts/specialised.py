# SPDX-License-Identifier: Apache-2.0
"""Checks that the compiler made every loop over samples for the type of its samples.

    python3 -B Scripts/specialised.py .build/release

Code that is generic over floating point, and was not compiled for Float and for Double, asks the standard library for
each operation while it runs: a sample takes a hundred times as long. Its object then names the functions that answer.
This reads the objects of the product, and names each that asks. Exit 1 if there is one that is not allowed to, or one
that is and does not.
"""

import pathlib
import re
import subprocess
import sys

SOURCES = pathlib.Path(__file__).parent.parent / "Sources"
MODULES = sorted(path.name for path in SOURCES.iterdir() if any(path.glob("**/*.swift")))

"""What an object names where it has such a loop, and what that is."""
GENERIC = {
    r"BinaryFloatingPoint\.init<A>\(_:\)": "converts a number of a type it does not know",
    r"dispatch thunk of (?:static )?(?:BinaryFloatingPoint|FloatingPoint|SignedNumeric|Numeric|AdditiveArithmetic)\..*":
        "computes with numbers of a type it does not know",
    r"(?:Mutable)?Span<[^>]*>\.subscript\..*|OutputSpan<[^>]*>\.append\(_:\)":
        "reads or writes one by one what is of a type it does not know",
}

"""Objects that may, and why."""
ALLOWED = {
    "ClipWatch.swift": "counts what a session with a listener clips, from the first such sample of a block on",
    "CivilTime.swift": "divides seconds, not samples",
}


def undefined(objects):
    """The Swift names that each object wants from others."""
    for path in objects:
        lines = subprocess.run(
            ["nm", "--undefined-only", "--format=posix", path], stdout=subprocess.PIPE, text=True,
            check=True).stdout.splitlines()
        yield path, [line.split()[0] for line in lines if line.startswith("$s")]


def readable(names):
    """As written in Swift."""
    text = subprocess.run(
        ["swift", "demangle", "--simplified"], input="\n".join(names), stdout=subprocess.PIPE, text=True,
        check=True).stdout
    return dict(zip(names, text.splitlines()))


def generic(objects):
    """Which objects name what of GENERIC: file name, what it does, the name."""
    wanted = list(undefined(objects))
    meaning = readable(sorted({name for _, names in wanted for name in names}))
    for path, names in wanted:
        for name in sorted({meaning[name] for name in names}):
            for pattern, reason in GENERIC.items():
                if re.fullmatch(pattern, name):
                    yield path.name.removesuffix(".o"), reason, name


def main(folder):
    objects = [path for module in MODULES for path in sorted((folder / f"{module}.build").rglob("*.o"))]
    if not objects:
        print(f"specialised: there are no objects in '{folder}'; run 'make' first", file=sys.stderr)
        return 1
    found = list(generic(objects))
    failures = [f"{file} {reason}: {name}" for file, reason, name in found if file not in ALLOWED]
    files = {path.name.removesuffix(".o") for path in objects}
    failures += [f"{file} is allowed to, and does not: take it from the list of {pathlib.Path(__file__).name}"
                 for file in ALLOWED if file in files and file not in {file for file, *_ in found}]
    for failure in failures:
        print(f"specialised: {failure}", file=sys.stderr)
    return min(len(failures), 1)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    sys.exit(main(pathlib.Path(sys.argv[1])))
