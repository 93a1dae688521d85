// SPDX-License-Identifier: Apache-2.0
/// An observer's stage and the way back from its format to the one that the stream has behind it. Where the observer
/// stands there no longer, only that way.
///
/// So what stands behind an observer goes on as it was, whatever becomes of the observer. Session thread only.
final class Detour<Sample: AudioSample>: ObservingStage {
  private let stage: (any ObservingStage<Sample>)?
  private let chain: Chain<Sample>
  /// Where the first sample that came out stood, at the rate of the output.
  private let start: Int64
  /// Samples per channel that came out.
  private var passed: Int64 = 0

  /// - Parameters:
  ///   - stage: takes the stream at `place`; nil = none.
  ///   - format: of the stream behind it.
  ///   - quality: of the rate conversion to it.
  init(
    _ stage: (any ObservingStage<Sample>)?, at place: StagePlace, to format: StreamFormat,
    quality: ResamplerQuality
  ) throws(AudioError) {
    self.stage = stage
    chain = Chain(format: place.format, place.layout)
    if let stage { chain.append(stage) }
    try chain.convert(to: format, quality: quality)
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
    let queue = chain.output
    passed += Int64(queue.count / outputFormat.channelCount)
    output.append(queue.readable)
    queue.removeAll()
  }

  func begin() throws(AudioError) { try stage?.begin() }
  func beginEnd(_ reason: StopReason) { stage?.beginEnd(reason) }
  func advanceEnd() -> Bool { stage?.advanceEnd() ?? true }
  func end(_ reason: StopReason) throws(AudioError) { try stage?.end(reason) }
}
