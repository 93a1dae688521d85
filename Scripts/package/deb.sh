#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# deb.sh FOLDER: makes a Debian package of the built command in FOLDER, and prints its name. The same program gives the
# same package, byte for byte: files have the time of the program's day. VERSION names another version.
set -euo pipefail
umask 022

folder=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")/../.."
# For another machine it goes on in a Debian of that one.
if [[ ${MACHINE:-} == arm64 && $(uname -m) != aarch64 ]]; then exec Scripts/arm64/within.sh system "$0" "$folder"; fi
files=Scripts/package
tree=$folder/tree
work=$folder/work

stated() { sed -n "s/^ *$1: \"\(.*\)\",\$/\1/p" Sources/rawaudio/RawAudio.swift; }
version=${VERSION:-$(stated version)-0upstream1}
architecture=$(dpkg --print-architecture)
SOURCE_DATE_EPOCH=$(date -u -d "$(stated date)" +%s)
export SOURCE_DATE_EPOCH

rm -rf "$tree" "$work"
mkdir -p "$tree/DEBIAN" "$work/debian"
sed "s/@version@/$version/; s/@day@/$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")/" $files/changelog >"$work/changelog"
make --no-print-directory -s install DESTDIR="$tree" prefix=/usr

# What Debian wants different: no notes of the compilers', licences by name, pages and changes compressed.
strip --remove-section=.comment --remove-section=.note "$tree/usr/bin/rawaudio"
documents=$tree/usr/share/doc/rawaudio
install -m 644 $files/copyright "$documents/copyright"
install -m 644 CHANGELOG.md "$documents/changelog"
install -m 644 "$work/changelog" "$documents/changelog.Debian"
find "$tree/usr/share/man" -type f -exec gzip -9n {} +
gzip -9n "$documents/changelog" "$documents/changelog.Debian"

# A library with references to the functions that the program loads when it needs them, so that dpkg-shlibdeps finds the
# package and the lowest version that has them. It needs a control file to say anything.
refer() {
  local name=$1 library=$2
  {
    printf 'extern char %s[];\n' "${@:3}"
    printf 'void *used[] = {\n'
    printf '  %s,\n' "${@:3}"
    printf '};\n'
  } >"$work/$name.c"
  cc -shared -fPIC -o "$work/$name.so" "$work/$name.c" "-l$library"
}
functions_in() { grep -oP '\bF\(\K\w+(?=\))' "$1"; }
needed=()
wanted=(-dRecommends)
for list in Scripts/on-demand/*.c; do
  name=$(basename "$list" .c)
  mapfile -t functions < <(functions_in "$list")
  refer "$name" "$name" "${functions[@]}"
  # Plug-ins are no part of what everyone needs, and who has JACK has its library.
  if [[ $name == jack ]]; then continue; fi
  if [[ $name == lilv-0 ]]; then wanted+=("$name.so"); else needed+=("$name.so"); fi
done
mapfile -t functions < <(grep -ohP '"\Kpng_\w+(?=")' Sources/AudioPictures/Drawing/PNGImage.swift)
refer png png "${functions[@]}"
wanted+=(png.so)
printf 'Source: rawaudio\n\nPackage: rawaudio\nArchitecture: any\n' >"$work/debian/control"

# Debian 13 has given libraries whose interface holds times a new name.
both_names() { sed -E 's/\b(libasound2|libpng16-16)(t64)?( \([^)]*\))?/\1t64\3 | \1\3/g'; }
dependencies=$(cd "$work" && dpkg-shlibdeps -O -dDepends "$tree/usr/bin/rawaudio" "${needed[@]}" \
  "${wanted[@]}" 2>"$work/warnings" || { cat "$work/warnings" >&2; exit 1; })
depends=$(sed -n 's/^shlibs:Depends=//p' <<<"$dependencies" | both_names)
# dpkg-shlibdeps does not know that packed relocations need glibc 2.36.
if readelf -V "$tree/usr/bin/rawaudio" | grep -q GLIBC_ABI_DT_RELR; then
  lowest=$(sed -nE 's/.*libc6 \(>= ([^)]*)\).*/\1/p' <<<"$depends")
  lowest=$(printf '2.36\n%s\n' "$lowest" | sort -V | tail -n 1)
  depends=$(sed -E "s/(libc6 \(>= )[^)]*/\1$lowest/" <<<"$depends")
fi
recommends=$(sed -n 's/^shlibs:Recommends=//p' <<<"$dependencies" | both_names)

# As Debian's policy counts it: whole KiB for a file, one for a folder.
size=$(find "$tree/usr" -printf '%y %s\n' |
  awk '{ kib += $1 == "f" ? int(($2 + 1023) / 1024) : 1 } END { print kib }')
(cd "$tree" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$tree/DEBIAN/md5sums"
sed -e "s/@version@/$version/; s/@architecture@/$architecture/; s/@size@/$size/" \
  -e "s/@maintainer@/$(dpkg-parsechangelog -l "$work/changelog" -S Maintainer)/; s/@depends@/$depends/; s/@recommends@/$recommends/" \
  $files/control >"$tree/DEBIAN/control"

find "$tree" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
package=$folder/rawaudio_${version}_$architecture.deb
dpkg-deb --root-owner-group -Zxz --build "$tree" "$package" >/dev/null
printf '%s\n' "$package"
