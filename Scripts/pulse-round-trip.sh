#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Plays noise on a PulseAudio null sink and records the sink's monitor at the same time, in real time.
# Both must be the same to the bit. Starts a sound server of its own and ends it. This is not one of the
# tests: it takes ten seconds, and on a busy machine samples may be lost that no program could have kept.
#
# pulse-round-trip.sh [PROGRAM]: PROGRAM is .build/release/rawaudio by default.
set -euo pipefail

program=$(realpath "${1:-$(dirname "$0")/../.build/release/rawaudio}")
for tool in pulseaudio pactl; do
  command -v "$tool" >/dev/null && continue
  echo "there is no '$tool': install pulseaudio and pulseaudio-utils" >&2
  exit 1
done

directory=$(mktemp -d)
server= recorder=
finish() {
  [ -z "$recorder" ] || kill "$recorder" 2>/dev/null || true
  [ -z "$server" ] || { kill "$server" 2>/dev/null && wait "$server" || true; }
  rm -rf "$directory"
}
trap finish EXIT
cd "$directory"

# All files of the server are in the directory.
mkdir -m 700 run
export HOME=$directory XDG_RUNTIME_DIR=$directory/run PULSE_RUNTIME_PATH=$directory/run
export PULSE_STATE_PATH=$directory PULSE_SERVER=unix:$directory/run/native
export ALSA_CONFIG_PATH=$directory/asound.conf
cat >asound.conf <<CONFIGURATION
pcm.sink { type pulse server "$PULSE_SERVER" device "sink" }
pcm.monitor { type pulse server "$PULSE_SERVER" device "sink.monitor" }
CONFIGURATION
pulseaudio -n --daemonize=no --use-pid-file=no --exit-idle-time=-1 --disable-shm=yes \
  --log-target=file:server.log \
  -L "module-native-protocol-unix auth-anonymous=1 socket=$directory/run/native" \
  -L "module-null-sink sink_name=sink rate=44100 format=s16le channels=2" >/dev/null 2>&1 &
server=$!
for _ in $(seq 100); do
  pactl info >/dev/null 2>&1 && break
  sleep 0.1
done
pactl info >/dev/null

# An idle monitor takes up to two seconds to start, and delivers the last samples late.
"$program" convert noise:white -d 4 -r 44100 -c 2 -f s16 -t raw -o sent.raw
{ head -c $((2 * 176400)) /dev/zero; cat sent.raw; head -c 176400 /dev/zero; } >track.raw
"$program" capture -D monitor -r 44100 -c 2 -f s16 -t raw -o recorded.raw --fail-on xrun &
recorder=$!
"$program" play -D sink track.raw --fail-on xrun \
  --input-type raw --input-rate 44100 --input-channels 2 --input-format s16
sleep 1
kill -INT "$recorder"
wait "$recorder"
recorder=

size=$(stat -c %s sent.raw)
first=$({ cmp recorded.raw /dev/zero || true; } 2>/dev/null | sed -n 's/.* \(byte\|char\) \([0-9]*\),.*/\2/p')
[ -n "$first" ] || { echo "only silence was recorded" >&2; exit 1; }
begin=$(((first - 1) / 4 * 4))
if cmp <(tail -c +$((begin + 1)) recorded.raw | head -c "$size") sent.raw; then
  echo "all $((size / 4)) samples per channel came back as they were sent"
else
  echo "what was recorded is not what was sent" >&2
  exit 1
fi
