// SPDX-License-Identifier: Apache-2.0
/// All samples of a step with speech are loud. Holds samples back until their step is known. Session thread only.
final class SpeechLoudness: TriggerLoudness {
  private let threshold: SpeechThreshold
  private let format: StreamFormat
  private let model: VoiceModel
  private var activity: VoiceActivity
  /// The samples of steps that are not known yet.
  private var waiting: (any HeldSamples)?
  /// The steps that are known, with the samples of each over all channels.
  private var steps: [(count: Int, isSpeech: Bool)] = []
  /// Of the step that the gate takes.
  private var isSpeech = false
  /// Of the last known step.
  private var wasSpeech = false

  /// - Throws: `unsupported` if the rate cannot be converted.
  init(
    _ threshold: SpeechThreshold, _ format: StreamFormat, _ model: VoiceModel
  ) throws(AudioError) {
    self.threshold = threshold
    self.format = format
    self.model = model
    activity = try VoiceActivity(format, model)
  }

  func judge<Sample: AudioSample>(
    _ samples: Span<Sample>, for gate: SoundGate
  ) throws(AudioError) -> SinkStatus {
    let waiting = waiting ?? gate.precision.heldSamples
    self.waiting = waiting
    waiting.keep(samples)
    try activity.process(samples) { note($0) }
    return try handOver(waiting, to: gate)
  }

  func finish(for gate: SoundGate) throws(AudioError) -> SinkStatus {
    guard let waiting else { return .accepted }
    try activity.finish { note($0) }
    let known = steps.reduce(0) { $0 + $1.count }
    // Conversion to the network's rate may round the length down.
    steps.append((waiting.count - known, wasSpeech))
    let status = try handOver(waiting, to: gate)
    activity = try VoiceActivity(format, model)
    wasSpeech = false
    return status
  }

  private func note(_ step: VoiceActivity.Step) {
    wasSpeech = threshold.isSpeech(step.probability, after: wasSpeech)
    steps.append((step.samples.count * format.channelCount, wasSpeech))
  }

  private func handOver(
    _ waiting: any HeldSamples, to gate: SoundGate
  ) throws(AudioError) -> SinkStatus {
    defer { steps.removeAll(keepingCapacity: true) }
    for step in steps {
      isSpeech = step.isSpeech
      let status = try waiting.pass(0..<step.count, to: gate)
      if status == .readerGone { return status }
      waiting.consume(step.count)
    }
    return .accepted
  }

  func first<Sample: AudioSample>(in samples: Span<Sample>, at place: Int) -> Int? {
    isSpeech && samples.count > 0 ? 0 : nil
  }

  func last<Sample: AudioSample>(in samples: Span<Sample>, at place: Int) -> Int? {
    isSpeech && samples.count > 0 ? samples.count - 1 : nil
  }
}
