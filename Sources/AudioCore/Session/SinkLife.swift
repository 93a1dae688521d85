/// A sink of a running session, kept to its life cycle.
final class SinkLife {
  let place: SinkPlace
  let sink: any AudioSink
  /// The format of the stream that reaches the sink.
  private(set) var streamFormat: StreamFormat?
  /// The format that the sink takes; nil until it is initialised.
  private(set) var format: StreamFormat?
  /// Whether it took any samples.
  private(set) var hasSamples = false
  private var stage = Stage.made

  private enum Stage {
    case made
    case initialized
    case started
    case stopped
  }

  init(_ place: SinkPlace, _ sink: any AudioSink) {
    self.place = place
    self.sink = sink
  }

  func initialize(proposing format: StreamFormat, wakeup: Wakeup) throws(AudioError) {
    streamFormat = format
    stage = .initialized
    self.format = try sink.initialize(proposing: format, wakeup: wakeup)
  }

  /// The stream reaches the sink in another format than was proposed to it.
  func settle(streamFormat: StreamFormat) { self.streamFormat = streamFormat }

  func start() throws(AudioError) {
    try sink.start()
    stage = .started
  }

  func write<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus {
    hasSamples = true
    return try sink.write(samples)
  }

  /// Stops the sink if it is started, the first time it is called.
  func stop(_ reason: StopReason) throws(AudioError) {
    guard stage == .started else { return }
    stage = .stopped
    try sink.stop(reason)
  }

  func dispose() {
    // Nothing is left to be lost: a failure to remove an incomplete file changes no outcome.
    try? stop(.abandoned)
    if stage != .made { sink.dispose() }
  }
}
