// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// What came of one entry of the list of `measure`.
struct MeasuredFile: Sendable {
  /// Nil for an entry that cannot be understood.
  var path: String?
  var id: String?
  var outcome: Result<SoundMeasurement, AudioError>
  /// What is not as expected.
  var unmet: [Expectation] = []
  /// What the user should know.
  var notes: [String] = []

  var sound: SoundMeasurement? { try? outcome.get() }

  /// A line for each expectation that is not met.
  var complaints: [String] {
    unmet.map { expectation in
      let measure = expectation.measure
      let value = sound.flatMap(measure.value).map { measure.text($0, isExact: true) } ?? "no value"
      let unit = measure.unit.isEmpty || value == "no value" ? "" : " \(measure.unit)"
      return "'\(path ?? "")': \(measure.rawValue) is \(value)\(unit), expected \(expectation.text)"
    }
  }

  /// Numbers, or null where there is no value. `docs/loudness.md` describes it.
  var json: JSONValue {
    func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
    let head: [(name: String, value: JSONValue)] = [
      ("schema", .integer(1)), ("path", path.map { .path($0) } ?? .null), ("id", text(id)),
    ]
    switch outcome {
    case .failure(let error): return .object(head + [("error", .string(error.description))])
    case .success(let sound):
      let unmet = unmet.map { expectation in
        JSONValue.object([
          ("expected", .string(expectation.text)),
          ("measure", .string(expectation.measure.rawValue)),
          ("value", Self.number(expectation.measure.value(in: sound))),
        ])
      }
      return .object(head + sound.jsonMembers + [("unmet", .array(unmet))])
    }
  }

  fileprivate static func number(_ value: Double?) -> JSONValue {
    value.map { .number($0) } ?? .null
  }
}

extension SoundMeasurement {
  fileprivate var jsonMembers: [(name: String, value: JSONValue)] {
    func number(_ value: Double?) -> JSONValue { MeasuredFile.number(value) }
    return [
      ("sampleRate", .integer(Int64(format.sampleRate))),
      ("channelCount", .integer(Int64(format.channelCount))),
      ("samplesPerChannel", .integer(samplesPerChannel)), ("duration", .number(duration)),
      ("loudness", number(loudness)), ("loudnessRange", number(loudnessRange)),
      ("maxMomentary", number(maxMomentary)), ("maxShortTerm", number(maxShortTerm)),
      ("truePeak", number(truePeak)), ("samplePeak", number(samplePeak)), ("rms", number(rms)),
      ("crestFactor", number(crestFactor)), ("clippedRuns", .integer(Int64(clippedRuns))),
      ("dcOffset", number(dcOffset)), ("longestSilence", .number(longestSilence)),
      ("silenceAtStart", .number(silenceAtStart)), ("silenceAtEnd", .number(silenceAtEnd)),
      ("phaseCorrelation", number(phaseCorrelation)),
      ("effectiveBits", effectiveBits.map { .integer(Int64($0)) } ?? .null),
      ("bandwidth", number(bandwidth)), ("notFinite", .integer(Int64(notFiniteSamples))),
      ("channels", .array(channels.map(\.json))),
    ]
  }
}

extension SoundMeasurement.Channel {
  fileprivate var json: JSONValue {
    func number(_ value: Double?) -> JSONValue { MeasuredFile.number(value) }
    func integer(_ value: Int?) -> JSONValue { value.map { .integer(Int64($0)) } ?? .null }
    return .object([
      ("truePeak", number(truePeak)), ("samplePeak", number(samplePeak)), ("rms", number(rms)),
      ("crestFactor", number(crestFactor)), ("clippedRuns", integer(clippedRuns)),
      ("dcOffset", number(dcOffset)), ("effectiveBits", integer(effectiveBits)),
      ("bandwidth", number(bandwidth)),
      ("notFinite", .integer(Int64(notFiniteSamples))), ("dead", .boolean(isDead)),
      ("identicalTo", integer(identicalChannel.map { $0 + 1 })),
    ])
  }
}

extension Measure {
  /// A value as it is shown.
  ///
  /// - Parameter isExact: with another digit, where a limit may be near.
  func text(_ value: Double, isExact: Bool = false) -> String {
    guard let digits else { return "\(Int(value.rounded()))" }
    return value.decimal(digits + (isExact ? 1 : 0))
  }
}
