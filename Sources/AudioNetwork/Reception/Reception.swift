// SPDX-License-Identifier: Apache-2.0
/// The account of a received stream: it puts each packet at the place of its timestamp, and silence where packets are
/// missing.
///
/// Positions are RTP timestamps, unwrapped from 32 bits, minus the first one. Sequence numbers tell only whether a hole
/// is a loss. A hole is waited for as long as ``jitter``; places and lengths do not depend on it.
///
/// One thread. It opens no socket and reads no clock, so a simulation and a test give it any network.
struct Reception {
  /// The largest step of timestamps that needs no proof by the local clock.
  private static let longestStep = Duration.seconds(60)
  /// How long a packet may be late, by its timestamp, and still belong to the stream.
  private static let longestDelay = Duration.seconds(2)
  /// The silence of a sender after which another may take its place.
  static let shortestRest = Duration.milliseconds(250)

  let payload: PayloadFormat
  let jitter: Duration
  private(set) var counts = ReceptionCounts()
  /// The identifier of the sender's stream (SSRC). Nil before the first packet.
  private(set) var source: UInt32?
  /// The arrival of the last packet that was taken.
  private(set) var lastArrival: MonotonicTime?
  /// The end of the stream so far, in samples per channel.
  private(set) var end: Int64 = 0

  private var history: SequenceHistory?
  /// The unwrapped number of the packet that ``end`` follows. Nil if that is of another stream.
  private var lastGiven: Int64?
  // The highest timestamp so far, and its position.
  private var referenceTimestamp: UInt32 = 0
  private var reference: Int64 = 0
  /// Samples per channel of the last packet.
  private var lastCount = 0
  private var held = HeldPackets()
  /// Set while the first packets of the stream are waited for.
  private var opening: MonotonicTime?
  private var candidate: StreamCandidate?
  /// Whether the next packets are those of a new stream, whatever their numbers are.
  private var expectsNewStream = false
  private var clock: ReceptionClock?

  /// - Parameters:
  ///   - payload: of the packets.
  ///   - jitter: how long a hole is waited for.
  init(_ payload: PayloadFormat, jitter: Duration) {
    self.payload = payload
    self.jitter = jitter
  }

  private var sampleRate: Int { payload.format.sampleRate }

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
    guard let count = payload.sampleCount(of: bytes, isMarked: packet.isMarked) else {
      counts.ignored += 1
      return
    }
    if source == nil { open(packet, at: arrival) }
    guard !expectsNewStream, isOfStream(packet, count, at: arrival) else {
      propose(packet, bytes, at: arrival, into: &output)
      return
    }
    if candidate?.source == packet.source { dropCandidate() }
    place(packet, bytes, count, at: arrival, into: &output)
    advance(to: arrival, into: &output)
  }

  /// Gives the packets whose predecessors are not waited for any longer.
  mutating func advance(to now: MonotonicTime, into output: inout some ReceptionOutput) {
    if let begin = opening {
      if now.elapsed(since: begin) < jitter, !held.isFull { return }
      begins()
    }
    while let first = held.first {
      let isNext = first.position <= end || first.sequence == lastGiven.map { $0 + 1 }
      guard isNext || held.isFull || isOver(held.waitingSince, at: now) else { return }
      let packet = held.removeFirst()
      unsafe give(packet, packet.payload.span.bytes, &output)
    }
  }

  /// When ``advance(to:into:)`` has something to do. Nil if nothing is held.
  var deadline: MonotonicTime? {
    (opening ?? held.waitingSince).map {
      MonotonicTime(nanoseconds: $0.nanoseconds + jitter.inNanoseconds)
    }
  }

  /// Gives everything that is held.
  mutating func finish(into output: inout some ReceptionOutput) {
    if opening != nil { begins() }
    while !held.isEmpty {
      let packet = held.removeFirst()
      unsafe give(packet, packet.payload.span.bytes, &output)
    }
  }

  /// Notes that the sender was asked for a new stream.
  mutating func expectNewStream() { expectsNewStream = source != nil }

  /// How much faster than nominal the sender's clock runs. Nil while it is unknown.
  var drift: ClockDrift? { clock?.drift }

  /// How many samples per channel the sender has sent by `time` behind those that were given, by its clock.
  func unsent(at time: MonotonicTime) -> Int64? {
    clock?.position(at: time).map { $0.samples - end }
  }

  private func isOver(_ begin: MonotonicTime?, at now: MonotonicTime) -> Bool {
    begin.map { now.elapsed(since: $0) >= jitter } ?? true
  }
}

// The places of packets.
extension Reception {
  private mutating func open(_ packet: RTPPacket, at arrival: MonotonicTime) {
    source = packet.source
    history = nil
    referenceTimestamp = packet.timestamp
    reference = 0
    opening = arrival
    clock = ReceptionClock(sampleRate: sampleRate, origin: arrival)
  }

  /// Begins the stream with the earliest packet that came so far.
  private mutating func begins() {
    opening = nil
    end = held.first?.position ?? end
    // Positions count from the first sample that is given.
    shift(by: -end)
  }

  private mutating func shift(by count: Int64) {
    end += count
    reference += count
    clock?.shift(by: count)
    held.shift(by: count)
  }

  private func position(of packet: RTPPacket) -> Int64 {
    reference + Int64(Int32(bitPattern: packet.timestamp &- referenceTimestamp))
  }

  /// Whether the packet continues the stream: its timestamp does, by the sequence number or by the local clock.
  private func isOfStream(_ packet: RTPPacket, _ count: Int, at arrival: MonotonicTime) -> Bool {
    guard packet.source == source else { return false }
    guard let history else { return true }
    let step = position(of: packet) - reference
    let number = history.unwrapped(packet.sequence) - history.highest
    if step <= 0 {
      // An older timestamp has an older number; fragments of a unit have one timestamp.
      return (number <= 0 || step == 0 && lastCount == 0)
        && -step <= Self.longestDelay.samples(at: sampleRate)
    }
    if step <= Int64(sampleRate) { return true }
    if number > 0, step == number * Int64(lastCount) {
      return step <= Self.longestStep.samples(at: sampleRate)
    }
    guard let clock, let place = clock.position(at: arrival) else { return false }
    let distance = abs(place.samples - (reference + step + Int64(count)))
    return distance <= place.uncertainty + (jitter + Self.shortestRest).samples(at: sampleRate)
  }

  private mutating func place(
    _ packet: RTPPacket, _ bytes: RawSpan, _ count: Int, at arrival: MonotonicTime,
    into output: inout some ReceptionOutput
  ) {
    let position = position(of: packet)
    var history = self.history ?? SequenceHistory(packet.sequence)
    let number = history.unwrapped(packet.sequence)
    if self.history != nil, history.contains(number) {
      if position + Int64(count) <= end, history.highest - number >= SequenceHistory.length {
        dropLate(count)
      } else {
        counts.duplicated += 1
      }
      return
    }
    if self.history != nil, number < history.highest { counts.reordered += 1 }
    history.insert(number)
    self.history = history
    if position >= reference {
      reference = position
      referenceTimestamp = packet.timestamp
    }
    lastArrival = arrival
    lastCount = count
    clock?.observe(position + Int64(count), at: arrival)
    if opening == nil, position + Int64(max(count, 1)) <= end { return dropLate(count) }
    counts.taken += 1
    if opening == nil, held.isEmpty, position <= end || number == lastGiven.map({ $0 + 1 }) {
      let given = HeldPacket(
        position: position, count: count, sequence: number, isMarked: packet.isMarked, payload: [],
        arrival: arrival)
      return give(given, bytes, &output)
    }
    held.insert(
      HeldPacket(
        position: position, count: count, sequence: number, isMarked: packet.isMarked,
        payload: [UInt8](bytes), arrival: arrival))
  }

  private mutating func dropLate(_ count: Int) {
    counts.late += 1
    counts.lateSamples += Int64(count)
  }

  private mutating func give(
    _ packet: HeldPacket, _ bytes: RawSpan, _ output: inout some ReceptionOutput
  ) {
    let (position, count, sequence) = (packet.position, packet.count, packet.sequence)
    if position > end {
      let missing = position - end
      if let lastGiven, sequence > lastGiven + 1 {
        counts.lost += Int(sequence - lastGiven - 1)
        output.appendGap(ReceptionGap(count: missing))
      } else {
        output.appendSilence(missing)
      }
      end = position
    }
    lastGiven = max(lastGiven ?? sequence, sequence)
    let known = Int(min(end - position, Int64(count)))
    if known == count, count > 0 { return }
    output.append(
      bytes,
      PayloadPart(format: payload, count: count, known: known, isMarked: packet.isMarked))
    end = position + Int64(count)
  }
}

// Senders that begin again.
extension Reception {
  private mutating func propose(
    _ packet: RTPPacket, _ bytes: RawSpan, at arrival: MonotonicTime,
    into output: inout some ReceptionOutput
  ) {
    let proposed = StreamCandidate.Packet(
      header: packet, payload: [UInt8](bytes), arrival: arrival)
    var proposal = candidate ?? StreamCandidate(proposed)
    if candidate != nil, !proposal.append(proposed, sampleRate: sampleRate) {
      dropCandidate()
      proposal = StreamCandidate(proposed)
    }
    // Packets between those of the present sender have no place of their own.
    if let lastArrival, proposal.source != source {
      counts.ignored += proposal.removeFirst(before: lastArrival)
    }
    candidate = proposal
    guard proposal.isProved, isAtRest(at: arrival) || proposal.source == source else { return }
    take(over: proposal, into: &output)
  }

  /// Whether the present sender has sent nothing for a while.
  private func isAtRest(at now: MonotonicTime) -> Bool {
    guard let lastArrival else { return true }
    return now.elapsed(since: lastArrival) >= max(jitter, Self.shortestRest)
  }

  private mutating func dropCandidate() {
    counts.ignored += candidate?.packets.count ?? 0
    candidate = nil
  }

  /// Goes on with the packets of `new`. The local clock tells the time between the streams.
  private mutating func take(over new: StreamCandidate, into output: inout some ReceptionOutput) {
    guard let first = new.packets.first else { return }
    candidate = nil
    expectsNewStream = false
    finish(into: &output)
    counts.restarts += 1
    let count =
      unsafe payload.sampleCount(
        of: first.payload.span.bytes, isMarked: first.header.isMarked) ?? 0
    let place = clock?.position(at: first.arrival) ?? (end, 0)
    let begin = max(place.samples - Int64(count), end)
    if begin > end {
      output.appendGap(
        ReceptionGap(
          count: begin - end, uncertainty: place.uncertainty + Int64(max(count, lastCount))))
      end = begin
    }
    clock?.beginStretch(at: begin)
    source = new.source
    history = nil
    lastGiven = nil
    reference = begin
    referenceTimestamp = first.header.timestamp
    for packet in new.packets {
      unsafe take(packet.header, packet.payload.span.bytes, at: packet.arrival, into: &output)
    }
  }
}
