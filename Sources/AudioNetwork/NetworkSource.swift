// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Receives a stream of sound from a network by RTP.
///
/// A thread of its own takes the packets and puts each at the place of its timestamp. ``read(into:)`` gives the samples on
/// the session thread, the only user of this object. Zeros replace lost packets, in their place and number. The source is
/// paced by its sender.
///
/// A sender that sends nothing for ``NetworkOptions/timeout`` is a lost device: it ends the stream or is waited for, by
/// ``NetworkOptions/lossPolicy``.
///
/// AAC is decoded by a process that may end at any time: the program must ignore SIGPIPE.
public final class NetworkSource: AudioSource {
  /// The name in errors and notes; without a password.
  public let device: String
  private let opening: StreamOpening
  private let stopFlag = StopFlag()
  private let options: NetworkOptions
  private let clock: NetworkClock
  /// Until the thread has it.
  private var decoder: UnitDecoder?
  private var link: NetworkLink?
  private var thread: SystemThread?
  private var wakeup = Wakeup()
  private var captured = GapFillingReader()
  private var hasThrown = false
  private var isStopped = false
  private var losses = 0
  /// Where the present absence begins, in samples per channel.
  private var lossPosition: Int64 = 0

  /// The gaps that reading has reached. Positions count samples of the stream.
  public var gaps: DeviceGaps { captured.gaps }
  /// Called on the session thread when reading reaches a gap, before the gap's silence.
  public var onGap: ((DeviceGap) -> Void)?
  /// Called on the session thread when a sender that is to come back is lost, and until it is back.
  public var onAbsence: ((Disconnection) -> Void)?
  /// Called on the session thread for a second sender, late packets and the like.
  public var onNotice: ((LiveNotice) -> Void)?
  /// The parameters of the stream; nil before `initialize`.
  public private(set) var parameters: DeviceParameters?
  /// The storage between the network and the session, in samples per channel; nil before `initialize`.
  public var ringSize: Int? { link?.ring.capacity }
  package var clockDrift: ClockDrift? { link?.drift }
  package let statedTime: StatedTime?
  package var xrunNoun: String? { "network gap" }

  /// - Parameters:
  ///   - request: the stream.
  ///   - device: the name in errors and notes.
  ///   - options: the requests of `initialize`.
  public convenience init(
    _ request: NetworkRequest, device: String, options: NetworkOptions = NetworkOptions()
  ) {
    self.init(device: device, options: options) { mustEnd throws(AudioError) in
      try request.open(options, name: device, mustEnd: mustEnd)
    }
  }

  /// - Parameter open: opens the way of the packets.
  init(
    device: String, options: NetworkOptions, opening open: @escaping StreamOpening.Open
  ) {
    self.device = device
    self.options = options
    statedTime = options.usesOwnTime ? nil : StatedTime()
    clock = NetworkClock(of: device)
    opening = StreamOpening(device, stopFlag, open)
  }

  /// The counts so far. Losses of packets count as ``DeviceStatistics/xruns``.
  public var statistics: DeviceStatistics {
    var statistics = DeviceStatistics()
    guard let link else { return statistics }
    statistics.samplesMoved = Int64(link.moved.load(ordering: .relaxed))
    statistics.xruns = link.losses.load(ordering: .relaxed)
    statistics.overflows = link.overflows.load(ordering: .relaxed)
    statistics.samplesOverflowed = Int64(link.overflowed.load(ordering: .relaxed))
    statistics.losses = losses
    return statistics
  }

  /// Finds the format of the stream and opens its sockets. Waits for name servers and servers, which a request to end
  /// cuts short.
  ///
  /// - Throws: the errors of ``NetworkRequest``: `notFound`, `malformed`, `unsupported`, `invalidParameter` and
  ///   `unavailable`.
  public func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    self.wakeup = wakeup
    let opened = try opening.stream(wakeup)
    let payload = opened.payload
    let (layout, encoding) = opened.formats.storage
    let rate = payload.format.sampleRate
    let size = options.ringSize(at: rate)
    let worth = options.latency.map { Int($0.samples(at: rate)) } ?? 1
    let link = try NetworkLink(
      payload, layout, ring: size, worth: min(worth, size / 2), session: wakeup,
      stopFlag: stopFlag, statedTime)
    let wait = Int(options.wait.samples(at: rate))
    let parameters = DeviceParameters(
      format: payload.format, layout: layout, periodSize: rate / 50, bufferSize: wait)
    clock.open(
      link,
      ClockTiming(sampleRate: rate, periodSize: parameters.periodSize, bufferSize: wait))
    decoder = try UnitDecoder(payload, for: device)
    self.link = link
    self.parameters = parameters
    return SourceDescription(
      format: payload.format, encoding: encoding, pace: .device(clock),
      latency: options.wait + payload.decodingDelay)
  }

  /// Starts to receive. Packets that came before are dropped.
  ///
  /// - Throws: `unavailable` if the server refuses, or if the system grants no more threads; `lifeCycle` before
  ///   `initialize`.
  public func start() throws(AudioError) {
    guard let link, thread == nil else {
      throw AudioError(.lifeCycle, cannot: "start", device, because: "it is not initialised")
    }
    try opening.receive(wakeup)
    let opened = try opening.stream(wakeup)
    link.lastArrival = .now
    nonisolated(unsafe) let decoder = decoder
    self.decoder = nil
    let options = options
    thread = try SystemThread(named: "network") {
      unsafe NetworkThread(link, opened, decoder, options).run()
    }
  }

  /// Appends received samples, and silence for lost ones.
  ///
  /// - Throws: `deviceLost`, once, after the last sample before the loss; `inputOutput`, once, before a gap that is
  ///   not to be filled.
  public func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    guard let link, !hasThrown else { return .ended }
    takeNews(link)
    // Read before the ring: the network's thread ends after its last use of it.
    let presence = link.presence
    if captured.isAway, let status = wait(for: link, into: &output) { return status }
    let before = output.count
    while try step(link, into: &output) {}
    if output.count > before { return .ready }
    if link.ring.filled() > 0 { return .pending }
    if isStopped { return .ended }
    switch presence {
    case .present: return .pending
    case .away(let reason):
      if link.gaps.first == nil { beginAbsence(of: link, because: reason) }
      return .pending
    case .ended(let error):
      hasThrown = true
      throw AudioError.lost(device, .capture, because: error.reason, after: captured.given)
    }
  }

  /// - Returns: whether there may be more to do.
  private func step<Sample: AudioSample>(
    _ link: NetworkLink, into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> Bool {
    switch captured.step(
      link.ring, link.gaps, as: link.layout,
      channelCount: link.payload.format.channelCount, stopsAtGaps: options.gapPolicy == .fail,
      into: &output)
    {
    case .none: return false
    case .moved: return true
    case .gap(let gap):
      onGap?(gap)
      if options.gapPolicy == .fail {
        hasThrown = true
        throw AudioError.gap(gap, in: device, sampleRate: link.payload.format.sampleRate)
      }
      return true
    }
  }

  private func takeNews(_ link: NetworkLink) {
    for news in link.takeNews() {
      switch news {
      case .notice(let notice): onNotice?(notice)
      case .failure(let error):
        let isUnusable = error.kind != .unavailable && captured.isToTell(error)
        if captured.isAway { onAbsence?(isUnusable ? .unusable(error) : .lasts) }
      }
    }
  }

  /// Ends the reception. The samples in the ring can still be read; then `read` returns `ended`.
  public func stop() {
    isStopped = true
    guard let link, let thread else { return }
    link.stop()
    _ = thread.join(atMost: .seconds(5))
    self.thread = nil
    takeNews(link)
    guard captured.isAway else { return }
    // The wait ends with the reception.
    endAbsence(captured.endAbsence(at: nil, uncertainty: 0), isBack: false)
    hasThrown = true
  }

  public func dispose() {
    stop()
    clock.close()
    opening.end()
    decoder = nil
  }
}

extension NetworkSource: OpeningSource {
  package func beginOpening(_ wakeup: Wakeup) { opening.begin(wakeup) }
  package var isOpening: Bool { opening.isRunning }
}

// The absence of a sender that is to come back.
extension NetworkSource {
  /// The silence of an absence ends before the packets that are on their way.
  private var margin: Duration { options.wait + .milliseconds(250) }

  private func beginAbsence(of link: NetworkLink, because reason: String) {
    captured.beginAbsence(
      since: link.lastArrival, sampleRate: link.payload.format.sampleRate)
    wakeup.setCanWake(false)
    losses += 1
    lossPosition = captured.given
    let loss = AudioError.lost(device, .capture, because: reason, after: captured.given)
    onAbsence?(.began(loss, position: captured.given))
  }

  /// Gives silence while the sender is away.
  ///
  /// - Returns: nil if it is back.
  private func wait<Sample: AudioSample>(
    for link: NetworkLink, into output: inout OutputSpan<Sample>
  ) -> SourceStatus? {
    // Samples first: the gap before them was reported before they came.
    let hasSamples = link.ring.filled() > 0
    if let mark = link.gaps.first, mark.ringPosition == Int64(link.ring.taken()) {
      link.gaps.removeFirst()
      endAbsence(captured.endAbsence(behind: mark), isBack: true)
      return nil
    }
    if hasSamples {
      // The first samples of all, or late ones: the silence that was given stands before them.
      let silence = captured.given - lossPosition
      let gap = DeviceGap(
        cause: .deviceLost, position: 0, lostSamples: 0, uncertainty: max(silence, 1))
      let mark = GapMark(gap: gap, ringPosition: 0)
      endAbsence(captured.endAbsence(behind: mark), isBack: true)
      return nil
    }
    let now = MonotonicTime(
      nanoseconds: MonotonicTime.now.nanoseconds - margin.inNanoseconds)
    return captured.fillAbsence(until: now, format: link.payload.format, into: &output)
  }

  private func endAbsence(_ gap: DeviceGap?, isBack: Bool) {
    guard let gap else { return }
    wakeup.setCanWake(true)
    onGap?(gap)
    onAbsence?(.ended(gap, isBack: isBack))
  }
}

extension PayloadFormat.Encoding {
  /// The encoding that holds its samples exactly; for a lossy one the widest that is worth it.
  var sampleEncoding: SampleEncoding {
    switch self {
    case .l16, .opus, .aac, .latm: .s16
    case .l24: .s24
    case .pcmu: .ulaw
    case .pcma: .alaw
    }
  }
}
