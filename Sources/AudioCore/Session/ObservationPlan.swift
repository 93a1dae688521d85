// SPDX-License-Identifier: Apache-2.0
/// The observers at one position, in order, with the shapes they get there.
struct ObservationPlan {
  struct PlannedObserver {
    let observer: RegisteredObserver
    let settlement: Settlement
    /// Which of the channels that it gets belongs where; nil where nobody says so.
    var channelLayout: Metadata.ChannelLayout?
    /// Whether frames of another source come before its own.
    var isLed = false

    var mode: ObserverMode { settlement.mode }
    var shape: FrameShape { settlement.shape }

    /// The longest time that the stream waits in it, where it may edit it.
    var heldBack: Duration {
      if mode == .readOnly { return .zero }
      let own = Duration.samples(observer.holdBack(shape), at: shape.format.sampleRate)
      // A frame of the one that leads may be as long as its own.
      return own * (isLed ? 2 : 1)
        + .samples(settlement.latency, at: shape.format.sampleRate)
    }
  }

  let position: ObservationPosition
  private(set) var observers: [PlannedObserver] = []
  /// The format of the stream after the last observer.
  private(set) var outputFormat: StreamFormat
  private let native: StreamFormat

  /// - Parameters:
  ///   - source: whose stream it is; nil for a sum.
  ///   - parameters: what the session asks for in the observers' stead.
  ///   - carried: what the source carries beside its samples; nil where there is none.
  /// - Throws: `invalidParameter` where an observer's parameters are illegal at this position.
  init(
    _ position: ObservationPosition, of source: SourceKey?, native: StreamFormat,
    observers: [RegisteredObserver], session parameters: FrameParameters?,
    carried: () -> Metadata? = { nil }
  ) throws(AudioError) {
    self.position = position
    self.native = native
    outputFormat = native
    let all = observers.filter { $0.observes(position, of: source) }
    let observing = all.filter { !$0.standsLast } + all.filter(\.standsLast)
    var metadata = observing.isEmpty ? nil : carried()
    for observer in observing {
      let settlement = try observer.settle(
        at: position, native: outputFormat, session: parameters)
      let shape = settlement.shape
      let isLed = position == .beforeMixing && source.flatMap { observer.leader(of: $0) } != nil
      let keepsChannels = shape.format.channelCount == outputFormat.channelCount
      self.observers.append(
        PlannedObserver(
          observer: observer, settlement: settlement,
          channelLayout: keepsChannels || observer.mapsChannels ? metadata?.channelLayout : nil,
          isLed: isLed))
      guard settlement.mode != .readOnly else { continue }
      if !keepsChannels { metadata?.channelLayout = nil }
      metadata = metadata.map { observer.adapt($0, at: native.sampleRate) }
      outputFormat = shape.format
    }
  }
}

extension ObservationPlan {
  private var editors: [PlannedObserver] { observers.filter { $0.mode != .readOnly } }

  /// Whether one of them may change the stream.
  var edits: Bool { !editors.isEmpty }

  /// Whether one of them is shown another source first.
  var isLed: Bool { observers.contains { $0.isLed } }

  /// The longest time that the stream waits in observers that may edit it.
  var heldBackByObservers: Duration { observers.reduce(.zero) { $0 + $1.heldBack } }

  /// The same, and in the conversions to their formats.
  func heldBack(_ quality: ResamplerQuality) -> Duration {
    var rate = native.sampleRate
    return editors.reduce(heldBackByObservers) { total, planned in
      defer { rate = planned.shape.format.sampleRate }
      return total + quality.delay(from: rate, to: planned.shape.format.sampleRate)
    }
  }
}
