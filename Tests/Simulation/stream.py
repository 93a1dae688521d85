# SPDX-License-Identifier: Apache-2.0
"""What the device gave, and whether it is in a stream at its place.

Every sample of the virtual card is the number of its place on the card's clock. So where nothing was lost,
sample k of a recording is k. Behind a gap whose length was estimated it is k plus the error of the estimate.
"""

import bisect

import numpy


class Given:
    """The numbers that the program was given, in runs, and when."""

    def __init__(self, device):
        self.bits = device["bits"] if device else 32
        self.total = device["given"] if device else 0
        self.runs = _joined(device["runs"]) if device and self.is_exact() else []
        self.marks = device["marks"] if device else []
        self.firsts = [run[0] for run in self.runs]

    def by(self, time):
        """How many it had been given at `time`, or a little less; nothing where that is not known."""
        known = [given for moment, given in self.marks if moment + 10_000_000 <= time]
        if known:
            return known[-1]
        return 0 if not self.marks or self.marks[0][0] > time and len(self.marks) < 256 else None

    def is_exact(self):
        """Whether the numbers are not cut."""
        return self.bits >= 24

    def count_within(self, begin, end):
        """How many numbers from `begin` to before `end` were given."""
        place = max(0, bisect.bisect_right(self.firsts, begin) - 1)
        total = 0
        for first, last in self.runs[place:]:
            if first >= end:
                break
            total += max(0, min(last, end) - max(first, begin))
        return total


def _joined(runs):
    """From the first to before the last of each: what a ring that runs over gives twice counts once."""
    joined = []
    for first, count, _ in sorted(runs):
        if joined and first <= joined[-1][1]:
            joined[-1][1] = max(joined[-1][1], first + count)
        else:
            joined.append([first, first + count])
    return joined


class Walk:
    """Goes through a stream, piece by piece, and notes what is wrong."""

    def __init__(self, gaps, given, encoding):
        self.gaps = [gap for gap in gaps]
        self.given = given
        self.silence = 128 if encoding == "u8" else 0
        self.bits = {"u8": 8, "s16": 16, "s24": 24, "s32": 32, "f32": 32}[encoding]
        self.modulus = 1 << self.bits
        self.errors = []
        # How far the numbers are ahead of the places, and by how much they may be.
        self.offset = 0
        self.bound = 0
        # What the lengths of gaps may be off by beyond that.
        self.allowance = 0
        # How many samples that were given each gap may stand for, beside what is told.
        self.written_over = 0
        self.is_unknown = False
        self.next_gap = 0
        self.last_number = -1
        self.present = 0
        self.given_in_gaps = 0
        self.gap_since_sample = []

    def fail(self, text):
        if len(self.errors) < 5:
            self.errors.append(text)

    def piece(self, numbers, begin):
        """Sample frames from place `begin` on; pieces come in order, with anything left out between them."""
        for channel in range(1, numbers.shape[1]):
            if not numpy.array_equal(numbers[:, 0], numbers[:, channel]):
                self.fail(f"channel {channel} differs from channel 0")
        numbers = numbers[:, 0]
        end = begin + len(numbers)
        place = begin
        while place < end:
            gap = self.gaps[self.next_gap] if self.next_gap < len(self.gaps) else None
            if gap is None or gap["samplePosition"] >= end:
                self._samples(numbers[place - begin:], place)
                return
            if gap["samplePosition"] > place:
                stop = gap["samplePosition"]
                self._samples(numbers[place - begin:stop - begin], place)
                place = stop
                continue
            lost = gap["lostSamples"] or 0
            stop = min(end, gap["samplePosition"] + lost)
            if stop > place and not (numbers[place - begin:stop - begin] == self.silence).all():
                self.fail(f"the gap from {gap['samplePosition']} to {gap['samplePosition'] + lost} is not silent")
            if stop == gap["samplePosition"] + lost:
                self._come_to(gap)
            place = max(place, stop)
            if stop < gap["samplePosition"] + lost:
                return

    def _come_to(self, gap):
        self.next_gap += 1
        self.gap_since_sample.append(gap)
        if gap["lostSamples"] is None:
            self.is_unknown = True

    def _signed(self, difference):
        """The smallest number of either sign that is the same in as many bits."""
        half = self.modulus // 2
        return (difference + half) % self.modulus - half

    def _samples(self, numbers, place):
        if len(numbers) == 0:
            return
        found = self._signed(int(numbers[0]) - place - self.offset)
        # Numbers of few bits come again. Behind a gap of uncertain length the one nearest to its place is meant, or the
        # next one that fits.
        if found != 0 and any(gap["uncertainty"] for gap in self.gap_since_sample):
            found = self._signed(int(numbers[0]) - place) - self.offset
        if found != 0:
            self._shift(found, place)
        while (place + self.offset + found <= self.last_number
               and self.offset + found + self.modulus <= self.bound + self.allowance):
            found += self.modulus
        self.offset += found
        expected = (numpy.arange(place, place + len(numbers), dtype=numpy.int64) + self.offset) % self.modulus
        if not numpy.array_equal(expected, numbers):
            wrong = int(numpy.flatnonzero(expected != numbers)[0])
            self.fail(f"sample {place + wrong} is {int(numbers[wrong])} where {int(expected[wrong])} was to be"
                      f" ({len(numbers) - wrong} more to the next gap)")
        first = place + self.offset
        if first <= self.last_number:
            self.fail(f"sample {place} is number {first}, after number {self.last_number}: twice")
        self._compare_with_given(first, len(numbers), place)
        self.last_number = first + len(numbers) - 1
        self.present += len(numbers)
        self.gap_since_sample = []

    def _shift(self, found, place):
        """The numbers jump by `found` against the places."""
        if self.is_unknown:
            return
        gaps = self.gap_since_sample
        uncertainty = max((gap["uncertainty"] for gap in gaps), default=0)
        self.bound = max(self.bound, uncertainty)
        if uncertainty == 0:
            self.fail(f"sample {place} is off by {found} without a gap that says so"
                      f" (told before it: {gaps})")
        elif abs(self.offset + found) > self.bound + self.allowance:
            self.fail(f"sample {place} is off by {self.offset + found} in all, the gap before says {uncertainty}")

    def _compare_with_given(self, first, count, place):
        if not self.given.is_exact():
            return
        given = self.given.count_within(first, first + count)
        if given != count:
            self.fail(f"from sample {place} on, {count - given} samples were never given by the device")
        inside = self.given.count_within(self.last_number + 1, first)
        self.given_in_gaps += inside
        if inside == 0 or self.is_unknown:
            return
        allowed = sum(gap["lostSamples"] or 0 for gap in self.gap_since_sample
                      if gap["occurrences"] > 1 or gap["cause"] == "overflow" or not gap["estimated"])
        allowed += self.written_over * len(self.gap_since_sample)
        if inside > allowed:
            self.fail(f"before sample {place}, {inside} samples that the device gave are in no file"
                      f" (told before it: {self.gap_since_sample})")
