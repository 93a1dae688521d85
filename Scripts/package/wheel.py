#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""wheel.py BUILD VOICE FOLDER: makes the Python wheel in FOLDER from a built tree, and has auditwheel read it.

BUILD is SwiftPM's folder of the release build. The program is linked once more, from the same objects: without packed
relocations, which need glibc 2.36, without functions of 2.35, and so that it finds the libsndfile that the package
soundfile installs beside it. So is the library of the functions on arrays: with Swift's own in it, and with no other symbols
than those functions. VOICE holds the numbers of the voice detector, which the program finds in share/rawaudio.
For another machine CLANG is the compiler of C with its options, and WITHIN the command that runs its linker.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

sources = pathlib.Path(__file__).resolve().parents[2]
build, voice, folder = (pathlib.Path(word).absolute() for word in sys.argv[1:])
clang = os.environ.get("CLANG", "clang").split()
within = os.environ.get("WITHIN", "").split()
# In a virtual environment, and beside the packages of 'pip install --target'.
beside = "../{lib*/python3*/*-packages/,}_soundfile_data/libsndfile*.so"


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"wheel: {words[0]} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def link_command(product):
    """The words with which SwiftPM links a product, and its objects."""
    manifest = (build.parent / "release.yaml").read_text()
    name = rf'\n  "C\.{product}-[^"]*\.(?:exe|dylib)":\n'
    command = re.search(name + r"(?:    .*\n)*?    inputs: (\[.*\])\n(?:    .*\n)*?    args: (\[.*\])\n", manifest)
    if not command:
        sys.exit(f"wheel: '{build.parent}/release.yaml' has no command that links {product}")
    inputs, words = map(json.loads, command.groups())
    packed = words.index("pack-relative-relocs") if "pack-relative-relocs" in words else None
    return words[:packed - 3] + words[packed + 1:] if packed else words, [name for name in inputs if name.endswith(".o")]


def link(program):
    archives = folder / "archives"
    archives.mkdir(parents=True)
    for source in "on-demand/sndfile.c", "package/glibc-2.34.c":
        run(*clang, "-std=gnu17", "-O2", "-fPIC", "-Wall", "-Wextra", "-Wshadow", "-Werror", f'-DBESIDE="{beside}"',
            "-c", sources / "Scripts" / source, "-o", archives / pathlib.Path(source).with_suffix(".o").name)
    run("ar", "rcs", archives / "libsndfile.a", archives / "sndfile.o")
    words, _ = link_command("rawaudio")
    words[words.index("-o") + 1] = str(program)
    run(*within, words[0], f"-L{archives}", archives / "glibc-2.34.o", *words[1:])
    run("llvm-objcopy", "--strip-all", program)


def link_library(library):
    exported = folder / "exported.map"
    exported.write_text("{ global: rawaudio_*; local: *; };\n")
    words, objects = link_command("AudioArrays")
    words = [word for word in words if not word.startswith("@") and word != "-static-stdlib"]
    words[words.index("-o") + 1] = str(library)
    run(*within, *words, *objects, folder / "archives/glibc-2.34.o", "-static-stdlib", "-Xlinker", f"--version-script={exported}",
        "-Xlinker", f"-soname={library.name}")
    run("llvm-objcopy", "--strip-all", library)


shutil.rmtree(folder, ignore_errors=True)
stage = folder / "source"
shutil.copytree(sources / "Python", stage, ignore=shutil.ignore_patterns("__pycache__", ".*_cache", "tests", "examples"))
shutil.copy(sources / "LICENSE", stage)
version = re.search(r'^ *version: (".*"),$', (sources / "Sources/rawaudio/RawAudio.swift").read_text(), re.M)[1]
stated = stage / "src/rawaudio/_version.py"
stated.write_text(stated.read_text().replace('"0"', version))
(stage / "program").mkdir()
shutil.copytree(voice, stage / "program/share")
link(stage / "program/rawaudio")
link_library(stage / "program/libAudioArrays.so")
run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, stage)
(wheel,) = folder.glob("*.whl")
policy = wheel.stem.rpartition("-")[2]
report = run(sys.executable, "-m", "auditwheel", "show", wheel)
if f'"{policy}"' not in report.replace("\n", " "):
    sys.exit(f"wheel: auditwheel does not find the wheel to be {policy}:\n{report}")
print(f"{wheel.relative_to(pathlib.Path.cwd()) if wheel.is_relative_to(pathlib.Path.cwd()) else wheel}: "
      f"{wheel.stat().st_size} bytes")
