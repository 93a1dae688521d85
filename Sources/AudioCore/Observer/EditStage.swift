// SPDX-License-Identifier: Apache-2.0
/// An observer that edits with a stage instead of a callback, such as a fade or a choice of channels.
protocol EditingObserver: StageObserver {
  /// Adds the edit to `chain`, which has the rate of `shape` and then the format of `shape`.
  ///
  /// - Parameter layout: the layout of the channels of `chain`; nil = the usual one.
  func appendEdit<Sample: AudioSample>(
    to chain: Chain<Sample>, _ shape: FrameShape, _ layout: Metadata.ChannelLayout?
  ) throws(AudioError)
}

extension EditingObserver {
  package func holdBack(_ shape: FrameShape) -> Int { 0 }

  package func stage<Sample: AudioSample>(
    _ setting: StageSetting<Sample>
  ) throws(AudioError) -> any ObservingStage<Sample> {
    let chain = Chain<Sample>(format: setting.inputFormat, setting.inputLayout)
    let channelCount =
      setting.planned.observer.traits.contains(.mapsChannels)
      ? setting.inputFormat.channelCount : setting.shape.format.channelCount
    try chain.convert(
      to: StreamFormat(
        sampleRate: setting.shape.format.sampleRate, channelCount: channelCount),
      with: setting.filters)
    try appendEdit(to: chain, setting.shape, setting.stream.channelLayout)
    return EditStage(setting, chain)
  }
}

/// The edit of one stream: passes the samples that its mode allows, and counts.
final class EditStage<Sample: AudioSample>: ObservingStage {
  var inputFormat: StreamFormat { setting.inputFormat }
  var outputFormat: StreamFormat { setting.outputFormat }
  private(set) var nextPosition: Int64
  private let setting: StageSetting<Sample>
  /// The conversion to the observer's format, and the edit.
  private let chain: Chain<Sample>

  init(_ setting: StageSetting<Sample>, _ chain: Chain<Sample>) {
    precondition(chain.format == setting.shape.format)
    self.setting = setting
    self.chain = chain
    nextPosition = setting.firstPosition
  }

  private var mode: ObserverMode { setting.mode }

  func begin() {}
  func end(_ reason: StopReason) {}

  var isActive: Bool { setting.isActive }
  var isWaiting: Bool { mode != .readOnly && chain.isWaiting }
  var isFinished: Bool { chain.isEnded }

  func process(_ input: Span<Sample>, into output: SampleQueue<Sample>) throws(AudioError) {
    if !isActive, inputFormat == outputFormat {
      // Unregistered: flush the samples held back, then pass the stream unchanged.
      while !chain.isEnded { try move(to: output) { () throws(AudioError) in try chain.end() } }
      output.append(input)
      return
    }
    if mode == .readOnly { output.append(input) }
    if mode == .writeOnly {
      chain.input.appendSilence(input.count)
    } else {
      chain.input.append(input)
    }
    try move(to: output) { () throws(AudioError) in try chain.run() }
  }

  func finish(into output: SampleQueue<Sample>) throws(AudioError) {
    try move(to: output) { () throws(AudioError) in try chain.end() }
  }

  private func move(
    to output: SampleQueue<Sample>, _ run: () throws(AudioError) -> Void
  ) throws(AudioError) {
    let begin = MonotonicTime.now
    try run()
    let result = chain.output
    guard !result.isEmpty else { return }
    let time = MonotonicTime.now.elapsed(since: begin)
    let length = Int64(result.count / chain.format.channelCount)
    if mode != .readOnly { output.append(result.readable) }
    result.removeAll()
    nextPosition += length
    let isDiscarded = mode == .readOnly
    setting.count { statistics in
      statistics.addCall(length, lasting: time)
      if isDiscarded { statistics.discardedEdits += 1 }
    }
  }
}
