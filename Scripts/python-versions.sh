#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# python-versions.sh WHEEL: tests the Python package under each Python from 3.10 to 3.13 that is on the PATH or that pyenv has
# installed, and names those that are missing; Debian 12 has only 3.11, and PyPI none. 'make test-python' has the default one.
# SHORT=1 tests files and conversions, under the oldest and the newest: sessions take minutes.
set -euo pipefail
wheel=$(realpath "$1")
cd "$(dirname "$0")/../Python"
tests=(tests --ignore tests/test_install.py --ignore tests/test_corpora.py --ignore tests/test_examples.py)
versions="3.10 3.11 3.12 3.13"
[[ -z ${SHORT:-} ]] || { tests=(tests/test_files.py tests/test_convert.py) && versions="3.10 3.13"; }

default=$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
for version in $versions; do
  python=
  # A shim of pyenv is on the PATH also if it starts nothing.
  for candidate in "python$version" "${PYENV_ROOT:-$HOME/.pyenv}/versions/$version".*/bin/python3; do
    if "$candidate" -c "" 2>/dev/null; then python=$candidate; fi
  done
  if [[ -z $python ]]; then
    echo "Python $version: there is none"
    continue
  fi
  [[ $version != "$default" ]] || continue
  folder=../.build/python-$version
  "$python" -m venv --clear "$folder"
  # numpy in the newest version that this Python has.
  "$folder/bin/pip" install --quiet --disable-pip-version-check "$wheel" \
    $(grep -E '^(pytest|soundfile|uvloop)==' requirements.txt)
  printed=$("$folder/bin/pytest" -q -p no:cacheprovider "${tests[@]}") || { echo "$printed" && exit 1; }
  echo "Python $version: $(tail -n 1 <<<"$printed")"
done
