// SPDX-License-Identifier: Apache-2.0
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
public final class NetworkSource: LiveSource {
  /// The name in errors and notes; without a password.
  public let device: String
  private let opening: StreamOpening
  private let stopFlag = StopFlag()
  private let options: NetworkOptions
  private let clock: RingClock
  private let reader: LiveReader
  /// Until the thread has it.
  private var decoder: UnitDecoder?
  private var link: NetworkLink?
  private var thread: SystemThread?

  /// The gaps that reading has reached. Positions count samples of the stream.
  public var gaps: DeviceGaps { reader.gaps }
  /// Called on the session thread when reading reaches a gap, before the gap's silence.
  public var onGap: ((DeviceGap) -> Void)?
  /// Called on the session thread when a sender that is to come back is lost, and until it is back.
  public var onAbsence: ((Disconnection) -> Void)?
  /// Called on the session thread for a second sender, late packets and the like.
  public var onNotice: ((LiveNotice) -> Void)?
  /// The parameters of the stream; nil before `initialize`.
  public var parameters: DeviceParameters? { reader.parameters }
  /// The storage between the network and the session, in samples per channel; nil before `initialize`.
  public var ringSize: Int? { reader.ringSize }
  package var clockDrift: ClockDrift? { reader.drift }
  package let statedTime: StatedTime?
  public var xrunNoun: String? { "network gap" }

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
    // No two senders are known to share a clock.
    clock = RingClock("network:\(device)", .capture)
    reader = LiveReader(clock, options.gapPolicy, options.lossPolicy)
    opening = StreamOpening(device, stopFlag, open)
  }

  /// The counts so far. Losses of packets count as ``DeviceStatistics/xruns``.
  public var statistics: DeviceStatistics { reader.statistics }

  /// Finds the format of the stream and opens its sockets. Waits for name servers and servers, which a request to end
  /// cuts short.
  ///
  /// - Throws: the errors of ``NetworkRequest``: `notFound`, `malformed`, `unsupported`, `invalidParameter` and
  ///   `unavailable`.
  public func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    reader.wakeup = wakeup
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
    decoder = try UnitDecoder(payload, for: device)
    self.link = link
    reader.open(link, parameters)
    return SourceDescription(
      format: payload.format, encoding: encoding, pace: .device(clock),
      latency: options.wait + payload.decodingDelay)
  }

  /// Starts to receive. Packets that came before are dropped.
  ///
  /// - Throws: `unavailable` if the server refuses, or if the system grants no more threads; `lifeCycle` before
  ///   `initialize`.
  public func start() throws(AudioError) { try reader.start(self) }

  /// Appends received samples, and silence for lost ones.
  ///
  /// - Throws: `deviceLost`, once, after the last sample before the loss; `inputOutput`, once, before a gap that is
  ///   not to be filled.
  public func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    takeNews()
    return try reader.read(self, into: &output)
  }

  private func takeNews() {
    for news in link?.takeNews() ?? [] {
      switch news {
      case .notice(let notice): onNotice?(notice)
      case .failure(let error): reader.noteFailure(error, of: self)
      }
    }
  }

  /// Ends the reception. The samples in the ring can still be read; then `read` returns `ended`.
  public func stop() { reader.stop(self) }

  public func dispose() { reader.dispose(self) }
}

extension NetworkSource: ReadableEnd {
  /// The silence of an absence ends before the packets that are on their way.
  package var returnMargin: Duration? { options.wait + .milliseconds(250) }

  package func begin() throws(AudioError) {
    guard let link else { return }
    try opening.receive(reader.wakeup)
    let opened = try opening.stream(reader.wakeup)
    link.live.begin(at: .now)
    nonisolated(unsafe) let decoder = decoder
    self.decoder = nil
    let options = options
    thread = try SystemThread(named: "network") {
      unsafe NetworkThread(link, opened, decoder, options).run()
    }
  }

  package func halt() {
    guard let link, let thread else { return }
    link.stop()
    _ = thread.join(atMost: .seconds(5))
    self.thread = nil
    takeNews()
  }

  package func release() {
    opening.end()
    decoder = nil
  }

  package func loss(after samples: Int64) -> AudioError? {
    switch link?.presence {
    case .present, nil: nil
    case .away(let reason): .lost(device, .capture, because: reason, after: samples)
    case .ended(let error): .lost(device, .capture, because: error.reason, after: samples)
    }
  }
}

extension NetworkSource: OpeningSource {
  package func beginOpening(_ wakeup: Wakeup) { opening.begin(wakeup) }
  package var isOpening: Bool { opening.isRunning }
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
