// SPDX-License-Identifier: Apache-2.0
/// Holds back the stream of a source until its observer has seen the frames of another source up to the same time.
/// So frames that belong together come in that order, however the sources are read.
///
/// Wraps the observer's stage. It passes samples up to the end of the leader's delivered frames, so no frame of this
/// stream reaches beyond them. Session thread only.
final class SidechainStage<Sample: AudioSample>: ObservingStage {
  private let stage: any ObservingStage<Sample>
  /// The end of the leader's delivered frames, in samples per channel since the start of the session, at a rate; nil if
  /// the leader has ended or is absent.
  private let leaderProgress: () -> (samples: Int64, clock: Int)?
  private let held = SampleQueue<Sample>()
  /// The position of the first sample held back, in samples per channel since the start of the session.
  private var position: Int64

  var inputFormat: StreamFormat { stage.inputFormat }
  var outputFormat: StreamFormat { stage.outputFormat }

  /// - Parameter start: the start of the stream, in samples per channel of `clock`.
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

  /// Whether samples are held back and none of them can go on before the leader does.
  var isStarved: Bool { !held.isEmpty && readyCount == 0 }

  /// The samples held back that can go on, across all channels.
  private var readyCount: Int {
    guard isActive, let (samples, clock) = leaderProgress() else { return held.count }
    let width = inputFormat.channelCount
    let end = AudioTime.rescaled(samples, from: clock, to: inputFormat.sampleRate)
    return Int(min(Int64(held.count / width), max(0, end - position))) * width
  }

  func process(_ input: Span<Sample>, into output: SampleQueue<Sample>) throws(AudioError) {
    let held = held
    let width = inputFormat.channelCount
    held.append(input)
    let count = readyCount
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
