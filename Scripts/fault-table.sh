#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Makes a device, a disk or a reader fail while rawaudio, arecord, aplay and sox record and play, and the system
# fail every command of rawaudio, sox and ffmpeg; writes the results to docs/faults.md. Takes some minutes; fails
# if a result of rawaudio is wrong.
#
# fault-table.sh [OPTION…]: --only TEXT runs the faults whose title contains TEXT, and writes to standard
# output. The variable PROGRAM names another program than .build/release/rawaudio.
set -euo pipefail
cd "$(dirname "$0")/.."

for tool in arecord aplay sox ffmpeg strace python3; do
  command -v "$tool" >/dev/null && continue
  echo "there is no '$tool': run 'make set-up-tests'" >&2
  exit 1
done

program=${PROGRAM:-.build/release/rawaudio}
card=.build/virtual-card/virtual-card.conf
storm=.build/virtual-card/storm.so
for file in "$program" "$card" "$storm"; do
  [ -e "$file" ] && continue
  echo "there is no '$file': run 'make build virtual-card'" >&2
  exit 1
done

output=(--write-to docs/faults.md)
(($# == 0)) || output=()
exec python3 -B Tests/Faults --program "$program" --card "$card" --storm "$storm" "${output[@]}" "$@"
