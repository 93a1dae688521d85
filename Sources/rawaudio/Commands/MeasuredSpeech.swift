// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The speech of a file that `measure --voice` found. Lengths are in seconds.
struct MeasuredSpeech: Sendable {
  /// The beginnings and ends.
  let stretches: [Range<Double>]
  /// Of the file.
  let duration: Double

  var length: Double { stretches.reduce(0) { $0 + $1.upperBound - $1.lowerBound } }

  /// The longest time without speech, also at the start and at the end.
  var longestPause: Double {
    let ends = [0] + stretches.map(\.upperBound)
    let beginnings = stretches.map(\.lowerBound) + [duration]
    return zip(ends, beginnings).reduce(0) { max($0, $1.1 - $1.0) }
  }

  /// Its members; `docs/voice.md` describes them.
  var json: JSONValue {
    .object([
      ("seconds", .figure(length)), ("share", share.map { .figure($0) } ?? .null),
      ("longestPause", .figure(longestPause)), ("stretches", .count(stretches.count)),
    ])
  }

  /// Nil of an empty file.
  private var share: Double? { duration > 0 ? length / duration : nil }

  var rows: [(name: String, values: [String])] {
    [
      ("speech (s)", [length.decimal(1)]),
      ("share of speech (%)", [share.map { ($0 * 100).decimal(1) } ?? "-"]),
      ("longest pause (s)", [longestPause.decimal(1)]),
      ("stretches of speech", ["\(stretches.count)"]),
    ]
  }
}

/// Gathers the speech of one file. One thread.
final class SpeechReports {
  private let model: VoiceModel
  private var stretches: [Range<Double>] = []

  init(_ model: VoiceModel) { self.model = model }

  /// Measures the recorded stream of a session that has not begun.
  func register(on session: Session) throws(AudioError) {
    _ = try session.register(
      VoiceObserver(.record, model) { [self] change in
        guard !change.begins else { return }
        let rate = Double(change.sampleRate)
        let end = Double(change.samplePosition) / rate
        stretches.append(end - Double(change.samplesPerChannel) / rate..<end)
      })
  }

  func speech(of sound: SoundMeasurement) -> MeasuredSpeech {
    MeasuredSpeech(stretches: stretches, duration: sound.duration)
  }
}
