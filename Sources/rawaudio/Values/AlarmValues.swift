// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The subjects of alarms.
enum AlarmKind: String, Sendable {
  case silence
  case level
  case clipping
  case xruns
  case device
  case space

  /// Whether it is about the samples of an output.
  var isAboutSamples: Bool { self == .silence || self == .level || self == .clipping }
}

/// The range of a recording's level, in dBFS. Nil = no limit.
struct LevelLimits: Sendable, Hashable {
  var lowest: Double?
  var highest: Double?
}

/// The largest number of xruns within a span.
struct XrunRate: Sendable, Hashable {
  var limit: Int
  /// In seconds.
  var span: Int
  /// As given.
  var text: String
}

/// The lowest free room on a disk.
enum SpaceLimit: Sendable, Hashable {
  case bytes(Int64)
  /// In seconds of the recording.
  case seconds(Double)
}

extension ValueSyntax<LevelLimits> {
  /// `-50..-6`, `..-6`, `-50..`.
  static let levelLimits = ValueSyntax(name: "range", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    let malformed = InvalidValue(
      "it is two levels in dBFS with '..' between them, one of which may be left out: -50..-6")
    let halves = text.halves(at: "..")
    guard halves.count == 2 else { throw malformed }
    func level(_ half: String) throws(InvalidValue) -> Double? {
      half.isEmpty ? nil : try ValueSyntax<Double>.level.parse(half)
    }
    let limits = LevelLimits(lowest: try level(halves[0]), highest: try level(halves[1]))
    if limits.lowest == nil, limits.highest == nil { throw malformed }
    if let lowest = limits.lowest, let highest = limits.highest, lowest >= highest {
      throw InvalidValue("the first level is not below the second")
    }
    return limits
  }
}

extension ValueSyntax<XrunRate> {
  /// `5/min`, `20/h`, `5`.
  static let xrunRate = ValueSyntax(
    name: "rate", isNumeric: true,
    otherwise: "it is a whole number per unit of time: 5/min, 20/h or 100/day"
  ) { text in
    let halves = text.halves(at: "/")
    let unit = halves.count == 2 ? halves[1].lowercased() : "min"
    let spans = ["s": 1, "min": 60, "h": 3_600, "day": 86_400]
    guard let limit = Int(halves[0])?.within(0...1_000_000), let span = spans[unit] else {
      return nil
    }
    return XrunRate(limit: limit, span: span, text: "\(limit)/\(unit)")
  }
}

extension ValueSyntax<SpaceLimit> {
  /// `10GiB`, `12h`.
  static let spaceLimit = ValueSyntax(name: "size", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    if let size = try FileSize(text) { return .bytes(size.bytes) }
    guard case .time(let time)? = try? TimePosition(text), time > .zero else {
      throw InvalidValue("it is a size as in 10GiB, or a time of recording as in 12h")
    }
    return .seconds(time / .seconds(1))
  }
}
