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
  /// The zone of all times without one: of the wanted ones, and of those of the files.
  var civilTime: CivilTime
}

extension ValueSyntax<PartPoint> {
  /// `1:30`, `-2.5` for two and a half seconds before the end, or `@13:37` by the clock.
  static let sourcePoint = ValueSyntax(name: "time", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    guard text.hasPrefix("@") else { return .place(try SourcePoint(text)) }
    guard let time = TimeOfDay(text.dropFirst()) else {
      throw InvalidValue(
        "a time of day is @13:37, @04:00:05.25, @2026-05-02T04:00:05 or @2026-05-02T04:00:05Z")
    }
    return .clock(time)
  }
}
