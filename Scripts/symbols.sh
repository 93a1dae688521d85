#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# symbols.sh MODULES FOLDER [NAME…]: writes to FOLDER, which becomes empty, the symbol graphs of the modules in MODULES, a
# build's folder of them: all that is public. Without a NAME those of the library.
set -euo pipefail
modules=$(realpath "$1") folder=$2
shift 2
rm -rf "$folder"
mkdir -p "$folder"
folder=$(realpath "$folder")
cd "$(dirname "$0")/.."

# A link is a copy of another target, without anything public of its own.
if (($# == 0)); then
  for target in Sources/Audio*; do [[ -L $target ]] || set -- "$@" "$(basename "$target")"; done
fi
triple=$(swift -print-target-info | python3 -c 'import json, sys; print(json.load(sys.stdin)["target"]["triple"])')
for name in "$@"; do
  swift symbolgraph-extract -module-name "$name" -I "$modules" $(printf -- '-I %s ' Sources/C*) \
    $(pkg-config --cflags-only-I lilv-0 | sed 's/-I/-Xcc -I/g') -minimum-access-level public -output-dir "$folder" -target "$triple"
done
