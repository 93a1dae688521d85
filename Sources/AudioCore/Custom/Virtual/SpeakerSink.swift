/// The playback sink of a virtual speaker: ends its other streams together with the mix.
final class SpeakerSink: AudioSink {
  private let base: PullSink
  private let observer: SpeakerObserver

  init(_ base: PullSink, _ observer: SpeakerObserver) {
    self.base = base
    self.observer = observer
  }

  var precision: SamplePrecision { base.precision }
  var pace: Pace { base.pace }
  var room: Int { base.room }

  func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    try base.initialize(proposing: proposal, wakeup: wakeup)
  }

  func start() throws(AudioError) { try base.start() }

  func write<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus {
    try base.write(samples)
  }

  func stop(_ reason: StopReason) throws(AudioError) {
    observer.end(reason)
    try base.stop(reason)
  }

  func dispose() {
    observer.end(.abandoned)
    base.dispose()
  }
}
