// SPDX-License-Identifier: Apache-2.0
/// One route of a plan while it runs. Session thread only.
final class RunningStream<Sample: AudioSample> {
  let route: SessionPlan.Route
  let observers: RunningObservers<Sample>
  /// The reader of the stream's source; nil for a sum.
  let sourceReader: SourceReader<Sample>?
  /// The input to the stream's sum; nil without one.
  var input: MixerInput<Sample>?
  /// The gain of a source; nil until one is set.
  var gain: ChannelGain<Sample>?
  private let chain: Chain<Sample>

  init(
    _ route: SessionPlan.Route, _ observers: RunningObservers<Sample>,
    _ sourceReader: SourceReader<Sample>?,
    _ chain: Chain<Sample>, gain: ChannelGain<Sample>?
  ) {
    self.route = route
    self.observers = observers
    self.sourceReader = sourceReader
    self.chain = chain
    self.gain = gain
  }

  /// The taker by which the stream enters a sum; nil without one.
  var takerOfSum: SessionPlan.Taker? {
    route.takers.first { if case .sum = $0.destination { true } else { false } }
  }

  /// Whether all samples of the source are in the sum.
  var isOver: Bool { chain.isEnded && input?.isExhausted ?? true }

  /// Sets the gain and the pan of the source from the next sample on: in front of observers for the local source, on
  /// entering the sum for any other.
  ///
  /// - Throws: the errors of ``MixEntry/channelGains(_:)``.
  func set(_ entry: MixEntry) throws(AudioError) {
    let isLocal = route.observation.position == .record
    let chain = isLocal ? observers.chain : input?.chain ?? observers.chain
    let format = isLocal ? observers.inputFormat : chain.format
    let factors =
      try entry.channelGains(format) ?? Array(repeating: 1, count: format.channelCount)
    if let gain { return gain.set(factors) }
    let made = ChannelGain<Sample>(
      Array(repeating: 1, count: format.channelCount), format: format)
    made.set(factors)
    gain = made
    if isLocal { observers.putInFront(made) } else { chain.insert(made, at: chain.stageCount) }
  }
}
