// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// A row of a table: a piece of a recording, and the texts beside it.
struct TableRow: Sendable, Hashable {
  /// The end of a piece.
  enum End: Sendable, Hashable {
    case at(TimePosition)
    case after(TimePosition)
    /// The start of the next piece of the source, or the source's end.
    case nextStart
  }

  /// The line of the table, from 1.
  var line: Int
  /// The name of the source. Nil if the table names none.
  var source: String?
  var start: TimePosition
  var end = End.nextStart
  var id: String?
  /// The path of the output. Nil if a pattern names it.
  var output: String?
  /// The texts by ``key(_:)``, `start`, `end` and `label` among them.
  var texts: [String: String] = [:]
  /// The tags of the piece.
  var tags: [TagEdit] = []

  /// A name in the form in which patterns refer to it: `Begin Time (s)` is `begin_time_s`.
  static func key(_ name: String) -> String {
    name.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "_")
  }

  /// Checks that time does not run backwards.
  func check() throws(InvalidValue) {
    switch end {
    case .at(let end):
      guard let isBehind = end.isKnown(behind: start) else { return }
      if isBehind { return }
      let (first, last) = (texts["start"] ?? "", texts["end"] ?? "")
      throw InvalidValue("its end, \(last), is not behind its start, \(first)")
    case .after(.samples(0)), .after(.time(.zero)): throw InvalidValue("it lasts for 0 seconds")
    case .after, .nextStart: return
    }
  }
}

extension TimePosition {
  /// Parses a time of a table: the forms of `--start`, a decimal comma, an exponent.
  static func ofCell(_ text: String) throws(InvalidValue) -> TimePosition {
    let text = text.count { $0 == "," } == 1 ? String(text.map { $0 == "," ? "." : $0 }) : text
    if text.contains("e") || text.contains("E"), let seconds = Double(text),
      seconds >= 0, seconds < 1e9
    {
      return .time(.seconds(seconds))
    }
    do throws(InvalidValue) {
      return try TimePosition(text)
    } catch {
      throw InvalidValue("'\(text)' is no time; \(error.reason)")
    }
  }

  /// Whether it lies behind `other`. Nil if only the sample rate shows it.
  func isKnown(behind other: TimePosition) -> Bool? {
    switch (other, self) {
    case (.time(let one), .time(let two)): one < two
    case (.samples(let one), .samples(let two)): one < two
    default: nil
    }
  }
}
