#!/bin/bash
# Builds the parsers of what clients send with libFuzzer and AddressSanitizer, and runs them for SECONDS
# (60). Input that breaks one is left in .build/fuzz. Keeps what it found interesting for the next run.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-60}
results=$PWD/.build/fuzz
core=Sources/AudioCore
mkdir -p "$results/corpus"

swiftc -swift-version 6 -O -parse-as-library -module-name Fuzz -sanitize=fuzzer,address -use-ld=lld \
  -enable-experimental-feature Lifetimes -enable-upcoming-feature ExistentialAny \
  "$core"/Text/*.swift "$core"/Format/*.swift "$core"/Frame/SourceID.swift \
  "$core"/Observer/{FrameParameters,ObservationPosition}.swift \
  "$core"/Joining/{Lines,Frames}/*.swift Tests/Fuzz/Parsers.swift -o "$results/parsers"

# Where to begin: a line of each kind, and a packet.
seed() { printf "$2" > "$results/corpus/$1"; }
seed value '\000{"a":[1,-2.5e3,"\\\\u20ac\\\\ud83c\\\\udf9a",true,null]}'
seed join '\001{"join":"anna","group":"room","rate":16000,"channels":1,"encoding":"s16","framing":"none"}'
seed observe '\001{"observe":"before-mixing","rate":16000,"channels":1,"samplesPerCall":1600}'
seed control '\001{"control":1,"events":true}'
seed set '\002{"set":"anna","gain":-6,"muted":true}'
seed packet '\003\005\001\000\000\000\000\000\000\000\004\000\000\000\000\000\000\000abcd'

# A crash would wait for the backtracer of Swift.
export SWIFT_BACKTRACE=enable=no
"$results/parsers" -max_total_time="$seconds" -max_len=4096 -artifact_prefix="$results/" \
  -print_final_stats=1 "$results/corpus" > "$results/log" 2>&1 || {
  tail -n 40 "$results/log" >&2
  exit 1
}
grep 'stat::' "$results/log"
