// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// A signal that is computed, not read.
enum GeneratedSignal: Sendable, Hashable {
  /// A sine; hertz.
  case tone(Double)
  /// The same seed gives the same noise; nil = another one than all others.
  case noise(NoiseSource.Colour, seed: UInt64? = nil)
  /// A sine whose frequency moves; hertz.
  case sweep(from: Double, to: Double)
  case silence
}

extension GeneratedSignal {
  var name: String {
    switch self {
    case .tone: "tone"
    case .noise: "noise"
    case .sweep: "sweep"
    case .silence: "silence"
    }
  }

  /// How they are begun, for shells to complete.
  static let offers: [Offer] =
    [.beginning("tone:", about: "hertz follow"), .beginning("sweep:", about: "20-20000")]
    + NoiseSource.Colour.allCases.map { .word("noise:\($0.rawValue)") } + [.word("silence:")]

  /// Parses `tone:440`, `noise:pink`, `noise:white,seed=7`, `sweep:20-20000`, `silence:`; nil for anything
  /// else.
  ///
  /// - Throws: if the word before the colon is one of these but the rest is wrong.
  init?(_ text: String) throws(InvalidValue) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let detail = String(parts[1])
    switch parts[0] {
    case "tone":
      guard let frequency = Self.frequency(detail) else {
        throw InvalidValue("a tone is written with its frequency in hertz: tone:440")
      }
      self = .tone(frequency)
    case "noise":
      self = try Self.noise(detail)
    case "sweep":
      let ends = detail.split(separator: "-", omittingEmptySubsequences: false)
      guard ends.count == 2, let start = Self.frequency(String(ends[0])),
        let end = Self.frequency(String(ends[1]))
      else {
        throw InvalidValue("a sweep is written with two frequencies in hertz: sweep:20-20000")
      }
      self = .sweep(from: start, to: end)
    case "silence":
      guard detail.isEmpty else { throw InvalidValue("silence is written silence:") }
      self = .silence
    default:
      return nil
    }
  }

  /// `white`, `pink,seed=7`.
  private static func noise(_ text: String) throws(InvalidValue) -> GeneratedSignal {
    let words = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
    guard let word = words.first, let colour = NoiseSource.Colour(rawValue: String(word)) else {
      throw InvalidValue("noise is noise:white or noise:pink, and which one: noise:white,seed=7")
    }
    guard words.count > 1 else { return .noise(colour) }
    guard words[1].hasPrefix("seed="), let seed = UInt64(words[1].dropFirst(5)), seed > 0 else {
      throw InvalidValue("a noise is chosen by a whole number above 0: noise:\(word),seed=7")
    }
    return .noise(colour, seed: seed)
  }

  /// `440`, `1.5k`.
  private static func frequency(_ text: String) -> Double? {
    let isKilohertz = text.hasSuffix("k")
    guard let frequency = Double(decimal: isKilohertz ? String(text.dropLast()) : text),
      frequency > 0
    else { return nil }
    return isKilohertz ? frequency * 1_000 : frequency
  }
}
