#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test.sh FOLDER WHEEL [SUITE…]: makes the package in FOLDER, and in a new Debian of each SUITE (bookworm, trixie) with
# nothing else in it installs, upgrades, uses, removes and purges it, and then has pip install the wheel. Needs root, a
# mirror of Debian (MIRROR) and PyPI. What was typed and answered is in FOLDER/SUITE.log. Stops with exit 1 at the first
# wrong answer. With MACHINE=arm64 the Debians are for that machine, whose programs the kernel starts under an emulator.
set -euo pipefail

folder=$(mkdir -p "$1" && cd "$1" && pwd)
wheel=$(realpath "$2")
suites=("${@:3}")
((${#suites[@]} > 0)) || suites=(bookworm trixie)
cd "$(dirname "$0")/../.."
mirror=${MIRROR:-http://deb.debian.org/debian}

if ((EUID != 0)); then
  echo "package test: a new Debian needs root; run: sudo make deb-test" >&2
  exit 1
fi

package=$(Scripts/package/deb.sh "$folder")
lower=$(VERSION=0.0.1-0upstream1 Scripts/package/deb.sh "$folder")
version=$(dpkg-deb -f "$package" Version)
architecture=$(dpkg-deb -f "$package" Architecture)

for suite in "${suites[@]}"; do
  base=$folder/base-$suite
  if [[ ! -e $base/etc/debian_version ]]; then
    rm -rf "$base"
    debootstrap --arch="$architecture" --variant=minbase "$suite" "$base.new" "$mirror" >"$folder/debootstrap-$suite.log"
    mv "$base.new" "$base"
  fi
  root=$folder/root-$suite
  rm -rf "$root"
  cp -a --reflink=auto "$base" "$root"
  cp Scripts/package/use.sh "$root/tmp/"
  cp "$package" "$root/tmp/new.deb"
  cp "$lower" "$root/tmp/old.deb"
  cp "$wheel" "$root/tmp/"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  # A mirror of PyPI may have a certificate that only this machine trusts.
  cp /etc/ssl/certs/ca-certificates.crt "$root/tmp/certificates"
  # What is mounted there is gone with the last process.
  unshare --mount bash -euc '
    mount -t proc proc "$1/proc"
    chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
      http_proxy="${http_proxy:-}" bash /tmp/use.sh "$2"' - "$root" "$version" 2>&1 | tee "$folder/$suite.log"
  rm -rf "$root"
done
