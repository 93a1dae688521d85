#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# set-up.sh [PURPOSE…]: installs the packages that are missing for building, or for the purposes: build, lint, test, jobs
# (comparing them), processors (comparing them), arm64 (building for it), cluster (several machines on this one), echo (its
# figures), pipewire and jack (servers of them), jack-losses (others on JACK), network (senders), network-figures (other receivers),
# python (making and testing the package), bench, fidelity and fidelity-floors (measuring), voice (speech, and the numbers of
# its detector), voice-figures (recordings of speech), package (a Debian package) and package-test (trying it). Prints nothing
# if none is missing. On a terminal it says which and asks first, unless ASSUME_YES or CI is set.
#
# set-up.sh list PURPOSE prints the packages instead, a line each, missing or not.
set -euo pipefail

sources=$(cd "$(dirname "$0")/.." && pwd)
lists=
if [[ ${1:-} == list ]]; then
  lists=1
  shift
fi
missing=()
unpacked=()

# need PACKAGE CHECK…: the Debian package PACKAGE is missing if the command CHECK… fails.
need() {
  local package=$1
  shift
  [[ -z $lists ]] && "$@" >/dev/null 2>&1 || missing+=("$package")
}

# need_beside PACKAGE CHECK…: like need, but PACKAGE is unpacked into .build/PACKAGE, because it conflicts with another one.
need_beside() {
  local package=$1
  shift
  [[ -z $lists ]] && { [[ -e $sources/.build/$package/usr ]] || "$@" >/dev/null 2>&1; } || unpacked+=("$package")
}

has_command() { command -v "$1"; }
has_alsa_plugin() {
  compgen -G "/usr/lib*/alsa-lib/libasound_module_pcm_$1.so" ||
    compgen -G "/usr/lib/*/alsa-lib/libasound_module_pcm_$1.so"
}

fail() {
  printf 'set-up: %s\n' "$@" >&2
  exit 1
}

has_command swift >/dev/null ||
  fail "there is no 'swift' on the PATH; install Swift 6.3 or later from https://swift.org/install"

# What the toolchain itself needs (https://www.swift.org/install/linux/tarball), if it does not start.
if ! swift build --version >/dev/null 2>&1; then
  missing+=(git libcurl4-openssl-dev libedit-dev libncurses-dev libpython3-dev libsqlite3-dev
    libxml2-dev tzdata uuid-dev zlib1g-dev)
fi
need g++ compgen -G "/usr/lib/gcc/*/*/libstdc++.so"

need make has_command make
need pkg-config has_command pkg-config
need libsndfile1-dev pkg-config --exists sndfile
need libasound2-dev pkg-config --exists alsa
need libmd-dev pkg-config --exists libmd
need libpng-dev pkg-config --exists libpng
need libspeexdsp-dev pkg-config --exists speexdsp
need liblilv-dev pkg-config --exists lilv-0
need lv2-dev pkg-config --exists lv2
need libjack-jackd2-dev pkg-config --exists jack
need ladspa-sdk test -e /usr/include/ladspa.h

purposes="build lint test jobs processors arm64 cluster python echo pipewire jack jack-losses network network-figures bench fidelity \
fidelity-floors voice voice-figures package package-test"
asked=" ${*:-build} "
for purpose in $asked; do
  [[ " $purposes " == *" $purpose "* ]] || fail "'$purpose' is none of $purposes"
done

# as "PURPOSE…" need PACKAGE CHECK…: needs it if one of the purposes is asked for.
as() {
  local purpose
  for purpose in $1; do
    if [[ $asked == *" $purpose "* ]]; then
      "${@:2}"
      return
    fi
  done
}

as "lint test python processors cluster pipewire jack bench voice echo" need python3 has_command python3
as "test jobs pipewire jack" need alsa-utils has_command aplay
as "test jobs bench fidelity" need sox has_command sox
as "test jobs network jack-losses bench fidelity" need ffmpeg has_command ffmpeg
as "test jobs bench" need flac has_command metaflac
as "test jobs" need vorbis-tools has_command oggenc
as "test jobs" need opus-tools has_command opusenc
as test need mpg123 has_command mpg123
as test need pulseaudio has_command pulseaudio
as test need pulseaudio-utils has_command pactl
as test need libasound2-plugins has_alsa_plugin pulse
as "test fidelity fidelity-floors jobs pipewire jack network" need python3-numpy /usr/bin/python3 -c "import numpy"
as "test cluster" need jq has_command jq
as test need netcat-openbsd has_command nc
as test need systemd has_command systemd-analyze
as test need strace has_command strace
as test need valgrind has_command valgrind
as test need libebur128-dev pkg-config --exists libebur128
as test need mandoc has_command mandoc
as test need zsh has_command zsh
as test need fish has_command fish
as fidelity need samplerate-programs has_command sndfile-resample
as jobs need libsox-fmt-mp3 compgen -G "/usr/lib/*/sox/libsox_fmt_mp3.so"
as jobs need libsox-fmt-alsa compgen -G "/usr/lib/*/sox/libsox_fmt_alsa.so"
as jobs need python3-mutagen /usr/bin/python3 -c "import mutagen"
as "python voice echo" need python3-venv python3 -c "import ensurepip"
as "python voice echo" need espeak-ng has_command espeak-ng
as voice need festival has_command text2wave
as voice need festvox-kallpc16k test -e /usr/share/festival/voices/english/kal_diphone
as "voice echo" need python3-dev python3 -c 'import os, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h")'
as voice-figures need pocketsphinx-testdata test -e /usr/share/pocketsphinx/test/data
as processors need qemu-user has_command qemu-x86_64
as arm64 need mmdebstrap has_command mmdebstrap
as arm64 need qemu-user-static has_command qemu-aarch64-static
as "cluster bench" need parallel has_command parallel
as bench need loudgain has_command loudgain
as jack need jackd2 has_command jackd
as "pipewire jack" need dbus has_command dbus-daemon
as "pipewire jack" need pipewire has_command pipewire
as "pipewire jack" need pipewire-bin has_command pw-cat
as "pipewire jack" need wireplumber has_command wireplumber
# It conflicts with pulseaudio, which other tests use.
as "pipewire jack" need_beside pipewire-alsa has_alsa_plugin pipewire
as jack need pipewire-jack compgen -G "/usr/lib/*/pipewire-0.3/jack/libjack.so.0"
as jack-losses need jack-capture has_command jack_capture
as network need gstreamer1.0-tools has_command gst-launch-1.0
as network need gstreamer1.0-plugins-good gst-inspect-1.0 rtpmp4gpay
as network need gstreamer1.0-plugins-base gst-inspect-1.0 opusenc
as network-figures need gstreamer1.0-libav gst-inspect-1.0 avdec_aac
as "package package-test" need dpkg-dev has_command dpkg-shlibdeps
as "package package-test" need lintian has_command lintian
as package-test need debootstrap has_command debootstrap

if [[ -n $lists ]]; then
  printf '%s\n' "${missing[@]}" "${unpacked[@]}"
  exit
fi

get_data() { [[ $asked != *" voice "* ]] || make --no-print-directory -C "$sources" voice-data; }
if ((${#missing[@]} + ${#unpacked[@]} == 0)); then
  get_data
  exit
fi

has_command apt-get >/dev/null ||
  fail "this machine has no apt-get; install what Debian calls: ${missing[*]} ${unpacked[*]}"

as_root=()
if ((EUID != 0 && ${#missing[@]} > 0)); then
  sudo -n true 2>/dev/null ||
    fail "installing packages needs root; run: sudo apt-get install ${missing[*]}"
  as_root=(sudo -n)
fi

if ((${#missing[@]} > 0)) && [[ -t 0 && -t 2 && -z ${ASSUME_YES:-} && -z ${CI:-} ]]; then
  printf 'set-up: these packages are missing: %s\nset-up: install them with apt-get? [Y/n] ' \
    "${missing[*]}" >&2
  read -r answer || answer=n
  [[ ${answer:-y} == [Yy]* ]] || fail "nothing was installed; run: apt-get install ${missing[*]}"
fi

if ((${#missing[@]} > 0)); then
  echo "set-up: installing ${missing[*]}"
  apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq)
  "${apt[@]}" update || echo "set-up: the package lists could not be updated; trying those there are" >&2
  "${apt[@]}" install --yes --no-install-recommends "${missing[@]}" >/dev/null ||
    fail "apt-get could not install: ${missing[*]}"
fi

for package in "${unpacked[@]}"; do
  echo "set-up: unpacking $package into .build"
  folder=$sources/.build/$package
  rm -rf "$folder.new"
  mkdir -p "$folder.new"
  (cd "$folder.new" && apt-get -qq -o APT::Sandbox::User= download "$package" && dpkg -x "$package"_*.deb .) ||
    fail "apt-get could not download $package, or dpkg not unpack it"
  rm -rf "$folder"
  mv "$folder.new" "$folder"
done

# Servers of users' sessions do not start by themselves, because the tests start their own.
if [[ " ${missing[*]} " == *" pipewire "* ]] && has_command systemctl >/dev/null; then
  "${as_root[@]}" systemctl --quiet --global disable pipewire.socket pipewire wireplumber 2>/dev/null || true
fi

swift build --version >/dev/null || fail "the Swift toolchain at $(command -v swift) does not start"
get_data
