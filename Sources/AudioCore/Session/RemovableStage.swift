// SPDX-License-Identifier: Apache-2.0
/// An observer's stage, followed by the conversion from its format to the stream's format behind it. Once the observer
/// has left, only the conversion.
///
/// So the stages behind an observer stay unchanged when the observer comes or goes. Session thread only.
final class RemovableStage<Sample: AudioSample>: ObservingStage {
  private let stage: (any ObservingStage<Sample>)?
  private let chain: Chain<Sample>
  /// The position of the first output sample, at the output rate.
  private let start: Int64
  /// The samples per channel that came out.
  private var passed: Int64 = 0

  /// - Parameters:
  ///   - stage: takes the stream at `place`; nil = none.
  ///   - format: the format of the stream behind it.
  ///   - quality: the quality of the rate conversion to that format.
  init(
    _ stage: (any ObservingStage<Sample>)?, at place: StagePlace, to format: StreamFormat,
    quality: ResamplerQuality
  ) throws(AudioError) {
    self.stage = stage
    chain = Chain(format: place.format, place.layout)
    if let stage { chain.append(stage) }
    try chain.convert(to: format, quality: quality, isLive: true)
    start = AudioTime.nearest(place.start.samples, from: place.start.clock, to: format.sampleRate)
  }

  var inputFormat: StreamFormat { chain.inputFormat }
  var outputFormat: StreamFormat { chain.format }
  var isWaiting: Bool { chain.isWaiting }
  var isFinished: Bool { chain.isEnded }
  var isActive: Bool { stage?.isActive ?? true }
  var nextPosition: Int64 { start + passed }

  func process(_ input: Span<Sample>, into output: SampleQueue<Sample>) throws(AudioError) {
    chain.input.append(input)
    defer { move(to: output) }
    try chain.run()
  }

  func finish(into output: SampleQueue<Sample>) throws(AudioError) {
    defer { move(to: output) }
    try chain.end()
  }

  private func move(to output: SampleQueue<Sample>) {
    let count = chain.output.count
    passed += Int64(count / outputFormat.channelCount)
    chain.output.move(count, to: output)
  }

  func begin() throws(AudioError) { try stage?.begin() }
  func beginEnd(_ reason: StopReason) { stage?.beginEnd(reason) }
  func advanceEnd() -> Bool { stage?.advanceEnd() ?? true }
  func end(_ reason: StopReason) throws(AudioError) { try stage?.end(reason) }
}
