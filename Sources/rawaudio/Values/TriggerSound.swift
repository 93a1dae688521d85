// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

extension ValueSyntax<TriggeredSink.Trigger.Sound> {
  /// A level in dBFS, or speech with its least probability: `-40`, `voice`, `voice=0.4`.
  static let triggerSound = ValueSyntax(
    name: "db", isNumeric: true,
    parse: { (text: String) throws(InvalidValue) in
      let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves[0].lowercased() == "voice" else {
        return .level(try ValueSyntax<Double>.level.parse(text))
      }
      guard halves.count == 2 else { return .speech(SpeechThreshold()) }
      return .speech(
        SpeechThreshold(on: try ValueSyntax<Double>.probability.parse(String(halves[1]))))
    }
  ).offering("voice")
}

extension ValueSyntax<Double> {
  /// The probability of speech from which it counts: `0.4`.
  static let probability = ValueSyntax(
    name: "probability", isNumeric: true,
    otherwise: "a probability of speech is a number from 0.01 to 0.99"
  ) { Double(decimal: $0)?.within(0.01...0.99) }
}

extension TriggeredSink.Trigger.Sound {
  /// The reason for which nothing was recorded.
  var missing: String {
    switch self {
    case .level(let level, in: _): "nothing reached the threshold of \(level) dB"
    case .speech(let threshold): "no speech reached the probability \(threshold.on)"
    @unknown default: "there was no such sound"
    }
  }
}
