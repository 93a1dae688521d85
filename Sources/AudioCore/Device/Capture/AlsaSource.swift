internal import Synchronization

/// Captures from an ALSA device.
///
/// A device thread moves samples from the device into a ring; ``read(into:)`` decodes them on the
/// session thread, which alone may use this object.
///
/// The stream keeps to the device's clock: where samples were lost, in the device or because the ring was
/// full, as many zeros stand for them. How many those were is counted where the device goes on counting (a
/// hardware device does) and else estimated from the clock; ``gaps`` says which.
///
/// Channels keep their order, as with `arecord` and `aplay`: channel 3 of the device is channel 3 of the
/// stream. From six on a file's order (WAV: FL FR FC LFE RL RR) and a card's (ALSA's default: FL FR RL RR
/// FC LFE) may differ; nothing is reordered.
public final class AlsaSource: AudioSource {
  /// The device's ALSA name.
  public let device: String
  private let options: AlsaOptions
  private var loop: CaptureLoop?
  private var thread: SystemThread?
  private let clock: DevicePacingClock
  /// Samples per channel given by ``read(into:)``.
  private var given: Int64 = 0
  /// Samples per channel taken from the ring.
  private var taken: Int64 = 0
  /// Samples per channel of silence still to give.
  private var silence: Int64 = 0
  private var hasThrown = false
  /// As they were when the device was closed.
  private var final: (statistics: DeviceStatistics, drift: ClockDrift?) = (DeviceStatistics(), nil)

  /// The gaps that reading came to so far. Positions count samples of the stream.
  public private(set) var gaps = DeviceGaps()
  /// The pauses so far, in order; the first ``DeviceGaps/longestList`` of them.
  public private(set) var pauses: [DevicePause] = []
  /// Called on the session thread when reading comes to a gap, before its silence is given.
  public var onGap: ((DeviceGap) -> Void)?

  /// What the device and this source agreed on; nil before `initialize`.
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

  /// What happened so far.
  public var statistics: DeviceStatistics { loop?.link.statistics() ?? final.statistics }

  /// How the device's clock ran, once the capture has ended; nil where that was too soon to tell, or where
  /// the device has no clock.
  public var clockDrift: ClockDrift? { loop?.link.drift.load() ?? final.drift }

  /// The storage between the device and the session, in samples per channel; nil before `initialize`.
  public private(set) var ringSize: Int?

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
    ringSize = ring.capacity
    let loop = CaptureLoop(
      handle, DeviceLink(ring: ring, wakeup: wakeup), parameters, try DeviceStatus(for: device),
      stallLimit: options.stallLimit)
    self.loop = loop
    clock.open(loop, parameters)
    self.parameters = parameters
    priority = options.priority.map { RealTimePriority.request(level: $0) }
    return SourceDescription(
      format: parameters.format, encoding: parameters.layout.encoding, pace: .device(clock))
  }

  /// - Throws: the device's reason where it does not start; `lifeCycle` before `initialize`.
  public func start() throws(AudioError) {
    guard let loop, thread == nil else {
      throw AudioError(.lifeCycle, cannot: "start", device, because: "it is not initialised")
    }
    try loop.start()
    let thread = try SystemThread(named: "capture") { loop.link.whileRunning(loop.run) }
    if case .granted(let level) = priority { thread.raise(toFIFO: level) }
    self.thread = thread
  }

  /// Appends what was captured, and silence for what was lost.
  ///
  /// - Throws: `deviceLost`, once, after the last sample that was captured before the loss; `inputOutput`,
  ///   once, before a gap that is not to be filled.
  public func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    guard let loop, !hasThrown else { return .ended }
    takePauses(loop)
    // Before the ring: the device thread ends after its last use of it.
    let state = loop.link.state()
    let before = output.count
    while try step(loop, into: &output) {}
    if output.count > before {
      given += Int64((output.count - before) / (parameters?.format.channelCount ?? 1))
      loop.link.signals.device.signal()
      return .ready
    }
    var isRunning = false
    if case .running = state { isRunning = true }
    if isRunning || loop.link.ring.filled() > 0 { return thread == nil ? .ended : .pending }
    if case .lost(let failure) = state {
      hasThrown = true
      throw AudioError.deviceLost(
        device, .capture, failure, after: given, stallLimit: options.stallLimit)
    }
    return .ended
  }

  /// Gives silence, comes to a gap, or decodes a run of samples.
  ///
  /// - Returns: whether there may be more to do.
  private func step<Sample: AudioSample>(
    _ loop: CaptureLoop, into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> Bool {
    guard let parameters else { return false }
    let channelCount = parameters.format.channelCount
    let room = output.freeCapacity / channelCount
    if room == 0 { return false }
    if silence > 0 {
      let count = Int(min(silence, Int64(room)))
      output.append(repeating: 0, count: count * channelCount)
      silence -= Int64(count)
      return true
    }
    // Samples first: the gaps that lie among those seen here were reported before them.
    let held = unsafe loop.link.ring.readable()
    let mark = loop.link.gaps.first
    if let mark, mark.ringPosition == taken {
      if options.gapPolicy == .fail, output.count > 0 { return false }
      loop.link.gaps.removeFirst()
      try come(to: mark.gap, at: parameters.format.sampleRate)
      return true
    }
    let toGap = mark.map { Int($0.ringPosition - taken) } ?? .max
    let count = min(held.count / parameters.sampleFrameSize, room, toGap)
    if count == 0 { return false }
    let bytes = unsafe RawSpan(
      _unsafeBytes: UnsafeRawBufferPointer(
        rebasing: held[..<(count * parameters.sampleFrameSize)]))
    Sample.decode(bytes, as: parameters.layout, into: &output)
    loop.link.ring.pop(count)
    taken += Int64(count)
    return true
  }

  private func come(to gap: DeviceGap, at sampleRate: Int) throws(AudioError) {
    gaps.append(gap)
    onGap?(gap)
    if options.gapPolicy == .fail {
      hasThrown = true
      throw AudioError.gap(gap, in: device, sampleRate: sampleRate)
    }
    silence = gap.lostSamples ?? 0
  }

  private func takePauses(_ loop: CaptureLoop) {
    while let mark = loop.link.pauses.takeFirst() {
      if pauses.count == DeviceGaps.longestList { continue }
      pauses.append(
        DevicePause(position: mark.position, duration: .nanoseconds(mark.nanoseconds)))
    }
  }

  /// Ends the capture. What the ring holds can still be read; then `read` answers `ended`.
  public func stop() {
    guard let loop, let thread else { return }
    loop.link.stop()
    if !thread.join(atMost: .milliseconds(5_000)) {
      // Stuck inside a driver: the thread keeps the device until the driver lets go of it.
      loop.link.giveUp()
    }
    self.thread = nil
    takePauses(loop)
  }

  public func dispose() {
    stop()
    final = (statistics, clockDrift)
    clock.close()
    loop = nil
  }
}
