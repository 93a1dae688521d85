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
/// silent at the pace of the machine's clock; it continues once the device is back.
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
  /// Set while the device is away, or is back but has delivered nothing yet.
  private var absence: AbsenceClock?
  private var lastAbsence: (pause: Duration, end: MonotonicTime)?
  /// The position of the present ring's first sample in the stream.
  private var base: Int64 = 0
  /// Samples per channel given by ``read(into:)``.
  private var given: Int64 = 0
  /// Samples per channel taken from the ring.
  private var taken: Int64 = 0
  /// Samples per channel of silence still to give.
  private var silence: Int64 = 0
  private var hasThrown = false
  private var channels = DeviceChannels()
  /// The counts and the drift of devices that are closed.
  private var past: (statistics: DeviceStatistics, drift: ClockDrift?) = (DeviceStatistics(), nil)

  /// The gaps that reading has reached. Positions count samples of the stream.
  public private(set) var gaps = DeviceGaps()
  /// The pauses so far, in order; the first ``DeviceGaps/longestList`` of them.
  package private(set) var pauses: [DevicePause] = []
  /// Called on the session thread when reading reaches a gap, before the gap's silence.
  public var onGap: ((DeviceGap) -> Void)?
  /// Called on the session thread when a device that is to come back is lost, and until it is back.
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
      DeviceRhythm(options.latency, parameters), stallLimit: options.stallLimit)
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
    if absence != nil, let status = wait(into: &output) { return status }
    guard let loop, !hasThrown else { return .ended }
    takePauses(loop)
    // Read before the ring: the device thread ends after its last use of it.
    let state = loop.link.state()
    let before = output.count
    while try step(loop, into: &output) {}
    if output.count > before {
      given += Int64((output.count - before) / (parameters?.format.channelCount ?? 1))
      loop.link.signals.signalProgress()
      return .ready
    }
    if state == .running || loop.link.ring.filled() > 0 {
      return thread == nil ? .ended : .pending
    }
    if case .lost(let failure) = state {
      let loss = AudioError.deviceLost(
        device, .capture, failure, after: given, stallLimit: options.stallLimit)
      if options.waitsForReturn, !isStopped {
        beginAbsence(of: loop, loss)
        return .pending
      }
      hasThrown = true
      throw loss
    }
    return .ended
  }

  /// Gives silence, reaches a gap, or decodes a run of samples.
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
    // Samples first: gaps among the samples seen here were reported before them.
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
    if let order = channels.order {
      var samples = output.mutableSpan
      samples.arrange(last: count * channelCount, in: order, .fromStorage)
    }
    loop.link.ring.pop(count)
    taken += Int64(count)
    return true
  }

  private func come(to gap: DeviceGap, at sampleRate: Int) throws(AudioError) {
    var gap = gap
    gap.position += base
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
        DevicePause(position: base + mark.position, duration: .nanoseconds(mark.nanoseconds)))
    }
  }

  /// Ends the capture. The samples in the ring can still be read; then `read` returns `ended`.
  public func stop() {
    isStopped = true
    if let thread, let loop {
      loop.link.stop()
      end(thread, loop)
    }
    guard let absence else { return }
    // The wait ends with the capture.
    finish(absence, at: absence.filled, isBack: false)
    hasThrown = true
  }

  private func end(_ thread: SystemThread, _ loop: CaptureLoop) {
    if !thread.join(atMost: .milliseconds(5_000)) {
      // The thread is stuck in a driver and keeps the device until the driver returns.
      loop.link.giveUp()
    }
    self.thread = nil
    takePauses(loop)
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

// The absence of a lost device that is to come back.
extension AlsaSource {
  /// Closes the device and starts to wait for it.
  private func beginAbsence(of loop: CaptureLoop, _ loss: AudioError) {
    if let thread { end(thread, loop) }
    absence = AbsenceClock(
      since: loop.lastCapture, at: given, sampleRate: parameters?.format.sampleRate ?? 1,
      now: .now, after: lastAbsence)
    wakeup.setCanWake(false)
    close()
    past.statistics.losses += 1
    onAbsence?(.began(loss, position: given))
  }

  /// Gives silence while the device is away, and searches for it now and then.
  ///
  /// - Returns: nil if the device is back.
  private func wait<Sample: AudioSample>(into output: inout OutputSpan<Sample>) -> SourceStatus? {
    guard var absence, let parameters else { return nil }
    var now = MonotonicTime.now
    if let loop, loop.link.ring.filled() > 0 {
      finish(absence, at: absence.length(at: loop.started), isBack: true)
      return nil
    }
    if let loop {
      // Silence reaches up to the device's first sample; its start tells that place.
      now = min(now, loop.started)
      if loop.link.state() != .running {
        if let thread { end(thread, loop) }
        close()
      }
    } else if absence.isToTry(at: now) {
      look(for: parameters, &absence)
    }
    // Shorter runs of silence would only cost processor time.
    let due = absence.due(at: now)
    let least = Int64(parameters.format.sampleRate / 10)
    let channelCount = parameters.format.channelCount
    let count = min(due, Int64(output.freeCapacity / channelCount))
    if due >= least, count > 0 {
      output.append(repeating: 0, count: Int(count) * channelCount)
      absence.fill(count)
      given += count
    }
    self.absence = absence
    return due >= least && count > 0 ? .ready : .pending
  }

  /// Opens and starts the device with its earlier parameters, if it is present.
  private func look(for before: DeviceParameters, _ absence: inout AbsenceClock) {
    var options = options
    options.ratePolicy = .fail
    options.sampleRate = before.format.sampleRate
    options.channelCount = before.format.channelCount
    options.encoding = before.layout.encoding
    do throws(AudioError) {
      _ = try open(options, wish: nil)
      try start()
    } catch {
      close()
      onAbsence?(absence.isToTell(error) ? .unusable(error) : .lasts)
    }
  }

  /// Ends the absence: the device is back, or the capture was stopped.
  ///
  /// - Parameter length: the length of the absence, in samples per channel.
  private func finish(_ absence: AbsenceClock, at length: Int64, isBack: Bool) {
    let gap = DeviceGap(
      cause: .deviceLost, position: absence.position, lostSamples: length,
      uncertainty: Int64(parameters?.periodSize ?? 0) + 1)
    silence = length - absence.filled
    base = absence.position + length
    taken = 0
    self.absence = nil
    wakeup.setCanWake(true)
    lastAbsence = (absence.pause, .now)
    gaps.append(gap)
    onGap?(gap)
    onAbsence?(.ended(gap, isBack: isBack))
  }
}
