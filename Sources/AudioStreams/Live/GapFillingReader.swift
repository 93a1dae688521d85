// SPDX-License-Identifier: Apache-2.0
/// The stream of a live source, as its session reads it: samples of a ring, silence for lost ones, and silence while the
/// end is away. Positions and lengths are in samples per channel. Session thread only.
struct GapFillingReader {
  /// The gaps that reading has reached.
  private(set) var gaps = DeviceGaps()
  /// The pauses so far, in order; the first ``DeviceGaps/longestList`` of them.
  private(set) var pauses: [DevicePause] = []
  /// The samples that were read so far.
  private(set) var given: Int64 = 0
  /// The position of the present ring's first sample.
  private var base: Int64 = 0
  /// The samples taken from the present ring.
  private var taken: Int64 = 0
  /// The samples of silence still to give.
  private var silence: Int64 = 0
  /// Set while the end is away, or is back but has delivered nothing yet.
  private var absence: AbsenceClock?
  private var lastAbsence: (pause: Duration, end: MonotonicTime)?

  /// The result of ``step(_:as:in:channelCount:stopsAtGaps:into:)``.
  enum Step {
    /// There is nothing to read now.
    case none
    /// Samples were appended.
    case moved
    /// Reading has reached a gap: its silence comes next.
    case gap(DeviceGap)
  }

  init() {}

  /// Gives silence, reaches a gap, or decodes a run of samples.
  ///
  /// - Parameters:
  ///   - live: the samples, and the gaps between them.
  ///   - layout: of the samples in the ring.
  ///   - order: of the channels in the ring; nil if it is that of streams.
  ///   - stopsAtGaps: whether the samples before a gap are to be read alone.
  mutating func step<Sample: AudioSample>(
    _ live: borrowing LiveRing,
    as layout: SampleLayout, in order: ChannelOrder? = nil, channelCount: Int, stopsAtGaps: Bool,
    into output: inout OutputSpan<Sample>
  ) -> Step {
    let room = output.freeCapacity / channelCount
    if room == 0 { return .none }
    if silence > 0 {
      let count = min(silence, Int64(room))
      output.append(repeating: 0, count: Int(count) * channelCount)
      silence -= count
      given += count
      return .moved
    }
    // Samples first: gaps among the samples seen here were reported before them.
    let held = unsafe live.ring.readable()
    let mark = live.gaps.first
    if let mark, mark.ringPosition == taken {
      if stopsAtGaps, mark.isLoss, output.count > 0 { return .none }
      live.gaps.removeFirst()
      var gap = mark.gap
      gap.position += base
      silence = gap.lostSamplesPerChannel ?? 0
      if !mark.isLoss { return .moved }
      note(gap)
      return .gap(gap)
    }
    let toGap = mark.map { Int($0.ringPosition - taken) } ?? .max
    let count = min(held.count / live.ring.sampleFrameSize, room, toGap)
    if count == 0 { return .none }
    let bytes = unsafe RawSpan(
      _unsafeBytes: UnsafeRawBufferPointer(rebasing: held[..<(count * live.ring.sampleFrameSize)]))
    Sample.decode(bytes, as: layout, into: &output)
    if let order {
      var samples = output.mutableSpan
      samples.arrange(last: count * channelCount, in: order, .fromStorage)
    }
    live.ring.pop(count)
    taken += Int64(count)
    given += Int64(count)
    return .moved
  }

  /// Adds a gap that has no place in a ring.
  mutating func note(_ gap: DeviceGap) { gaps.append(gap) }

  mutating func takePauses(of live: borrowing LiveRing) {
    while var pause = live.pauses.takeFirst() {
      if pauses.count == DeviceGaps.longestList { continue }
      pause.position += base
      pauses.append(pause)
    }
  }
}

// The absence of a lost end that is to come back.
extension GapFillingReader {
  /// Whether the end is away, or is back but has delivered nothing yet.
  var isAway: Bool { absence != nil }

  /// - Parameter time: when the last sample before the loss was captured.
  mutating func beginAbsence(since time: MonotonicTime, sampleRate: Int) {
    absence = AbsenceClock(
      since: time, at: given, sampleRate: sampleRate, now: .now, after: lastAbsence)
  }

  /// Whether to search for the end now.
  mutating func isToTry(at now: MonotonicTime) -> Bool {
    absence?.isToTry(at: now) ?? false
  }

  /// Whether to report that the end was found and could not be used.
  mutating func isToTell(_ error: AudioError) -> Bool { absence?.isToTell(error) ?? false }

  /// Gives the silence that is due by `now`, in runs of a tenth of a second at least: shorter ones would only cost
  /// processor time.
  mutating func fillAbsence<Sample: AudioSample>(
    until now: MonotonicTime, format: StreamFormat, into output: inout OutputSpan<Sample>
  ) -> SourceStatus {
    guard var absence else { return .pending }
    let due = absence.due(at: now)
    let count = min(due, Int64(output.freeCapacity / format.channelCount))
    guard due >= Int64(format.sampleRate / 10), count > 0 else { return .pending }
    output.append(repeating: 0, count: Int(count) * format.channelCount)
    absence.fill(count)
    self.absence = absence
    given += count
    return .ready
  }

  /// Ends the absence. The rest of its silence comes next, then the samples of a new ring.
  ///
  /// - Parameters:
  ///   - time: when the first sample of the new ring was captured; nil if the capture was stopped.
  ///   - uncertainty: of that time.
  /// - Returns: the absence as a gap.
  mutating func endAbsence(at time: MonotonicTime?, uncertainty: Int64) -> DeviceGap? {
    guard let absence else { return nil }
    let gap = DeviceGap(
      cause: .deviceLost, position: absence.position,
      lostSamplesPerChannel: resume(absence, at: time),
      uncertainty: uncertainty)
    lastAbsence = (absence.pause, .now)
    note(gap)
    return gap
  }

  /// - Returns: the length of the absence in samples per channel.
  private mutating func resume(_ absence: AbsenceClock, at time: MonotonicTime?) -> Int64 {
    let length = time.map { absence.length(at: $0) } ?? absence.filled
    silence = length - absence.filled
    base = absence.position + length
    taken = 0
    self.absence = nil
    return length
  }

  /// Ends an absence on purpose, as ``endAbsence(at:uncertainty:)`` does, and without a gap.
  ///
  /// - Returns: its silence.
  mutating func endPause(at time: MonotonicTime?) -> Range<Int64> {
    guard let absence else { return given..<given }
    return absence.position..<absence.position + resume(absence, at: time)
  }

  /// Turns an absence on purpose into that of a lost end, which begins behind the silence given so far.
  ///
  /// - Returns: the silence of the former.
  mutating func losePause() -> Range<Int64> {
    guard let absence else { return given..<given }
    self.absence = AbsenceClock(
      since: absence.filledUntil, at: given, sampleRate: absence.sampleRate, now: .now)
    return absence.position..<given
  }

  /// Ends the absence of an end whose ring goes on.
  ///
  /// - Parameter mark: the gap that its thread has counted. Nil before the first samples of all, or late ones: the silence
  ///   that was given stands before them.
  /// - Returns: the gap of the absence, at its place in the stream.
  mutating func endAbsence(behind mark: GapMark?) -> DeviceGap? {
    guard let absence else { return nil }
    let counted = mark?.gap.lostSamplesPerChannel ?? 0
    // Silence that was given cannot be taken back.
    let length = max(counted, absence.filled)
    let gap = DeviceGap(
      cause: .deviceLost, position: absence.position, lostSamplesPerChannel: length,
      uncertainty: mark?.gap.uncertainty ?? max(absence.filled, 1),
      occurrences: mark?.gap.occurrences ?? 1)
    base += length - counted
    silence = length - absence.filled
    self.absence = nil
    lastAbsence = (absence.pause, .now)
    note(gap)
    return gap
  }
}
