// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// What the two ends of a push source share: samples, marks between them, and counts.
final class PushLink: Sendable {
  let samples: SampleLink
  /// Marks between the samples, each added before the samples that it speaks of.
  let marks = RealTimeQueue<PushMark>(capacity: 256)
  /// Tells a sending thread that waits that there is room, or no more use.
  private let progress = ProgressSignal()
  /// Tasks that wait for the same.
  private let waiters: PushWaiters
  private let name: String
  private let wakeup: Wakeup
  private let sending = ExclusiveUse()
  /// Touched only by the thread that entered `sending`.
  private nonisolated(unsafe) var timeline: PushTimeline
  private nonisolated(unsafe) var written = 0
  /// Samples per channel of silence that the session put behind what was sent, as the sender has not seen yet.
  private let yielded = Atomic<Int64>(0)
  /// What a program that goes on after that is behind the session by, in samples per channel.
  private let latency: Int64

  private let gaps = Atomic(0)
  private let filled = Atomic<Int64>(0)
  private let refused = Atomic<Int64>(0)
  private let late = Atomic<Int64>(0)
  private let muted = Atomic<Int64>(0)
  private let taken = Atomic<Int64>(0)
  private let underruns = Atomic(0)

  init(
    name: String, format: StreamFormat, precision: SamplePrecision, capacity: Int,
    latency: Duration, wakeup: Wakeup, waiters: PushWaiters
  ) {
    self.waiters = waiters
    self.name = name
    self.latency = latency.samples(at: format.sampleRate)
    self.wakeup = wakeup
    samples = SampleLink(format: format, precision: precision, capacity: capacity)
    unsafe timeline = PushTimeline(streamRate: format.sampleRate)
  }

  var hasRoom: Bool { samples.ring.free() > 0 && marks.hasRoom }

  var statistics: PushStatistics {
    PushStatistics(
      samplesTaken: taken.load(ordering: .relaxed), gaps: gaps.load(ordering: .relaxed),
      samplesFilled: filled.load(ordering: .relaxed),
      samplesRefused: refused.load(ordering: .relaxed), samplesLate: late.load(ordering: .relaxed),
      samplesMuted: muted.load(ordering: .relaxed), underruns: underruns.load(ordering: .relaxed))
  }

  func countUnderrun() { underruns.wrappingAdd(1, ordering: .relaxed) }

  /// The session put silence behind everything that was sent. Session thread only.
  func yield(_ samplesPerChannel: Int64) {
    yielded.wrappingAdd(samplesPerChannel, ordering: .relaxed)
  }

  func countRefused(_ samplesPerChannel: Int) {
    refused.wrappingAdd(Int64(samplesPerChannel), ordering: .relaxed)
  }

  func countMuted(_ samplesPerChannel: Int) {
    muted.wrappingAdd(Int64(samplesPerChannel), ordering: .relaxed)
  }

  /// Tells who waits that there is room, or no more use. Any thread.
  func tellProgress() {
    progress.notify()
    waiters.notify()
  }

  /// Waits until `isReady`, which is asked again after every ``tellProgress()``; as ``ProgressSignal``.
  func wait(atMost limit: Duration?, until isReady: () -> Bool) -> Bool {
    progress.wait(atMost: limit, until: isReady)
  }

  /// Wakes the session thread.
  func signalSession() { wakeup.signal() }

  /// Takes what fits of a piece.
  ///
  /// - Returns: how many samples, across all channels, were taken.
  func take<Sample: FrameSample>(
    _ piece: Span<Sample>, rate: Int?, at time: Int64?
  ) throws(AudioError) -> Int {
    let channelCount = samples.format.channelCount
    let unit = Unit(size: channelCount, name: "samples", explanation: "\(channelCount) channels")
    return try take(piece.count, unit, rate: rate, at: time) { range in
      _ = samples.write(piece.extracting(range))
    }
  }

  /// Takes what fits of a piece whose samples lie in memory as `layout` says.
  ///
  /// - Returns: how many bytes were taken.
  func take(
    _ piece: RawSpan, as layout: SampleLayout, rate: Int?, at time: Int64?
  ) throws(AudioError) -> Int {
    let channelCount = samples.format.channelCount
    let unit = Unit(
      size: layout.bytesPerSample * channelCount, name: "bytes",
      explanation: "\(channelCount) channels of \(layout.bytesPerSample) bytes")
    return try take(piece.byteCount, unit, rate: rate, at: time) { range in
      _ = samples.write(piece.extracting(range), as: layout)
    }
  }

  /// What a piece is counted in.
  private struct Unit {
    /// Of a sample frame.
    var size: Int
    var name: String
    var explanation: String
  }

  /// - Parameter write: writes the units of a range; there is room for them.
  /// - Returns: how many units were taken.
  private func take(
    _ total: Int, _ unit: Unit, rate: Int?, at time: Int64?, _ write: (Range<Int>) -> Void
  ) throws(AudioError) -> Int {
    guard sending.enter() else {
      throw AudioError(
        .lifeCycle, cannot: "send to", name, because: "another thread is sending",
        advice: "send from one thread at a time")
    }
    defer { sending.leave() }
    try check(total, unit, rate: rate, at: time)
    let rate = rate ?? samples.format.sampleRate
    let silence = yielded.exchange(0, ordering: .relaxed)
    if silence > 0 { unsafe timeline.skip(silence) }
    var placement = unsafe timeline.placement(rate: rate, at: time)
    if silence > 0, time == nil {
      placement.gap += latency(at: placement.startsRun ? samples.format.sampleRate : rate)
    }
    let length = total / unit.size
    let mayBeLate = unsafe !placement.startsRun && -placement.gap <= timeline.silenceAtEnd
    if placement.gap < 0, mayBeLate {
      let dropped = Int(min(Int64(length), -placement.gap))
      drop(dropped)
      if dropped == length { return total }
      let rest = unsafe timeline.placement(rate: rate, at: placement.time + Int64(dropped))
      return append(dropped..<length, unit, rest, write)
    }
    guard placement.gap >= 0 else {
      late.wrappingAdd(Int64(length), ordering: .relaxed)
      throw AudioError(
        .invalidParameter, cannot: "send to", name,
        because: "the piece begins \(-placement.gap) samples before the end of what was sent",
        advice: "send pieces in order")
    }
    return append(0..<length, unit, placement, write)
  }

  private func latency(at rate: Int) -> Int64 {
    AudioTime.rescaled(latency, from: samples.format.sampleRate, to: rate)
  }

  /// Leaves out what silence stands in the place of already.
  private func drop(_ samplesPerChannel: Int) {
    late.wrappingAdd(Int64(samplesPerChannel), ordering: .relaxed)
    unsafe timeline.drop(Int64(samplesPerChannel))
  }

  /// Takes what fits of the sample frames in `range`.
  ///
  /// - Returns: the end of what is taken or left out, in units.
  private func append(
    _ range: Range<Int>, _ unit: Unit, _ placement: PushTimeline.Placement,
    _ write: (Range<Int>) -> Void
  ) -> Int {
    let begin = range.lowerBound * unit.size
    let count = min(range.count, samples.ring.free())
    let needsMark = placement.startsRun || placement.gap > 0
    if count == 0 || needsMark && !marks.hasRoom { return begin }
    if needsMark { mark(placement) }
    let end = begin + count * unit.size
    write(begin..<end)
    unsafe written += count
    unsafe timeline.append(count, placement)
    taken.wrappingAdd(Int64(count), ordering: .relaxed)
    wakeup.signal()
    return end
  }

  private func mark(_ placement: PushTimeline.Placement) {
    marks.append(
      PushMark(
        position: unsafe written, rate: placement.rate, startsRun: placement.startsRun,
        silence: placement.gap))
    if placement.gap == 0 { return }
    let ratio = ResamplingRatio(
      from: placement.startsRun ? samples.format.sampleRate : placement.rate,
      to: samples.format.sampleRate)
    gaps.wrappingAdd(1, ordering: .relaxed)
    filled.wrappingAdd(ratio.outputLength(of: placement.gap), ordering: .relaxed)
  }

  private func check(
    _ count: Int, _ unit: Unit, rate: Int?, at time: Int64?
  ) throws(AudioError) {
    guard count % unit.size == 0 else {
      throw AudioError(
        .invalidParameter, cannot: "send to", name,
        because: "\(count) \(unit.name) are not whole sample frames of \(unit.explanation)",
        advice: "send a multiple of \(unit.size)")
    }
    if let rate {
      _ = try StreamFormat(sampleRate: rate, channelCount: samples.format.channelCount)
    }
    if let time, !(0...PushTimeline.latest).contains(time) {
      throw AudioError(
        .invalidParameter, cannot: "send to", name,
        because: "sample time \(time) is not within 0...\(PushTimeline.latest)")
    }
  }
}

/// A note to the reading end of a push source: what happens before the sample at `position`.
struct PushMark: BitwiseCopyable {
  /// Samples per channel written to the ring before this takes effect.
  var position: Int
  /// The rate of the samples from here on.
  var rate: Int
  /// Whether the conversion so far is to be flushed: the rate changes.
  var startsRun: Bool
  /// Samples per channel of silence, at the stream's rate where a run starts, else at `rate`.
  var silence: Int64
}
