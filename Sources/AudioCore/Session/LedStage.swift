// SPDX-License-Identifier: Apache-2.0
/// Holds a source's stream back until the frames of another source, which its observer is to be shown first, have
/// come as far: however the two are read, frames that belong together come in that order.
///
/// Wraps the observer's stage. It lets through what lies before the place up to which the leader's frames were
/// delivered, so that no frame of this stream is shown that reaches beyond it. Session thread only.
final class LedStage<Sample: AudioSample>: ObservingStage {
  private let stage: any ObservingStage<Sample>
  /// How far the leader's frames have come: samples per channel since the start of the session, at a rate; nil where
  /// it has ended or is not there.
  private let leaderProgress: () -> (samples: Int64, clock: Int)?
  private let held = SampleQueue<Sample>()
  /// Where the first sample that is held back stands, in samples per channel since the start of the session.
  private var position: Int64

  var inputFormat: StreamFormat { stage.inputFormat }
  var outputFormat: StreamFormat { stage.outputFormat }

  /// - Parameter start: when the stream begins, in samples per channel of `clock`.
  init(
    _ stage: any ObservingStage<Sample>, start: (samples: Int64, clock: Int),
    leaderProgress: @escaping () -> (samples: Int64, clock: Int)?
  ) {
    self.stage = stage
    self.leaderProgress = leaderProgress
    position = AudioTime.nearest(
      start.samples, from: start.clock, to: stage.inputFormat.sampleRate)
  }

  var isWaiting: Bool { !held.isEmpty || stage.isWaiting }
  var isFinished: Bool { stage.isFinished }
  var isActive: Bool { stage.isActive }
  var nextPosition: Int64 { stage.nextPosition }
  var outputPosition: Int64 { stage.outputPosition }

  func process(_ input: Span<Sample>, into output: SampleQueue<Sample>) throws(AudioError) {
    let held = held
    let width = inputFormat.channelCount
    held.append(input)
    var count = held.count
    if let (samples, clock) = leaderProgress(), isActive {
      let end = AudioTime.rescaled(samples, from: clock, to: inputFormat.sampleRate)
      count = Int(min(Int64(count / width), max(0, end - position))) * width
    }
    position += Int64(count / width)
    try stage.process(held.readable.extracting(first: count), into: output)
    held.consume(count)
  }

  func finish(into output: SampleQueue<Sample>) throws(AudioError) {
    let held = held
    if !held.isEmpty { try stage.process(held.readable, into: output) }
    held.removeAll()
    try stage.finish(into: output)
  }

  func begin() throws(AudioError) { try stage.begin() }
  func beginEnd(_ reason: StopReason) { stage.beginEnd(reason) }
  func advanceEnd() -> Bool { stage.advanceEnd() }
  func end(_ reason: StopReason) throws(AudioError) { try stage.end(reason) }
}
