#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what `rawaudio plugins --check` finds of every effect of this machine, a line each, as a Markdown page.

    python3 Scripts/plugin-table.py PROGRAM"""
import json
import platform
import subprocess
import sys

PROGRAM = sys.argv[1]
SYSTEM = platform.freedesktop_os_release()["PRETTY_NAME"]


def answer(*words):
    return json.loads(subprocess.run([PROGRAM, "plugins", *words, "--json"], stdout=subprocess.PIPE, check=False).stdout)


def click(check):
    if "failure" in check:
        return f"fails: {check['failure']}"
    if check["shift"] is None:
        return "no answer"
    return "in place" if check["shift"] == 0 else f"{check['shift']:+d}"


def main():
    plugins = {(plugin["interface"], plugin["identity"]): plugin for plugin in answer()}
    checks = {check["identity"]: check for check in answer("--check")}
    rows, counts = [], {}
    for (interface, identity), plugin in sorted(plugins.items()):
        check = checks[identity]
        has_run = "failure" not in check
        of_interface = counts.setdefault(interface, [0, 0, 0, 0])
        of_interface[0] += 1
        of_interface[1] += has_run
        if has_run and check["latency"] > 0:
            of_interface[2] += 1
            of_interface[3] += check["shift"] == 0
        sides = f"+{plugin['sideChains']}" if plugin["sideChains"] else ""
        rows.append(
            f"| `{interface}={identity}` | {plugin['inputs'] - plugin['sideChains']}{sides}→{plugin['outputs']}"
            f" | {'yes' if has_run else 'no'} | {check.get('latency', '')} | {click(check)}"
            f" | {('yes' if check['isRepeatable'] else 'no') if has_run else ''} |".replace("\n", " "))
    lines = [
        f"# Plug-ins of {SYSTEM}, checked", "",
        "`rawaudio plugins --check` sends a click through every effect, with its own settings, at 48 kHz in blocks of 1024.",
        "Latency is what the plug-in tells, in samples; *click* is how far the loudest sample of the answer lies behind the",
        "click once that is taken off. Delays, reverbs and pitch shifters move a click on purpose; the others that tell a",
        "latency and move it tell another latency than they have. *Stable*: two runs give the same samples.", "",
        "| interface | effects | run | tell a latency | of these in place |", "|---|---|---|---|---|"]
    for interface, (total, run, late, placed) in sorted(counts.items()):
        lines.append(f"| {interface} | {total} | {run} | {late} | {placed} |")
    lines += ["", "| plug-in | channels | runs | latency | click | stable |", "|---|---|---|---|---|---|", *rows, ""]
    print("\n".join(lines), end="")


main()
