// SPDX-License-Identifier: Apache-2.0
/// A device that was lost, and is to come back: ``AlsaOptions/lossPolicy``.
public enum DeviceAbsence: Sendable {
  /// It is gone, for this reason; in the stream, silence stands for it from this position on, in samples per channel.
  case began(AudioError, position: Int64)
  /// It is still away: it was looked for again, in vain.
  case lasts
  /// It was found again and again, and cannot be used as before, for this reason. Comes once for each.
  case unusable(AudioError)
  /// It gives samples again, or the session has ended: how much it was away for. Where it is back, its first sample
  /// follows.
  case ended(DeviceGap, isBack: Bool)
}

/// The time for which a lost device is away, counted in samples. Session thread only.
struct AbsenceClock {
  /// When the last sample before was captured.
  private let begin: MonotonicTime
  private let sampleRate: Int
  /// Where in the stream it began, in samples per channel.
  let position: Int64
  /// Samples per channel of silence that were given for it.
  private(set) var filled: Int64 = 0
  /// How long to wait before the device is looked for again.
  private(set) var pause: Duration
  private var next: MonotonicTime
  /// Why the device could not be used, and how often in a row.
  private var refusal: (reason: String, count: Int) = ("", 0)

  /// A device that is plugged in again is there within seconds, and whoever waits longer is not in a hurry.
  private static var shortestPause: Duration { .milliseconds(50) }
  private static var longestPause: Duration { .seconds(2) }
  /// A device that has just come back may be forbidden or busy for a moment.
  private static var patience: Int { 3 }

  /// A device that works for so long has come back for good.
  private static var proof: Duration { .seconds(10) }

  /// - Parameters:
  ///   - begin: when the last sample before was captured.
  ///   - position: where in the stream that is, in samples per channel.
  ///   - before: how the device was away before this, and when it came back: one that is lost again and again is looked
  ///     for less often, and makes no part of a recording at every turn.
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

  /// How long it was by then, in samples per channel; at least what was filled already.
  func length(at time: MonotonicTime) -> Int64 {
    let samples = time.seconds(since: begin) * Double(sampleRate)
    return max(Int64(samples.rounded()), filled)
  }

  /// How much silence is due by then, in samples per channel.
  func due(at time: MonotonicTime) -> Int64 { length(at: time) - filled }

  mutating func fill(_ count: Int64) { filled += count }

  /// Whether the device is to be looked for again; if so, the next time is later by a growing pause.
  mutating func isToTry(at now: MonotonicTime) -> Bool {
    if now.nanoseconds < next.nanoseconds { return false }
    next = MonotonicTime(nanoseconds: now.nanoseconds + pause.inNanoseconds)
    pause = min(pause * 2, Self.longestPause)
    return true
  }

  /// The device was found and refused.
  ///
  /// - Returns: whether that is to be told: it was the same a few times in a row.
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
