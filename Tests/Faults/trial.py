# SPDX-License-Identifier: Apache-2.0
"""One program in one fault."""

import os
import shutil
import subprocess
import threading
import time
from dataclasses import dataclass

import card
from proofs.processes import ended
from sound import Recording, count_up, numbers

PATIENCE = 12  # seconds behind the length of the recording
DISK_BYTES = 640 * 1024
PLAYED_FRAMES = 2 * card.RATE


@dataclass
class Outcome:
    fault: object
    program: object
    exit_code: object  # nothing where it had to be killed
    said: str
    log: card.Log
    recording: object = None
    heard: object = None


class Trial:
    def __init__(self, fault, program, configuration, folder):
        self.fault, self.program, self.folder = fault, program, folder
        folder.mkdir()
        self.log = folder / "card.log"
        self.output = folder / ("loudspeaker.raw" if fault.plays else "take.wav")
        settings = dict(fault.card)
        if fault.plays:
            settings["OUTFILE"] = self.output
        self.environment = card.environment(configuration, self.log, settings)

    def run(self):
        exit_code, said = self.play() if self.fault.plays else self.record()
        data = self.output.read_bytes() if self.output.is_file() else b""
        outcome = Outcome(self.fault, self.program, exit_code,
                          said.replace(f"{self.folder}/", ""), card.Log(self.log))
        if self.fault.plays:
            outcome.heard = len({number for number in numbers(data) if 0 < number <= PLAYED_FRAMES})
        else:
            outcome.recording = Recording(data)
        shutil.rmtree(self.folder)
        return outcome

    def record(self):
        kind = self.fault.output
        if kind.startswith("pipe"):
            return self.communicate(self.record_to("-"), self.read_slowly)
        if kind == "small disk":
            return self.communicate(on_small_disk(self.record_to("disk/take.wav"), self.folder))
        path = kind if kind.startswith("/") else "take.wav"
        return self.communicate(self.record_to(path))

    def record_to(self, path):
        return self.program.record(self.fault.seconds, path) + self.fault.options

    def play(self):
        tune = count_up(PLAYED_FRAMES)
        if self.fault.output == "pipe":
            return self.communicate(
                self.program.play("-"), lambda process: self.write_slowly(process, tune))
        (self.folder / "tune.wav").write_bytes(tune)
        return self.communicate(self.program.play("tune.wav"))

    def communicate(self, command, other_end=None):
        return communicate(
            command, self.folder, self.environment, self.fault.seconds + PATIENCE, other_end,
            stdin=subprocess.PIPE if other_end and self.fault.plays else subprocess.DEVNULL,
            stdout=subprocess.PIPE if other_end and not self.fault.plays else subprocess.DEVNULL)

    def read_slowly(self, process):
        """Reads one second, then stands still for the pause, or goes away."""
        with process.stdout, open(self.output, "wb") as file:
            file.write(process.stdout.read(card.RATE * card.FRAME_BYTES))
            if self.fault.output == "pipe gone":
                return
            time.sleep(self.fault.pause)
            shutil.copyfileobj(process.stdout, file)

    def write_slowly(self, process, data):
        """Writes half of it, stands still for the pause, writes the rest."""
        try:
            with process.stdin:
                process.stdin.write(data[:len(data) // 2])
                process.stdin.flush()
                time.sleep(self.fault.pause)
                process.stdin.write(data[len(data) // 2:])
        except BrokenPipeError:
            pass


def communicate(command, folder, environment, patience, other_end, **streams):
    """Runs a program, with `other_end` at the other end of its pipe, if it has one. - Returns: its exit code, None if it had to
    be killed, and its standard error."""
    with open(folder / "said", "wb") as errors:
        process = subprocess.Popen(command, cwd=folder, env=environment, stderr=errors, **streams)
        thread = threading.Thread(target=other_end or (lambda _: None), args=[process])
        thread.start()
        code = ended(process, patience)
        thread.join()
    return code, (folder / "said").read_text(errors="replace")


def has_small_disk():
    """Whether we may mount a disk of our own."""
    return subprocess.run(["unshare", *namespaces(), "mount", "-t", "tmpfs", "tmpfs", "/mnt"],
                          capture_output=True, check=False).returncode == 0


def namespaces():
    return ["-m"] if os.geteuid() == 0 else ["-rm"]


def on_small_disk(command, folder):
    """The same command in a folder `disk` that is soon full. The disk goes with the command, so the
    file is copied to where it is looked for."""
    (folder / "disk").mkdir()
    script = (f'mount -t tmpfs -o size={DISK_BYTES} tmpfs disk && {{ "$@"; code=$?; '
              "cp disk/take.wav take.wav; exit $code; }")
    return ["unshare", *namespaces(), "sh", "-c", script, "sh", *command]
