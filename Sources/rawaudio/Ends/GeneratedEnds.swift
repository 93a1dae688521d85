// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// `tone:440`, `tone:440,gain=-20`: a sine with peaks of −3 dBFS without a gain.
struct ToneEnd: GeneratedEnd {
  static let scheme = "tone:"
  static let usages = ["tone:440"]
  static let offers = [Offer.beginning("tone:", about: "hertz follow")]
  /// Hertz.
  let frequency: Double
  let amplitude: Double
  let name = "tone"
  var title: String { "tone of \(frequency) Hz" }

  init(_ detail: String) throws(InvalidValue) {
    let words = try SignalWords(detail)
    try words.requireNoOthers()
    guard let frequency = hertz(words.first) else {
      throw InvalidValue("a tone is written with its frequency in hertz: tone:440")
    }
    self.frequency = frequency
    amplitude = words.amplitude
  }

  func source(_ request: SourceEndRequest) -> EndSource {
    .plain(ToneSource(frequency: frequency, amplitude: amplitude))
  }
}

/// `noise:white`, `noise:pink,seed=7`, `noise:pink,gain=-20`.
///
/// Without a gain white noise is spread evenly up to −3 dBFS, so that its root mean square is −7.8 dBFS; that of pink
/// noise is −17.
struct NoiseEnd: GeneratedEnd {
  static let scheme = "noise:"
  static let usages = NoiseSource.Colour.allCases.map { scheme + $0.rawValue }
  static let offers = usages.map { Offer.word($0) }
  let colour: NoiseSource.Colour
  /// The number that selects this noise. Nil = a new noise each time.
  let seed: UInt64?
  let amplitude: Double
  let name = "noise"
  var title: String { "\(colour.rawValue) noise" }

  init(_ detail: String) throws(InvalidValue) {
    let words = try SignalWords(detail)
    guard let colour = NoiseSource.Colour(rawValue: words.first) else {
      throw InvalidValue("noise is noise:white or noise:pink, and which one: noise:white,seed=7")
    }
    self.colour = colour
    amplitude = words.amplitude
    seed = try words.others.first.map { (word) throws(InvalidValue) in
      guard words.others.count == 1, word.hasPrefix("seed="),
        let seed = UInt64(word.dropFirst(5)), seed > 0
      else {
        throw InvalidValue(
          "a noise is chosen by a whole number above 0: noise:\(words.first),seed=7")
      }
      return seed
    }
  }

  func source(_ request: SourceEndRequest) -> EndSource {
    .plain(
      NoiseSource(
        colour, seed: seed ?? request.seed, amplitude: amplitude,
        channelCount: request.channelCount))
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
  let amplitude: Double
  let name = "sweep"
  var title: String { "sweep from \(start) to \(end) Hz" }

  init(_ detail: String) throws(InvalidValue) {
    let words = try SignalWords(detail)
    try words.requireNoOthers()
    let ends = words.first.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let start = hertz(String(ends[0])),
      let end = hertz(String(ends[1]))
    else {
      throw InvalidValue("a sweep is written with two frequencies in hertz: sweep:20-20000")
    }
    self.start = start
    self.end = end
    amplitude = words.amplitude
  }

  func source(_ request: SourceEndRequest) -> EndSource {
    .plain(SweepSource(from: start, to: end, amplitude: amplitude, duration: request.duration))
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

  func source(_ request: SourceEndRequest) -> EndSource { .plain(SilenceSource()) }
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

/// The words of a generated signal, between commas.
private struct SignalWords {
  let first: String
  private(set) var others: [Substring] = []
  /// As a factor.
  private(set) var amplitude = defaultSignalAmplitude

  init(_ detail: String) throws(InvalidValue) {
    let words = detail.split(separator: ",", omittingEmptySubsequences: false)
    first = String(words[0])
    for word in words.dropFirst() {
      guard word.hasPrefix("gain=") else {
        others.append(word)
        continue
      }
      let gain = try ValueSyntax<Double>.decibels.parse(String(word.dropFirst(5)))
      amplitude = defaultSignalAmplitude * Decibels.factor(gain)
    }
  }

  /// - Throws: if there is a word beside the gain.
  func requireNoOthers() throws(InvalidValue) {
    guard let word = others.first else { return }
    throw InvalidValue("'\(word)' is no setting; gain=-20 changes the level by 20 dB")
  }
}

/// `440`, `1.5k`.
private func hertz(_ text: String) -> Double? {
  let isKilohertz = text.hasSuffix("k")
  guard let frequency = Double(decimal: isKilohertz ? String(text.dropLast()) : text),
    frequency > 0
  else { return nil }
  return isKilohertz ? frequency * 1_000 : frequency
}
