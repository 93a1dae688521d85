// SPDX-License-Identifier: Apache-2.0
/// Tells speech from other sounds in a stream: gives the probability of speech for every 32 ms.
///
/// The channels are averaged and converted to 16 kHz. The network hears late: a probability is the network's output after the
/// 32 ms behind it, which finds the beginnings and ends of speech best (`docs/voice.md` has the figures). The probabilities do
/// not depend on the sizes of the blocks. A television speaks, too; who speaks is not told. One thread at a time.
///
/// ```swift
/// let activity = try VoiceActivity(format, VoiceModel())
/// try activity.process(samples) { step in print(step.samples, step.probability) }
/// try activity.finish { step in print(step.samples, step.probability) }
/// ```
public final class VoiceActivity {
  /// 32 ms of the stream.
  public struct Step: Sendable, Hashable {
    /// Its samples, per channel from the start of the stream, at the stream's rate.
    public var samples: Range<Int64>
    /// The probability of speech in it, from 0 to 1.
    public var probability: Float

    public init(samples: Range<Int64>, probability: Float) {
      self.samples = samples
      self.probability = probability
    }
  }

  /// The length of a step at 16 kHz, in samples.
  package static var stepLength: Int64 { Int64(VoiceNetwork.step) }

  private let format: StreamFormat
  private let chain: Chain<Float>
  private let network: VoiceNetwork
  /// The steps that the network has heard.
  private var heardCount: Int64 = 0
  /// The samples per channel that were taken.
  private var taken: Int64 = 0

  /// - Parameters:
  ///   - format: of the stream.
  ///   - model: the numbers of the network.
  ///   - isLive: whether a short delay matters more than a low cost: a step is then known 37 ms after its last sample.
  /// - Throws: `unsupported` if the rate cannot be converted.
  public init(
    _ format: StreamFormat, _ model: VoiceModel, isLive: Bool = false
  ) throws(AudioError) {
    self.format = format
    network = VoiceNetwork(model)
    chain = Chain(format: format)
    try chain.convert(
      to: StreamFormat(sampleRate: VoiceNetwork.sampleRate, channelCount: 1), quality: .fast,
      isLive: isLive)
  }

  /// Takes the next samples of the stream, interleaved, in whole sample frames.
  ///
  /// - Parameter onStep: called for each step that is complete.
  public func process<Sample: AudioSample>(
    _ samples: Span<Sample>, onStep: (Step) -> Void
  ) throws(AudioError) {
    let most = chain.blockLength * format.channelCount
    var start = 0
    while start < samples.count {
      let block = samples.extracting(start..<min(samples.count, start + most))
      chain.input.append(atMost: block.count) { Sample.present(block, in: &$0) }
      try chain.run()
      taken += Int64(block.count / format.channelCount)
      run(onStep)
      start += block.count
    }
  }

  /// Ends the stream. The last step is as long as the rest; the network hears silence behind it.
  ///
  /// - Parameter onStep: called for each step that the end completes.
  public func finish(onStep: (Step) -> Void) throws(AudioError) {
    while !chain.isEnded {
      try chain.end()
      run(onStep)
    }
    let output = chain.output
    let length = VoiceNetwork.step
    if !output.isEmpty { output.appendSilence(length - output.count) }
    if heardCount > 0 || !output.isEmpty { output.appendSilence(length) }
    run(onStep)
  }

  private func run(_ onStep: (Step) -> Void) {
    let output = chain.output
    while output.count >= VoiceNetwork.step {
      let probability = network.probability(output.readable.extracting(0..<VoiceNetwork.step))
      output.consume(VoiceNetwork.step)
      let step = heardCount - 1
      heardCount += 1
      if step < 0 { continue }
      let samples = min(taken, position(of: step))..<min(taken, position(of: step + 1))
      onStep(Step(samples: samples, probability: probability))
    }
  }

  /// The first sample of a step, at the stream's rate.
  private func position(of step: Int64) -> Int64 {
    step * Int64(VoiceNetwork.step) * Int64(format.sampleRate) / Int64(VoiceNetwork.sampleRate)
  }
}
