// SPDX-License-Identifier: Apache-2.0
/// The thread of a network's stream: it takes packets, keeps the sender sending, and asks it again after a loss.
final class NetworkThread {
  /// Packets between two looks at the drift.
  private static let driftInterval = 256
  /// A sender whose time of day lies before 2000 has a clock that was never set. In nanoseconds since 1970.
  private static let leastTime: Int64 = 946_684_800_000_000_000

  private let link: NetworkLink
  private let transport: any PacketTransport
  private let options: NetworkOptions
  /// The identifiers of the stream, which count as one. Empty if any may come.
  private let sources: Set<UInt32>
  private var reception: Reception
  private var output: DecodingOutput
  /// The host and port that send.
  private var sender: SocketAddress?
  /// Whether the sender is waited for. Its first samples end that.
  private var isAway: Bool { output.isAway }
  private var isConnected = true { didSet { prepareWait() } }
  private var wait: DescriptorWait
  /// The descriptor of the decoder that is waited for.
  private var decoder: Int32?
  private var hasEnded = false
  /// When the next attempt is due, or the silence of the sender too long.
  private var limit: MonotonicTime
  private var untilDrift = NetworkThread.driftInterval
  private var hasToldOtherSender = false
  private var hasToldPort = false
  private var reportedTime = ReportedTime()
  private var lastSign: MonotonicTime?
  /// The packets that the system had dropped before the last one.
  private var dropped: UInt32 = 0

  /// - Parameter decoder: nil if payloads are sample frames.
  init(
    _ link: NetworkLink, _ opened: OpenedStream, _ decoder: UnitDecoder?,
    _ options: NetworkOptions
  ) {
    self.link = link
    transport = opened.transport
    sources = opened.sources
    self.options = options
    reception = Reception(transport.formats, link.payload, jitter: options.wait)
    output = DecodingOutput(link, decoder)
    wait = DescriptorWait(transport.descriptors, event: link.wakeEvent)
    limit = MonotonicTime.now.later(by: options.timeout)
  }

  func run() {
    while !link.isToStop, !hasEnded {
      var end = limit
      if let next = reception.deadline { end = min(end, next) }
      if let next = output.deadline { end = min(end, next) }
      if output.descriptor != decoder { prepareWait() }
      if isConnected, let next = transport.deadline { end = min(end, next) }
      wait.wait(until: end)
      if !link.isToStop { step() }
    }
    reception.finish(into: &output)
    output.finish()
    link.live.drift.store(reception.drift)
    tellCounts()
    transport.close()
  }

  private func prepareWait() {
    decoder = output.descriptor
    let descriptors = (isConnected ? transport.descriptors : []) + (decoder.map { [$0] } ?? [])
    wait = DescriptorWait(descriptors, event: link.wakeEvent)
  }

  private func step() {
    if isConnected {
      do throws(AudioError) {
        try transport.receive({ wait.isReady($0) }) { take($0, $1) }
        try transport.keep(at: .now)
      } catch {
        lose(error.reason, closes: true)
      }
    }
    let now = MonotonicTime.now
    reception.advance(to: now, into: &output)
    output.advance(to: now)
    tellNews()
    if now < limit || hasEnded { return }
    if isAway {
      attempt()
    } else {
      lose("no packet has come for \(options.timeout.inWords)", closes: false)
    }
  }

  private func take(_ bytes: RawSpan, _ packet: ReceivedPacket) {
    if packet.isControl || RTCPPacket.isMultiplexed(bytes) {
      return takeControl(bytes, packet.sender)
    }
    guard var header = RTPPacket(bytes) else { return }
    if let source = sources.first {
      guard sources.contains(header.source) else { return }
      header.source = source
    }
    let now = MonotonicTime.now
    if let from = packet.sender, let sender, !from.isHost(of: sender) {
      let isAtRest = now.elapsed(since: link.live.lastArrival()) > SenderPace.shortestRest
      guard isAway || isAtRest else { return tellOtherSender(from.host) }
    }
    if packet.dropped != dropped {
      reception.noteOverflow(Int(packet.dropped &- dropped))
      dropped = packet.dropped
    }
    let (before, source) = (reception.counts, reception.source)
    reception.take(
      header, bytes.extracting(header.payload), at: packet.arrival ?? now, into: &output)
    if reception.lastSign != lastSign {
      lastSign = reception.lastSign
      limit = now.later(by: options.timeout)
    }
    guard reception.counts.taken > before.taken else {
      if reception.counts.foreign > before.foreign {
        tellOtherSender(packet.sender?.host ?? "another stream")
      }
      return
    }
    if let from = packet.sender, from != sender {
      if sender != nil, header.source == source, !hasToldPort {
        hasToldPort = true
        link.tell(.notice(LiveNotice("comes from port \(from.port) of \(from.host) now")))
      }
      sender = from
    }
    link.live.noteArrival(at: now)
    noteClock(now)
  }

  private func takeControl(_ bytes: RawSpan, _ from: SocketAddress?) {
    guard let report = RTCPPacket(bytes), let source = reception.source else { return }
    if let from, let sender, !from.isHost(of: sender) { return }
    let isOfStream = { [sources] in sources.isEmpty ? $0 == source : sources.contains($0) }
    for report in report.reports where isOfStream(report.source) { noteTime(report) }
    guard report.endedSources.contains(where: isOfStream) else { return }
    reception.finish(into: &output)
    lose("the sender has ended the stream", closes: false)
  }

  private func noteTime(_ report: RTCPPacket.SenderReport) {
    guard let time = report.time, time > Self.leastTime,
      let arrival = reception.time(of: report.timestamp)
    else { return }
    let own = WallTime.now - Int64(MonotonicTime.now.nanoseconds(since: arrival))
    if reportedTime.isCredible(time - own) { link.statedTime?.lead = time - own }
  }

  private func noteClock(_ now: MonotonicTime) {
    untilDrift -= 1
    if untilDrift <= 0 {
      untilDrift = Self.driftInterval
      link.live.drift.store(reception.drift)
    }
    guard let ahead = reception.unsent(at: now) else { return }
    link.live.noteClock(output.delivered + ahead, at: now)
  }
}

// Senders that are lost.
extension NetworkThread {
  /// - Parameters:
  ///   - reason: a clause.
  ///   - closes: whether the sender has to be asked again.
  private func lose(_ reason: String, closes: Bool) {
    if closes {
      transport.close()
      isConnected = false
    }
    guard options.waitsForReturn else {
      // The session reads no more once it sees the end and an empty ring.
      reception.finish(into: &output)
      output.finish()
      hasEnded = true
      link.presence = .ended(
        AudioError(.deviceLost, cannot: "receive", "", because: reason))
      return
    }
    // A server that has only ended the session is there.
    limit = closes && !isAway ? .now : MonotonicTime.now.later(by: options.pause)
    if isAway { return }
    reception.finish(into: &output)
    output.isAway = true
    link.presence = .away(reason)
  }

  private func attempt() {
    do throws(AudioError) {
      transport.close()
      if try transport.reconnect(to: link.payload) { reception.expectNewStream(transport.formats) }
      isConnected = true
      limit = MonotonicTime.now.later(by: options.timeout)
    } catch {
      isConnected = false
      limit = MonotonicTime.now.later(by: options.pause)
      link.tell(.failure(error))
    }
  }

}

// News for people.
extension NetworkThread {
  private func tellOtherSender(_ name: String) {
    if hasToldOtherSender { return }
    hasToldOtherSender = true
    link.tell(.notice(LiveNotice("is sent to by \(name), too, whose packets are ignored")))
  }

  private func tellNews() {
    for news in reception.takeNews() { link.tell(.notice(notice(of: news))) }
  }

  private func notice(of news: ReceptionNews) -> LiveNotice {
    func name(_ number: UInt8) -> String {
      let name = transport.formats.name(of: number)
      return name.hasPrefix("number") ? name : "\(name) (number \(number))"
    }
    return switch news {
    case .newStream: LiveNotice("has begun a new stream")
    case .standstill: LiveNotice("had stopped its clock", isDetail: true)
    case .newType(let number): LiveNotice("sends \(name(number)) now")
    case .unheardType(let number):
      LiveNotice("sends packets of \(name(number)), which are not heard")
    case .uselessTimestamps:
      LiveNotice("states times that fit neither its samples nor the clock, which count instead")
    }
  }

  private func tellCounts() {
    let counts = reception.counts
    var more = counts.late > 0 ? "; \(counts.late) came later than --jitter allows" : ""
    if counts.silent > 0 { more += "; \(counts.silent) were of no sound" }
    if counts.corrected > 0 {
      more += "; \(counts.corrected) times its timestamps had moved away from the samples"
    }
    link.tell(
      .notice(
        LiveNotice(
          "took \(counts.taken) packets: \(counts.lost) missing, \(counts.reordered) out of order,"
            + " \(counts.duplicated) twice, \(counts.ignored) ignored\(more)",
          isDetail: counts.late + counts.corrected == 0)))
  }
}
