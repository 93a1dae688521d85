// SPDX-License-Identifier: Apache-2.0
/// A source of a running session; keeps to its life cycle.
final class SourceLife {
  let entry: SourceEntry
  private(set) var description: SourceDescription
  private var isStarted = false
  private var isStopped = false
  private var isDisposed = false
  private var claim: EndpointClaim?

  /// Initialises the source; disposes of it if that fails.
  ///
  /// - Parameter claim: the claim of the source; nil = to be made.
  /// - Throws: the error of the source; `lifeCycle`, without a call to it, if it is in use.
  init(
    _ entry: SourceEntry, _ claim: EndpointClaim? = nil, proposing proposal: StreamFormat?,
    wakeup: Wakeup
  ) throws(AudioError) {
    self.entry = entry
    self.claim = if let claim { claim } else { try EndpointClaim(entry) }
    do {
      description = try entry.source.initialize(proposing: proposal, wakeup: wakeup)
    } catch {
      entry.source.dispose()
      throw error
    }
  }

  func metadata() throws(AudioError) -> Metadata? { try entry.source.metadata() }

  private(set) lazy var channelLayout: Metadata.ChannelLayout? =
    entry.source.channelLayout(in: description.format)

  func start() throws(AudioError) {
    _ = channelLayout
    try entry.source.start()
    isStarted = true
  }

  /// Tells a running source whether it is muted.
  ///
  /// - Returns: whether the source gives no samples while it is muted.
  func setMuted(_ isMuted: Bool) throws(AudioError) -> Bool {
    guard isStarted, !isStopped, let source = entry.source.muted else { return false }
    if isMuted { source.mute() } else { try source.unmute() }
    return true
  }

  /// Stops the source if it is started; only the first call counts.
  func stop() {
    guard isStarted, !isStopped else { return }
    isStopped = true
    entry.source.stop()
  }

  /// Releases the source; only the first call counts.
  func dispose() {
    if isDisposed { return }
    isDisposed = true
    stop()
    entry.source.dispose()
    claim = nil
  }
}

extension EndpointClaim {
  convenience init(_ entry: SourceEntry) throws(AudioError) {
    try self.init(entry.source, named: entry.key.description)
  }
}

/// A sink of a running session; keeps to its life cycle.
final class SinkLife {
  let place: SinkPlace
  let sink: any AudioSink
  /// The format of the stream that reaches the sink.
  private(set) var streamFormat: StreamFormat?
  /// The format that the sink takes; nil until it is initialised.
  private(set) var format: StreamFormat?
  private(set) var hasSamples = false
  private var stage = Stage.made
  private var claim: EndpointClaim?

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

  /// Sets the format of the stream that reaches the sink; the first call initialises the sink with it.
  ///
  /// - Throws: the error of the sink; `lifeCycle`, without a call to it, if it is in use.
  func reach(with format: StreamFormat, wakeup: Wakeup) throws(AudioError) {
    streamFormat = format
    guard stage == .made else { return }
    claim = try EndpointClaim(sink, named: place.description)
    stage = .initialized
    self.format = try sink.initialize(proposing: format, wakeup: wakeup)
  }

  /// - Throws: `unsupported` if a device plays it, which would have to follow the clock of a single source.
  func requireNoDevice() throws(AudioError) {
    guard sink.pace.isLive else { return }
    throw AudioError(
      .unsupported, cannot: "play the", place.description,
      because: "a device is no sink of a single source\(place.track == nil ? "'s playback" : "")",
      advice: "give it a file or a pipe")
  }

  func start() throws(AudioError) {
    try sink.start()
    stage = .started
  }

  func write<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus {
    hasSamples = true
    return try sink.write(samples)
  }

  /// Stops the sink if it is started; only the first call counts.
  func stop(_ reason: StopReason) throws(AudioError) {
    guard stage == .started else { return }
    stage = .stopped
    try sink.stop(reason)
  }

  func dispose() {
    // A failure to remove an incomplete file changes no outcome.
    try? stop(.abandoned)
    if stage != .made { sink.dispose() }
    claim = nil
  }
}
