#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Prints the PATH with which the tests run: the Swift toolchain, and a folder of links, .build/test-programs, to the
# programs of Debian's minimal system and of the packages that 'set-up.sh test' installs, with those they depend on. So a
# test that needs another program fails on every machine, and not only on a bare one. Fails where a test names another
# one by its path. Elsewhere than on Debian it prints the PATH as it is.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v dpkg-query >/dev/null || ! command -v apt-cache >/dev/null; then
  echo "$PATH"
  exit
fi

folder=$PWD/.build/test-programs
toolchain=$(dirname "$(command -v swift)")

minimal=$(dpkg-query --show --showformat '${Essential} ${Priority} ${Package}\n' |
  awk '$1 == "yes" || $2 == "required" { print $3 }')
named=$(Scripts/set-up.sh list test)
# shellcheck disable=SC2086 # the names are words
closure=$(apt-cache depends --recurse --installed --no-recommends --no-suggests --no-conflicts --no-breaks \
  --no-replaces --no-enhances $minimal $named | grep -E '^[a-z0-9]' | cut -d: -f1 | sort -u)
# It exits with 1 for names that several packages provide.
files=$({ dpkg-query --show --showformat '${db:Status-Abbrev} ${Package}\n' $closure 2>/dev/null || true; } |
  awk '$1 == "ii" { print $2 }' | xargs dpkg-query --listfiles | grep -E '^(/usr)?/s?bin/[^/]+$' | sort -u)

rm -rf "$folder"
mkdir -p "$folder"
# shellcheck disable=SC2086 # the names are words
ln -sf -t "$folder" $files
# A name such as awk or nc is a link that no package owns.
find /usr/bin /usr/sbin -lname '/etc/alternatives/*' | while read -r link; do
  if [[ -e $folder/$(basename "$(readlink -f "$link")") ]]; then ln -sf "$link" "$folder"; fi
done

others=$(grep -rhoE --include='*.swift' '"(#!)?(/usr)?/s?bin/[a-z0-9][a-z0-9-]*' Tests/CommandTests Tests/Audio*Tests Tests/TestSupport |
  sed 's|.*/||' | sort -u | while read -r name; do
  [[ -e $folder/$name ]] || echo "$name"
done)
if [[ -n $others ]]; then
  echo "test-path: tests name programs that 'Scripts/set-up.sh test' does not install:" $others >&2
  exit 1
fi
echo "$toolchain:$folder"
