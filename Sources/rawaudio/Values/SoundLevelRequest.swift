// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The sound levels to measure, as given on a command line: `A`, `C,calibration=94@-26,every=60`.
struct SoundLevelRequest: Sendable, Hashable {
  var settings: SoundLevelSettings
  /// Nil = the whole file.
  var every: TimePosition?
}

extension ValueSyntax<SoundLevelRequest> {
  static let soundLevels = ValueSyntax(name: "weighting") { (text: String) throws(InvalidValue) in
    let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    var request = SoundLevelRequest(
      settings: SoundLevelSettings(
        weighting: try ValueSyntax<FrequencyWeighting>.weighting.parse(words[0])))
    var keys: Set<String> = []
    for word in words.dropFirst() {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, ["calibration", "every"].contains(parts[0]) else {
        throw InvalidValue(
          "'\(word)' is no setting of sound levels; there are calibration and every")
      }
      guard keys.insert(parts[0]).inserted else {
        throw InvalidValue("'\(parts[0])' is given twice")
      }
      if parts[0] == "every" {
        request.every = try ValueSyntax<TimePosition>.length.parse(parts[1])
      } else {
        request.settings.calibration = try ValueSyntax<Double>.calibration.parse(parts[1])
      }
    }
    return request
  }.offering { _ in FrequencyWeighting.allCases.map { .word($0.rawValue) } }
}

extension ValueSyntax<FrequencyWeighting> {
  static let weighting = ValueSyntax(name: "weighting") { (text: String) throws(InvalidValue) in
    guard let weighting = FrequencyWeighting(rawValue: text.uppercased()) else {
      throw InvalidValue("a weighting is A, C or Z")
    }
    return weighting
  }.offering { _ in FrequencyWeighting.allCases.map { .word($0.rawValue) } }
}

extension ValueSyntax<Double> {
  /// `94@-26`: 94 dB of sound give −26 dBFS. The value is the difference.
  static let calibration = ValueSyntax(name: "calibration") { (text: String) throws(InvalidValue) in
    let parts = text.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let sound = Double(decimal: parts[0]),
      let level = Double(decimal: parts[1]), (-60...200).contains(sound),
      (-200...10).contains(level)
    else {
      throw InvalidValue(
        "a calibration is the level of a sound and its RMS in dBFS, for example 94@-26")
    }
    return sound - level
  }
}
