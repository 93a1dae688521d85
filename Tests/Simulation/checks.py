# SPDX-License-Identifier: Apache-2.0
"""Whether what a run left behind is true. Each check answers with what is wrong, in words."""

import fractions
import math
import re

import sound
from running import Verdict
from stream import Given, Walk

# When a program that is killed was up to date at the latest (docs/recording.md).
UP_TO_DATE = 1_000_000_000


class Check(Verdict):
    ENDINGS = (*Verdict.ENDINGS, "power")

    def _check(self):
        outcome = self.outcome
        if self.ending in ("exit", "signal"):
            # A signal of the first instant, which nobody can take yet, ends any program.
            is_early = (self.ending == "signal" and outcome.code is not None and outcome.code < 0
                        and not any(outcome.folder.iterdir()))
            if outcome.code not in (0, 1, 2) and not is_early:
                self.fail(f"exit {outcome.code}: {outcome.errors[-300:]}")
        elif outcome.code != -9:
            self.fail(f"exit {outcome.code} where it was killed")
        self.given = Given(self.report["devices"][0] if self.report["devices"] else None)
        self.failed = self.ending == "exit" and outcome.code == 1
        self.cut = self.ending == "power"
        # Without this nothing is promised for a power cut.
        if self.cut and self.case.sync in ("never", "end"):
            return None
        self._outcome()
        pieces = self._pieces()
        if pieces is None:
            return None
        walk = self._walk()
        for numbers, begin in pieces:
            walk.piece(numbers, begin)
        self.errors += walk.errors
        self._length(sum(len(numbers) for numbers, _ in pieces), walk)
        self._parts()
        self._summary(sum(len(numbers) for numbers, _ in pieces))
        if self.case.tap:
            self._second("tap.wav", "wav")
        if self.case.is_session:
            self._second(f"mixed-{self.case.name}", self.case.container)
        return None

    def _walk(self):
        walk = Walk(self.outcome.gaps, self.given, self.case.encoding)
        walk.written_over = self._written_over()
        # A device that stood still just before it lost samples: nobody can tell the one from the other.
        if self.case.card_has("stall"):
            times = re.findall(r"event (?:stall|late) (\d+)", self.outcome.card_log)
            times += re.findall(r":late:capture:(\d+)", " ".join(self.case.faults))
            walk.allowance = sum(int(time) + 5 for time in times) * self.case.rate // 1_000
        return walk

    def _written_over(self):
        """How many samples that the device gave may be in no file for each gap that is estimated. So many may have been
        written over behind the pointer of a ring that ran over (CaptureLoop), and all of a buffer that was read late."""
        # A thread that is woken late, or that others keep from work for some milliseconds, is late for a short buffer.
        settings = self.case.settings
        is_kept_from_work = settings["PREEMPTION"] >= 1_000 or settings["LATENCY"] >= 1
        is_late = (is_kept_from_work and self.case.buffer < self.case.rate // 20
                   or self.case.card_has("late", "stall")
                   or any(":late:capture" in word for word in self.case.faults))
        return self.case.buffer if is_late else 64

    # MARK: How it ended

    def _outcome(self):
        """Whether the exit code and what is told of it have a reason."""
        case, outcome = self.case, self.outcome
        if self.ending != "exit":
            return
        disk = case.has("full", "eio")
        device = case.card_has("nodev", "eio", "stall:11000") or self._gave_nothing(10)
        told = outcome.summary["outcome"] if outcome.summary else None
        if outcome.code == 1:
            message = outcome.lines[-1] if outcome.lines else ""
            is_gap = "without a gap" in message
            if is_gap and "fail" in case.options:
                return
            if "cannot" in message and ("go on capturing" in message) and device:
                return
            # The header of a FLAC file is read, too, before it is written again.
            if disk and re.search("cannot (write|complete|begin|read)", message):
                return
            if "exists" in message:
                return
            self.fail(f"exit 1 without a reason: {message}")
        elif outcome.code == 2:
            # What is lost behind the last sample that was wanted leaves no gap, and is told all the same.
            lost = outcome.gaps or re.search(" (overflow|overrun|restart|suspend)", outcome.errors)
            if "xrun" not in case.options or not lost:
                self.fail("exit 2 without a reason")
        else:
            if told not in ("finished", "stopped"):
                self.fail(f"exit 0, and the summary says {told}")
            if told == "stopped" and not case.has("signal"):
                self.fail("stopped without a signal")
            if "xrun" in case.options and outcome.gaps and "--fail-on" in case.options:
                self.fail("exit 0 in spite of gaps")

    # MARK: The files

    def _read(self, path):
        case = self.case
        try:
            read = sound.read(path, case.container, case.encoding, case.channels, case.rate)
        except sound.Unreadable as error:
            self.fail(str(error))
            return None
        if read.channels != case.channels or read.rate != case.rate:
            self.fail(f"{path.name}: {read.channels} channels, {read.rate} Hz")
            return None
        return read

    def _paths(self):
        stem = self.case.name.split(".")[0].split("%")[0]
        return sorted(path for path in self.outcome.folder.iterdir() if path.name.startswith(stem))

    def _pieces(self):
        """The samples of all files with their places in the stream; nothing where that cannot be told."""
        paths = self._paths()
        sounds, self.part_lengths = [], []
        for path in paths:
            if not self._has_begun(path) and (self.case.container == "flac" or path == paths[-1]):
                continue
            read = self._read(path)
            if read is None:
                return None
            if self.cut and self.case.container == "raw":
                # It states no length: of what was not forced onto the disk a page may be there and one before not.
                forced = dict(self.report["forced"]).get(path.name, -1)
                if forced >= 0:
                    read.numbers = read.numbers[:forced * len(read) // path.stat().st_size]
            if self.cut and self.case.container == "flac" and not sound.states_length(path):
                # The same, until the first update.
                read.numbers = read.numbers[:0]
            sounds.append(read)
        self.part_lengths = [len(read) for read in sounds]
        if self.case.threshold is None:
            pieces, place = [], 0
            for read in sounds:
                pieces.append((read.numbers, place))
                place += len(read)
            return pieces
        return self._pieces_of_events(sounds)

    def _has_begun(self, path):
        """Whether the header of a file can be there."""
        size = path.stat().st_size
        if self.ending == "exit":
            # FLAC's encoder writes nothing before the first sample.
            return size > 0 or self.case.container != "flac"
        # FLAC's writes its header in some pieces, and of any write only a part may have been taken.
        return size > 0 and sound.has_header(path, self.case.container)

    def _pieces_of_events(self, sounds):
        summary = self.outcome.summary
        if summary is None or not summary.get("sinks") or "events" not in summary["sinks"][0]:
            return None
        pieces = []
        numbers = [read.numbers for read in sounds]
        for event in summary["sinks"][0]["events"]:
            place, left = event["position"], event["samplesPerChannel"]
            while left > 0 and numbers:
                taken = numbers[0][:left]
                pieces.append((taken, place))
                place += len(taken)
                left -= len(taken)
                numbers[0] = numbers[0][len(taken):]
                if len(numbers[0]) == 0:
                    numbers.pop(0)
        if not self.failed and any(len(rest) for rest in numbers):
            self.fail("the files hold more than the events")
        return pieces

    def _parts(self):
        """Whether parts end where they are to."""
        case = self.case
        if not case.split or case.threshold is not None or len(self.part_lengths) < 2:
            return
        point = case.split[1]
        if point == "signal":
            signals = sum(word.endswith(":signal:10") for word in case.faults)
            if len(self.part_lengths) > signals + 1:
                self.fail(f"{len(self.part_lengths)} parts after {signals} signals")
            return
        if point.isdigit() and int(point) >= 100_000:
            for path in self._paths():
                if path.stat().st_size > int(point):
                    self.fail(f"{path.name} has {path.stat().st_size} bytes")
            return
        if case.has("signal"):
            return
        length = fractions.Fraction(point[:-1]) if point.endswith("S") else fractions.Fraction(point) * case.rate
        # Ends are rounded, not lengths.
        ends = [math.floor(length * number + fractions.Fraction(1, 2)) for number in range(len(self.part_lengths) + 1)]
        wanted = [end - begin for begin, end in zip(ends, ends[1:])]
        if self.part_lengths[:-1] != wanted[:-1] or self.part_lengths[-1] > wanted[-1]:
            self.fail(f"parts of {self.part_lengths[:8]} samples where {wanted[:8]} were to be")

    # MARK: How much is there

    def _is_calm(self):
        """Whether nothing kept the program or its disk from work."""
        late = any(word.split(":")[1] == "late" and word.split(":")[2] != "capture" and float(word.split(":")[3]) > 30
                   for word in self.case.faults)
        return not late and not self.case.has("full", "eio", "slow", "stuck")

    def _length(self, length, walk):
        case, outcome = self.case, self.outcome
        if case.threshold is not None:
            return
        if self.ending == "exit" and outcome.code != 1:
            told = outcome.summary["outcome"] if outcome.summary else None
            if told == "finished" and length != case.length:
                self.fail(f"{length} samples where {case.length} were asked for")
            if told == "stopped" and length < case.length:
                signal = self._first("signal", exclude="10")
                self._has_given(walk, self.given.by(signal), "at the signal")
        elif self.ending == "exit":
            message = outcome.lines[-1] if outcome.lines else ""
            kept = re.search(r"the first (\d+) samples per channel are kept", message)
            parts = re.search(r"(\d+) samples per channel are kept in", message)
            of_another = case.is_session and f"'mixed-{case.name}'" in message or "'tap.wav'" in message
            for found in () if of_another else (kept, parts):
                if found and int(found.group(1)) > length:
                    self.fail(f"{length} samples are there, and the error says: {message}")
            if "go on capturing" in message and self._is_calm():
                self._has_given(walk, min(self.given.total, case.length), "when the device was lost")
        elif self._is_calm():
            # A thread wakes late, and now and then ten times as late.
            late = int(20 * case.settings["LATENCY"] * 1_000_000)
            time = self.report["time"] - UP_TO_DATE - late
            if self.given.by(time) is not None:
                block = 4_096 if case.container == "flac" else 0
                self._has_given(walk, self.given.by(time) - block, "a second before the end")

    def _gave_nothing(self, seconds):
        """Whether the device was read without a failure for the last time so long before the end."""
        last = max((moment for moment, _ in self.given.marks), default=1_000_000_000_000)
        return self.report["time"] - last >= seconds * 1_000_000_000

    def _has_given(self, walk, count, when):
        there = walk.present + walk.given_in_gaps
        lost = sum(gap["lostSamples"] or 0 for gap in self.outcome.gaps if gap["cause"] == "overflow"
                   or gap["occurrences"] > 1 or not gap["estimated"])
        if not self.given.is_exact():
            lost += sum(min(gap["lostSamples"] or 0, self._written_over()) for gap in self.outcome.gaps
                        if gap["occurrences"] == 1 and gap["cause"] != "overflow" and gap["estimated"])
        # What the ring had no room for behind the last sample is told, and in no gap.
        for source in (self.outcome.summary or {}).get("sources", []):
            lost = max(lost, source.get("overflowedSamples", 0))
        if not self.given.is_exact() or self.outcome.gaps or lost:
            there = walk.present + max(walk.given_in_gaps, lost)
        if count is not None and there < count:
            self.fail(f"the device had given {count} samples {when}, {there} are there")

    def _first(self, kind, exclude=None):
        times = [float(word.split(":")[0]) for word in self.case.faults
                 if word.split(":")[1] == kind and word.split(":")[2] != exclude]
        return 1_000_000_000_000 + int(min(times) * 1_000_000)

    # MARK: What is told

    def _summary(self, length):
        case, summary = self.case, self.outcome.summary
        if self.ending != "exit" or summary is None or not summary.get("sources"):
            return
        source = summary["sources"][0]
        if "gaps" not in source:
            return
        told, lines = source["gaps"], self.outcome.gaps
        sums = {
            "count": len(lines), "unknown": sum(gap["lostSamples"] is None for gap in lines),
            "countedSamples": sum(gap["lostSamples"] or 0 for gap in lines if not gap["estimated"]),
            "estimatedSamples": sum(gap["lostSamples"] or 0 for gap in lines if gap["estimated"]),
            "uncertainty": max((gap["uncertainty"] for gap in lines), default=0)}
        sums["lostSamples"] = sums["countedSamples"] + sums["estimatedSamples"]
        for name, value in sums.items():
            if told[name] != value:
                self.fail(f"the summary says {name} {told[name]}, the lines {value}")
        listed = [(gap["samplePosition"], gap["lostSamples"]) for gap in told["list"]]
        if listed != [(gap["samplePosition"], gap["lostSamples"]) for gap in lines]:
            self.fail("the summary lists other gaps than the lines")
        sink = summary["sinks"][0] if summary["sinks"] else {}
        if "samplesPerChannel" not in sink:
            return
        if case.threshold is None and sink["samplesPerChannel"] != length:
            self.fail(f"the summary says {sink['samplesPerChannel']} samples, the files hold {length}")
        if sink.get("clippedSamples", 0) != 0:
            self.fail("the summary says that samples were clipped")
        if "parts" in sink and sum(part["samplesPerChannel"] for part in sink["parts"]) > length:
            self.fail("the parts are longer than the files")
        self._drift(source)

    def _drift(self, source):
        drift = source["clockDrift"]
        # A pointer that moves in steps needs time to be known, as does a clock that no quartz has.
        if drift is None or self.case.card_has("stall") or drift["seconds"] < 10:
            return
        true = (self.case.speed - 1) * 1e6
        if abs(drift["partsPerMillion"] - true) > 3 * drift["uncertainty"] + 5:
            self.fail(f"the clock runs {true:.1f} ppm fast, told: {drift}")

    # MARK: What observers leave

    def _second(self, name, container):
        """Another file with the same stream. What did not fit is left out, and only a slow disk does that."""
        path = self.outcome.folder / name
        if not path.exists() or path.stat().st_size == 0 or self.cut or not self._has_begun(path):
            return
        # What was dropped for want of time, and told, nobody can find.
        if any(f"tap={name}" in line and "were dropped" in line for line in self.outcome.lines):
            return
        case = self.case
        try:
            read = sound.read(path, container, case.encoding, case.channels, case.rate)
        except sound.Unreadable as error:
            self.fail(str(error))
            return
        # A tap has room for two seconds, silence included.
        longest = max((gap["lostSamples"] or 0 for gap in self.outcome.gaps), default=0)
        if not self._is_calm() or case.has("late") or longest > 1.5 * case.rate:
            return
        walk = self._walk()
        walk.piece(read.numbers, 0)
        self.errors += [f"{name}: {error}" for error in walk.errors]
