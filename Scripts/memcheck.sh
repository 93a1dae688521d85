#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the command under valgrind, on files, a pipe, another program and the virtual card. Fails where it reads or
# writes what is not its own, decides by what was never written, or loses memory. Uses the portable build: valgrind
# does not know the latest instructions.
#
# memcheck.sh [short]: short runs three of the commands, of the usual build.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v valgrind >/dev/null; then
  echo "there is no 'valgrind': run 'make set-up-tests'" >&2
  exit 1
fi

program=$PWD/.build/portable/release/rawaudio
if [[ ${1:-} == short ]]; then program=$PWD/.build/release/rawaudio; fi
suppressions=$PWD/Tests/memcheck.supp
export ALSA_CONFIG_PATH=$PWD/.build/virtual-card/virtual-card.conf VIRTUAL_CARD_SPEED=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

failed=0
# check CODE WORD…: the command with these words ends with CODE, and valgrind sees nothing.
check() {
  local expected=$1 code=0
  shift
  valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite --show-leak-kinds=definite \
    --suppressions="$suppressions" --gen-suppressions=all --log-file=log "$program" "$@" >out 2>said || code=$?
  if ((code == expected)) && [[ ! -s log ]]; then
    echo "memcheck: ok: $*"
    return
  fi
  failed=1
  echo "memcheck: exit $code: $*" >&2
  cat said log >&2
}

check 0 convert noise:pink -d 0.5 -c 2 -o in.wav
check 0 convert in.wav -r 44100 --dither tpdf -f s16 -o in.flac
check 64 convert --no-such-option
if [[ ${1:-} == short ]]; then exit $failed; fi

check 0 convert in.flac -t ogg -o in.ogg
check 0 convert in.flac -t mp3 -o in.mp3
check 0 convert in.wav -f s24 -t caf -o in.caf
check 0 info --json in.wav in.flac in.ogg in.mp3 in.caf
check 0 mix in.wav in.flac in.ogg in.mp3 --gain -12 --pan 0.5 -o mix.wav
head -c 3000 in.flac > cut.flac
head -c 3000 in.mp3 > cut.mp3
check 1 info cut.flac none.wav in.wav
check 0 convert cut.mp3 -o cut.wav
check 0 session --remote anna=in.flac --remote ben=in.mp3 --playback sum.wav \
  --observe before-mixing:tap=track-%s.wav --observe 'playback:exec=cat' --observe playback:events=log.json
check 0 capture -D card -d 0.2 --split 0.1 -o 'take-%d%03d.wav' --observe record:meter
check 0 play -D card in.flac --observe playback:gain=-6
check 0 devices --json
exit $failed
