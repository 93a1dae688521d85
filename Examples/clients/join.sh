#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# join.sh SOCKET NAME FILE: whatever rawaudio can read joins a session, by nc of OpenBSD.
set -eu
rate=48000
{
  printf '{"join":"%s","rate":%d,"channels":2,"encoding":"s16"}\n' "$2" "$rate"
  rawaudio convert "$3" -r "$rate" -c 2 -f s16 -t raw -o -
} | nc -N -U "$1"
