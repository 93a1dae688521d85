internal import Synchronization

/// Captures from an ALSA device.
///
/// A device thread moves samples from the device into a ring; ``read(into:)`` decodes them on the
/// session thread, which alone may use this object.
///
/// Channels keep their order, as with `arecord` and `aplay`: channel 3 of the device is channel 3 of the
/// stream. From six on a file's order (WAV: FL FR FC LFE RL RR) and a card's (ALSA's default: FL FR RL RR
/// FC LFE) may differ; nothing is reordered.
public final class AlsaSource: AudioSource {
  /// The device's ALSA name.
  public let device: String
  private let options: AlsaOptions
  private(set) var loop: CaptureLoop?
  private var thread: SystemThread?
  private var hasThrownLoss = false
  /// Where the device was when its thread last told, if somebody watches.
  var latestClockReading: ClockReading?
  /// The statistics as they were when the device was closed.
  private var final = DeviceStatistics()

  /// What the device and this source agreed on; nil before `initialize`.
  public private(set) var parameters: AlsaParameters?

  /// - Parameters:
  ///   - device: an ALSA PCM, such as `default`, `hw:CARD=PCH,DEV=0` or `plughw:1,0`.
  ///   - options: what `initialize` asks of the device.
  public init(device: String, options: AlsaOptions = AlsaOptions()) {
    self.device = device
    self.options = options
  }

  /// What happened so far.
  public var statistics: DeviceStatistics { loop?.channel.counters.statistics() ?? final }

  /// Takes the oldest gap that was not taken yet; gap positions count captured samples.
  public func nextGap() -> DeviceGap? { loop?.channel.gaps.next() }

  /// Opens the device.
  ///
  /// - Throws: `notFound` or `unavailable` where it cannot be opened; `unsupported`, with what it does
  ///   give, where it refuses something that the options name.
  public func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    let handle = try PCMHandle(opening: device, for: .capture)
    let parameters = try handle.negotiate(options, wish: proposal)
    let ring = SampleRing(
      capacity: max(
        options.ring(for: .capture, at: parameters.format.sampleRate), parameters.bufferSize),
      sampleFrameSize: parameters.sampleFrameSize)
    loop = CaptureLoop(
      handle, DeviceChannel(ring: ring, wakeup: wakeup), parameters,
      stallLimit: options.stallLimit * 1_000)
    self.parameters = parameters
    return SourceDescription(
      format: parameters.format, encoding: parameters.layout.encoding, isLive: true,
      isClock: true)
  }

  /// - Throws: the device's reason where it does not start; `lifeCycle` before `initialize`.
  public func start() throws(AudioError) {
    guard let loop, thread == nil else {
      throw AudioError(.lifeCycle, cannot: "start", device, because: "it is not initialised")
    }
    try callALSA("snd_pcm_start", cannot: "start device", device) { CInt(loop.handle.start()) }
    thread = try SystemThread { loop.run() }
  }

  /// Appends what was captured.
  ///
  /// - Throws: `deviceLost`, once, after the last sample that was captured before the loss.
  public func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    guard let loop, let parameters else { return .ended }
    // Before the ring: the device thread ends after its last use of it.
    let outcome = loop.channel.outcome.load(ordering: .acquiring)
    var isEmpty = true
    while true {
      let held = unsafe loop.channel.ring.readable()
      let room = output.freeCapacity / parameters.format.channelCount
      let count = min(held.count / parameters.sampleFrameSize, room)
      if count == 0 { break }
      let bytes = unsafe RawSpan(
        _unsafeBytes: UnsafeRawBufferPointer(
          rebasing: held[..<(count * parameters.sampleFrameSize)]))
      Sample.decode(bytes, as: parameters.layout, into: &output)
      loop.channel.ring.pop(count)
      isEmpty = false
    }
    if !isEmpty {
      loop.channel.signals.device.signal()
      return .ready
    }
    if outcome > 0 || loop.channel.ring.filled() > 0 { return thread == nil ? .ended : .pending }
    if outcome < 0, !hasThrownLoss {
      hasThrownLoss = true
      throw AudioError.deviceLost(
        device, .capture, code: outcome, after: statistics.samplesMoved,
        stallLimit: options.stallLimit)
    }
    return .ended
  }

  /// Ends the capture. What the ring holds can still be read; then `read` answers `ended`.
  public func stop() {
    guard let loop, let thread else { return }
    loop.channel.stop()
    if !thread.join(milliseconds: 5_000) {
      // Stuck inside a driver: the thread keeps the device until the driver lets go of it.
      loop.channel.outcome.store(0, ordering: .releasing)
    }
    self.thread = nil
  }

  public func dispose() {
    stop()
    final = statistics
    loop = nil
  }
}
