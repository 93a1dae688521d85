internal import Glibc

/// The progress line of work that takes longer than a second. It is erased at the end.
///
/// Main thread only.
final class Progress {
  private let console: Console
  private let label: String
  private let sampleRate: Int
  private var pace: StatusPace

  /// - Parameters:
  ///   - label: what is being done: "mixing".
  ///   - sampleRate: the rate of the counts in ``update(done:total:)``, in hertz.
  ///   - now: a clock in milliseconds.
  init(
    _ label: String, sampleRate: Int, on console: Console,
    now: @escaping () -> Int64 = monotonicMilliseconds
  ) {
    self.console = console
    self.label = label
    self.sampleRate = sampleRate
    pace = StatusPace(now: now)
  }

  /// Shows how much is done, at most ten times a second and not in the first second.
  ///
  /// - Parameters:
  ///   - done: samples per channel.
  ///   - total: samples per channel; nil if unknown.
  func update(done: Int64, total: Int64?) {
    guard pace.whenDue() != nil else { return }
    console.showStatus("\(label) \(text(done: done, total: total))")
  }

  /// Erases the line.
  func finish() {
    console.eraseStatus()
  }

  private func text(done: Int64, total: Int64?) -> String {
    guard let total, total > 0 else { return clock(done) }
    let percentage = Int(100 * Double(min(done, total)) / Double(total))
    return "\(clock(done)) of \(clock(total)) (\(percentage)%)"
  }

  private func clock(_ samplesPerChannel: Int64) -> String {
    String(clockTime(samplesPerChannel, at: sampleRate).prefix { $0 != "." })
  }
}

/// When a status line is shown: not in the first second, then at most ten times a second.
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

  /// The milliseconds since the work began where the line is to be shown now; else nil.
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
  func padded(_ value: Int64, _ width: Int) -> String {
    let digits = "\(value)"
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
  let rate = Int64(sampleRate)
  let (seconds, rest) = samplesPerChannel.quotientAndRemainder(dividingBy: rate)
  return "\(seconds / 3_600):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
    + ".\(padded(rest * 1_000 / rate, 3))"
}

/// The time of the monotonic clock in milliseconds. Any thread; async-signal-safe. The corresponding C
/// function is `clock_gettime`.
func monotonicMilliseconds() -> Int64 {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
}
