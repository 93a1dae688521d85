// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The pace of a status line: not in the first second, then at most ten times a second.
struct StatusPace {
  private let now: () -> Int64
  private let begin: Int64
  private var lastShown: Int64

  /// - Parameter now: a clock in milliseconds.
  init(now: @escaping () -> Int64 = monotonicMilliseconds) {
    self.now = now
    begin = now()
    lastShown = begin
  }

  /// The milliseconds since the work began, if the line is due. Else nil.
  mutating func whenDue() -> Int64? {
    let time = now()
    guard time - begin >= 1_000, time - lastShown >= 100 else { return nil }
    lastShown = time
    return time - begin
  }
}

/// `h:mm:ss.mmm`, rounded down.
///
/// - Parameter sampleRate: in hertz.
func clockTime(_ samplesPerChannel: Int64, at sampleRate: Int) -> String {
  let rate = Int64(sampleRate)
  let (seconds, rest) = samplesPerChannel.quotientAndRemainder(dividingBy: rate)
  return "\(seconds / 3_600):\((seconds / 60 % 60).padded(to: 2)):\((seconds % 60).padded(to: 2))"
    + ".\((rest * 1_000 / rate).padded(to: 3))"
}

/// The time of the monotonic clock in milliseconds. Any thread; async-signal-safe.
func monotonicMilliseconds() -> Int64 { Int64(MonotonicTime.now.nanoseconds / 1_000_000) }
