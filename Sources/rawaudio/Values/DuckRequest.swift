// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// A source that is lowered under another, as given on a command line: `2:1,-12dB[,key=value…]`.
struct DuckRequest: Sendable, Hashable {
  /// The number of the lowered source, from 1.
  var ducked: Int
  /// The number of the source that triggers it, from 1.
  var key: Int
  /// The gain while ducked, in decibels. Negative.
  var decibels: Double
  /// In dBFS.
  var threshold = -40.0
  var times = DuckingTimes()
}

extension DuckRequest {
  init(_ text: String) throws(InvalidValue) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let numbers = parts[0].split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, parts.count > 1, let ducked = numbers[0], let key = numbers[1],
      ducked > 0, key > 0
    else {
      throw InvalidValue(
        "it is the source that goes down, the one under which it does, and how far, as in 2:1,-12dB"
      )
    }
    guard ducked != key else { throw InvalidValue("a source cannot go down under itself") }
    let decibels = try ValueSyntax<Double>.decibels.parse(parts[1])
    guard decibels < 0 else {
      throw InvalidValue("it goes down by less than 0 dB, for example -12")
    }
    self.init(ducked: ducked, key: key, decibels: decibels)
    for part in parts.dropFirst(2) { try apply(part) }
  }

  private mutating func apply(_ setting: String) throws(InvalidValue) {
    let halves = setting.halves(at: "=")
    let value = halves.count == 2 ? halves[1] : ""
    switch halves[0] {
    case "threshold" where halves.count == 2:
      threshold = try ValueSyntax<Double>.level.parse(value)
    case "attack" where halves.count == 2: times.attack = try Self.duration(value)
    case "hold" where halves.count == 2: times.hold = try Self.duration(value)
    case "release" where halves.count == 2: times.release = try Self.duration(value)
    default:
      throw InvalidValue(
        "'\(setting)' is nothing it has; it has attack=, hold=, release= and threshold=")
    }
  }

  private static func duration(_ text: String) throws(InvalidValue) -> Duration {
    guard case .time(let duration) = try TimePosition(text) else {
      throw InvalidValue("attack, hold and release are times, not samples")
    }
    return duration
  }
}

extension ValueSyntax<DuckRequest> {
  static let duck = ValueSyntax(name: "duck", parse: DuckRequest.init)
}
