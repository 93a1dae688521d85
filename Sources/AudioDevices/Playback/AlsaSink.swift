// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Plays on an ALSA device.
///
/// ``write(_:)`` quantises into a ring on the session thread; a device thread moves samples from the ring to the
/// device. Only the session thread may use this object.
///
/// If the device reports its channel map (`snd_pcm_get_chmap`), the stream's channels, in WAV's order, go to their
/// places: FL FR FC LFE RL RR to a card with FL FR RL RR FC LFE. Else the channels keep the stream's order.
public final class AlsaSink: AudioSink {
  /// The device's ALSA name.
  public let device: String
  private let options: AlsaOptions
  private var loop: PlaybackLoop?
  private var thread: SystemThread?
  private let clock: DevicePacingClock
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
    clock = DevicePacingClock(device)
  }

  /// The precision of the device's encoding; before `initialize`, of the requested encoding.
  public var precision: SamplePrecision {
    let asked = options.encoding ?? options.preferredEncoding
    return (parameters?.layout.encoding ?? asked).precision
  }

  public var pace: Pace { .device(clock) }

  /// The counts so far.
  public var statistics: DeviceStatistics { loop?.link.statistics() ?? final }

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
    let ring = SampleRing(
      capacity: max(
        options.ring(for: .playback, at: parameters.format.sampleRate), parameters.bufferSize),
      sampleFrameSize: parameters.sampleFrameSize)
    let loop = PlaybackLoop(
      handle, DeviceLink(ring: ring, wakeup: wakeup), parameters,
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
    let thread = try SystemThread(named: "playback") { loop.link.whileRunning(loop.run) }
    if case .granted(let level) = priority { thread.raise(toFIFO: level) }
    self.thread = thread
  }

  /// The free part of the ring; `Int.max` once the device is lost, so that the session calls `write` and gets the
  /// error.
  public var room: Int {
    guard let loop else { return 0 }
    if case .lost = loop.link.state() { return Int.max }
    return loop.link.ring.free()
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
    let channelCount = parameters.format.channelCount
    guard samples.count % channelCount == 0, samples.count / channelCount <= room else {
      let limit = "whole sample frames of \(channelCount), at most \(room) of them"
      throw AudioError(
        .invalidParameter, cannot: "write to", device,
        because: "\(samples.count) samples are not \(limit)")
    }
    var taken = 0
    while taken < samples.count {
      let space = unsafe loop.link.ring.writable()
      let count = min(
        space.count / parameters.sampleFrameSize, (samples.count - taken) / channelCount)
      var bytes = unsafe MutableRawSpan(
        _unsafeBytes: UnsafeMutableRawBufferPointer(
          rebasing: space[..<(count * parameters.sampleFrameSize)]))
      let part = samples.extracting(taken..<taken + count * channelCount)
      let outside = Sample.encode(part, as: parameters.layout, into: &bytes)
      if outside > 0 {
        let none = Sample.countOfNaN(in: part)
        loop.link.counters.clipped.wrappingAdd(outside - none, ordering: .relaxed)
        loop.link.counters.notNumbers.wrappingAdd(none, ordering: .relaxed)
      }
      if let order = channelOrder {
        unsafe order.arrange(
          UnsafeMutableRawBufferPointer(rebasing: space[..<(count * parameters.sampleFrameSize)]),
          bytesPerSample: parameters.layout.bytesPerSample, .toStorage)
      }
      loop.link.ring.push(count)
      taken += count * channelCount
    }
    loop.link.signals.signalProgress()
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
      loop.link.stop()
      if !thread.join(atMost: .milliseconds(5_000)) { throw stuck(loop) }
    }
  }

  private func takeGaps(_ loop: PlaybackLoop) {
    while let mark = loop.link.gaps.takeFirst() {
      gaps.append(mark.gap)
      onGap?(mark.gap)
    }
  }

  private func drain(
    _ loop: PlaybackLoop, _ thread: SystemThread, _ parameters: DeviceParameters
  ) throws(AudioError) {
    loop.link.finish()
    let queued = loop.link.ring.filled() + parameters.bufferSize
    let playing = Duration.milliseconds(queued * 1_000 / parameters.format.sampleRate)
    let session = loop.link.signals.session
    let limit = (playing + options.stallLimit) * 2 + .seconds(5)
    let began = MonotonicTime.now
    // The thread's last act is to wake the session.
    while loop.link.state() == .running, session.request == .none,
      MonotonicTime.now.elapsed(since: began) < limit
    { session.wait(atMost: .milliseconds(500)) }
    if session.request != .none {
      // The session is asked to end: skip the last samples, and do not wait for a stuck driver.
      loop.link.stop()
      _ = thread.join(atMost: .milliseconds(1_000))
      return
    }
    if !thread.join(atMost: .milliseconds(100)) { throw stuck(loop) }
    try throwIfLost(loop)
  }

  private func stuck(_ loop: PlaybackLoop) -> AudioError {
    let heard = loop.link.heard().samples
    return AudioError(
      .deviceLost, cannot: "finish playing on", device,
      because: "its driver does not answer, after \(heard) samples per channel were heard")
  }

  private func throwIfLost(_ loop: PlaybackLoop) throws(AudioError) {
    guard case .lost(let failure) = loop.link.state() else { return }
    let heard = loop.link.heard()
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
