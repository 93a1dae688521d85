// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

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
public final class AlsaSource: AudioSource {
  /// The device's ALSA name.
  public let device: String
  private let options: AlsaOptions
  private var loop: CaptureLoop?
  private var thread: SystemThread?
  private let clock: DevicePacingClock
  private var wakeup = Wakeup()
  private var isStopped = false
  private var captured = GapFillingReader()
  private var hasThrown = false
  private var channels = DeviceChannels()
  /// Whether the device is needed now, asked at each read; while it is not, it is closed. Set before `start`; nil = always.
  package var isNeeded: (() -> Bool)?
  /// Whether the device is closed, or about to be, because it is not needed.
  private var pause = Pause.none
  private enum Pause { case none, comes, lasts }
  /// The counts and the drift of devices that are closed.
  private var past: (statistics: DeviceStatistics, drift: ClockDrift?) = (DeviceStatistics(), nil)

  /// The gaps that reading has reached. Positions count samples of the stream.
  public var gaps: DeviceGaps { captured.gaps }
  /// The pauses so far, in order; the first ``DeviceGaps/longestList`` of them.
  package var pauses: [DevicePause] { captured.pauses }
  /// Called on the session thread when reading reaches a gap, before the gap's silence.
  public var onGap: ((DeviceGap) -> Void)?
  /// Called on the session thread when a device that is to come back is lost or closed, and until it is back.
  public var onAbsence: ((Disconnection) -> Void)?

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

  /// The counts so far.
  public var statistics: DeviceStatistics {
    var statistics = past.statistics
    if let loop { statistics.add(loop.link.statistics()) }
    return statistics
  }

  /// The drift of the device's clock after the end of the capture; nil if the capture was too short, or if the device
  /// has no clock.
  package var clockDrift: ClockDrift? { loop?.link.drift.load() ?? past.drift }

  /// The storage between the device and the session, in samples per channel; nil before `initialize`.
  public private(set) var ringSize: Int?

  /// Opens the device.
  ///
  /// - Throws: `notFound` or `unavailable` if it cannot be opened; `unsupported`, with the device's offer, if it
  ///   refuses an explicit option.
  public func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    self.wakeup = wakeup
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
    let ring = SampleRing(
      capacity: max(
        options.ring(for: .capture, at: parameters.format.sampleRate), parameters.bufferSize),
      sampleFrameSize: parameters.sampleFrameSize)
    ringSize = ring.capacity
    let loop = CaptureLoop(
      handle, DeviceLink(ring: ring, wakeup: wakeup), parameters, try DeviceStatus(for: device),
      PollSchedule(options.latency, parameters), stallLimit: options.stallLimit)
    self.loop = loop
    clock.open(loop, parameters)
    self.parameters = parameters
    return parameters
  }

  /// - Throws: the device's error if it does not start; `lifeCycle` before `initialize`.
  public func start() throws(AudioError) {
    guard let loop, thread == nil else {
      throw AudioError(.lifeCycle, cannot: "start", device, because: "it is not initialised")
    }
    if isNeeded?() == false {
      pause = .comes
    } else {
      try begin(loop)
    }
  }

  private func begin(_ loop: CaptureLoop) throws(AudioError) {
    try loop.start()
    let thread = try SystemThread(named: "capture") { loop.link.whileRunning(loop.run) }
    if case .granted(let level) = priority { thread.raise(toFIFO: level) }
    self.thread = thread
  }

  /// Appends captured samples, and silence for lost ones.
  ///
  /// - Throws: `deviceLost`, once, after the last sample before the loss; `inputOutput`, once, before a gap that is
  ///   not to be filled.
  public func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    if captured.isAway, let status = try wait(into: &output) { return status }
    guard let loop, !hasThrown else { return .ended }
    if isNeeded?() == false, let thread, !isStopped {
      loop.link.stop()
      end(thread, loop)
      pause = .comes
    }
    captured.takePauses(loop.link.pauses)
    // Read before the ring: the device thread ends after its last use of it.
    let state = loop.link.state()
    let before = output.count
    while try step(loop, into: &output) {}
    if output.count > before {
      loop.link.signals.signalProgress()
      return .ready
    }
    if pause == .comes, !isStopped {
      // The samples of the device were read.
      if loop.link.ring.filled() == 0 { beginPause(of: loop) }
      return .pending
    }
    if state == .running || loop.link.ring.filled() > 0 {
      return thread == nil ? .ended : .pending
    }
    if case .lost(let failure) = state {
      let loss = AudioError.deviceLost(
        device, .capture, failure, after: captured.given, stallLimit: options.stallLimit)
      if options.waitsForReturn, !isStopped {
        beginAbsence(of: loop, loss)
        return .pending
      }
      hasThrown = true
      throw loss
    }
    return .ended
  }

  /// - Returns: whether there may be more to do.
  private func step<Sample: AudioSample>(
    _ loop: CaptureLoop, into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> Bool {
    guard let parameters else { return false }
    switch captured.step(
      loop.link.ring, loop.link.gaps, as: parameters.layout, in: channels.order,
      channelCount: parameters.format.channelCount, stopsAtGaps: options.gapPolicy == .fail,
      into: &output)
    {
    case .none: return false
    case .moved: return true
    case .gap(let gap):
      onGap?(gap)
      if options.gapPolicy == .fail {
        hasThrown = true
        throw AudioError.gap(gap, in: device, sampleRate: parameters.format.sampleRate)
      }
      return true
    }
  }

  /// Ends the capture. The samples in the ring can still be read; then `read` returns `ended`.
  public func stop() {
    isStopped = true
    if let thread, let loop {
      loop.link.stop()
      end(thread, loop)
    }
    guard captured.isAway else { return }
    // The wait ends with the capture.
    if pause == .lasts { _ = captured.endPause(at: nil) } else { endAbsence(at: nil) }
    hasThrown = true
  }

  private func end(_ thread: SystemThread, _ loop: CaptureLoop) {
    if !thread.join(atMost: .milliseconds(5_000)) {
      // The thread is stuck in a driver and keeps the device until the driver returns.
      loop.link.giveUp()
    }
    self.thread = nil
    captured.takePauses(loop.link.pauses)
  }

  public func dispose() {
    stop()
    close()
  }

  private func close() {
    past = (statistics, clockDrift)
    clock.close()
    loop = nil
  }
}

// The absence of a device that is lost and to come back, or not needed.
extension AlsaSource {
  /// Closes the device and starts to wait for it.
  private func beginAbsence(of loop: CaptureLoop, _ loss: AudioError) {
    if let thread { end(thread, loop) }
    captured.beginAbsence(since: loop.lastCapture, sampleRate: parameters?.format.sampleRate ?? 1)
    wakeup.setCanWake(false)
    close()
    past.statistics.losses += 1
    onAbsence?(.began(loss, position: captured.given))
  }

  /// Gives silence while the device is away, and searches for it now and then.
  ///
  /// - Returns: nil if the device is back.
  /// - Throws: the error of a device that is needed again and cannot be opened, unless it is waited for.
  private func wait<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus? {
    guard let parameters else { return nil }
    var now = MonotonicTime.now
    if let loop, loop.link.ring.filled() > 0 {
      if pause == .lasts { endPause(at: loop.started) } else { endAbsence(at: loop.started) }
      return nil
    }
    if let loop {
      // Silence reaches up to the device's first sample; its start tells that place.
      now = min(now, loop.started)
      if loop.link.state() != .running {
        if let thread { end(thread, loop) }
        close()
        if pause == .lasts {
          try losePause(
            AudioError.lost(
              device, .capture, because: "it gave no sample when it was opened again",
              after: captured.given))
        }
      }
    } else if pause == .lasts {
      if isNeeded?() == false {
        onAbsence?(.lasts)
      } else if let error = look(for: parameters) {
        try losePause(error)
      }
    } else if captured.isToTry(at: now), let error = look(for: parameters) {
      onAbsence?(captured.isToTell(error) ? .unusable(error) : .lasts)
    }
    return captured.fillAbsence(until: now, format: parameters.format, into: &output)
  }

  /// Opens and starts the device with its earlier parameters, if it is present.
  ///
  /// - Returns: the error if it cannot be.
  private func look(for before: DeviceParameters) -> AudioError? {
    var options = options
    options.ratePolicy = .fail
    options.sampleRate = before.format.sampleRate
    options.channelCount = before.format.channelCount
    options.encoding = before.layout.encoding
    do throws(AudioError) {
      _ = try open(options, wish: nil)
      if let loop { try begin(loop) }
      return nil
    } catch {
      close()
      return error
    }
  }

  /// Closes the device, which is not needed and has no more samples.
  private func beginPause(of loop: CaptureLoop) {
    pause = .lasts
    // A device that was never started has captured nothing.
    let last = loop.lastCapture
    captured.beginAbsence(
      since: last.nanoseconds > 0 ? last : .now, sampleRate: parameters?.format.sampleRate ?? 1)
    close()
    onAbsence?(.paused(position: captured.given))
  }

  /// - Parameter start: when the device started.
  private func endPause(at start: MonotonicTime) {
    pause = .none
    let silence = captured.endPause(at: start)
    onAbsence?(.resumed(since: silence.lowerBound, position: silence.upperBound))
  }

  /// The device is needed again and cannot be used: it is lost.
  private func losePause(_ loss: AudioError) throws(AudioError) {
    pause = .none
    guard options.waitsForReturn else {
      hasThrown = true
      _ = captured.endPause(at: nil)
      throw loss
    }
    let silence = captured.losePause()
    wakeup.setCanWake(false)
    past.statistics.losses += 1
    onAbsence?(.resumed(since: silence.lowerBound, position: silence.upperBound))
    onAbsence?(.began(loss, position: silence.upperBound))
  }

  /// - Parameter start: when the device started that is back; nil if the capture was stopped.
  private func endAbsence(at start: MonotonicTime?) {
    let uncertainty = Int64(parameters?.periodSize ?? 0) + 1
    guard let gap = captured.endAbsence(at: start, uncertainty: uncertainty) else { return }
    wakeup.setCanWake(true)
    onGap?(gap)
    onAbsence?(.ended(gap, isBack: start != nil))
  }
}
