#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds library and command with libFuzzer and AddressSanitizer, and gives what reads the bytes and words of
# others made-up ones, for SECONDS (60) in all, on as many processors as there are. Ends with a table: executions,
# branches reached (edges), and how often (features). Input that breaks a target is left in .build/fuzz/found. What
# was found interesting is kept for the next run.
#
# fuzz.sh [SECONDS [TARGET…]]; SEED says which inputs come (0: others each time). With EXECUTIONS=N each target gets N of
# them, however long that takes, and begins with the seeds of the sources only: the same run each time. As those are
# few, what takes them is built in a folder of its own and not optimised, in half the time.
#
# fuzz.sh check MODULES: only checks in some seconds that the targets compile with the modules of the tests in the folder
# MODULES, and that each has seeds.
set -euo pipefail
cd "$(dirname "$0")/.."

imports=(-ISources/CSndfile -ISources/CALSA -ISources/CJACK -ISources/CMD5 -ISources/CPNG -ISources/CSpeexDSP -ISources/CLinux -ISources/CLilv -ISources/CLADSPA
  $(pkg-config --cflags-only-I lilv-0 | sed 's/-I/-Xcc -I/g'))
language=(-swift-version 6 -package-name rawaudio -parse-as-library
  -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
  -enable-experimental-feature Lifetimes)

if [[ ${1:-} == check ]]; then
  swiftc -typecheck "${language[@]}" "${imports[@]}" "-I$2" -module-name Fuzz Tests/Fuzz/*.swift
  diff <(sed -nE 's/^  "([a-z-]+)": \w+,$/\1/p' Tests/Fuzz/Targets.swift | sort) <(ls Tests/Fuzz/seeds) || {
    echo "fuzz: the targets of Tests/Fuzz/Targets.swift (<) are not the folders of Tests/Fuzz/seeds (>)" >&2
    exit 1
  }
  exit
fi

seconds=${1:-60}
results=.build/fuzz optimisation=-O
if [[ -n ${EXECUTIONS:-} ]]; then results=.build/fuzz-repeated optimisation=-Onone; fi
seeds=Tests/Fuzz/seeds
targets=("${@:2}")
((${#targets[@]} > 0)) || mapfile -t targets < <(ls "$seeds")
mkdir -p "$results/found" "$results/corpus" "$results/log"

flags=("${language[@]}" $optimisation -wmo -sanitize=fuzzer,address -use-ld=lld "${imports[@]}" "-I$results" "-L$results")

# From the bottom up. Each is an archive of one object, which the linker takes whatever stands in front of it.
library=(AudioKernels AudioStreams AudioFiles AudioCore AudioDevices AudioJack AudioNetwork AudioPictures AudioPrograms AudioPlugins AudioEcho
  rawaudio)

# library NAME: Sources/NAME as a library whose internals the targets see.
library() {
  swiftc "${flags[@]}" -enable-testing -num-threads "$(nproc)" -module-name "$1" -emit-library -static \
    -emit-module -emit-module-path "$results/$1.swiftmodule" -o "$results/lib$1.a" \
    $(find "Sources/$1" -name '*.swift')
}

if [[ -z $(find "$results/targets" -newer "$0" 2>/dev/null) ]] ||
  [[ -n $(find Sources Tests/Fuzz -type f -newer "$results/targets" | head -n 1) ]]; then
  for name in "${library[@]}"; do library "$name"; done
  swiftc "${flags[@]}" -module-name Fuzz Tests/Fuzz/*.swift "${library[@]/#/-l}" \
    $(pkg-config --libs sndfile alsa jack libmd lilv-0) -lswiftSynchronization -o "$results/targets"
fi

# A crash would wait for the backtracer of Swift.
export SWIFT_BACKTRACE=enable=no
export LSAN_OPTIONS=suppressions=$PWD/Tests/Fuzz/leaks.txt:print_suppressions=0

# Neither addresses nor Swift's hashes may decide what comes.
repeatably=
if [[ -n ${EXECUTIONS:-} ]]; then
  export SWIFT_DETERMINISTIC_HASHING=1
  repeatably='setarch -R'
fi

# run TARGET SECONDS
run() {
  local corpus=$results/corpus/$1 limit=-max_total_time=$2
  if [[ -n ${EXECUTIONS:-} ]]; then
    limit=-runs=$EXECUTIONS
    rm -rf "$corpus"
  fi
  mkdir -p "$corpus"
  FUZZ_TARGET=$1 $repeatably "$results/targets" -seed="${SEED:-0}" "$limit" -max_len=8192 -timeout=10 -rss_limit_mb=2048 \
    -artifact_prefix="$results/found/$1-" -print_final_stats=1 "$corpus" "$seeds/$1" \
    > "$results/log/$1" 2>&1 || echo "fuzz: $1 broke" >> "$results/log/$1"
}
export -f run
export results seeds repeatably

jobs=$(nproc)
share=$((seconds * jobs / ${#targets[@]}))
((share > 0)) || share=1
printf '%s\n' "${targets[@]}" | xargs -P "$jobs" -I {} bash -c "run {} $share"

broken=0
printf '%-15s %12s %7s %9s %s\n' target executions edges features findings
for target in "${targets[@]}"; do
  log=$results/log/$target
  progress=$(grep -aE '^#[0-9]+.* cov: ' "$log" | tail -n 1)
  executions=$(grep -a 'number_of_executed_units' "$log" | grep -oE '[0-9]+$' || echo '?')
  findings=$(grep -ac "^fuzz: $target broke" "$log" || true)
  printf '%-15s %12s %7s %9s %s\n' "$target" "$executions" "$(sed -E 's/.* cov: ([0-9]+).*/\1/' <<< "$progress")" \
    "$(sed -E 's/.* ft: ([0-9]+).*/\1/' <<< "$progress")" "$findings"
  broken=$((broken + findings))
done
((broken == 0)) && exit
for target in "${targets[@]}"; do
  grep -aq "^fuzz: $target broke" "$results/log/$target" || continue
  echo "fuzz: $target; to repeat it: FUZZ_TARGET=$target $results/targets $results/found/$target-…" >&2
  grep -aE 'Fatal error|SUMMARY|Test unit written|Assertion|Precondition' "$results/log/$target" >&2 || true
done
exit 1
