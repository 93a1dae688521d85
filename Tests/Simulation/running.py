# SPDX-License-Identifier: Apache-2.0
"""Runs a case in virtual time."""

import ctypes
import json
import os
import pathlib
import shutil
import subprocess

_libc = ctypes.CDLL(None)
_NO_RANDOM_ADDRESSES = 0x0040000


class Outcome:
    """What a run left behind."""

    def __init__(self, program, folder, code, errors, card_log, report):
        self.program = program
        self.folder = folder
        self.code = code
        self.errors = errors
        self.card_log = card_log
        self.report = report
        self.lines = [line for line in errors.splitlines() if not line.startswith("{")]
        self.json = []
        for line in errors.splitlines():
            if line.startswith("{"):
                try:
                    self.json.append(json.loads(line))
                except ValueError:
                    # Killed in the middle of it.
                    pass
        self.gaps = [line for line in self.json if line.get("event") == "gap"]
        self.summary = next((line for line in self.json if line.get("event") == "summary"), None)


class Verdict:
    """All checks of one run; `errors` says what is wrong."""

    ENDINGS = ("exit", "signal", "kill")

    def __init__(self, case, outcome):
        self.case, self.outcome, self.report, self.errors = case, outcome, outcome.report, []
        if outcome.code is None or self.report is None:
            self.fail(f"it crashed or takes for ever: exit {outcome.code}: {outcome.errors[-300:]}")
        elif self.report["ending"] not in self.ENDINGS:
            self.fail(f"{self.report['ending']}: {self.report['detail']}")
        else:
            self.ending = self.report["ending"]
            self._check()

    def fail(self, text):
        self.errors.append(text)

    def _disk_fails(self):
        return any(":eio:" in fault for fault in self.case.faults)


class Runner:
    """One simulation after the other, in a folder of its own and on one processor."""

    def __init__(self, program, library, configuration, folder, processor):
        self.program = program
        self.library = library
        self.configuration = configuration
        self.folder = pathlib.Path(folder)
        os.sched_setaffinity(0, {processor})
        # Addresses would be others in every run.
        _libc.personality(_NO_RANDOM_ADDRESSES)

    def environment(self, case):
        other = case.other_process(self.program)
        return {
            **({"SIMULATION_OTHER": other} if other else {}), "PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "TZ": "UTC",
            "ALSA_CONFIG_PATH": str(self.configuration), "LD_PRELOAD": str(self.library),
            "SWIFT_DETERMINISTIC_HASHING": "1", "VIRTUAL_CARD_LOG": "../card.log",
            "SIMULATION_REPORT": "../report.json", **case.environment()}

    def run(self, case, trace=None):
        output = self.folder / "output"
        shutil.rmtree(self.folder, ignore_errors=True)
        output.mkdir(parents=True)
        environment = self.environment(case)
        case.prepare(output)
        if trace:
            environment["SIMULATION_TRACE"] = str(trace)
        try:
            finished = subprocess.run(
                [str(self.program), *case.arguments()], cwd=output, env=environment, timeout=300,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
            code, errors = finished.returncode, finished.stderr.decode(errors="replace")
        except subprocess.TimeoutExpired as expired:
            code, errors = None, (expired.stderr or b"").decode(errors="replace")
        log = self.folder / "card.log"
        report = self.folder / "report.json"
        return Outcome(self.program, output, code, errors, log.read_text() if log.exists() else "",
                       json.loads(report.read_text()) if report.exists() else None)

    def by_hand(self, case):
        """The command that repeats the case in a shell."""
        names = " ".join(f"{name}='{value}'" for name, value in self.environment(case).items() if name != "PATH")
        words = " ".join(f"'{word}'" if " " in word else word for word in case.arguments())
        return f"env -C FOLDER setarch -R env {names} {self.program} {words}"
