// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// `tone:440`: a sine.
struct ToneEnd: GeneratedEnd {
  static let scheme = "tone:"
  static let usages = ["tone:440"]
  static let offers = [Offer.beginning("tone:", about: "hertz follow")]
  /// Hertz.
  let frequency: Double
  let name = "tone"
  var title: String { "tone of \(frequency) Hz" }

  init(_ detail: String) throws(InvalidValue) {
    guard let frequency = hertz(detail) else {
      throw InvalidValue("a tone is written with its frequency in hertz: tone:440")
    }
    self.frequency = frequency
  }

  func source(_ request: SourceEndRequest) -> any AudioSource {
    ToneSource(frequency: frequency)
  }
}

/// `noise:white`, `noise:pink,seed=7`.
struct NoiseEnd: GeneratedEnd {
  static let scheme = "noise:"
  static let usages = NoiseSource.Colour.allCases.map { scheme + $0.rawValue }
  static let offers = usages.map { Offer.word($0) }
  let colour: NoiseSource.Colour
  /// The number that selects this noise. Nil = a new noise each time.
  let seed: UInt64?
  let name = "noise"
  var title: String { "\(colour.rawValue) noise" }

  init(_ detail: String) throws(InvalidValue) {
    let words = detail.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
    guard let colour = NoiseSource.Colour(rawValue: String(words[0])) else {
      throw InvalidValue("noise is noise:white or noise:pink, and which one: noise:white,seed=7")
    }
    self.colour = colour
    guard words.count > 1 else {
      seed = nil
      return
    }
    guard words[1].hasPrefix("seed="), let seed = UInt64(words[1].dropFirst(5)), seed > 0 else {
      throw InvalidValue("a noise is chosen by a whole number above 0: noise:\(words[0]),seed=7")
    }
    self.seed = seed
  }

  func source(_ request: SourceEndRequest) -> any AudioSource {
    NoiseSource(colour, seed: seed ?? request.seed, channelCount: request.channelCount)
  }
}

/// `sweep:20-20000`: a sine whose frequency moves.
struct SweepEnd: GeneratedEnd {
  static let scheme = "sweep:"
  static let usages = ["sweep:20-20000"]
  static let offers = [Offer.beginning("sweep:", about: "20-20000")]
  /// Hertz.
  let start: Double
  /// Hertz.
  let end: Double
  let name = "sweep"
  var title: String { "sweep from \(start) to \(end) Hz" }

  init(_ detail: String) throws(InvalidValue) {
    let ends = detail.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let start = hertz(String(ends[0])),
      let end = hertz(String(ends[1]))
    else {
      throw InvalidValue("a sweep is written with two frequencies in hertz: sweep:20-20000")
    }
    self.start = start
    self.end = end
  }

  func source(_ request: SourceEndRequest) -> any AudioSource {
    SweepSource(from: start, to: end, duration: request.duration)
  }
}

/// `silence:`
struct SilenceEnd: GeneratedEnd {
  static let scheme = "silence:"
  static let usages = ["silence:"]
  static let offers = [Offer.word("silence:")]
  let name = "silence"

  init(_ detail: String) throws(InvalidValue) {
    guard detail.isEmpty else { throw InvalidValue("silence is written silence:") }
  }

  func source(_ request: SourceEndRequest) -> any AudioSource { SilenceSource() }
}

/// A computed source. It repeats its samples each time, except for noise without a seed.
protocol GeneratedEnd: SourceEnd {
  static var offers: [Offer] { get }
}

extension GeneratedEnd {
  static var refusalAsSink: String { "a generated signal is a source, not a sink" }
  static func offers(_ text: String) -> [Offer] { offers }
  static var noun: String { "a generated signal" }
  static var liveness: Liveness { .none }
  static var isGenerated: Bool { true }
}

/// `440`, `1.5k`.
private func hertz(_ text: String) -> Double? {
  let isKilohertz = text.hasSuffix("k")
  guard let frequency = Double(decimal: isKilohertz ? String(text.dropLast()) : text),
    frequency > 0
  else { return nil }
  return isKilohertz ? frequency * 1_000 : frequency
}
