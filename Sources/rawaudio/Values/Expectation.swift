// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// A limit for a measure, as given on a command line: `loudness=-23±0.5`, `true-peak<=-1`, `silence<2s`.
struct Expectation: Sendable, Hashable {
  enum Relation: Sendable, Hashable {
    case below
    case atMost
    case above
    case atLeast
    /// The largest distance from the value.
    case within(Double)
  }

  /// As given.
  var text: String
  var measure: Measure
  var relation: Relation
  var value: Double

  /// Whether `found` is within the limit. A missing value never is, except for silence below an upper limit.
  func isMet(by found: Double?, isSilent: Bool) -> Bool {
    guard let found else {
      let isUpperLimit = relation == .below || relation == .atMost
      return isUpperLimit && isSilent && measure.isLevel
    }
    switch relation {
    case .below: return found < value
    case .atMost: return found <= value
    case .above: return found > value
    case .atLeast: return found >= value
    case .within(let tolerance): return abs(found - value) <= tolerance + 1e-9
    }
  }
}

/// A measure with one value per file.
enum Measure: String, Sendable, CaseIterable {
  case loudness
  case loudnessRange = "loudness-range"
  case maxMomentary = "max-momentary"
  case maxShortTerm = "max-short-term"
  case truePeak = "true-peak"
  case samplePeak = "sample-peak"
  case rms
  case crestFactor = "crest-factor"
  case clippedRuns = "clipped-runs"
  case offset = "dc-offset"
  case silence
  case silenceAtStart = "silence-at-start"
  case silenceAtEnd = "silence-at-end"
  case correlation = "phase-correlation"
  case bits = "effective-bits"
  case bandwidth
  case deadChannels = "dead-channels"
  case identicalChannels = "identical-channels"
  case notFinite = "not-finite"
  case duration

  private typealias Facts = (
    unit: String, digits: Int?, value: @Sendable (SoundMeasurement) -> Double?
  )

  private var facts: Facts {
    switch self {
    case .loudness: ("LUFS", 1, { $0.loudness })
    case .loudnessRange: ("LU", 1, { $0.loudnessRange })
    case .maxMomentary: ("LUFS", 1, { $0.maxMomentary })
    case .maxShortTerm: ("LUFS", 1, { $0.maxShortTerm })
    case .truePeak: ("dBTP", 1, { $0.truePeak })
    case .samplePeak: ("dBFS", 1, { $0.samplePeak })
    case .rms: ("dBFS", 1, { $0.rms })
    case .crestFactor: ("dB", 1, { $0.crestFactor })
    case .clippedRuns: ("", nil, { Double($0.clippedRuns) })
    case .offset: ("", 5, { $0.dcOffset })
    case .silence: ("s", 3, { $0.longestSilence })
    case .silenceAtStart: ("s", 3, { $0.silenceAtStart })
    case .silenceAtEnd: ("s", 3, { $0.silenceAtEnd })
    case .correlation: ("", 3, { $0.phaseCorrelation })
    case .bits: ("bits", nil, { $0.effectiveBits.map(Double.init) })
    case .bandwidth: ("Hz", nil, { $0.bandwidth })
    case .deadChannels: ("", nil, { Double($0.channels.count { $0.isDead }) })
    case .identicalChannels: ("", nil, { Double($0.channels.count { $0.identicalChannel != nil }) })
    case .notFinite: ("", nil, { Double($0.notFiniteSamples) })
    case .duration: ("s", 3, { $0.duration })
    }
  }

  /// The unit. Empty for a count or a ratio.
  var unit: String { facts.unit }

  /// The decimal places. Nil for whole numbers.
  var digits: Int? { facts.digits }

  /// Whether silence is −∞.
  var isLevel: Bool { ["LUFS", "dBTP", "dBFS"].contains(unit) }

  func value(in sound: SoundMeasurement) -> Double? { facts.value(sound) }
}

extension ValueSyntax<Expectation> {
  /// `loudness=-23±0.5`, `true-peak<=-1dBTP`, `silence<2s`, `clipped-runs=0`.
  static let expectation = ValueSyntax(name: "limit") {
    (text: String) throws(InvalidValue) in
    let relations = ["<=", ">=", "≤", "≥", "<", ">", "="]
    let end = text.firstIndex { "<>=≤≥".contains($0) }
    guard let end, let sign = relations.first(where: { text[end...].hasPrefix($0) }) else {
      throw InvalidValue(
        "a limit is a measure, one of = < > <= >= and a value, as in loudness=-23±0.5")
    }
    let name = text[..<end].lowercased().filter { $0 != " " }
    guard let measure = Measure(rawValue: name) else {
      throw InvalidValue(
        "'\(name)' is not measured; there are \(Measure.allCases.map(\.rawValue).joinedAsList)")
    }
    let rest = String(text[text.index(end, offsetBy: sign.count)...])
    let parts = rest.split(separator: "±", omittingEmptySubsequences: false).map(String.init)
    let halves = parts.count == 1 ? rest.halves(at: "+-") : parts
    guard halves.count <= 2, sign == "=" || halves.count == 1 else {
      throw InvalidValue("a tolerance goes with =, as in loudness=-23±0.5")
    }
    let value = try measure.number(halves[0])
    let relation: Expectation.Relation
    switch sign {
    case "<": relation = .below
    case ">": relation = .above
    case "<=", "≤": relation = .atMost
    case ">=", "≥": relation = .atLeast
    default:
      let shown = measure.digits == 1 ? 0.05 : 0
      relation = .within(halves.count == 2 ? abs(try measure.number(halves[1])) : shown)
    }
    return Expectation(text: text, measure: measure, relation: relation, value: value)
  }.offering { _ in Measure.allCases.map { .beginning("\($0.rawValue)=") } }
}

extension Measure {
  fileprivate func number(_ text: String) throws(InvalidValue) -> Double {
    var word = text.lowercased().filter { $0 != " " }
    let units: [(name: String, factor: Double)] =
      switch unit {
      case "s": [("ms", 0.001), ("s", 1)]
      case "Hz": [("khz", 1_000), ("hz", 1), ("k", 1_000)]
      case "": []
      default: [(unit.lowercased(), 1), ("db", 1), ("lu", 1)]
      }
    var factor = 1.0
    if let used = units.first(where: { word.hasSuffix($0.name) }) {
      word.removeLast(used.name.count)
      factor = used.factor
    }
    guard let number = Double(decimal: word.replacingMinus) else {
      let name = unit.isEmpty ? "" : " of \(unit)"
      throw InvalidValue("'\(text)' is no number\(name)")
    }
    return number * factor
  }
}

extension String {
  /// The parts before and after `separator`, or the whole text without one.
  func halves(at separator: String) -> [String] {
    guard let place = place(of: separator) else { return [self] }
    return [String(self[..<place.lowerBound]), String(self[place.upperBound...])]
  }

  /// The text with ASCII minus signs instead of typographic ones.
  fileprivate var replacingMinus: String { String(map { $0 == "−" ? "-" : $0 }) }
}
