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
Scripts/symbols.sh "$modules" "$symbols"
python3 -B Scripts/documents.py names "$symbols"
docc convert Sources/AudioCore/AudioCore.docc --additional-symbol-graph-dir $symbols --output-dir $build/AudioCore.doccarchive \
  --fallback-display-name AudioCore --warnings-as-errors --analyze
printf 'The documentation is in %s, to be read from any web server.\n' $build/AudioCore.doccarchive
