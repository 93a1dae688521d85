# SPDX-License-Identifier: Apache-2.0
"""Damages sound files and holds what the program makes of them against what has to hold.

    python3 Tests/Mutations --program PROGRAM [--cases 10000] [--seed 1] [--first 0] [--results FOLDER]

Every container and encoding that the program writes, and files made by hand, are damaged at random. Each goes
through info, info --json, convert, convert --rate and mix with a good file. No run may end by a signal, take
more than 5 s of the processor or 64 MiB, or print more than a line of error; JSON is strict; and the length that
info tells is what convert gives, unless it says that the file is truncated. Files that show a fault stay in the
folder of results. The same seed damages the same files in the same way; `--first N --cases 1` repeats case N.

Exit 1 where anything was found.
"""

import argparse
import itertools
import multiprocessing
import os
import random
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import corpus
import mutation
import oracle
import report
from proofs.measured import Runner


class Case:
    """What a worker holds for all its cases."""

    def __init__(self, program, originals, seed, folder, results):
        self.program, self.originals, self.seed, self.results = program, originals, seed, results
        self.runner = Runner(folder / f"worker-{os.getpid()}")
        self.good = folder / "good.wav"

    def run(self, number):
        generator = random.Random(f"{self.seed}/{number}")
        original = generator.choice(self.originals)
        data, changes = mutation.mutated(original, self.originals, generator)
        file = self.runner.folder / f"case.{original.container}"
        file.write_bytes(data)
        runs = self.runs(file, original)
        verdict = oracle.judge(runs, None if changes else original.length)
        if verdict.faults:
            self.keep(number, file, original, changes, verdict)
        file.unlink()
        return original.container, verdict, [(run.seconds, run.peak) for run in runs.all]

    def runs(self, file, original):
        def look(*options):
            return self.runner.run([self.program, "info", "--decoder", "none", *options, str(file)])

        def write(command, name, *words):
            path = self.runner.folder / name
            path.unlink(missing_ok=True)
            run = self.runner.run(
                [self.program, command, "--decoder", "none", str(file), *words, "-t", "wav", "-o", str(path)])
            return run, oracle.Wave.read(path)

        headerless = original.headerless
        convert, wave = write("convert", "converted", *headerless)
        resample, resampled = write("convert", "resampled", "-r", str(oracle.OTHER_RATE), *headerless)
        # The options of a file without a header would be taken for the good one's, too.
        mix, mixed = (None, None) if headerless else write("mix", "mixed", str(self.good))
        return oracle.Runs(None if headerless else look(), None if headerless else look("--json"),
                           convert, resample, mix, wave, resampled, mixed)

    def keep(self, number, file, original, changes, verdict):
        kept = self.results / f"{self.seed}-{number}{file.suffix}"
        shutil.copyfile(file, kept)
        told = [f"case {number}: {original.name}: {', '.join(changes)}"]
        for fault, run in verdict.faults:
            command = run.line.replace(str(file), str(kept)).replace(str(self.runner.folder) + "/", "")
            told += [f"  {fault}", f"    {command}"]
            told += ["    " + line for line in run.errors.decode(errors="replace").splitlines()[:3]]
        text = "\n".join(told)
        kept.with_suffix(".txt").write_text(text + "\n", encoding="utf-8")
        print(text, file=sys.stderr, flush=True)


def start(*settings):
    global case
    case = Case(*settings)


def run(number):
    return case.run(number)


def main():
    options = parsed_options()
    program = str(options.program.resolve())
    results_folder = options.results.resolve()
    shutil.rmtree(results_folder, ignore_errors=True)
    results_folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        originals = corpus.make(program, folder)
        made = corpus.run([program, "convert", "tone:440", "-d", f"{oracle.GOOD_LENGTH}S", "-r",
                           str(oracle.GOOD_RATE), "-f", "s16", "-o", str(folder / "good.wav")])
        assert made.returncode == 0, made.stderr
        print(f"mutations: seed {options.seed}, {len(originals)} files, "
              f"{len({original.container for original in originals})} containers")
        with multiprocessing.Pool(initializer=start, initargs=(
                program, originals, options.seed, folder, results_folder)) as pool:
            numbers = range(options.first, options.first + options.cases)
            results = list(pool.imap_unordered(run, numbers, chunksize=10))
    print("\n".join(itertools.chain(report.table(results), [report.costs(results)])))
    wrong = sum(bool(verdict.faults) for _, verdict, _ in results)
    if wrong:
        print(f"mutations: {wrong} files show faults; they are in {options.results}", file=sys.stderr)
    return 1 if wrong else 0


def parsed_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--results", type=Path, default=Path(".build/mutations"))
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
