#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# within.sh TREE COMMAND…: runs a command in a system that set-up.sh has put into .build/arm64/TREE, in this folder of the
# sources.
set -euo pipefail

sources=$(cd "$(dirname "$0")/../.." && pwd)
root=$sources/.build/arm64/$1
shift
passed=()
for name in BUILT MACHINE PKG_CONFIG_PATH RAWAUDIO_MACHINE RAWAUDIO_TEST_BUNDLE VERSION; do
  [[ ! -v $name ]] || passed+=("$name=${!name}")
done
mkdir -p "$root$sources"
# What is mounted there is gone with the last process.
exec unshare --mount bash -euc '
  root=$1 sources=$2
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount --bind "$sources" "$root$sources"
  exec chroot "$root" env -i -C "$PWD" HOME=/root LC_ALL=C.UTF-8 PATH=/usr/libexec/swift/bin:/usr/bin:/bin "${@:3}"
  ' - "$root" "$sources" "${passed[@]}" "$@"
