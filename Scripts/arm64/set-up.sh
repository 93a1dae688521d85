#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# set-up.sh FOLDER: makes in FOLDER what this machine needs to build for arm64: 9 GB, once. Takes some minutes, and needs root
# and a mirror of Debian (MIRROR).
#
#   toolchain  Debian sid with Swift. No other Debian has one for both machines.
#   system     Debian 12 for arm64, with the libraries to build with, and Swift's library. The program is linked to the oldest
#              Debian that it is for.
#   runtime    sid's libraries for arm64. The tests use Swift's dynamic libraries, which need sid's C library.
#   sdk        the description that 'swift build --swift-sdk arm64' reads
set -euo pipefail

if ((EUID != 0)); then
  echo "arm64: other systems need root; run: sudo make arm64" >&2
  exit 1
fi
sources=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mkdir -p "$1" && cd "$1" && pwd)
mirror=${MIRROR:-http://deb.debian.org/debian}
"$sources/Scripts/set-up.sh" arm64

# The kernel starts programs of arm64 under the emulator. A service tells it to, but a machine may run no services.
formats=/proc/sys/fs/binfmt_misc
[[ -e $formats/register ]] || mount -t binfmt_misc none $formats
[[ -e $formats/qemu-aarch64 ]] || cat /usr/lib/binfmt.d/qemu-aarch64*.conf >$formats/register

# make_tree NAME SUITE PACKAGES OPTION…: makes a Debian in FOLDER/NAME.new. sid's lists are used also if they are some days old.
make_tree() {
  local tree=$folder/$1.new
  rm -rf "$tree"
  mmdebstrap --quiet --aptopt='Acquire::Check-Valid-Until "false"' --include="${3// /,}" "${@:4}" "$2" "$tree" \
    "deb $mirror $2 main"
}

if [[ ! -e $folder/toolchain ]]; then
  echo "arm64: Debian sid with Swift"
  make_tree toolchain sid "ca-certificates g++ git swiftlang" --variant=apt --architectures=amd64,arm64
  mv "$folder/toolchain.new" "$folder/toolchain"
fi

if [[ ! -e $folder/runtime ]]; then
  echo "arm64: the libraries of Debian sid"
  libraries="libasound2t64 libcurl4t64 libebur128-1 libjack-jackd2-0 liblilv-0-0 libpng16-16t64 libsndfile1 libspeexdsp1 libstdc++6 libxml2-16"
  make_tree runtime sid "$libraries" --variant=extract --architectures=arm64
  # The emulator prefers its files to this machine's: only libraries may be there.
  find "$folder/runtime.new" -mindepth 1 -maxdepth 1 ! -name lib ! -name usr -exec rm -r {} +
  find "$folder/runtime.new/usr" -mindepth 1 -maxdepth 1 ! -name lib -exec rm -r {} +
  ln -sfn usr/lib "$folder/runtime.new/lib"
  mv "$folder/runtime.new" "$folder/runtime"
fi

if [[ ! -e $folder/system ]]; then
  echo "arm64: Debian 12"
  libraries="libasound2-dev libebur128-dev libjack-jackd2-dev liblilv-dev libmd-dev libpng-dev libsndfile1-dev libspeexdsp-dev ladspa-sdk lv2-dev"
  make_tree system bookworm "dpkg-dev g++ make $libraries" --variant=minbase --architectures=arm64
  system=$folder/system.new

  # Swift's library for arm64 lies where the compiler looks for one in a system.
  swift=$folder/swift.new
  rm -rf "$swift" && mkdir "$swift"
  chroot "$folder/toolchain" sh -c 'cd /tmp && apt-get -qq update && apt-get -qq download swiftlang:arm64 libswiftlang:arm64'
  for package in "$folder"/toolchain/tmp/*swiftlang_*_arm64.deb; do
    dpkg-deb --extract "$package" "$swift"
    rm "$package"
  done
  mv "$swift"/usr/libexec/swift/lib/{swift,swift_static,clang} "$system/usr/lib/"
  rm -r "$swift"

  # The compiler would follow an absolute link out of the system.
  find "$system/usr/lib" "$system/lib" -lname '/*' | while read -r link; do
    ln -sfn "$(realpath --canonicalize-missing --no-symlinks --relative-to="$(dirname "$link")" "$system$(readlink "$link")")" "$link"
  done
  mv "$system" "$folder/system"
fi

libraries=$folder/runtime/usr/lib/aarch64-linux-gnu
[[ -e $libraries/libswiftCore.so ]] || cp "$folder"/system/usr/lib/swift/linux/lib*.so "$libraries/"

# Debian has this module of Swift Testing without its library. The tests call nothing in it.
missing=$folder/system/usr/lib/swift/linux/lib_Testing_Foundation.a
[[ -e $missing ]] || ar qc "$missing"

bundle=$folder/sdk/arm64.artifactbundle
mkdir -p "$bundle"
cat >"$bundle/info.json" <<'END'
{"schemaVersion": "1.0",
 "artifacts": {"arm64": {"type": "swiftSDK", "version": "1", "variants": [{"path": "."}]}}}
END
cat >"$bundle/swift-sdk.json" <<'END'
{"schemaVersion": "4.0",
 "targetTriples": {"aarch64-unknown-linux-gnu": {
   "sdkRootPath": "../../system",
   "swiftResourcesPath": "../../system/usr/lib/swift",
   "swiftStaticResourcesPath": "../../system/usr/lib/swift_static"}}}
END
