// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The result of one entry of `measure`'s list.
struct MeasuredFile: Sendable {
  /// Nil for an entry that cannot be parsed.
  var path: String?
  var id: String?
  var outcome: Result<SoundMeasurement, AudioError>
  /// The sound levels of each interval, if they were asked for.
  var levels: MeasuredLevels?
  /// The speech, if it was asked for.
  var speech: MeasuredSpeech?
  var unmet: [Expectation] = []
  var notes: [String] = []

  var sound: SoundMeasurement? { try? outcome.get() }

  /// A line for each unmet expectation.
  var complaints: [String] {
    unmet.map { expectation in
      let measure = expectation.measure
      let value = sound.flatMap(measure.value).map { measure.text($0, isExact: true) } ?? "no value"
      let unit = measure.unit.isEmpty || value == "no value" ? "" : " \(measure.unit)"
      return "'\(path ?? "")': \(measure.rawValue) is \(value)\(unit), expected \(expectation.text)"
    }
  }

  /// The numbers of the file, null if unknown. `docs/loudness.md` describes them.
  var json: JSONValue {
    func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
    let head: [(name: String, value: JSONValue)] = [
      ("schema", .integer(EventObserver.schemaVersion)), ("path", path.map { .path($0) } ?? .null),
      ("id", text(id)),
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
      let levels: JSONValue.Members = levels.map { [("levels", $0.json)] } ?? []
      let speech: JSONValue.Members = speech.map { [("voice", $0.json)] } ?? []
      return .object(head + sound.jsonMembers + levels + speech + [("unmet", .array(unmet))])
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
  /// Formats a value.
  ///
  /// - Parameter isExact: whether to add a digit, for a value near a limit.
  func text(_ value: Double, isExact: Bool = false) -> String {
    guard let digits else { return "\(Int(value.rounded()))" }
    return value.decimal(digits + (isExact ? 1 : 0))
  }
}
