// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The thread of a network's stream: it takes packets, keeps the sender sending, and asks it again after a loss.
final class NetworkThread {
  /// Packets between two looks at the drift.
  private static let driftInterval = 256

  private let link: NetworkLink
  private let transport: any PacketTransport
  private let options: NetworkOptions
  private var reception: Reception
  private var output: RingOutput
  private var payloadType: UInt8?
  /// The host that sends.
  private var sender: SocketAddress?
  private var isAway = false
  private var isConnected = true {
    didSet {
      wait = DescriptorWait(isConnected ? transport.descriptors : [], event: link.wakeEvent)
    }
  }
  private var wait: DescriptorWait
  private var hasEnded = false
  /// When the next attempt is due, or the silence of the sender too long.
  private var limit: MonotonicTime
  private var untilDrift = NetworkThread.driftInterval
  private var hasToldOtherSender = false
  private var toldRestarts = 0

  init(_ link: NetworkLink, _ transport: any PacketTransport, _ options: NetworkOptions) {
    self.link = link
    self.transport = transport
    self.options = options
    reception = Reception(link.payload, jitter: options.wait)
    output = RingOutput(link)
    wait = DescriptorWait(transport.descriptors, event: link.wakeEvent)
    limit = MonotonicTime.now.later(by: options.timeout)
  }

  func run() {
    while !link.isToStop, !hasEnded {
      var end = limit
      if let next = reception.deadline { end = min(end, next) }
      if isConnected, let next = transport.deadline { end = min(end, next) }
      wait.wait(until: end)
      if !link.isToStop { step() }
    }
    reception.finish(into: &output)
    output.finish()
    link.drift = reception.drift ?? link.drift
    tellCounts()
    transport.close()
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
    tellRestarts()
    if now < limit || hasEnded { return }
    if isAway {
      attempt()
    } else {
      lose("no packet has come for \(options.timeout.inWords)", closes: false)
    }
  }

  private func take(_ bytes: RawSpan, _ packet: ReceivedPacket) {
    if packet.isControl { return takeControl(bytes, packet.sender) }
    guard let header = RTPPacket(bytes) else { return }
    if let type = payloadType ?? transport.formats.order.first, header.payloadType != type {
      return
    }
    let now = MonotonicTime.now
    if let from = packet.sender, from != sender {
      let isAtRest = now.elapsed(since: link.lastArrival) > Reception.shortestRest
      guard sender == nil || isAway || isAtRest else { return tellOtherSender(from.host) }
      sender = from
    }
    let before = reception.counts
    reception.take(header, bytes.extracting(header.payload), at: now, into: &output)
    guard reception.counts.taken > before.taken else {
      let isOther = header.source != reception.source
      if isOther, reception.counts.ignored > before.ignored { tellOtherSender("another stream") }
      return
    }
    payloadType = header.payloadType
    link.lastArrival = now
    limit = now.later(by: options.timeout)
    if isAway { returned() }
    noteClock(now)
  }

  private func takeControl(_ bytes: RawSpan, _ from: SocketAddress?) {
    guard let report = RTCPPacket(bytes), let source = reception.source,
      report.endedSources.contains(source)
    else { return }
    if let from, let sender, !from.isHost(of: sender) { return }
    reception.finish(into: &output)
    lose("the sender has ended the stream", closes: false)
  }

  private func noteClock(_ now: MonotonicTime) {
    untilDrift -= 1
    if untilDrift <= 0 {
      untilDrift = Self.driftInterval
      link.drift = reception.drift
    }
    guard let ahead = reception.unsent(at: now) else { return }
    link.note(
      ClockReading(
        time: now, position: output.delivered + ahead,
        interruptions: link.losses.load(ordering: .relaxed), isRunning: true))
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
    limit = MonotonicTime.now.later(by: options.pause)
    if isAway { return }
    isAway = true
    reception.finish(into: &output)
    output.isAway = true
    link.presence = .away(reason)
  }

  private func attempt() {
    do throws(AudioError) {
      transport.close()
      if try transport.reconnect(to: link.payload) { reception.expectNewStream() }
      isConnected = true
      limit = MonotonicTime.now.later(by: options.timeout)
    } catch {
      isConnected = false
      limit = MonotonicTime.now.later(by: options.pause)
      link.tell(.failure(error))
    }
  }

  private func returned() {
    isAway = false
    output.isAway = false
    link.presence = .present
  }
}

// News for people.
extension NetworkThread {
  private func tellOtherSender(_ name: String) {
    if hasToldOtherSender { return }
    hasToldOtherSender = true
    link.tell(.notice(LiveNotice("is sent to by \(name), too, whose packets are ignored")))
  }

  private func tellRestarts() {
    guard reception.counts.restarts > toldRestarts else { return }
    toldRestarts = reception.counts.restarts
    link.tell(.notice(LiveNotice("has begun a new stream", isDetail: true)))
  }

  private func tellCounts() {
    let counts = reception.counts
    let late = counts.late > 0 ? "; \(counts.late) came later than --jitter allows" : ""
    link.tell(
      .notice(
        LiveNotice(
          "took \(counts.taken) packets: \(counts.lost) missing, \(counts.reordered) out of order,"
            + " \(counts.duplicated) twice, \(counts.ignored) ignored\(late)",
          isDetail: counts.late == 0)))
  }
}

extension Duration {
  /// `10 s`, `50 ms`.
  var inWords: String {
    let milliseconds = inNanoseconds / 1_000_000
    return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
  }
}
