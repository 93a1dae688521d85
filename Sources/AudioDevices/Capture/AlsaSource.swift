// SPDX-License-Identifier: Apache-2.0
/// Captures from an ALSA device.
///
/// A device thread moves samples from the device into a ring. ``read(into:)`` decodes them on the session thread, the
/// only user of this object.
///
/// The stream follows the device's clock: zeros replace lost samples, whether the device lost them or the ring was
/// full. A device that counts on (a hardware device does) tells their number. Else the number is estimated from the
/// clock, and ``gaps`` says so.
///
/// A lost device ends the stream or is waited for, by ``AlsaOptions/lossPolicy``. During the wait the stream is
/// silent at the pace of the machine's clock; it continues once the device is back. So does a device that is closed
/// while it is not needed.
///
/// If the device reports its channel map (`snd_pcm_get_chmap`), channels come in the order of streams, WAV's: a card
/// with FL FR RL RR FC LFE gives FL FR FC LFE RL RR. Else the channels keep the device's order, and a stream of more
/// than two channels has no loudspeakers.
public final class AlsaSource: LiveSource {
  /// The device's ALSA name.
  public let device: String
  private let options: AlsaOptions
  private let clock: RingClock
  private let reader: LiveReader
  private var loop: CaptureLoop?
  private var thread: SystemThread?
  private var channels = DeviceChannels()
  /// Whether the device is needed now, asked at each read; while it is not, it is closed. Set before `start`; nil = always.
  package var isNeeded: (() -> Bool)?

  /// The gaps that reading has reached. Positions count samples of the stream.
  public var gaps: DeviceGaps { reader.gaps }
  /// The pauses so far, in order; the first ``DeviceGaps/longestList`` of them.
  package var pauses: [DevicePause] { reader.pauses }
  /// Called on the session thread when reading reaches a gap, before the gap's silence.
  public var onGap: ((DeviceGap) -> Void)?
  /// Called on the session thread when a device that is to come back is lost or closed, and until it is back.
  public var onAbsence: ((Disconnection) -> Void)?

  /// The negotiated parameters; nil before `initialize`.
  public var parameters: DeviceParameters? { reader.parameters }

  /// The system's answer to ``AlsaOptions/priority``; nil before `initialize` and without a request.
  public private(set) var priority: RealTimePriority?

  /// - Parameters:
  ///   - device: an ALSA PCM, such as `default`, `hw:CARD=PCH,DEV=0` or `plughw:1,0`.
  ///   - options: the requests of `initialize` to the device.
  public init(device: String, options: AlsaOptions = AlsaOptions()) {
    self.device = device
    self.options = options
    clock = RingClock(device, .capture)
    reader = LiveReader(clock, options.gapPolicy, options.lossPolicy, absentKind: .notFound)
  }

  /// The counts so far.
  public var statistics: DeviceStatistics { reader.statistics }

  /// The drift of the device's clock after the end of the capture; nil if the capture was too short, or if the device
  /// has no clock.
  package var clockDrift: ClockDrift? { reader.drift }

  /// The storage between the device and the session, in samples per channel; nil before `initialize`.
  public var ringSize: Int? { reader.ringSize }

  /// Opens the device.
  ///
  /// - Throws: `notFound` or `unavailable` if it cannot be opened; `unsupported`, with the device's offer, if it
  ///   refuses an explicit option.
  public func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    reader.wakeup = wakeup
    let parameters = try open(options, wish: proposal)
    priority = options.priority.map { RealTimePriority.request(level: $0) }
    return SourceDescription(
      format: parameters.format, encoding: parameters.layout.encoding, pace: .device(clock))
  }

  /// The loudspeakers of the channels if the device reports them; nil for one and two channels.
  public func metadata() throws(AudioError) -> Metadata? {
    guard let parameters, let layout = channels.layout else { return nil }
    var metadata = Metadata()
    metadata.channelLayout = layout
    metadata.channelCount = parameters.format.channelCount
    return metadata
  }

  private func open(
    _ options: AlsaOptions, wish: StreamFormat?
  ) throws(AudioError) -> DeviceParameters {
    let handle = try PCMHandle(opening: device, for: .capture)
    let parameters = try handle.negotiate(options, wish: wish)
    channels = handle.channels(count: parameters.format.channelCount)
    reader.order = channels.order
    let loop = CaptureLoop(
      handle, LiveRing(options, .capture, parameters, reader.wakeup), parameters,
      try DeviceStatus(for: device), PollSchedule(options.latency, parameters),
      stallLimit: options.stallLimit)
    self.loop = loop
    reader.open(loop, parameters)
    return parameters
  }

  /// - Throws: the device's error if it does not start; `lifeCycle` before `initialize`.
  public func start() throws(AudioError) { try reader.start(self) }

  /// Appends captured samples, and silence for lost ones.
  ///
  /// - Throws: `deviceLost`, once, after the last sample before the loss; `inputOutput`, once, before a gap that is
  ///   not to be filled.
  public func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    let status = try reader.read(self, into: &output)
    if status == .ready { loop?.signals.signalProgress() }
    return status
  }

  /// Ends the capture. The samples in the ring can still be read; then `read` returns `ended`.
  public func stop() { reader.stop(self) }

  public func dispose() { reader.dispose(self) }
}

extension AlsaSource: ReadableEnd {
  package func open(like before: DeviceParameters) throws(AudioError) {
    var options = options
    options.ratePolicy = .fail
    options.sampleRate = before.format.sampleRate
    options.channelCount = before.format.channelCount
    options.encoding = before.layout.encoding
    _ = try open(options, wish: nil)
  }

  package func begin() throws(AudioError) {
    guard let loop else { return }
    try loop.start()
    let thread = try SystemThread(named: "capture") { loop.live.whileRunning(loop.run) }
    if case .granted(let level) = priority { thread.raise(toFIFO: level) }
    self.thread = thread
  }

  package func halt() {
    guard let thread, let loop else { return }
    loop.live.stop()
    loop.signals.device.signal()
    // A thread that is stuck in a driver keeps the device until the driver returns.
    if !thread.join(atMost: .milliseconds(5_000)) { loop.live.end() }
    self.thread = nil
  }

  package func release() { loop = nil }

  package func loss(after samples: Int64) -> AudioError? {
    loop?.live.failure().map {
      .deviceLost(device, .capture, $0, after: samples, stallLimit: options.stallLimit)
    }
  }
}
