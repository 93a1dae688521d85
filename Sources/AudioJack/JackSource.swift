// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Captures from ports of a JACK server, or of PipeWire by its libjack.
///
/// The server's thread moves samples from the ports into a ring. ``read(into:)`` gives them on the session thread, the
/// only user of this object. The stream follows the server's frame time: zeros replace the samples of cycles that this
/// client missed, in their place and number. A port without a connection gives silence, which is no loss.
///
/// A server that ends is a lost device: it ends the stream or is waited for, by ``JackOptions/lossPolicy``.
public final class JackSource: AudioSource {
  /// The name in errors and notes.
  public let device: String
  private let request: PortRequest
  let options: JackOptions
  var end: JackEnd?
  var stream: CaptureStream?
  private let clock: JackClock
  var wakeup = Wakeup()
  private var isStarted = false
  private var isInCycles = false
  /// Whether the capture begins with the first connection, which a user makes by hand.
  var waitsForConnection: Bool
  var isStopped = false
  private var hasThrown = false
  var captured = GapFillingReader()
  /// When the present stream was started.
  var begun = MonotonicTime.now
  /// The counts of streams that are closed.
  var past = DeviceStatistics()
  /// The standstills of the server.
  private var standstills = 0

  /// The gaps that reading has reached. Positions count samples of the stream.
  public var gaps: DeviceGaps { captured.gaps }
  package var pauses: [DevicePause] { captured.pauses }
  /// Called on the session thread when reading reaches a gap, before the gap's silence.
  public var onGap: ((DeviceGap) -> Void)?
  /// Called on the session thread when a server that is to come back is lost, and until it is back.
  public var onAbsence: ((Disconnection) -> Void)?
  /// Called on the session thread for a connection, a changed period and the like.
  public var onNotice: ((LiveNotice) -> Void)?
  /// The negotiated parameters; nil before `initialize`.
  public private(set) var parameters: DeviceParameters?
  /// The storage between the cycle and the session, in samples per channel; nil before `initialize`.
  public private(set) var ringSize: Int?

  /// - Parameters:
  ///   - request: the ports to connect to.
  ///   - device: the name in errors and notes.
  ///   - options: the requests of `initialize`.
  public init(
    _ request: PortRequest, device: String = "jack:", options: JackOptions = JackOptions()
  ) {
    self.request = request
    self.device = device
    self.options = options
    waitsForConnection = request == .none
    clock = JackClock(of: options.name)
  }

  /// The counts so far.
  public var statistics: DeviceStatistics {
    var statistics = past
    if let stream { statistics.add(stream.link.counters.statistics()) }
    statistics.standstills += standstills
    return statistics
  }

  /// Opens the client and registers its ports.
  ///
  /// - Throws: `unavailable` without a server; `notFound` for a name without a port; `unsupported` if the server refuses
  ///   an explicit option.
  public func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    self.wakeup = wakeup
    let parameters = try open(options)
    return SourceDescription(
      format: parameters.format, encoding: .f32, pace: .device(clock), latency: .zero)
  }

  func open(_ options: JackOptions) throws(AudioError) -> DeviceParameters {
    let end = try JackEnd(
      request, .capture, options, device: device, wished: nil, session: wakeup)
    let rate = end.parameters.format.sampleRate
    let size = max(options.ring(for: .capture, at: rate), PortStream.longestCycle)
    let worth = options.latency.map { Int($0.samples(at: rate)) } ?? 1
    let stream = CaptureStream(
      PortStream(end.group.ports, ring: size, worth: min(worth, size / 2), session: wakeup))
    ringSize = size
    self.end = end
    self.stream = stream
    clock.open(
      stream,
      ClockTiming(
        sampleRate: rate, periodSize: end.parameters.periodSize,
        bufferSize: end.parameters.bufferSize))
    parameters = end.parameters
    return end.parameters
  }

  /// Connects the ports. The samples begin with the first read: every other end of the session has started by then, so
  /// that none waits in a ring and delays a playback. Those of ``PortRequest/none`` begin with the first connection.
  ///
  /// - Throws: `unavailable` if the server does not answer; `lifeCycle` before `initialize`.
  public func start() throws(AudioError) {
    guard let end, let stream, !isStarted else {
      throw AudioError(.lifeCycle, cannot: "start", device, because: "it is not initialised")
    }
    try end.connect(to: device)
    _ = end.group.tellLatency(sampleRate: end.client.sampleRate)
    if waitsForConnection, !end.group.hasBeenConnected {
      end.group.tell(
        LiveNotice("waits for its first connection: to \(end.group.names.joined(separator: ", "))"))
    }
    begun = .now
    stream.link.noteCycle(at: begun)
    isStarted = true
  }

  /// Puts the stream into the server's cycles, unless it waits for its first connection.
  func begin(_ end: JackEnd, _ stream: CaptureStream) throws(AudioError) {
    if isInCycles || !isStarted { return }
    if waitsForConnection, !end.group.hasBeenConnected { return }
    waitsForConnection = false
    begun = .now
    stream.link.noteCycle(at: begun)
    guard end.client.cycle.captures.add(stream) else {
      throw AudioError(
        .unavailable, cannot: "start", device,
        because: "a client has at most \(StreamSlots.count) ends of a direction")
    }
    wakeup.pause.enter()
    isInCycles = true
  }

  /// Appends captured samples, and silence for lost ones.
  ///
  /// - Throws: `deviceLost`, once, after the last sample before the loss; `inputOutput`, once, before a gap that is
  ///   not to be filled.
  public func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    if captured.isAway, let status = wait(into: &output) { return status }
    guard let stream, let end, !hasThrown else { return .ended }
    try begin(end, stream)
    captured.takePauses(stream.link.pauses)
    takeNews(end)
    // Read before the ring: the server's thread ends after its last use of it.
    let loss = end.client.events.lossReason
    let before = output.count
    while try step(stream, into: &output) {}
    if output.count > before { return .ready }
    if stream.link.ring.filled() > 0 { return .pending }
    if isStopped { return .ended }
    guard let loss else { return isStarted ? .pending : .ended }
    let failure = AudioError.lost(
      device, .capture, because: loss, after: captured.given)
    if options.waitsForReturn {
      beginAbsence(of: stream, failure)
      return .pending
    }
    hasThrown = true
    throw failure
  }

  /// - Returns: whether there may be more to do.
  private func step<Sample: AudioSample>(
    _ stream: CaptureStream, into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> Bool {
    switch captured.step(
      stream.link.ring, stream.link.gaps, as: SampleLayout(.f32),
      channelCount: stream.link.channelCount, stopsAtGaps: options.gapPolicy == .fail,
      into: &output)
    {
    case .none: return false
    case .moved: return true
    case .gap(let gap):
      try reach(gap)
      return true
    }
  }

  private func reach(_ gap: DeviceGap) throws(AudioError) {
    onGap?(gap)
    if options.gapPolicy == .fail {
      hasThrown = true
      throw AudioError.gap(gap, in: device, sampleRate: parameters?.format.sampleRate ?? 1)
    }
  }

  private func takeNews(_ end: JackEnd) {
    for notice in end.group.takeNews() { onNotice?(notice) }
    let count = end.group.takeStandstills()
    if count == 0 { return }
    standstills += count
    // Nothing passed the graph meanwhile: the stream has no place for it, and even a capture without gaps goes on.
    let gap = DeviceGap(
      cause: .xrun, position: captured.given, lostSamples: 0, occurrences: count)
    captured.note(gap)
    onGap?(gap)
  }

  /// Ends the capture. The samples in the ring can still be read; then `read` returns `ended`.
  public func stop() {
    isStopped = true
    leave()
    guard captured.isAway else { return }
    // The wait ends with the capture.
    endAbsence(at: nil)
    hasThrown = true
  }

  /// Takes the stream out of the server's cycles.
  func leave() {
    isStarted = false
    guard let end, let stream, isInCycles else { return }
    isInCycles = false
    stream.link.stop()
    end.client.cycle.captures.remove(stream)
    wakeup.pause.leave()
    if end.client.cycle.passes.waitForPresent(atMost: .seconds(2)) {
      stream.end()
    } else {
      // A cycle hangs in the server's library and may still see the stream.
      _ = unsafe Unmanaged.passRetained(stream)
    }
    captured.takePauses(stream.link.pauses)
  }

  public func dispose() {
    stop()
    close()
  }

  func close() {
    if let stream { past.add(stream.link.counters.statistics()) }
    clock.close()
    stream = nil
    end?.release()
    end = nil
  }
}
