// SPDX-License-Identifier: Apache-2.0
/// The duration of a device's absence, counted in samples. Session thread only.
struct AbsenceClock {
  /// The capture time of the last sample before the loss.
  private let begin: MonotonicTime
  let sampleRate: Int
  /// The start of the absence in the stream, in samples per channel.
  let position: Int64
  /// Samples per channel of silence given so far.
  private(set) var filled: Int64 = 0
  /// The pause before the next search.
  private(set) var pause: Duration
  private var next: MonotonicTime
  /// The reason why the device could not be used, and its count in a row.
  private var refusal: (reason: String, count: Int) = ("", 0)

  /// A device that is plugged in again appears within seconds; a longer wait is not urgent.
  private static var shortestPause: Duration { .milliseconds(50) }
  private static var longestPause: Duration { .seconds(2) }
  /// A device that has just come back may be forbidden or busy for a moment.
  private static var patience: Int { 3 }

  /// A device that works for this long is back for good.
  private static var proof: Duration { .seconds(10) }

  /// - Parameters:
  ///   - begin: the capture time of the last sample before the loss.
  ///   - position: the place of that sample in the stream, in samples per channel.
  ///   - before: the last pause and the end of the previous absence: a device that is lost repeatedly is
  ///     searched for less often, so that it does not break the recording each time.
  init(
    since begin: MonotonicTime, at position: Int64, sampleRate: Int, now: MonotonicTime,
    after before: (pause: Duration, end: MonotonicTime)? = nil
  ) {
    self.begin = begin
    self.position = position
    self.sampleRate = sampleRate
    if let before, now.elapsed(since: before.end) < Self.proof {
      pause = min(before.pause * 2, Self.longestPause)
      next = MonotonicTime(nanoseconds: now.nanoseconds + before.pause.inNanoseconds)
    } else {
      pause = Self.shortestPause
      next = now
    }
  }

  /// The length of the absence by then, in samples per channel; at least the silence given so far.
  func length(at time: MonotonicTime) -> Int64 {
    let samples = time.seconds(since: begin) * Double(sampleRate)
    return max(Int64(samples.rounded()), filled)
  }

  /// The silence due by then, in samples per channel.
  func due(at time: MonotonicTime) -> Int64 { length(at: time) - filled }

  mutating func fill(_ count: Int64) { filled += count }

  /// The time up to which silence was given.
  var filledUntil: MonotonicTime {
    let nanoseconds = Int128(filled) * 1_000_000_000 / Int128(sampleRate)
    return MonotonicTime(nanoseconds: begin.nanoseconds + Int(clamping: nanoseconds))
  }

  /// Whether to search for the device now; if so, the next search follows after a growing pause.
  mutating func isToTry(at now: MonotonicTime) -> Bool {
    if now.nanoseconds < next.nanoseconds { return false }
    next = MonotonicTime(nanoseconds: now.nanoseconds + pause.inNanoseconds)
    pause = min(pause * 2, Self.longestPause)
    return true
  }

  /// Notes that the device was found and could not be used.
  ///
  /// - Returns: whether to report it: the reason was equal a few times in a row.
  mutating func isToTell(_ error: AudioError) -> Bool {
    if error.kind == .notFound {
      refusal = ("", 0)
      return false
    }
    let isSame = refusal.reason == error.reason
    refusal = (error.reason, isSame ? refusal.count + 1 : 1)
    return refusal.count == Self.patience
  }
}
