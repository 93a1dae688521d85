#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# control.sh SOCKET LINE...: commands for a session, such as '{"status":true}', and what it answers.
set -eu
socket=$1
shift
printf '%s\n' '{"control":1}' "$@" | nc -N -U "$socket"
