#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Shows the main uses on generated material, without a sound card: generates sources, mixes them, captures
# from an ALSA device that reads a file, and plays to one that writes a file. Prints every command, checks
# its result, and stops with exit 1 at the first wrong one.
set -euo pipefail
cd "$(dirname "$0")/.."

root=$PWD
results=$root/.build/demonstration

title() { printf '\n%s\n' "$1"; }

# Prints a command as one would type it, then runs it.
run() {
  printf '  $ %s\n' "$1"
  bash -o pipefail -c "$1" 2>&1 | sed 's/^/    /'
}

# The same for a variable that later commands use.
run_export() {
  printf '  $ export %s="%s"\n' "$1" "$2"
  export "$1=$2"
}

# check WHAT COMMAND…: prints WHAT if COMMAND succeeds, and ends the demonstration otherwise.
check() {
  local what=$1
  shift
  if ! "$@"; then
    printf '  FAILED: %s\n' "$what" >&2
    exit 1
  fi
  printf '  checked: %s\n' "$what"
}

# The samples of a sound file as raw 16-bit integers, and as text with one integer a line.
samples() { rawaudio convert "$1" -t raw -f s16 -o -; }
numbers() { samples "$1" | od -An -v -t d2 -w2; }

# What a mix of two files must be, computed independently: add, and saturate at 16 bits.
is_integer_sum() {
  cmp <(paste <(numbers "$1") <(numbers "$2") | awk '
      { sum = $1 + $2; print (sum > 32767 ? 32767 : sum < -32768 ? -32768 : sum) }') \
    <(numbers "$3" | awk '{ print $1 + 0 }')
}
# Three seconds of 44100 Hz, two channels, two bytes.
lasts_three_seconds() { (($(samples "$1" | wc -c) == 3 * 44100 * 2 * 2)); }
same_samples() { cmp <(samples "$1") <(samples "$2"); }
is_samples_of() { cmp "$1" <(samples "$2"); }
has_no_xrun() { grep -q 'close xruns=0 lost=0' "$1"; }

rm -rf "$results"
mkdir -p "$results"
cd "$results"
export PATH="$root/.build/release:$PATH"

title "1. Generate sources: a tone, pink noise, and a sweep with another rate and one channel"
run 'rawaudio convert tone:440 --duration 3 --rate 44100 --channels 2 --format s16 --gain -9 -o tone.wav'
run 'rawaudio convert noise:pink --duration 3 --rate 44100 --channels 2 --format s16 --gain -9 -o noise.wav'
run 'rawaudio convert sweep:20-20000 --duration 2 --rate 48000 --channels 1 --format s24 --gain -12 -o sweep.wav'
run 'rawaudio info tone.wav sweep.wav'

title "2. Mix them"
run 'rawaudio mix tone.wav noise.wav -o sum.wav'
check "sum.wav lasts three seconds" lasts_three_seconds sum.wav
check "sum.wav is the exact integer sum of its two inputs" is_integer_sum tone.wav noise.wav sum.wav
run 'rawaudio mix tone.wav noise.wav sweep.wav --gain -6 --offset 0 --offset 0 --offset 0.5 -o mix.wav'
run 'rawaudio info mix.wav'

title "3. Convert without loss"
run 'rawaudio convert sum.wav -o sum.flac'
check "sum.flac holds the same samples as sum.wav" same_samples sum.wav sum.flac

title "4. Capture from an ALSA device whose sound is a file"
run 'rawaudio convert sum.wav -t raw -o microphone.raw'
run_export ALSA_CONFIG_PATH "$root/.build/virtual-card/virtual-card.conf"
run_export VIRTUAL_CARD_INFILE microphone.raw
run_export VIRTUAL_CARD_LOG capture.log
run 'rawaudio capture -D card --rate 44100 --channels 2 --format s16 --samples-per-call 4410 --duration 3 -o take.wav'
check "take.wav lasts three seconds" lasts_three_seconds take.wav
check "take.wav holds what the device was fed, byte for byte" is_samples_of microphone.raw take.wav
check "the device's own log knows of no overrun" has_no_xrun capture.log

title "5. Play to an ALSA device that writes a file"
run_export VIRTUAL_CARD_OUTFILE loudspeaker.raw
run_export VIRTUAL_CARD_LOG play.log
run 'rawaudio play -D card take.wav'
check "the device played take.wav, byte for byte" is_samples_of loudspeaker.raw take.wav
check "the device's own log knows of no underrun" has_no_xrun play.log

printf '\nEverything is as it should be. The results are in %s:\n' "$results"
ls -l | awk 'NR > 1 { printf "  %9d bytes  %s\n", $5, $9 }'
