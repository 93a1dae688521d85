# SPDX-License-Identifier: Apache-2.0
"""Lists of files that are converted while the disk fails, the program is killed, or another run comes between: no input
is ever worse than before, and what has a name is whole."""

import json
import pathlib
import random
import subprocess

import numpy
import sound
from running import Verdict

RATE = 8_000
SUFFIXES = ("wav", "flac", "aiff", "au", "caf")
PATTERNS = ("{n}", "{n}", "{stem}", "{stem}", "{path}/{stem}", "out/{n}", "out/{path}/{stem}")
PARTIAL = ".rawaudio-partial"


class ListCase:
    """Made from a seed alone. All conversions invert the polarity, so that an output tells its source."""

    variable = "LIST_SEED"
    # Of the card, which has no part in this.
    card_events = ()

    def __init__(self, seed):
        self.seed = seed
        draw = self.draw = random.Random(f"list {seed}")
        self.sources = self._sources()
        self.items = [draw.choice(self.sources) if draw.random() < 0.05 else source for source in self.sources]
        draw.shuffle(self.items)
        self.is_list = draw.random() < 0.4
        # Only a list has ids.
        patterns = PATTERNS + ("{id}",) if self.is_list else PATTERNS
        self.pattern = f"{draw.choice(patterns)}.{draw.choice(SUFFIXES)}"
        self.names_outputs = self.is_list and draw.random() < 0.3
        self.existing = draw.choice(("replace", "replace", "replace", "skip", "fail"))
        self.results = draw.choice((None, "r.jsonl", "r.jsonl", "r.jsonl", self.sources[0]))
        self.has_old_results = draw.random() < 0.3
        self.jobs = draw.randint(1, 3)
        self.outputs = self._outputs()
        self.old = [name for name in self.outputs if name not in self.sources and draw.random() < 0.3]
        self.faults = []
        self.other = None
        self._choose_faults()
        self.settings = {"SWITCHING": draw.choice((0, 20_000, 200_000, 700_000)),
                         "PREEMPTION": draw.choice((0, 10, 1_000)), "LATENCY": draw.choice((0.01, 0.1, 1))}

    # MARK: The files

    def _sources(self):
        draw = self.draw
        folder = draw.choice(("", "", "in/"))
        names = [f"{folder}{number}.{draw.choice(('wav', draw.choice(SUFFIXES)))}"
                 for number in range(1, draw.randint(1, 6) + 1)]
        return names

    def _outputs(self):
        """What each item is to become, by its place in the list."""
        if self.names_outputs:
            suffix = self.pattern.split(".")[-1]
            others = [f"new-{number}.{suffix}" for number in range(len(self.items))]
            return [self.draw.choice((self.draw.choice(self.sources), other)) for other in others]
        return [self._named(source, number) for number, source in enumerate(self.items, 1)]

    def _named(self, source, number):
        path = pathlib.PurePath(source)
        # Of arguments the folder that all share is left out.
        folder = str(path.parent) if self.is_list else ""
        name = self.pattern.replace("{n}", str(number)).replace("{stem}", path.stem).replace("{path}", folder)
        return str(pathlib.PurePath(name.replace("{id}", f"i{number}").lstrip("/")))

    def numbers(self, source):
        """The samples of a source: no two have the same."""
        own = random.Random(f"{self.seed} {source}")
        length = own.choice((own.randint(1, 300), own.randint(1_000, 40_000)))
        start = 1_000 + 5_000 * self.sources.index(source)
        column = start + numpy.arange(length, dtype=numpy.int64) % 4_999
        return numpy.column_stack([column] * own.choice((1, 2)))

    def prepare(self, folder):
        """Writes what is there before; keeps what it is."""
        for source in self.sources:
            (folder / source).parent.mkdir(parents=True, exist_ok=True)
            sound.write(folder / source, source.split(".")[-1], self.numbers(source), RATE)
        for name in self.old:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(b"what was there before")
        if self.is_list:
            lines = [{"source": source, "id": f"i{number}"} for number, source in enumerate(self.items, 1)]
            if self.names_outputs:
                lines = [line | {"output": output} for line, output in zip(lines, self.outputs)]
            (folder / "list.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        if self.has_old_results and self.results == "r.jsonl":
            (folder / "r.jsonl").write_text('{"schema":1,"source":"old.wav","status":"done"}\n{"schema":1,"sou')
        self.before = {str(path.relative_to(folder)): path.read_bytes()
                       for path in sorted(folder.rglob("*")) if path.is_file()}

    # MARK: What goes wrong

    def _choose_faults(self):
        draw = self.draw
        for _ in range(draw.choice((0, 0, 1, 2))):
            kind = draw.choice(("full", "eio", "short", "eintr", "slow", "stuck"))
            more = f":{draw.choice((1, 20))}" if kind == "slow" else ""
            self.faults.append(f"{self._place()}:{kind}:{draw.choice((0.1, 1, 10, 1_000))}{more}")
        if draw.random() < 0.35:
            self.other = self._arguments(draw.choice(("replace", "skip", "fail")), draw.choice(("same", "reversed", "other")))
            self.faults.append(f"{self._place()}:other")
        if draw.random() < 0.6:
            self.faults.append(draw.choice((
                f"{draw.uniform(0, 6):.6f}:signal:{draw.choice((2, 15))}", f"{draw.uniform(0, 6):.6f}:kill",
                f"#{draw.randint(1, 30)}:kill:{draw.choice(('before', 'torn', 'after'))}",
                f"@{draw.randint(1, 8)}:kill:{draw.choice(('before', 'after'))}",
                f"@{draw.randint(1, 8)}:kill:{draw.choice(('before', 'after'))}")))

    def _place(self):
        draw = self.draw
        return draw.choice((f"{draw.uniform(0, 6):.6f}", f"#{draw.randint(1, 30)}", f"@{draw.randint(1, 8)}"))

    # MARK: As the program gets it

    def _arguments(self, existing, order="same"):
        items = self.items[::-1] if order == "reversed" else self.items
        pattern = f"{{stem}}.{self.draw.choice(SUFFIXES)}" if order == "other" else self.pattern
        words = ["convert", *(["--list", "list.jsonl"] if self.is_list else items)]
        words += [] if self.names_outputs else ["-o", pattern]
        words += ["--results", self.results] if self.results else []
        return words + ["--invert", "--existing", existing, "-j", str(self.jobs)]

    def arguments(self):
        return self._arguments(self.existing)

    def environment(self):
        named = {f"SIMULATION_{name}": str(value) for name, value in self.settings.items()}
        named |= {"SIMULATION_SEED": str(self.seed), "SIMULATION_NAMES": "1", "SIMULATION_LIMIT": "100"}
        if self.faults:
            named["SIMULATION_FAULTS"] = " ".join(self.faults)
        return named

    def other_process(self, program):
        """A command of the shell that runs in between; nothing where none does."""
        if self.other is None:
            return None
        words = " ".join(f"'{word}'" for word in [str(program), *self.other])
        # Whoever waits for the one that waits for it waits for ever.
        return f"timeout 60 {words} > ../other.out 2> ../other.err; echo $? > ../other.code"

    def follow(self, program, folder):
        """The same command again, which is to do what is left."""
        self.again = subprocess.run(
            [str(program), *self._arguments("skip")], cwd=folder, env={"LC_ALL": "C", "TZ": "UTC"},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, check=False)

    def judge(self, outcome):
        return ListCheck(self, outcome)


class ListCheck(Verdict):
    def _check(self):
        case, outcome = self.case, self.outcome
        is_killed = self.ending == "kill"
        if outcome.code == 64 and "have the same output" in outcome.errors:
            return self._files(False, "")
        if not is_killed and outcome.code not in (0, 1, 130, 143, -2, -15):
            self.fail(f"exit {outcome.code}: {outcome.errors[-300:]}")
        if outcome.code in (130, 143) and not any(":signal:" in fault for fault in case.faults):
            self.fail(f"exit {outcome.code} without a signal")
        if outcome.code == 1 and not outcome.errors.strip():
            self.fail("exit 1 without a word")
        other = outcome.folder.parent / "other.code"
        if other.exists() and int(other.read_text()) not in (0, 1, 64):
            self.fail(f"the other run: exit {other.read_text().strip()}")
        self._files(is_killed, "")
        if outcome.code == 0:
            self._outputs("")
        self._results()
        if not self.errors:
            case.follow(outcome.program, outcome.folder)
            self._files(is_killed, "after another run: ")
            is_refused = b"have the same output" in case.again.stderr
            if case.again.returncode not in (0, 1) and not is_refused:
                self.fail(f"another run: exit {case.again.returncode}: {case.again.stderr[-300:]}")
            if case.again.returncode == 0:
                self._outputs("after another run: ")
        return None

    # MARK: The files

    def _files(self, may_have_partial, when):
        case, folder = self.case, self.outcome.folder
        there = {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*")) if path.is_file()}
        for name in case.before:
            if name not in there:
                self.fail(f"{when}{name} is gone")
        for name, path in there.items():
            if name.endswith(PARTIAL):
                # Nobody can remove it from a disk that fails.
                if not may_have_partial and not self._disk_fails():
                    self.fail(f"{when}{name} is left")
            elif name == case.results and name not in case.sources:
                self._result_lines(path, when)
            elif path.read_bytes() != case.before.get(name):
                self._changed(name, path, when)

    def _changed(self, name, path, when):
        """What is there now, and was not so before, is a whole output."""
        case = self.case
        if name in case.items:
            # Its own conversion is all that may take its place.
            sources = [name]
        elif case.other is not None:
            # The other run may have other names.
            sources = case.items
        elif name in case.outputs:
            sources = [source for source, output in zip(case.items, case.outputs) if output == name]
        else:
            return self.fail(f"{when}{name}: nobody asked for it")
        try:
            read = sound.read(path, name.split(".")[-1], "s16", 1, RATE)
        except (sound.Unreadable, OSError) as error:
            return self.fail(f"{when}{error}")
        samples = (read.numbers + 0x8000) % 0x10000 - 0x8000
        for source in sources:
            numbers = case.numbers(source)
            # A run that works in place after another one inverts what that has inverted.
            signs = (-1, 1) if case.other is not None else (-1,)
            if any(numpy.array_equal(samples, sign * numbers) for sign in signs):
                return None
        return self.fail(f"{when}{name} is no inverted {' or '.join(sources)}")

    def _outputs(self, when):
        """Where nothing failed, all are there."""
        for name in self.case.outputs:
            if not (self.outcome.folder / name).exists():
                self.fail(f"{when}{name} is not there")

    # MARK: The results

    def _result_lines(self, path, when):
        content = path.read_bytes()
        if not content.startswith(self.case.before.get(str(path.name), b"")):
            self.fail(f"{when}results of an earlier run are lost")

    def _results(self):
        case = self.case
        path = self.outcome.folder / "r.jsonl"
        if case.results != "r.jsonl" or not path.exists():
            return
        content = path.read_bytes()[len(case.before.get("r.jsonl", b"")):]
        count = 0
        for line in content.decode(errors="replace").split("\n"):
            try:
                result = json.loads(line)
            except ValueError:
                continue
            count += 1
            if result["status"] == "done" and not (self.outcome.folder / result["output"]).exists():
                self.fail(f"{result['output']} is told to be done, and is not there")
        if self.outcome.code == 0 and case.other is None and count != len(case.items):
            self.fail(f"{count} results of {len(case.items)} items")
