internal import AudioCore

/// The progress line of work on many files: how many of how many, hours of audio, the pace, failures, the time left.
///
/// Main thread only.
struct ListProgress {
  private let label: String
  private let console: Console
  private let total: Int?
  private var pace: StatusPace

  /// - Parameters:
  ///   - label: what is being done: "converting".
  ///   - total: how many items there are; nil where nobody knows.
  ///   - now: a clock in milliseconds.
  init(
    _ label: String, total: Int?, on console: Console,
    now: @escaping () -> Int64 = monotonicMilliseconds
  ) {
    self.label = label
    self.console = console
    self.total = total
    pace = StatusPace(now: now)
  }

  /// Shows how far the work is, at most ten times a second and not in the first second.
  mutating func update(_ counts: ListCounts) {
    guard let milliseconds = pace.whenDue() else { return }
    console.showStatus(text(counts, milliseconds: milliseconds))
  }

  private func text(_ counts: ListCounts, milliseconds: Int64) -> String {
    var parts = ["\(label) \(counts.all)\(total.map { " of \($0)" } ?? "") files"]
    if counts.seconds > 0 {
      parts.append("\((counts.seconds / 360).rounded() / 10) h of audio")
      parts.append("\(Int(counts.seconds * 1_000 / Double(milliseconds))) × real time")
    }
    if counts.failed > 0 { parts.append("\(counts.failed) failed") }
    if let total, counts.all > 0, counts.all < total {
      let left = Double(milliseconds) * Double(total - counts.all) / Double(counts.all)
      parts.append("\(clockTime(Int64(left), at: 1_000).prefix { $0 != "." }) left")
    }
    return parts.joined(separator: ", ")
  }
}

/// How many items came to what.
struct ListCounts {
  var done = 0
  var skipped = 0
  var failed = 0
  /// Of the outputs.
  var seconds = 0.0

  var all: Int { done + skipped + failed }

  mutating func add(_ result: ItemResult) {
    switch result.status {
    case .done: done += 1
    case .skipped: skipped += 1
    case .failed: failed += 1
    }
    seconds += result.figures?.seconds ?? 0
  }

  /// `1980 done, 12 skipped, 8 failed`.
  var line: String {
    var parts = ["\(done) done"]
    if skipped > 0 { parts.append("\(skipped) skipped") }
    if failed > 0 { parts.append("\(failed) failed") }
    return parts.joined(separator: ", ")
  }
}
