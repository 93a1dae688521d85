// SPDX-License-Identifier: Apache-2.0
/// One route of a plan while it runs. Session thread only.
final class RunningStream<Sample: AudioSample> {
  let route: SessionPlan.Route
  let observers: RunningObservers<Sample>
  /// Of the source that it begins at; nil for a sum.
  let intake: Intake<Sample>?
  /// How it enters its sum, where it does.
  var input: MixerInput<Sample>?
  /// The gain of a source, once there is one.
  var gain: ChannelGain<Sample>?
  private let chain: Chain<Sample>

  init(
    _ route: SessionPlan.Route, _ observers: RunningObservers<Sample>, _ intake: Intake<Sample>?,
    _ chain: Chain<Sample>, gain: ChannelGain<Sample>?
  ) {
    self.route = route
    self.observers = observers
    self.intake = intake
    self.chain = chain
    self.gain = gain
  }

  /// The end at which it enters a sum; nil where it does not.
  var takerOfSum: SessionPlan.Taker? {
    route.takers.first { if case .sum = $0.destination { true } else { false } }
  }

  /// Whether everything that its source gave is in the sum.
  var isOver: Bool { chain.isEnded && input?.isExhausted ?? true }

  /// Sets the gain and the balance of its source, from the next sample on: before observers for the local
  /// source, on entering the sum for any other.
  ///
  /// - Throws: as for the entry of a source that is added.
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

/// Where in a stream a stage begins.
struct StagePlace {
  /// The format of the stream there.
  var format: StreamFormat
  /// Where its channels belong; nil = as usual.
  var layout: Metadata.ChannelLayout?
  /// Where the next sample stands, counted from the start of the session, in samples per channel of `clock`.
  var start: (samples: Int64, clock: Int)
}
