// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Plays on an ALSA device.
///
/// ``write(_:)`` quantises into a ring on the session thread; a device thread moves the ring to the
/// device. Only the session thread may use this object.
///
/// Where the device says which channel belongs where (`snd_pcm_get_chmap`), the channels of the stream, which stand in
/// WAV's order, go there: FL FR FC LFE RL RR to a card that has FL FR RL RR FC LFE. Where it does not say, channel 3 of
/// the stream is channel 3 of the device.
public final class AlsaSink: AudioSink {
  /// The device's ALSA name.
  public let device: String
  private let options: AlsaOptions
  private var loop: PlaybackLoop?
  private var thread: SystemThread?
  private let clock: DevicePacingClock
  /// How the device has the channels; nil where that is the order of streams.
  private var channelOrder: ChannelOrder?
  /// The statistics as they were when the device was closed.
  private var final = DeviceStatistics()

  /// The gaps so far, as far as ``write(_:)`` and ``stop(_:)`` came to know of them. Positions count samples
  /// that were written to the device.
  public private(set) var gaps = DeviceGaps()
  /// Called on the session thread, within ``write(_:)`` and ``stop(_:)``, when they learn of a gap.
  public var onGap: ((DeviceGap) -> Void)?

  /// What the device and this sink agreed on; nil before `initialize`.
  public private(set) var parameters: AlsaParameters?

  /// What the system said to ``AlsaOptions/priority``; nil before `initialize` and where none was asked for.
  public private(set) var priority: RealTimePriority?

  /// - Parameters:
  ///   - device: an ALSA PCM, such as `default`, `hw:CARD=PCH,DEV=0` or `plughw:1,0`.
  ///   - options: what `initialize` asks of the device.
  public init(device: String, options: AlsaOptions = AlsaOptions()) {
    self.device = device
    self.options = options
    clock = DevicePacingClock(device)
  }

  /// That of the device's encoding; before `initialize`, of the encoding to be asked for.
  public var precision: SamplePrecision {
    let asked = options.encoding ?? options.preferredEncoding
    return (parameters?.layout.encoding ?? asked).precision
  }

  public var pace: Pace { .device(clock) }

  /// What happened so far.
  public var statistics: DeviceStatistics { loop?.link.statistics() ?? final }

  /// Opens the device.
  ///
  /// - Returns: the nearest to `proposal` that the device gives, with what the options name.
  /// - Throws: `notFound` or `unavailable` where it cannot be opened; `unsupported`, with what it does
  ///   give, where it refuses something that the options name.
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
      DeviceRhythm(options.latency, parameters), stallLimit: options.stallLimit)
    self.loop = loop
    clock.open(loop, parameters)
    self.parameters = parameters
    priority = options.priority.map { RealTimePriority.request(level: $0) }
    return parameters.format
  }

  /// Starts the device thread. The device itself starts when its buffer has filled, or at the end of
  /// a stream that is shorter.
  public func start() throws(AudioError) {
    guard let loop, thread == nil else {
      throw AudioError(.lifeCycle, cannot: "start", device, because: "it is not initialised")
    }
    let thread = try SystemThread(named: "playback") { loop.link.whileRunning(loop.run) }
    if case .granted(let level) = priority { thread.raise(toFIFO: level) }
    self.thread = thread
  }

  /// The free part of the ring; once the device is lost, `Int.max`, so that the session calls `write`
  /// and learns of it.
  public var room: Int {
    guard let loop else { return 0 }
    if case .lost = loop.link.state() { return Int.max }
    return loop.link.ring.free()
  }

  /// Quantises `samples` into the ring.
  ///
  /// - Throws: `deviceLost` when the device has gone; `invalidParameter` beyond ``room``.
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

  /// Ends the playback. After `finished` the last sample has been heard, unless the session is asked to end
  /// before that.
  ///
  /// - Throws: `deviceLost` where the device went away or got stuck before that.
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
    _ loop: PlaybackLoop, _ thread: SystemThread, _ parameters: AlsaParameters
  ) throws(AudioError) {
    loop.link.finish()
    let queued = loop.link.ring.filled() + parameters.bufferSize
    let playing = Duration.milliseconds(queued * 1_000 / parameters.format.sampleRate)
    let session = loop.link.signals.session
    let limit = (playing + options.stallLimit) * 2 + .seconds(5)
    let began = MonotonicTime.now
    // The thread's last act is to wake the session.
    while case .running = loop.link.state(), session.request == .none,
      MonotonicTime.now.elapsed(since: began) < limit
    { session.wait(atMost: .milliseconds(500)) }
    if session.request != .none {
      // Nobody waits for the last samples any more, and least of all for a driver that is stuck.
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
    // A failure here has nobody left to hear of it.
    try? stop(.abandoned)
    final = statistics
    clock.close()
    loop = nil
  }
}
