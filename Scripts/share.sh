#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# share.sh PROGRAM FOLDER: has the program write its man pages and the completions of shells into a folder.
set -euo pipefail

program=$1
folder=$2

rm -rf "$folder"
mkdir -p "$folder"/man/man1 "$folder"/man/man7 "$folder"/completions
for page in $("$program" --generate-manual); do
  "$program" --generate-manual="$page" >"$folder/man/man${page##*.}/$page"
done
for shell in bash zsh fish; do
  "$program" --generate-completion-script "$shell" >"$folder/completions/rawaudio.$shell"
done
