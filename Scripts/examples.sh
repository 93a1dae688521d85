#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds and runs every example on generated material, and checks the results with arithmetic of its own. Then builds and
# runs the programs of docs/library.md, with OUTSIDE in a package that depends on a version of this one, and pastes the
# commands of docs/tour.md and docs/coming-from-sdks.md, on a card made of software. Stops with exit 1 at the first wrong
# result.
set -euo pipefail
cd "$(dirname "$0")/.."

root=$PWD
results=$root/.build/examples
products=()
for folder in Examples/*/; do
  # Programs in other languages, which the tests run.
  [[ $folder == Examples/clients/ ]] || products+=("$(basename "$folder")")
done
# BUILD_FLAGS are those of the program, beside which the examples are then.
read -ra flags <<<"${BUILD_FLAGS:-}"
for product in "${products[@]}"; do swift build --quiet "${flags[@]}" --product "$product"; done
PATH="$(swift build "${flags[@]}" --show-bin-path):$PATH"

check() {
  if ! "${@:2}"; then
    printf 'FAILED: %s\n' "$1" >&2
    exit 1
  fi
  printf '  checked: %s\n' "$1"
}

# The samples of a sound file as 16-bit integers, one a line.
numbers() { rawaudio convert "$1" -t raw -f s16 -o - | od -An -v -t d2 -w2 | awk '{ print $1 }'; }
generate() { rawaudio convert "$1" -d "$2" -r 48000 -c 1 -f s16 --gain "$3" -o "$4"; }

rm -rf "$results"
mkdir -p "$results"
cd "$results"
generate tone:440 2 -20 host.wav
generate tone:1000 1 -12 alice.wav
generate noise:pink 1.5 -20 bob.wav

echo "SpeechLevel"
SpeechLevel alice.wav > levels.txt
# A sine's root mean square is 3.01 dB below its amplitude, which is -3 dBFS less the 12 dB of gain.
is_level_of_alice() {
  awk '$1 != 100 * (NR - 1) { exit 1 }
    NR > 1 && NR < 10 && ($3 < -18.1 || $3 > -17.9) { exit 1 }
    END { exit NR != 10 }' levels.txt
}
check "ten lines, 100 ms apart, of -18.0 dBFS" is_level_of_alice

echo "PushTone"
PushTone tone.wav
is_the_tone() {
  numbers tone.wav | awk '
    { error = $1 - 16384 * sin(2 * 3.14159265358979 * 440 * (NR - 1) / 48000)
      if (error < -0.51 || error > 0.51) exit wrong = 1 }
    END { exit wrong || NR != 96000 }'
}
check "tone.wav holds two seconds of the sine, to half a step of 16 bits" is_the_tone

echo "TaskLevels"
TaskLevels alice.wav > task-levels.txt
is_told_in_a_task() { diff <(cat levels.txt; echo "48000 samples per channel") task-levels.txt; }
check "the same lines from a task, and then the report" is_told_in_a_task

echo "ActorMeter"
ActorMeter alice.wav host.wav > actor-meter.txt
# Sines of whole periods in 100 ms: their powers add up, 10^(-18.01/10) and 10^(-26.01/10) to -17.37 dBFS.
is_met() { printf 'present: %s\n' 1 '1 2' 2 '' | cat - <(echo "2 played, the loudest -17.4 dBFS") | diff - actor-meter.txt; }
check "who came and left, and the level of both" is_met

echo "VoiceBridge"
rawaudio convert noise:white -d 1.5 -r 16000 -c 1 -f s16 -t raw -o voice.raw
VoiceBridge voice.wav < voice.raw > voice.txt
is_the_voice() { cmp <(numbers voice.wav) <(od -An -v -t d2 -w2 voice.raw | awk '{ print $1 }'); }
is_counted() {
  numbers voice.wav | awk '{ size = $1 < 0 ? -$1 : $1; if (size > most) most = size }
    END { print NR " samples, the loudest " most }' | diff - voice.txt
}
check "voice.wav holds the samples of the bytes" is_the_voice
check "its closure has seen every one of them" is_counted

echo "RenderedTone"
RenderedTone rendered.wav > rendered.txt
is_the_quiet_tone() {
  numbers rendered.wav | awk '
    { error = $1 - 8192 * sin(2 * 3.14159265358979 * 440 * (NR - 1) / 48000)
      if (error < -0.51 || error > 0.51) exit wrong = 1 }
    END { exit wrong || NR != 96000 }'
}
# A quarter of full scale is -12.0 dBFS.
is_tapped() {
  awk 'NR <= 20 && ($1 != 100 * (NR - 1) || $3 != "-12.0") { exit wrong = 1 }
    END { exit wrong || NR != 21 || $0 != "20 calls" }' rendered.txt
}
check "rendered.wav holds half of what was made, to half a step of 16 bits" is_the_quiet_tone
check "its tap has heard that in twenty calls" is_tapped

echo "NoiseGate"
generate noise:pink 3 -60 hiss.wav
rawaudio mix hiss.wav alice.wav --offset 0 --offset 1 -o pause.wav
NoiseGate pause.wav gated.wav
# Frames have 480 samples; the first frame after a change fades.
is_gated() {
  paste <(numbers pause.wav) <(numbers gated.wav) | awk '
    { at = NR - 1; edge = at < 480 || (at >= 48000 && at < 48480) || (at >= 96000 && at < 96480)
      speech = at >= 48000 && at < 96000
      if (!edge && $2 != (speech ? $1 : 0)) exit wrong = 1 }
    END { exit wrong || NR != 144000 }'
}
check "gated.wav is silent in the pauses, and the speech is untouched" is_gated

echo "MeetingTracks"
MeetingTracks host.wav alice.wav bob.wav
same_samples() { cmp <(numbers "$1") <(numbers "$2"); }
is_sum() {
  cmp <(numbers meeting.wav) <(paste <(numbers host.wav) <(numbers alice.wav) <(numbers bob.wav) |
    awk -F '\t' '{ print $1 + $2 + $3 }')
}
check "track-local.wav holds the samples of host.wav" same_samples track-local.wav host.wav
check "track-alice.wav holds the samples of alice.wav" same_samples track-alice.wav alice.wav
check "track-bob.wav holds the samples of bob.wav" same_samples track-bob.wav bob.wav
check "meeting.wav is the integer sum of all three" is_sum

echo "HostPlayback"
HostPlayback alice.wav host.wav > heard.txt
# Amplitudes of -15.0 and -23.0 dBFS, and where both tones peak together their sum.
cat > expected.txt <<'END'
together: 96000 samples, peak -12.1 dBFS
voice 1: 48000 samples, peak -15.0 dBFS
voice 2: 96000 samples, peak -23.0 dBFS
END
check "the host heard every sample of the mix and of each voice" diff expected.txt heard.txt

export ALSA_CONFIG_PATH="$root/.build/virtual-card/virtual-card.conf"

echo "OwnVoice"
OwnVoice alice.wav > own-voice.txt
{ OwnVoice || true; } | head -n 20 > from-card.txt
# In 16 bits the amplitude of alice.wav is 5827: -3 dBFS less the 12 dB of gain.
is_own_voice() {
  awk '$1 != 10 * (NR - 1) || $3 != 160 || $NF < 5800 || $NF > 5850 { exit wrong = 1 }
    END { exit wrong || NR != 100 }' own-voice.txt
}
is_from_the_card() {
  awk '$1 != 10 * (NR - 1) || $3 != 160 { exit wrong = 1 } END { exit wrong || NR != 20 }' from-card.txt
}
check "a hundred calls of 160 samples, 10 ms apart, from a file" is_own_voice
check "the same calls from the card" is_from_the_card

echo "HallVoices"
HallVoices alice.wav host.wav bob.wav > voices.txt
# At 16 kHz one second, two, and one and a half; the shared sound lasts as long as the mix.
cat > expected.txt <<'END'
all that is shared: 32000 samples
hall/anna: 16000 samples
music: 24000 samples
room/anna: 32000 samples
one registration
END
check "each anna is heard by herself, and so is the music" diff expected.txt voices.txt

echo "MutedMicrophone"
MutedMicrophone muted.wav > muted.txt
cat > expected.txt <<'END'
initialize
start
stop
hall/anna is muted
start
hall/anna is heard again
stop
dispose
16000 samples
END
check "the microphone is stopped and started as it is muted and heard again" diff expected.txt muted.txt

echo "docs/library.md"
python3 -B "$root/Scripts/guide.py" "$results/guide" ${OUTSIDE:+--outside}
guide_packages() { sed -n 's/^sudo apt install //p' "$root/docs/library.md" | tr ' ' '\n'; }
needs_what_a_build_needs() { diff <(guide_packages | sort) <("$root/Scripts/set-up.sh" list build | sort); }
check "its packages are those of a build" needs_what_a_build_needs

echo "docs/tour.md"
python3 -B "$root/Scripts/documents.py" paste "$root/docs/tour.md" "$results/tour"

echo "docs/coming-from-sdks.md"
page=$root/docs/coming-from-sdks.md
python3 -B "$root/Scripts/documents.py" paste "$page" "$results/sdks"
cd "$results/sdks"
packages() { sed -n 's/^sudo apt install //p' "$page" | tr ' ' '\n'; }
are_those_of_a_build() { diff <(packages | sort) <("$root/Scripts/set-up.sh" list build | sort); }
check "its packages are those of a build" are_those_of_a_build

# A package of its own beside the sources, whatever their folder is called.
mkdir -p package/Sources
cp -r "$root/Examples/OwnVoice" package/Sources
ln -s "$root" rawaudio
sed -n '/^\/\/ swift-tools-version/,/^```/{/^```/!p}' "$page" > package/Package.swift
finds_the_library() {
  swift package --package-path package show-dependencies --format flatlist | diff - <(echo rawaudio)
}
check "its manifest finds the library" finds_the_library
rm -rf package rawaudio

# Rows of rate, channels, samples per call, samples per channel and interval.
first_line() {
  local observer="record,rate=$1,channels=$2,samples-per-call=$3:events=-"
  { rawaudio convert tone:440 -d 1 -o null: --observe "$observer" 2>&1 || true; } | sed -n 1p
}
is_interval() {
  awk -v rate="$1" -v channels="$2" -v samples="$3" -v told="$4" \
    'BEGIN { error = 1000 * samples / (rate * channels) - told; exit error < -0.005 || error > 0.005 }'
}
rows=0
while read -r rate channels samples length told; do
  line=$(first_line "$rate" "$channels" "$samples")
  if [[ $told == refused* ]]; then
    check "$samples samples of $channels channels are ${told%%:*}" grep -qF "${told##*; }" <<<"$line"
  else
    check "$samples samples are $length of each channel" grep -qF "\"samplesPerChannel\":$length," <<<"$line"
    check "and last $told" is_interval "$rate" "$channels" "$samples" "${told% ms}"
  fi
  rows=$((rows + 1))
done < <(sed -nE 's/^\| ([0-9]+) \| ([0-9]+) \| ([0-9]+) \| ([^|]+) \| ([^|]+) \|$/\1 \2 \3 \4 \5/p' "$page")
check "$rows rows of samples per call" test "$rows" = 5

options=0
while read -r option; do
  read -ra given <<<"$option"
  others=(--local ben.wav --remote hall/anna=anna.wav)
  [[ $option != *--shared* ]] && others+=(--shared music=music.wav)
  if ! rawaudio session "${others[@]}" --mixed null: --force "${given[@]}" >said.txt 2>&1; then
    cat said.txt
    check "rawaudio session $option" false
  fi
  options=$((options + 1))
done < <(grep '^|' "$page" | grep -o '`--[^` ]* [^`]*`' | tr -d '`')
check "$options options of its tables, each in a session" test "$options" -gt 20
