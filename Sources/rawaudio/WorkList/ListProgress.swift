// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The progress line of work on many files: the count and the total, hours of audio, speed, failures, the time left.
///
/// Main thread only.
struct ListProgress {
  private let label: String
  private let console: Console
  private let total: Int?
  private var pace: StatusPace
  /// The counts of finished items at two earlier times, half a minute apart.
  private var marks: (earlier: Mark, later: Mark) = ((0, 0), (0, 0))

  private typealias Mark = (milliseconds: Int64, items: Int)

  /// - Parameters:
  ///   - label: the activity: "converting".
  ///   - total: the number of items. Nil if unknown.
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

  /// Shows the progress, at most ten times a second and not in the first second.
  mutating func update(_ counts: ListCounts) {
    guard let milliseconds = pace.whenDue() else { return }
    console.showStatus(text(counts, milliseconds: milliseconds))
  }

  private mutating func text(_ counts: ListCounts, milliseconds: Int64) -> String {
    // A list may grow during the work.
    let total = total.flatMap { $0 < counts.all ? nil : $0 }
    var parts = ["\(label) \(counts.all)\(total.map { " of \($0)" } ?? "") files"]
    if counts.seconds > 0 {
      parts.append("\((counts.seconds / 3_600).decimal(1)) h of audio")
      parts.append("\(Int(counts.seconds * 1_000 / Double(milliseconds))) × real time")
    }
    if counts.failed > 0 { parts.append("\(counts.failed) failed") }
    if let total, let left = millisecondsLeft(of: total, counts, milliseconds) {
      parts.append("\(clockTime(left, at: 1_000).prefix { $0 != "." }) left")
    }
    return parts.joined(separator: ", ")
  }

  /// Estimates from the last 30 to 60 s: items finished by an earlier run pass much faster.
  private mutating func millisecondsLeft(
    of total: Int, _ counts: ListCounts, _ milliseconds: Int64
  ) -> Int64? {
    if milliseconds - marks.later.milliseconds >= 30_000 {
      marks = (marks.later, (milliseconds, counts.all))
    }
    let isMoving = counts.all > marks.earlier.items
    let begin: Mark = isMoving ? marks.earlier : (0, 0)
    guard counts.all > begin.items, counts.all < total else { return nil }
    let pace = Double(milliseconds - begin.milliseconds) / Double(counts.all - begin.items)
    return Int64(pace * Double(total - counts.all))
  }
}

/// The counts of items by outcome.
struct ListCounts {
  var done = 0
  var skipped = 0
  var failed = 0
  /// The length of the outputs in seconds.
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

  /// - Throws: if the failures reach the limit. Nil = no limit.
  func requireFewerFailures(than most: Int?) throws(AudioError) {
    guard let most, failed >= most else { return }
    throw AudioError(
      .unavailable, cannot: "go on", "",
      because: "\(most) \(most == 1 ? "file has" : "files have") failed")
  }

  /// `1980 done, 12 skipped, 8 failed`.
  var line: String {
    var parts = ["\(done) done"]
    if skipped > 0 { parts.append("\(skipped) skipped") }
    if failed > 0 { parts.append("\(failed) failed") }
    return parts.joined(separator: ", ")
  }
}
