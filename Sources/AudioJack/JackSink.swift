// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Plays on ports of a JACK server, or of PipeWire by its libjack.
///
/// ``write(_:)`` fills a ring on the session thread; the server's thread moves samples from the ring to the ports. Only
/// the session thread may use this object. Nothing is clipped: the ports take any number.
public final class JackSink: LiveSink {
  /// The name in errors and notes.
  public let device: String
  private let request: PortRequest
  private let options: JackOptions
  private var end: JackEnd?
  private var stream: PlaybackStream?
  private let clock: RingClock
  private var wakeup = Wakeup()
  private var isStarted = false
  private var standstills = 0
  private var toldLag = -1
  /// The statistics at the close.
  private var final = DeviceStatistics()

  /// The gaps that ``write(_:)`` and ``stop(_:)`` have learnt of. Positions count samples written.
  public private(set) var gaps = DeviceGaps()
  /// Called on the session thread, within ``write(_:)`` and ``stop(_:)``, for each new gap.
  public var onGap: ((DeviceGap) -> Void)?
  /// Called on the session thread for a connection, a changed period and the like.
  public var onNotice: ((LiveNotice) -> Void)?
  /// The negotiated parameters; nil before `initialize`.
  public private(set) var parameters: DeviceParameters?

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
    clock = RingClock(options.clockName, .playback)
  }

  public var precision: SamplePrecision { .single }

  public var pace: Pace { .device(clock) }

  /// The counts so far.
  public var statistics: DeviceStatistics {
    var statistics = stream?.live.statistics() ?? final
    statistics.standstills += standstills
    return statistics
  }

  /// Opens the client and registers its ports.
  ///
  /// - Returns: the server's rate, and the channels that the ports have.
  /// - Throws: `unavailable` without a server; `notFound` for a name without a port; `unsupported` if the server refuses
  ///   an explicit option.
  public func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    self.wakeup = wakeup
    let end = try JackEnd(
      request, .playback, options, device: device, wished: proposal.channelCount, session: wakeup)
    let format = end.parameters.format
    let period = end.parameters.periodSize
    let size = max(
      options.ring(for: .playback, at: format.sampleRate), 2 * PortBuffer.longestCycle)
    let usual = options.latency == nil ? 2 * period : size / 2
    let reserve = options.buffer?.samplesPerChannel(at: format.sampleRate) ?? usual
    let worth = options.latency == nil ? period : size / 4
    let stream = PlaybackStream(
      PortBuffer(end.group.ports), ring: size, worth: worth, session: wakeup,
      reserve: min(max(reserve, period), size - PortBuffer.longestCycle))
    do throws(AudioError) {
      try end.client.cycle.add(stream, .playback, for: device)
    } catch {
      end.release()
      throw error
    }
    self.end = end
    self.stream = stream
    // A session counts a source as late two periods of its sink before the sink runs dry. The server takes the next
    // period at once, when the present one has passed: samples that come in the meantime are in time.
    var timing = end.parameters
    timing.periodSize = max(period / 8, 1)
    clock.open(stream, timing)
    parameters = end.parameters
    return format
  }

  /// Connects the ports. Playing begins when enough samples wait.
  ///
  /// - Throws: `unavailable` if the server does not answer; `lifeCycle` before `initialize`.
  public func start() throws(AudioError) {
    guard let end, let stream, !isStarted else {
      throw AudioError(.lifeCycle, cannot: "start", device, because: "it is not initialised")
    }
    try end.connect(to: device)
    let latency = end.group.tellLatency(sampleRate: end.client.sampleRate)
    stream.latency.store(latency, ordering: .relaxed)
    stream.begin()
    isStarted = true
  }

  /// The free part of the ring; `Int.max` once the server is lost, so that the session calls `write` and gets the error.
  ///
  /// Without a latency the ring counts as four periods long. A session lets silence stand in for a source that is late
  /// when less than a quarter of the longest room is filled: one period, and two are held when the playing begins.
  public var room: Int {
    guard let end, let stream else { return 0 }
    if end.client.events.lossReason != nil { return Int.max }
    let free = stream.live.ring.free()
    if options.latency != nil { return free + stream.toSkip }
    let count = max(4 * end.client.cycle.period, options.buffer == nil ? 0 : 2 * stream.reserve)
    return min(free, max(count - stream.live.ring.filled(), 0)) + stream.toSkip
  }

  /// - Throws: `deviceLost` if the server is lost; `invalidParameter` beyond ``room``; `lifeCycle` before `start`.
  public func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    guard let end, let stream, isStarted else {
      throw AudioError(.lifeCycle, cannot: "write to", device, because: "it is not started")
    }
    takeNews(end, stream)
    try throwIfLost(end, stream)
    let channelCount = stream.live.ring.sampleFrameSize / MemoryLayout<Float>.size
    let toSkip = min(stream.toSkip, samples.count / channelCount)
    try stream.live.write(
      samples.extracting(droppingFirst: toSkip * channelCount), as: SampleLayout(.f32),
      room: room - toSkip, to: device)
    if toSkip > 0 { stream.skip(toSkip) }
    return .accepted
  }

  /// Ends the playback. With `finished` the last sample is heard before the return, unless the session is asked to end
  /// earlier.
  ///
  /// - Throws: `deviceLost` if the server was lost before that.
  public func stop(_ reason: StopReason) throws(AudioError) {
    guard let end, let stream, isStarted else { return }
    isStarted = false
    defer {
      end.client.silence(stream)
      takeNews(end, stream)
    }
    if reason == .finished { try drain(end, stream) }
  }

  private func drain(_ end: JackEnd, _ stream: PlaybackStream) throws(AudioError) {
    stream.live.finish()
    // The last act of the stream is to wake the session.
    while stream.live.ending() == nil, wakeup.request == nil {
      try throwIfLost(end, stream)
      wakeup.wait(atMost: .milliseconds(100))
    }
  }

  private func takeNews(_ end: JackEnd, _ stream: PlaybackStream) {
    for notice in end.group.takeNews() { onNotice?(notice) }
    let lag = stream.lag.load(ordering: .relaxed)
    if lag >= 0, lag != toldLag {
      toldLag = lag
      let length = milliseconds(lag, at: end.client.sampleRate)
      onNotice?(
        LiveNotice(
          "plays \(lag) samples (\(length)) behind its capture", isDetail: true))
      end.client.setLag(lag)
    }
    standstills += end.group.takeStandstills()
    while let mark = stream.live.gaps.takeFirst() {
      gaps.append(mark.gap)
      onGap?(mark.gap)
    }
  }

  private func throwIfLost(_ end: JackEnd, _ stream: PlaybackStream) throws(AudioError) {
    guard let reason = end.client.events.lossReason else { return }
    let played = stream.live.counters.moved.total
    throw AudioError.lost(device, .playback, because: reason, after: played)
  }

  public func dispose() {
    // An error here has no receiver.
    try? stop(.abandoned)
    if let stream {
      final = stream.live.statistics()
      _ = end?.client.cycle.remove(stream)
    }
    clock.close()
    stream = nil
    end?.release()
    end = nil
  }
}
