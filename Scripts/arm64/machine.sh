#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# machine.sh FOLDER PACKAGE: starts Debian 13 on an emulated arm64 machine (two Cortex-A53 of a gigabyte), and pastes
# docs/raspberry-pi.md there: with systemd, the kernel's ALSA, and a card made of software, snd-aloop, that is called Mic.
# The console's text is in FOLDER/machine.log. Needs root and a mirror of Debian (MIRROR). Exit 1 if a line fails.
set -euo pipefail

folder=$(mkdir -p "$1" && cd "$1" && pwd)
package=$(realpath "$2")
cd "$(dirname "$0")/../.."
mirror=${MIRROR:-http://deb.debian.org/debian}
tree=$folder/tree

if [[ ! -e $tree ]]; then
  rm -rf "$tree.new"
  mmdebstrap --quiet --architectures=arm64 --variant=minbase \
    --include=ca-certificates,linux-image-arm64,python3,sudo,systemd-sysv,systemd-resolved,systemd-timesyncd,udev \
    trixie "$tree.new" "$mirror"
  mv "$tree.new" "$tree"
fi

echo raspberrypi >"$tree/etc/hostname"
printf '127.0.0.1 localhost raspberrypi\n' >"$tree/etc/hosts"
echo snd-aloop >"$tree/etc/modules-load.d/card.conf"
echo 'options snd-aloop id=Mic' >"$tree/etc/modprobe.d/card.conf"
printf '[Match]\nName=e*\n[Network]\nDHCP=yes\n' >"$tree/etc/systemd/network/card.network"
mkdir -p "$tree/boot/firmware" "$tree/page"
cp "$package" Scripts/documents.py docs/raspberry-pi.md "$tree/page/"
cat >"$tree/etc/systemd/system/page.service" <<'END'
[Unit]
After=multi-user.target systemd-networkd-wait-online.service
Wants=systemd-networkd-wait-online.service
[Service]
Type=oneshot
StandardOutput=journal+console
StandardError=journal+console
Environment=LC_ALL=C.UTF-8
ExecStart=sh -c 'mkdir /pasted && cp /page/*.deb /pasted && python3 -B /page/documents.py paste /page/raspberry-pi.md /pasted --transcript; echo "page: exit $$?"; systemctl poweroff'
[Install]
WantedBy=default.target
END
chroot "$tree" systemctl --quiet enable page systemd-networkd systemd-networkd-wait-online

rm -f "$folder/disk"
truncate -s 3G "$folder/disk"
mke2fs -q -t ext4 -d "$tree" "$folder/disk"
timeout 900 qemu-system-aarch64 -machine virt -cpu cortex-a53 -smp 2 -m 1024 -nographic -no-reboot \
  -kernel "$tree"/boot/vmlinuz-* -initrd "$tree"/boot/initrd.img-* \
  -append 'root=/dev/vda rw console=ttyAMA0 systemd.firstboot=off' \
  -drive "file=$folder/disk,format=raw,if=virtio" -nic user,model=virtio-net-pci </dev/null |
  tee "$folder/machine.log"
rm "$folder/disk"
grep -q 'page: exit 0' "$folder/machine.log"
