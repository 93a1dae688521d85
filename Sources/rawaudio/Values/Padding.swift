// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// Silence around a source.
struct Padding: Sendable, Hashable {
  var before = TimePosition.samples(0)
  var behind: TimePosition
}

/// The move of a sound in time.
enum Shift: Sendable, Hashable {
  /// Silence in front of it.
  case later(TimePosition)
  /// Its beginning is left out.
  case earlier(TimePosition)
}

extension ValueSyntax<Shift> {
  /// `120ms`, `-120ms`.
  static let shift = ValueSyntax(name: "time", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    text.hasPrefix("-")
      ? .earlier(try TimePosition(String(text.dropFirst()))) : .later(try TimePosition(text))
  }
}

extension ValueSyntax<Padding> {
  /// `2` at the end, `1,2` at the beginning and at the end.
  static let padding = ValueSyntax(name: "time", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    switch parts.count {
    case 1: return Padding(behind: try TimePosition(text))
    case 2:
      return Padding(
        before: try TimePosition(String(parts[0])), behind: try TimePosition(String(parts[1])))
    default: throw InvalidValue("padding is a time, or two: in front and at the end, as in 1,2")
    }
  }
}
