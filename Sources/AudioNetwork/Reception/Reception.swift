// SPDX-License-Identifier: Apache-2.0
/// The account of a received stream: it puts each packet at the place of its timestamp, and silence where packets are
/// missing.
///
/// Positions are RTP timestamps, unwrapped from 32 bits, minus the first one (``TimestampLine``). Sequence numbers tell the
/// order, and whether a hole is a loss. A hole is waited for as long as ``jitter``; places and lengths do not depend on it.
///
/// One thread. It opens no socket and reads no clock, so a simulation and a test give it any network.
struct Reception {
  private var numbers: PayloadNumbers
  let payload: PayloadFormat
  let jitter: Duration
  private(set) var counts = ReceptionCounts()
  /// The identifier of the sender's stream (SSRC). Nil before its second packet.
  private(set) var source: UInt32?
  /// The arrival of the last packet that told a place of the stream.
  private(set) var lastArrival: MonotonicTime?
  /// The arrival of the last packet of the sender. Before the stream begins, of any sender's second one.
  private(set) var lastSign: MonotonicTime?

  /// Nil before the stream begins.
  private var places: StreamPlaces?
  private var pace: SenderPace?
  private var held = HeldPackets()
  /// Set while the first packets of the stream are waited for.
  private var opening: MonotonicTime?
  private var candidates = StreamCandidates()
  /// Whether the next packets are those of a new stream, whatever their numbers are.
  private var expectsNewStream = false
  /// The payload types that have brought sound.
  private var soundTypes: Set<UInt8> = []
  private var news = ReceptionNewsList()
  private var lastSource: UInt32?

  /// - Parameters:
  ///   - numbers: of the formats that may come.
  ///   - payload: of the stream.
  ///   - jitter: how long a hole is waited for.
  init(_ numbers: PayloadNumbers, _ payload: PayloadFormat, jitter: Duration) {
    self.numbers = numbers
    self.payload = payload
    self.jitter = jitter
  }

  /// Takes a packet, and gives all that is complete.
  ///
  /// - Parameters:
  ///   - packet: the header.
  ///   - bytes: the payload.
  ///   - arrival: on the local clock.
  mutating func take(
    _ packet: RTPPacket, _ bytes: RawSpan, at arrival: MonotonicTime,
    into output: inout some ReceptionOutput
  ) {
    if packet.source == source ?? lastSource { lastSign = arrival }
    lastSource = packet.source
    let meaning = numbers.meaning(of: packet.payloadType)
    guard case .sound(let format) = meaning else {
      takeSilent(packet, isPause: meaning == .pause, at: arrival)
      return advance(to: arrival, into: &output)
    }
    guard let count = format.sampleCount(of: bytes, isMarked: packet.isMarked) else {
      counts.ignored += 1
      return
    }
    let isKnown = soundTypes.contains(packet.payloadType)
    let isNew = packet.source != source || expectsNewStream
    // Behind a leap the first packet already is in doubt.
    let goesOn = candidates.areFollowed(by: packet, clockRate: payload.clockRate)
    if !isNew, isKnown, !goesOn, isOfStream(packet, count, at: arrival) {
      counts.ignored += candidates.remove(packet)
      place(packet, bytes, format, count, at: arrival, into: &output)
    } else if isNew || isKnown || noteSilent(packet) != nil {
      // A new format may have no sound. Its number is not that of a lost packet.
      propose(packet, bytes, at: arrival, into: &output)
    }
    advance(to: arrival, into: &output)
  }

  /// Gives the packets whose predecessors are not waited for any longer.
  mutating func advance(to now: MonotonicTime, into output: inout some ReceptionOutput) {
    if let begin = opening {
      if now.elapsed(since: begin) < jitter, !held.isFull { return }
      begins()
    }
    if isHolding {
      guard held.isFull else { return }
      pace?.giveUpLate()
    }
    while let first = held.first {
      guard places?.isNext(first) ?? true || held.isFull || isOver(held.waitingSince, at: now)
      else { return }
      giveFirst(into: &output)
    }
  }

  /// When ``advance(to:into:)`` has something to do. Nil if nothing is held.
  var deadline: MonotonicTime? {
    isHolding ? nil : (opening ?? held.waitingSince)?.later(by: jitter)
  }

  /// Gives everything that is held.
  mutating func finish(into output: inout some ReceptionOutput) {
    if opening != nil { begins() }
    if let gap = pace?.finish() { skip(gap, into: &output) }
    while !held.isEmpty { giveFirst(into: &output) }
  }

  /// Notes that the sender was asked for a new stream.
  mutating func expectNewStream(_ numbers: PayloadNumbers) {
    self.numbers = numbers
    expectsNewStream = source != nil
  }

  /// Notes that this machine has dropped packets before the next one.
  mutating func noteOverflow(_ count: Int) { places?.noteOverflow(count) }

  mutating func takeNews() -> [ReceptionNews] { news.take() }

  /// The end of the stream so far, in samples per channel.
  var end: Int64 { places?.end ?? 0 }

  /// How much faster than nominal the sender's clock runs. Nil while it is unknown.
  var drift: ClockDrift? { pace?.drift }

  /// How many samples per channel the sender has sent by `time` behind those that were given, by its clock.
  func unsent(at time: MonotonicTime) -> Int64? {
    pace?.position(at: time).map { $0 - end }
  }

  /// When the packet that ends with this instant of the sender's clock arrives at the earliest, by the local clock.
  func time(of timestamp: UInt32) -> MonotonicTime? {
    guard let line = places?.line, line.isFollowed else { return nil }
    return pace?.time(of: line.position(of: line.unwrapped(timestamp)))
  }

  private func isOver(_ begin: MonotonicTime?, at now: MonotonicTime) -> Bool {
    begin.map { now.elapsed(since: $0) >= jitter } ?? true
  }

  /// Whether packets are held until it is known why they are late.
  private var isHolding: Bool { pace?.late != nil }
}

// The places of packets.
extension Reception {
  /// Begins the stream with the earliest packet that came so far.
  private mutating func begins() {
    opening = nil
    guard let first = held.first, let line = places?.line, line.isFollowed else { return }
    // Positions count from the first sample that is given.
    let shift = -line.position(of: first.timestamp)
    places?.shift(by: shift)
    pace?.shift(by: shift)
  }

  /// Whether the packet continues the stream: its timestamp does, by the sequence number or by the local clock.
  private func isOfStream(_ packet: RTPPacket, _ count: Int, at arrival: MonotonicTime) -> Bool {
    guard let line = places?.line, let history = places?.history, let pace else { return false }
    let number = history.unwrapped(packet.sequence) - line.latest.number
    let timestamp = line.unwrapped(packet.timestamp)
    if opening != nil { return pace.mayContinue(line, number, timestamp) }
    guard line.isFollowed else { return abs(number) < Int64(SequenceHistory.length) }
    return pace.continues(line, number, timestamp, count, at: arrival)
  }

  private mutating func place(
    _ packet: RTPPacket, _ bytes: RawSpan, _ format: PayloadFormat, _ count: Int,
    at arrival: MonotonicTime, isNoted: Bool = false, into output: inout some ReceptionOutput
  ) {
    let registered =
      isNoted
      ? places?.history?.unwrapped(packet.sequence) : places?.register(packet.sequence, &counts)
    guard let number = registered, let timestamp = places?.line.unwrapped(packet.timestamp) else {
      return
    }
    lastArrival = arrival
    follow(number, timestamp, count, at: arrival, into: &output)
    if let last = places?.lastGiven, number < last {
      counts.late += 1
      counts.lateSamples += Int64(count)
      return
    }
    counts.taken += 1
    var item = HeldPacket(
      number: number, timestamp: timestamp, count: count, isMarked: packet.isMarked,
      format: format, arrival: arrival)
    if opening == nil, !isHolding, held.isEmpty, places?.isNext(item) ?? false {
      places?.give(item, bytes, &counts, &output)
    } else {
      item.payload = [UInt8](bytes)
      held.insert(item)
    }
  }

  /// Follows the clocks of the sender and of this machine to a packet that was registered.
  private mutating func follow(
    _ number: Int64, _ timestamp: Int64, _ count: Int, at arrival: MonotonicTime,
    into output: inout some ReceptionOutput
  ) {
    guard let before = places?.line, let pace else { return }
    guard number == places?.history?.highest else {
      if before.isFollowed {
        self.pace?.observeOlder(before.position(of: timestamp) + Int64(count), at: arrival)
      }
      return
    }
    places?.follow(number, timestamp, elapsed: pace.elapsed(at: arrival), behind: pace.count)
    guard let line = places?.line else { return }
    if before.isFollowed, !line.isFollowed { news.add(.uselessTimestamps) }
    let stride = number - before.latest.number
    switch self.pace?.observe(line, stride: stride, count, at: arrival, isOpening: opening != nil) {
    case .isLate: while !held.isEmpty { giveFirst(into: &output) }
    case .stoodStill(let gap): skip(gap, into: &output)
    case .usual, nil: break
    }
  }

  /// Puts a gap where the sender's clock stood still, before the packets that are held.
  private mutating func skip(_ gap: ReceptionGap, into output: inout some ReceptionOutput) {
    output.appendGap(gap)
    places?.skip(gap.count)
    counts.restarts += 1
    news.add(.standstill(gap.count))
  }

  private mutating func giveFirst(into output: inout some ReceptionOutput) {
    let packet = held.removeFirst()
    unsafe places?.give(packet, packet.payload.span.bytes, &counts, &output)
  }

  /// Takes a packet without sound of the stream.
  private mutating func takeSilent(
    _ packet: RTPPacket, isPause: Bool, at arrival: MonotonicTime
  ) {
    guard packet.source == source, let line = places?.line else {
      counts.ignored += 1
      // A sender of nothing else has a second packet.
      if source == nil, !isPause, lastSign == arrival { news.add(.unheardType(packet.payloadType)) }
      return
    }
    let timestamp = line.unwrapped(packet.timestamp)
    // Comfort noise begins where the sound has ended. An event of a telephone lasts, and its timestamp stands still.
    let tellsPlace =
      isPause && timestamp > line.latest.timestamp && line.isFollowed
      && isOfStream(packet, 0, at: arrival)
    guard let number = noteSilent(packet) else { return }
    if !isPause { news.add(.unheardType(packet.payloadType)) }
    guard tellsPlace, places?.lastGiven.map({ number > $0 }) ?? true else { return }
    lastArrival = arrival
    held.insert(
      HeldPacket(
        number: number, timestamp: timestamp, count: 0, isMarked: false, format: nil,
        arrival: arrival))
  }

  /// Notes a packet of the sender that has no sound, or that may have none: it uses up a number.
  ///
  /// - Returns: the unwrapped number. Nil if it came before, or is far from the others.
  private mutating func noteSilent(_ packet: RTPPacket) -> Int64? {
    guard let history = places?.history,
      abs(history.unwrapped(packet.sequence) - history.highest) <= StreamPlaces.longestStride,
      let number = places?.register(packet.sequence, &counts)
    else { return nil }
    counts.silent += 1
    return number
  }
}

// Senders and formats that begin.
extension Reception {
  private mutating func propose(
    _ packet: RTPPacket, _ bytes: RawSpan, at arrival: MonotonicTime,
    into output: inout some ReceptionOutput
  ) {
    // Packets between those of the present sender have no place of their own.
    let since = packet.source == source ? nil : lastArrival
    let (proposal, ignored, foreign) = candidates.add(
      StreamCandidate.Packet(header: packet, payload: [UInt8](bytes), arrival: arrival),
      clockRate: payload.clockRate, since: since)
    counts.ignored += ignored
    counts.foreign += foreign
    guard let proposal, let first = proposal.packets.first else { return }
    var isNew =
      expectsNewStream || packet.source != source || soundTypes.contains(packet.payloadType)
    if !isNew {
      guard let line = places?.line, proposal.isContiguous(numbers, line) else { return }
      isNew = !isOfStream(first.header, 0, at: first.arrival)
    }
    guard source == nil || packet.source == source || isAtRest(at: arrival) else { return }
    _ = candidates.remove(packet)
    if !isNew {
      if soundTypes.insert(packet.payloadType).inserted { news.add(.newType(packet.payloadType)) }
    } else if source == nil {
      open(first, packet)
    } else {
      takeOver(by: first, into: &output)
    }
    for packet in proposal.packets {
      unsafe placeProposed(packet, packet.payload.span.bytes, isNoted: !isNew, into: &output)
    }
  }

  /// Whether the present sender has sent nothing for a while.
  private func isAtRest(at now: MonotonicTime) -> Bool {
    guard let lastSign else { return true }
    return now.elapsed(since: lastSign) >= max(jitter, SenderPace.shortestRest)
  }

  private mutating func placeProposed(
    _ packet: StreamCandidate.Packet, _ bytes: RawSpan, isNoted: Bool,
    into output: inout some ReceptionOutput
  ) {
    guard case .sound(let format) = numbers.meaning(of: packet.header.payloadType),
      let count = format.sampleCount(of: bytes, isMarked: packet.header.isMarked)
    else { return }
    if isNoted { counts.silent -= 1 }
    place(
      packet.header, bytes, format, count, at: packet.arrival, isNoted: isNoted, into: &output)
  }

  /// Begins the stream.
  private mutating func open(_ first: StreamCandidate.Packet, _ packet: RTPPacket) {
    source = packet.source
    opening = first.arrival
    pace = SenderPace(
      sampleRate: payload.format.sampleRate, jitter: jitter, origin: first.arrival)
    places = StreamPlaces(payload, first.header, at: 0)
    soundTypes = [packet.payloadType]
    if numbers.meaning(of: packet.payloadType) != .sound(payload) {
      news.add(.newType(packet.payloadType))
    }
  }

  /// Goes on with another stream. The local clock tells the time between.
  private mutating func takeOver(
    by first: StreamCandidate.Packet, into output: inout some ReceptionOutput
  ) {
    finish(into: &output)
    counts.restarts += 1
    if !expectsNewStream { news.add(.newStream) }
    expectsNewStream = false
    guard let pace, let begin = places?.end(before: first, pace, &output) else { return }
    self.pace?.begin(at: begin)
    source = first.header.source
    places = StreamPlaces(payload, first.header, at: begin)
    soundTypes = [first.header.payloadType]
  }
}
