#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds the library's documentation with the toolchain's own docc, and stops at the first warning. The symbols come from
# the modules in MODULES, a build's folder of them.
#
# documentation.sh MODULES
set -euo pipefail
cd "$(dirname "$0")/.."

modules=$1
build=.build/documentation
symbols=$build/symbols

python3 -B Scripts/documents.py check
rm -rf "$symbols"
mkdir -p "$symbols"
triple=$(swift -print-target-info | python3 -c 'import json, sys; print(json.load(sys.stdin)["target"]["triple"])')
for target in Sources/Audio*/; do
  # A link is a copy of another target, without anything public of its own.
  [[ ! -L ${target%/} ]] || continue
  swift symbolgraph-extract -module-name "$(basename "$target")" -I "$modules" $(printf -- '-I %s ' Sources/C*) \
    $(pkg-config --cflags-only-I lilv-0 | sed 's/-I/-Xcc -I/g') -minimum-access-level public -output-dir "$symbols" -target "$triple"
done
python3 -B Scripts/documents.py names "$symbols"
docc convert Sources/AudioCore/AudioCore.docc --additional-symbol-graph-dir $symbols --output-dir $build/AudioCore.doccarchive \
  --fallback-display-name AudioCore --warnings-as-errors --analyze
printf 'The documentation is in %s, to be read from any web server.\n' $build/AudioCore.doccarchive
