#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# reproducible.sh FOLDER: builds the package from the sources as they are, in two folders with other names, another
# language, time zone and mask of rights, and compares the two byte for byte: two whole release builds, some minutes.
set -euo pipefail

folder=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")/../.."

# copy NAME: the sources, in that folder.
copy() {
  rm -rf "${folder:?}/$1"
  mkdir -p "$folder/$1"
  tar --create --exclude=./.build --exclude=./.git . | tar --extract --directory "$folder/$1"
}
# build NAME VARIABLE=VALUE…
build() {
  printf 'building in %s\n' "$folder/$1"
  (cd "$folder/$1" && env -u MAKEFLAGS -u MAKELEVEL "${@:2}" make deb >"$folder/$1.log" 2>&1) || {
    tail -n 20 "$folder/$1.log" >&2
    exit 1
  }
}
same() {
  if ! cmp "$folder/one/$1" "$folder/another-folder/$1"; then
    printf 'FAILED: the two are not the same: %s\n' "$1" >&2
    exit 1
  fi
  (cd "$folder/one" && sha256sum "$1")
}

copy one
copy another-folder
umask 022
build one LC_ALL=C TZ=UTC
umask 027
build another-folder LC_ALL=C.UTF-8 TZ=Asia/Kathmandu

package=$(cd "$folder/one" && echo .build/deb/*.deb)
same .build/release/rawaudio
same .build/deb/tree/usr/bin/rawaudio
same "$package"
