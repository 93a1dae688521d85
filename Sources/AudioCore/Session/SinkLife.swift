/// A sink of a running session, kept to its life cycle.
final class SinkLife {
  let place: SinkPlace
  let sink: any AudioSink
  /// The format of the stream that reaches the sink.
  private(set) var streamFormat: StreamFormat?
  /// The format that the sink takes; nil until it is initialised.
  private(set) var format: StreamFormat?
  private var isStopped = false

  init(_ place: SinkPlace, _ sink: any AudioSink) {
    self.place = place
    self.sink = sink
  }

  func initialize(proposing format: StreamFormat, wakeup: Wakeup) throws(AudioError) {
    streamFormat = format
    self.format = try sink.initialize(proposing: format, wakeup: wakeup)
  }

  /// The stream reaches the sink in another format than was proposed to it.
  func settle(streamFormat: StreamFormat) { self.streamFormat = streamFormat }

  /// Stops the sink, the first time it is called.
  func stop(_ reason: StopReason) throws(AudioError) {
    guard format != nil, !isStopped else { return }
    isStopped = true
    try sink.stop(reason)
  }

  func dispose() {
    // Nothing is left to be lost: a failure to remove an incomplete file changes no outcome.
    try? stop(.abandoned)
    sink.dispose()
  }
}
