#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# use.sh VERSION: what test.sh does inside a new Debian: installs /tmp/old.deb, upgrades to /tmp/new.deb, uses it, removes
# it, and has pip install the wheel. Prints every command and its answer.
set -euo pipefail
cd /tmp
version=$1
user=root

title() { printf '\n# %s\n' "$1"; }
fail() {
  printf 'FAILED: %s\n' "$1" >&2
  exit 1
}
answer_to() {
  runuser -u "$user" -- bash -o pipefail -c "$1" 2>&1
}
# run COMMAND: it must succeed.
run() {
  printf '$ %s\n' "$1"
  answer_to "$1" | sed 's/^/    /' || fail "exit code"
}
# expect COMMAND TEXT: that is its answer, however it ends.
expect() {
  local answer
  printf '$ %s\n' "$1"
  answer=$(answer_to "$1") || true
  sed 's/^/    /' <<<"$answer"
  [[ $answer == "$2" ]] || fail "expected: $2"
}
apt() { run "apt-get -qq -o Dpkg::Use-Pty=0 $*"; }
# Without what apt, dpkg and their programs note for themselves.
all_files() {
  find / -xdev \( -path /proc -o -path /tmp -o -path /var/cache -o -path /var/log -o -path /var/lib/apt \
    -o -path /var/lib/dpkg -o -path /root \) -prune -o -print | LC_ALL=C sort
}

title "Debian $(cat /etc/debian_version), $(getconf GNU_LIBC_VERSION), $(dpkg -l | grep -c ^ii) packages"
run "apt-get -qq update"
useradd --create-home listener

title "Install, with what it needs and no more"
apt install --yes --no-install-recommends ./old.deb
expect "dpkg-query -W -f '\${Version}' rawaudio" 0.0.1-0upstream1
run "dpkg --purge rawaudio"
all_files >before
! grep rawaudio before || fail "something stays"
apt install --yes --no-install-recommends ./old.deb

title "Upgrade"
apt install --yes --no-install-recommends ./new.deb
expect "dpkg-query -W -f '\${Version}' rawaudio" "$version"
expect "dpkg --verify rawaudio" ""
run "ldd /usr/bin/rawaudio"

title "Use, as a user without rights"
user=listener
mkdir sound
chown listener sound
cd sound
expect "rawaudio --version" "${version%-*}"
run "rawaudio convert tone:440 -d 1 -r 48000 -c 2 -f s16 --gain -6 -o tone.wav"
expect "rawaudio convert tone.wav -t raw -o samples && stat -c %s samples" 192000
for type in flac ogg mp3 opus aiff caf; do
  run "rawaudio convert tone.wav -o tone.$type"
done
run "rawaudio info tone.*"
expect "rawaudio convert tone.flac -t raw -o - | cmp - samples && echo same samples" "same samples"
run "rawaudio mix tone.wav tone.ogg tone.mp3 --gain -12 -o mix.flac"
run "rawaudio measure mix.flac"
run "rawaudio plot tone.wav --width 300 -o tone.svg --show waveform"
expect "rawaudio plot tone.wav -o tone.png" \
  "rawaudio: cannot draw 'PNG': libpng16.so.16 cannot be loaded; install libpng (on Debian libpng16-16)"
run "rawaudio devices || true"
expect "find ~ -mindepth 1 -newer /tmp/before" ""
user=root

title "What is recommended"
run "dpkg-query -W -f '\${Recommends}\n' rawaudio"
apt install --yes --no-install-recommends "\$(apt-cache search --names-only '^libpng16-16(t64)?\$' | cut -d' ' -f1)"
expect "dpkg --list | grep -c '^ii  libpng16-16'" 1
user=listener
run "rawaudio plot tone.wav -o tone.png"
expect "head -c 8 tone.png | od -An -c | tr -s ' '" ' 211 P N G \r \n 032 \n'
user=root

title "Pages and completions"
run "gzip -tv /usr/share/man/man?/rawaudio*.gz"
run "zcat /usr/share/doc/rawaudio/changelog.Debian.gz"
run "bash -n /usr/share/bash-completion/completions/rawaudio"

title "Documents, and services that nothing starts"
run "grep -c . /usr/share/doc/rawaudio/joining.md /usr/share/doc/rawaudio/unattended.md"
run "ls /usr/share/doc/rawaudio/pictures"
run "ls /usr/share/rawaudio/silero-vad-6.2.safetensors"
run "grep ^ExecStart=/usr/bin/rawaudio /usr/lib/systemd/system/rawaudio-record.service"
expect "find /etc/systemd /usr/lib/systemd -name 'rawaudio*' -type l 2>/dev/null" ""

title "Remove, and purge"
run "apt-get -qq purge --yes libpng16-16\*"
run "dpkg --remove rawaudio"
expect "rawaudio --version" "bash: line 1: rawaudio: command not found"
run "dpkg --purge rawaudio 2>&1 || true"
expect "dpkg-query -W rawaudio" "dpkg-query: no packages found matching rawaudio"
all_files | diff /tmp/before - >&2 || fail "these files differ"
echo "Nothing is left of it."

title "The wheel"
apt install --yes --no-install-recommends python3-venv python3-pip
title "For all users, and in a virtual environment that has the packages of the system"
run "PIP_CERT=/tmp/certificates python3 -m pip --quiet install --root-user-action=ignore --break-system-packages /tmp/*.whl"
run "python3 -m venv --system-site-packages /tmp/other"
use='import numpy, rawaudio; rawaudio.write("/tmp/a.mp3", numpy.zeros(4800), 48000); print(rawaudio._program.program())'
expect "/tmp/other/bin/python -c '$use'" /usr/local/bin/rawaudio
run "python3 -m pip --quiet uninstall --root-user-action=ignore --yes --break-system-packages rawaudio"
run "rm -r /tmp/other /tmp/a.mp3"
title "For one user, in a virtual environment"
user=listener
cd /tmp/sound
run "python3 -m venv ~/python && PIP_CERT=/tmp/certificates ~/python/bin/pip --quiet --disable-pip-version-check install /tmp/*.whl"
expect "~/python/bin/rawaudio --version" "${version%-*}"
expect "~/python/bin/rawaudio convert tone.flac -t raw -f s16 -o - | cmp - samples && echo same samples" "same samples"
expect "~/python/bin/python -c 'import rawaudio; print(rawaudio.read(\"tone.flac\", rate=16000)[0].shape)'" "(16000, 2)"
