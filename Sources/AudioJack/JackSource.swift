// SPDX-License-Identifier: Apache-2.0
/// Captures from ports of a JACK server, or of PipeWire by its libjack.
///
/// The server's thread moves samples from the ports into a ring. ``read(into:)`` gives them on the session thread, the
/// only user of this object. The stream follows the server's frame time: zeros replace the samples of cycles that this
/// client missed, in their place and number. A port without a connection gives silence, which is no loss.
///
/// A server that ends is a lost device: it ends the stream or is waited for, by ``JackOptions/lossPolicy``.
public final class JackSource: LiveSource {
  /// The name in errors and notes.
  public let device: String
  private let request: PortRequest
  private let options: JackOptions
  private let clock: RingClock
  private let reader: LiveReader
  private var end: JackEnd?
  private var stream: CaptureStream?
  private var isConnected = false
  private var isInCycles = false
  /// Whether the capture begins with the first connection, which a user makes by hand.
  private var waitsForConnection: Bool
  /// The standstills of the server.
  private var standstills = 0

  /// The gaps that reading has reached. Positions count samples of the stream.
  public var gaps: DeviceGaps { reader.gaps }
  package var pauses: [DevicePause] { reader.pauses }
  /// Called on the session thread when reading reaches a gap, before the gap's silence.
  public var onGap: ((DeviceGap) -> Void)?
  /// Called on the session thread when a server that is to come back is lost, and until it is back.
  public var onAbsence: ((Disconnection) -> Void)?
  /// Called on the session thread for a connection, a changed period and the like.
  public var onNotice: ((LiveNotice) -> Void)?
  /// The negotiated parameters; nil before `initialize`.
  public var parameters: DeviceParameters? { reader.parameters }
  /// The storage between the cycle and the session, in samples per channel; nil before `initialize`.
  public var ringSize: Int? { reader.ringSize }

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
    waitsForConnection = request == .unconnected
    clock = RingClock(options.clockName, .capture)
    reader = LiveReader(clock, options.gapPolicy, options.lossPolicy)
  }

  /// The counts so far.
  public var statistics: DeviceStatistics {
    var statistics = reader.statistics
    statistics.standstills = standstills
    return statistics
  }

  /// Opens the client and registers its ports.
  ///
  /// - Throws: `unavailable` without a server; `notFound` for a name without a port; `unsupported` if the server refuses
  ///   an explicit option.
  public func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    reader.wakeup = wakeup
    let parameters = try open(options)
    return SourceDescription(
      format: parameters.format, encoding: .f32, pace: .device(clock), latency: .zero)
  }

  private func open(_ options: JackOptions) throws(AudioError) -> DeviceParameters {
    let end = try JackEnd(
      request, .capture, options, device: device, wished: nil, session: reader.wakeup)
    let rate = end.parameters.format.sampleRate
    let size = max(options.ring(for: .capture, at: rate), PortBuffer.longestCycle)
    let worth = options.latency.map { Int($0.samples(at: rate)) } ?? 1
    let stream = CaptureStream(
      PortBuffer(end.group.ports), ring: size, worth: min(worth, size / 2),
      session: reader.wakeup)
    self.end = end
    self.stream = stream
    reader.open(stream, end.parameters)
    return end.parameters
  }

  /// Connects the ports. The samples begin with the first read: every other end of the session has started by then, so
  /// that none waits in a ring and delays a playback. Those of ``PortRequest/unconnected`` begin with the first connection.
  ///
  /// - Throws: `unavailable` if the server does not answer; `lifeCycle` before `initialize`.
  public func start() throws(AudioError) { try reader.start(self) }

  /// Puts the stream into the server's cycles, unless it waits for its first connection.
  private func enterCycles(_ end: JackEnd, _ stream: CaptureStream) throws(AudioError) {
    if isInCycles || !isConnected { return }
    if waitsForConnection, !end.group.hasBeenConnected { return }
    waitsForConnection = false
    stream.live.begin(at: .now)
    stream.live.enter()
    do throws(AudioError) {
      try end.client.cycle.add(stream, .capture, for: device)
    } catch {
      stream.live.leave()
      throw error
    }
    isInCycles = true
  }

  /// Appends captured samples, and silence for lost ones.
  ///
  /// - Throws: `deviceLost`, once, after the last sample before the loss; `inputOutput`, once, before a gap that is
  ///   not to be filled.
  public func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    if let end, let stream {
      if reader.isAway {
        // A failure is that of a full client, which it was not before.
        try? enterCycles(end, stream)
      } else {
        try enterCycles(end, stream)
        takeNews(end)
      }
    }
    return try reader.read(self, into: &output)
  }

  private func takeNews(_ end: JackEnd) {
    for notice in end.group.takeNews() { onNotice?(notice) }
    let count = end.group.takeStandstills()
    if count == 0 { return }
    standstills += count
    // The stream has no place for it, and even a capture without gaps goes on.
    reader.note(count, of: .xrun, at: self)
  }

  /// Ends the capture. The samples in the ring can still be read; then `read` returns `ended`.
  public func stop() { reader.stop(self) }

  public func dispose() { reader.dispose(self) }
}

extension JackSource: ReadableEnd {
  package func open(like before: DeviceParameters) throws(AudioError) {
    // The silence of the absence has begun the recording.
    waitsForConnection = false
    var options = options
    options.ratePolicy = .fail
    options.sampleRate = before.format.sampleRate
    options.channelCount = before.format.channelCount
    _ = try open(options)
  }

  package func begin() throws(AudioError) {
    guard let end, let stream else { return }
    try end.connect(to: device)
    _ = end.group.tellLatency(sampleRate: end.client.sampleRate)
    if waitsForConnection, !end.group.hasBeenConnected {
      end.group.tell(
        LiveNotice("waits for its first connection: to \(end.group.names.joined(separator: ", "))"))
    }
    stream.live.begin(at: .now)
    isConnected = true
  }

  /// Takes the stream out of the server's cycles.
  package func halt() {
    isConnected = false
    guard let end, let stream, isInCycles else { return }
    isInCycles = false
    stream.live.stop()
    stream.live.leave()
    if end.client.cycle.remove(stream) { stream.end() }
  }

  package func release() {
    stream = nil
    end?.release()
    end = nil
  }

  package func loss(after samples: Int64) -> AudioError? {
    end?.client.events.lossReason.map {
      .lost(device, .capture, because: $0, after: samples)
    }
  }
}
