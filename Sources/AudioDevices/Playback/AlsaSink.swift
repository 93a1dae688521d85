// SPDX-License-Identifier: Apache-2.0
/// Plays on an ALSA device.
///
/// ``write(_:)`` quantises into a ring on the session thread; a device thread moves samples from the ring to the
/// device. Only the session thread may use this object.
///
/// If the device reports its channel map (`snd_pcm_get_chmap`), the stream's channels, in WAV's order, go to their
/// places: FL FR FC LFE RL RR to a card with FL FR RL RR FC LFE. Else the channels keep the stream's order.
public final class AlsaSink: LiveSink {
  /// The device's ALSA name.
  public let device: String
  private let options: AlsaOptions
  private var loop: PlaybackLoop?
  private var thread: SystemThread?
  private let clock: RingClock
  /// The device's channel order; nil if it is the order of streams.
  private var channelOrder: ChannelOrder?
  /// The statistics at the close of the device.
  private var final = DeviceStatistics()

  /// The gaps that ``write(_:)`` and ``stop(_:)`` have learnt of. Positions count samples written to the device.
  public private(set) var gaps = DeviceGaps()
  /// Called on the session thread, within ``write(_:)`` and ``stop(_:)``, for each new gap.
  public var onGap: ((DeviceGap) -> Void)?

  /// The negotiated parameters; nil before `initialize`.
  public private(set) var parameters: DeviceParameters?

  /// The system's answer to ``AlsaOptions/priority``; nil before `initialize` and without a request.
  public private(set) var priority: RealTimePriority?

  /// - Parameters:
  ///   - device: an ALSA PCM, such as `default`, `hw:CARD=PCH,DEV=0` or `plughw:1,0`.
  ///   - options: the requests of `initialize` to the device.
  public init(device: String, options: AlsaOptions = AlsaOptions()) {
    self.device = device
    self.options = options
    clock = RingClock(device, .playback)
  }

  /// The precision of the device's encoding; before `initialize`, of the requested encoding.
  public var precision: SamplePrecision {
    let asked = options.encoding ?? options.preferredEncoding
    return (parameters?.layout.encoding ?? asked).precision
  }

  public var pace: Pace { .device(clock) }

  /// The counts so far.
  public var statistics: DeviceStatistics { loop?.live.statistics() ?? final }

  /// Opens the device.
  ///
  /// - Returns: the device's nearest format to `proposal`, within the options.
  /// - Throws: `notFound` or `unavailable` if it cannot be opened; `unsupported`, with the device's offer, if it
  ///   refuses an explicit option.
  public func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    let handle = try PCMHandle(opening: device, for: .playback)
    let parameters = try handle.negotiate(options, wish: proposal)
    channelOrder = handle.channels(count: parameters.format.channelCount).order
    let loop = PlaybackLoop(
      handle, LiveRing(options, .playback, parameters, wakeup), parameters,
      PollSchedule(options.latency, parameters), stallLimit: options.stallLimit)
    self.loop = loop
    clock.open(loop, parameters)
    self.parameters = parameters
    priority = options.priority.map { RealTimePriority.request(level: $0) }
    return parameters.format
  }

  /// Starts the device thread. The device itself starts when its buffer has filled, or at the end of a shorter
  /// stream.
  public func start() throws(AudioError) {
    guard let loop, thread == nil else {
      throw AudioError(.lifeCycle, cannot: "start", device, because: "it is not initialised")
    }
    let thread = try SystemThread(named: "playback") { loop.live.whileRunning(loop.run) }
    if case .granted(let level) = priority { thread.raise(toFIFO: level) }
    self.thread = thread
  }

  /// The free part of the ring; `Int.max` once the device is lost, so that the session calls `write` and gets the
  /// error.
  public var room: Int {
    guard let loop else { return 0 }
    return loop.live.failure() == nil ? loop.live.ring.free() : Int.max
  }

  /// Quantises `samples` into the ring.
  ///
  /// - Throws: `deviceLost` if the device is lost; `invalidParameter` beyond ``room``; `lifeCycle` before `start`.
  public func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    guard let loop, let parameters, thread != nil else {
      throw AudioError(.lifeCycle, cannot: "write to", device, because: "it is not started")
    }
    takeGaps(loop)
    try throwIfLost(loop)
    try loop.live.write(
      samples, as: parameters.layout, in: channelOrder, room: room, to: device)
    loop.signals.signalProgress()
    return .accepted
  }

  /// Ends the playback. With `finished` the last sample is heard before the return, unless the session is asked to
  /// end earlier.
  ///
  /// - Throws: `deviceLost` if the device was lost or stuck before that.
  public func stop(_ reason: StopReason) throws(AudioError) {
    guard let loop, let thread, let parameters else { return }
    self.thread = nil
    defer { takeGaps(loop) }
    switch reason {
    case .finished: try drain(loop, thread, parameters)
    case .abandoned:
      loop.live.stop()
      loop.signals.device.signal()
      if !thread.join(atMost: .milliseconds(5_000)) { throw stuck(loop) }
    }
  }

  private func takeGaps(_ loop: PlaybackLoop) {
    while let mark = loop.live.gaps.takeFirst() {
      gaps.append(mark.gap)
      onGap?(mark.gap)
    }
  }

  private func drain(
    _ loop: PlaybackLoop, _ thread: SystemThread, _ parameters: DeviceParameters
  ) throws(AudioError) {
    loop.live.finish()
    loop.signals.device.signal()
    let queued = loop.live.ring.filled() + parameters.bufferSize
    let playing = Duration.milliseconds(queued * 1_000 / parameters.format.sampleRate)
    let session = loop.live.session
    let limit = (playing + options.stallLimit) * 2 + .seconds(5)
    let began = MonotonicTime.now
    // The thread's last act is to wake the session.
    while loop.live.ending() == nil, session.request == nil,
      MonotonicTime.now.elapsed(since: began) < limit
    { session.wait(atMost: .milliseconds(500)) }
    if session.request != nil {
      // The session is asked to end: skip the last samples, and do not wait for a stuck driver.
      loop.live.stop()
      loop.signals.device.signal()
      _ = thread.join(atMost: .milliseconds(1_000))
      return
    }
    if !thread.join(atMost: .milliseconds(100)) { throw stuck(loop) }
    try throwIfLost(loop)
  }

  private func stuck(_ loop: PlaybackLoop) -> AudioError {
    let heard = loop.heardSoFar.samples
    return AudioError(
      .deviceLost, cannot: "finish playing on", device,
      because: "its driver does not answer, after \(heard) samples per channel were heard")
  }

  private func throwIfLost(_ loop: PlaybackLoop) throws(AudioError) {
    guard let failure = loop.live.failure() else { return }
    let heard = loop.heardSoFar
    throw AudioError.deviceLost(
      device, .playback, failure, after: heard.samples, uncertainty: heard.uncertainty,
      stallLimit: options.stallLimit)
  }

  public func dispose() {
    // An error here has no receiver.
    try? stop(.abandoned)
    final = statistics
    clock.close()
    loop = nil
  }
}
