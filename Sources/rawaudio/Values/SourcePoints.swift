// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

extension SourcePoint {
  /// Parses a time. With a minus, it counts back from the end.
  init(_ text: String) throws(InvalidValue) {
    self =
      text.hasPrefix("-")
      ? .fromEnd(try TimePosition(String(text.dropFirst()))) : .fromStart(try TimePosition(text))
  }

  /// Whether it is known to be at or before `other`.
  func isKnown(notBehind other: SourcePoint) -> Bool {
    switch (self, other) {
    case (.fromStart(.time(let one)), .fromStart(.time(let two))): one <= two
    case (.fromStart(.samples(let one)), .fromStart(.samples(let two))): one <= two
    case (.fromEnd(.time(let one)), .fromEnd(.time(let two))): one >= two
    case (.fromEnd(.samples(let one)), .fromEnd(.samples(let two))): one >= two
    default: false
    }
  }
}

/// A place in a source as given on a command line.
enum PartPoint: Sendable, Hashable {
  case place(SourcePoint)
  /// A time of day.
  case clock(TimeOfDay)

  /// Whether it is known to be at or before `other`.
  func isKnown(notBehind other: PartPoint) -> Bool {
    if case (.place(let one), .place(let two)) = (self, other) {
      one.isKnown(notBehind: two)
    } else {
      false
    }
  }

  var place: SourcePoint? { if case .place(let place) = self { place } else { nil } }
  var clock: TimeOfDay? { if case .clock(let time) = self { time } else { nil } }
}

/// The wanted part of a recording, by the clock on the wall. Nil = from its beginning, to its end.
struct ClockPart: Sendable, Hashable {
  var start: TimeOfDay?
  var end: TimeOfDay?
}

extension ValueSyntax<PartPoint> {
  /// `1:30`, `-2.5` for two and a half seconds before the end, or `@13:37` by the clock.
  static let sourcePoint = ValueSyntax(name: "time", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    guard text.hasPrefix("@") else { return .place(try SourcePoint(text)) }
    guard let time = TimeOfDay(text.dropFirst()) else {
      throw InvalidValue("a time of day is @13:37, @04:00:05.25 or @2026-05-02T04:00:05")
    }
    return .clock(time)
  }
}

/// Silence around a source.
struct Padding: Sendable, Hashable {
  var before = TimePosition.samples(0)
  var behind: TimePosition
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

/// The sources that an option applies to.
enum SourceNumbers: Sendable, Hashable {
  case all
  /// From 1.
  case some(Set<Int>)

  func contains(_ number: Int) -> Bool {
    switch self {
    case .all: true
    case .some(let numbers): numbers.contains(number)
    }
  }
}

extension ValueSyntax<SourceNumbers> {
  /// `all`, `2`, `1,3`.
  static let sourceNumbers = ValueSyntax(name: "numbers") { (text: String) throws(InvalidValue) in
    if text == "all" { return .all }
    var numbers: Set<Int> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let number = Int(part), number > 0 else {
        throw InvalidValue("sources are told by their numbers from 1, for example 2 or 1,3")
      }
      numbers.insert(number)
    }
    return .some(numbers)
  }
}
