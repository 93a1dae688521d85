// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The shared part of a push source's two ends: samples, marks between them, and counts.
final class PushLink: Sendable {
  let samples: SampleLink
  /// The marks between the samples, each added before the samples that it describes.
  let marks = RealTimeQueue<PushMark>(capacity: 256)
  /// Wakes a waiting sending thread for new room or the end.
  private let progress = ProgressSignal()
  /// The tasks that wait for new room or the end.
  private let waiters: PushWaiters
  private let name: String
  private let wakeup: Wakeup
  private let sending = ExclusiveUse()
  /// Used only by the thread that entered `sending`.
  private nonisolated(unsafe) var timeline: PushTimeline
  private nonisolated(unsafe) var written = 0
  /// The samples per channel of the session's silence behind all sent samples that the sender has not counted yet. The
  /// session thread adds them.
  private let yielded = RunningCount()
  /// The samples per channel in front of that silence.
  private let restPosition = Atomic(0)
  /// All of that silence that the sender has counted. Sending thread.
  private nonisolated(unsafe) var counted: Int64 = 0
  /// The end of the samples that ``clear()`` drops, and the end that the sender has seen.
  private let cleared = Atomic(0)
  private nonisolated(unsafe) var seenCleared = 0
  /// The dropped samples per channel behind which other samples follow, and that the sender has not counted yet. The
  /// session thread adds them.
  let takenBack = RunningCount()
  /// The delay of a program that continues after such silence, in samples per channel.
  private let latency: Int64

  // The counts of ``PushStatistics``.
  private let gaps = RunningCount()
  private let filled = RunningCount()
  let refused = RunningCount()
  let late = RunningCount()
  let muted = RunningCount()
  private let taken = RunningCount()
  let underruns = RunningCount()

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
      takenSamplesPerChannel: taken.total, gaps: Int(gaps.total),
      filledSamplesPerChannel: filled.total,
      refusedSamplesPerChannel: refused.total, lateSamplesPerChannel: late.total,
      mutedSamplesPerChannel: muted.total,
      underruns: Int(underruns.total))
  }

  /// Reports new room or the end to all waiters. Any thread.
  func tellProgress() {
    progress.notify()
    waiters.notify()
  }

  /// Waits until `isReady`, checked again after every ``tellProgress()``; like ``ProgressSignal``.
  func wait(atMost limit: Duration?, until isReady: () -> Bool) -> Bool {
    progress.wait(atMost: limit, until: isReady)
  }

  func signalSession() { wakeup.signal() }

  /// Counts silence that stands in behind the samples read. Session thread.
  ///
  /// - Parameter position: the samples per channel that were taken from the ring.
  func rest(_ count: Int64, at position: Int) {
    restPosition.store(position, ordering: .releasing)
    yielded.add(count)
  }

  /// Lets the session drop the samples in the ring. Any thread.
  func clear() {
    cleared.store(samples.ring.given(), ordering: .releasing)
    signalSession()
  }

  /// The end of the samples to drop, in samples per channel of the ring.
  var clearedPosition: Int { cleared.load(ordering: .acquiring) }

  /// Takes the part of a piece that fits.
  ///
  /// - Returns: the number of samples taken, across all channels.
  func take<Sample: FrameSample>(
    _ piece: Span<Sample>, rate: Int?, at time: Int64?
  ) throws(AudioError) -> Int {
    let channelCount = samples.format.channelCount
    let unit = Unit(size: channelCount, name: "samples", explanation: "\(channelCount) channels")
    return try take(piece.count, unit, rate: rate, at: time) { range in
      _ = samples.write(piece.extracting(range))
    }
  }

  /// Takes the part of a piece that fits, in the memory layout `layout`.
  ///
  /// - Returns: the number of bytes taken.
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

  /// The unit in which a piece is counted.
  private struct Unit {
    /// The units in a sample frame.
    var size: Int
    var name: String
    var explanation: String
  }

  /// - Parameter write: writes the units of a range that has room.
  /// - Returns: the number of units taken.
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
    let silence = yielded.take()
    if silence > 0 { unsafe timeline.skip(silence) }
    unsafe counted += silence
    unsafe timeline.takeBack(takenBack.take())
    var placement = unsafe timeline.placement(rate: rate, at: time)
    // Silence in front of samples that wait in the ring is no rest behind them.
    let rests = unsafe restPosition.load(ordering: .acquiring) == written
    if silence > 0, rests, time == nil {
      placement.gap += latency(at: placement.startsRun ? samples.format.sampleRate : rate)
    }
    let length = total / unit.size
    if time != nil, unsafe clearedPosition != seenCleared {
      // How much was dropped in front of it is not known yet.
      return append(0..<length, unit, placement, isTimed: true, write)
    }
    let mayBeLate = unsafe !placement.startsRun && -placement.gap <= timeline.silenceAtEnd
    if placement.gap < 0, mayBeLate {
      let dropped = Int(min(Int64(length), -placement.gap))
      drop(dropped)
      if dropped == length { return total }
      let rest = unsafe timeline.placement(rate: rate, at: placement.time + Int64(dropped))
      return append(dropped..<length, unit, rest, isTimed: true, write)
    }
    guard placement.gap >= 0 else {
      late.add(Int64(length))
      throw AudioError(
        .invalidParameter, cannot: "send to", name,
        because: "the piece begins \(-placement.gap) samples before the end of the stream so far",
        advice: "send pieces in order")
    }
    return append(0..<length, unit, placement, isTimed: time != nil, write)
  }

  private func latency(at rate: Int) -> Int64 {
    AudioTime.rescaled(latency, from: samples.format.sampleRate, to: rate)
  }

  /// Drops samples that silence has replaced already.
  private func drop(_ samplesPerChannel: Int) {
    late.add(Int64(samplesPerChannel))
    unsafe timeline.drop(Int64(samplesPerChannel))
  }

  /// Takes the sample frames in `range` that fit.
  ///
  /// - Returns: the end of the samples taken or dropped, in units.
  private func append(
    _ range: Range<Int>, _ unit: Unit, _ placement: PushTimeline.Placement, isTimed: Bool,
    _ write: (Range<Int>) -> Void
  ) -> Int {
    let begin = range.lowerBound * unit.size
    let count = min(range.count, samples.ring.free())
    let cleared = clearedPosition
    let isFirst = unsafe cleared != seenCleared
    let needsMark = isFirst || placement.startsRun || placement.gap > 0
    if count == 0 || needsMark && !marks.hasRoom { return begin }
    if needsMark {
      mark(
        placement,
        unsafe isFirst
          ? PushMark.Clearing(
            isTimed: isTimed, place: timeline.place(of: placement), silence: counted) : nil)
    }
    unsafe seenCleared = cleared
    let end = begin + count * unit.size
    write(begin..<end)
    unsafe written += count
    unsafe timeline.append(count, placement)
    taken.add(Int64(count))
    wakeup.signal()
    return end
  }

  private func mark(_ placement: PushTimeline.Placement, _ clearing: PushMark.Clearing?) {
    marks.append(
      PushMark(
        position: unsafe written, rate: placement.rate, startsRun: placement.startsRun,
        silence: max(0, placement.gap), clearing: clearing))
    if placement.gap <= 0 { return }
    let ratio = ResamplingRatio(
      from: placement.startsRun ? samples.format.sampleRate : placement.rate,
      to: samples.format.sampleRate)
    gaps.add(1)
    filled.add(ratio.outputLength(of: placement.gap))
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

/// A mark for the reading end of a push source: a change in front of the sample at `position`.
struct PushMark: BitwiseCopyable {
  /// The samples per channel in the ring in front of the mark.
  var position: Int
  /// The rate of the samples behind the mark.
  var rate: Int
  /// Whether to flush the conversion so far, since the rate changes.
  var startsRun: Bool
  /// The samples per channel of silence, at the stream's rate if a run starts, else at `rate`.
  var silence: Int64
  /// The place of the first samples since the sender has cleared the source.
  var clearing: Clearing?

  struct Clearing: BitwiseCopyable {
    /// Whether they keep their place; otherwise they follow at once.
    var isTimed: Bool
    /// The place in the stream, in samples per channel, as if nothing was dropped.
    var place: Int64
    /// The samples per channel of the session's silence in front of it.
    var silence: Int64
  }
}

/// Waits for a push source without blocking a thread.
package protocol PushWaiter: AnyObject, Sendable {
  /// Reports a change: there may be room, or the source was started or stopped. Any thread; does not wait.
  func resume()
}

/// The tasks that wait for a push source. They cost the session thread time only while there are any.
package final class PushWaiters: Sendable {
  private let areThere = Atomic(false)
  private let waiting = Mutex([any PushWaiter]())

  /// Reports a change to all waiters once. Any thread.
  func notify() {
    // Pairs with the fence in `add`: either this sees the waiter or the waiter sees the change.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    guard areThere.load(ordering: .relaxed) else { return }
    let waiters = waiting.withLock { waiting in
      areThere.store(false, ordering: .relaxed)
      return waiting.takeAll()
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Adds a waiter for one change. The caller then has to check whether the change has come already.
  package func add(_ waiter: any PushWaiter) {
    waiting.withLock { waiting in
      waiting.append(waiter)
      areThere.store(true, ordering: .relaxed)
    }
    atomicMemoryFence(ordering: .sequentiallyConsistent)
  }

  package func remove(_ waiter: any PushWaiter) {
    waiting.withLock { $0.removeAll { $0 === waiter } }
  }
}
