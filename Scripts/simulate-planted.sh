#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Plants each fault of Tests/Simulation/planted in a copy of the sources, one at a time, and looks whether the
# simulation finds it within SEEDS (100) seeds: of lists where the fault's name begins so, of parts that are kept where it
# begins with keep. Exit 1 if it does not.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ ${1:-} == apply ]]; then
  for patch in Tests/Simulation/planted/*.patch; do git apply --check "$patch"; done
  exit
fi

tree=.build/planted
mkdir -p "$tree"
missed=0
for patch in "$PWD"/Tests/Simulation/planted/*.patch; do
  name=$(basename "$patch" .patch)
  rm -rf "$tree/Sources"
  cp -a Package.swift Sources Makefile Scripts "$tree"
  # Package.swift names these.
  for folder in Tests Examples Benchmarks; do
    [[ -e $tree/$folder ]] || cp -a "$folder" "$tree"
  done
  git apply --directory="$tree" "$patch"
  make --silent --directory "$tree" build >"$tree/build.log" 2>&1 || {
    cat "$tree/build.log" >&2
    exit 1
  }
  case $name in
    list-*) seeds=LIST_SEEDS ;;
    keep-*) seeds=KEEP_SEEDS ;;
    *) seeds=SEEDS ;;
  esac
  # It exits with 1 where it finds something, as it should here.
  found=$(COMMAND_UNDER_TEST="$PWD/$tree/.build/release/rawaudio" \
    ALSA_CONFIG_PATH="$PWD/.build/virtual-card/virtual-card.conf" \
    SIMULATION_LIBRARY="$PWD/.build/virtual-card/simulation.so" \
    /usr/bin/python3 -B Tests/Simulation "$seeds=${SEEDS:-100}" || true)
  first=$(sed -n 's/^failed seeds: //p' <<<"$found")
  if [[ -n $first ]]; then
    echo "$name: found by seed ${first%% *} (of ${SEEDS:-100}: $(wc -w <<<"$first"))"
  else
    echo "$name: not found in ${SEEDS:-100} seeds"
    missed=1
  fi
done
exit "$missed"
