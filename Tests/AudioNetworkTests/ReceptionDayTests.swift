// SPDX-License-Identifier: Apache-2.0
import AudioStreams
import TestSupport
import Testing

@testable import AudioNetwork

/// A day of a telephone in simulated time: comfort noise, events, formats that change, losses, timestamps that are rounded or
/// stand still, a network that holds back, and senders that begin anew. Each packet that comes is given once, at the time at
/// which it was sent, but for the uncertainty that was told.
@Suite struct ReceptionDayTests {
  private static let rate = 8_000
  private static let length = 800
  /// The largest deviation of a timestamp, in samples.
  private static let deviation = 16

  /// A sender whose packets say when they were sent.
  private struct Sender {
    var chance: SplitMix64
    /// In samples of the local clock.
    var time: Int64 = 80_000
    var packets: [(packet: RTPPacket, payload: [UInt8], arrival: MonotonicTime)] = []
    /// Packets that were lost.
    var lost = 0
    private var sequence: UInt16 = 60_000
    private var timestamp: UInt32 = 4_294_000_000
    private var source: UInt32 = 1
    var number: UInt8 = 0
    var isInexact = false
    /// The time until which the network holds packets back.
    var held: Int64 = 0

    init(seed: UInt64) { chance = SplitMix64(seed: seed) }

    private mutating func random(_ bound: Int) -> Int { Int(chance.next() % UInt64(bound)) }

    mutating func isOne(in count: Int) -> Bool { random(count) == 0 }

    mutating func between(_ first: Int, _ last: Int) -> Int64 {
      Int64(first + random(last - first + 1))
    }

    private mutating func send(_ payload: [UInt8], number: UInt8, deviation: Int, isLost: Bool) {
      let packet = RTPPacket(
        payloadType: number, sequence: sequence,
        timestamp: timestamp &+ UInt32(truncatingIfNeeded: deviation), source: source,
        byteCount: payload.count)
      sequence &+= 1
      let way = Double(random(15_000)) / 1e6
      let sent = max(time + Int64(ReceptionDayTests.length), held)
      let arrival = MonotonicTime(
        nanoseconds: Int((Double(sent) / Double(ReceptionDayTests.rate) + way) * 1e9))
      if !isLost {
        packets.append((packet, payload, max(arrival, packets.last?.arrival ?? arrival)))
      }
    }

    mutating func talk(isLost: Bool = false) {
      let place = UInt64(time)
      var payload = [UInt8](repeating: 0x55, count: ReceptionDayTests.length)
      for index in 0..<8 { payload[index] = UInt8(truncatingIfNeeded: place >> UInt64(index * 8)) }
      let deviation =
        isInexact ? random(2 * ReceptionDayTests.deviation + 1) - ReceptionDayTests.deviation : 0
      send(payload, number: number, deviation: deviation, isLost: isLost)
      if isLost { lost += 1 }
      pass(Int64(ReceptionDayTests.length))
    }

    /// Time passes, for the sender's clock as well.
    mutating func pass(_ count: Int64) {
      time += count
      timestamp &+= UInt32(count)
    }

    /// Comfort noise each second or so.
    mutating func pause() {
      for _ in 0..<between(1, 20) {
        send([64], number: 13, deviation: 0, isLost: false)
        pass(between(2_000, 10_000))
      }
    }

    /// The packets of an event have the timestamp of its beginning.
    mutating func event() {
      let begin = time
      for _ in 0..<between(2, 10) {
        send([5, 10, 0, 160], number: 101, deviation: 0, isLost: false)
        time += 160
      }
      let duration = time - begin + between(0, 1_600)
      time = begin
      pass(duration)
    }

    /// The sender's clock stands still.
    mutating func standStill() { time += between(8_000, 160_000) }

    mutating func beginAnew() {
      time += between(16_000, 160_000)
      source &+= 1
      sequence = UInt16(random(65_536))
      timestamp = UInt32(truncatingIfNeeded: chance.next())
    }
  }

  /// The places of packets in the stream.
  private struct Heard: ReceptionOutput {
    var length: Int64 = 0
    var uncertainty: Int64 = 0
    var told = 0
    var lostSamplesPerChannel: Int64 = 0
    var places: [(sent: Int64, place: Int64, uncertainty: Int64)] = []

    mutating func append(_ payload: RawSpan, _ part: PayloadPart) {
      var sent: UInt64 = 0
      for index in 0..<8 { sent |= UInt64(payload.byte(at: index) ?? 0) << UInt64(index * 8) }
      places.append((Int64(sent), length - Int64(part.known), uncertainty))
      length += Int64(part.count - part.known)
    }

    mutating func appendSilence(_ count: Int64) { length += count }

    mutating func appendGap(_ gap: ReceptionGap) {
      told += 1
      if gap.uncertainty == 0 { lostSamplesPerChannel += gap.count }
      uncertainty += gap.uncertainty
      length += gap.count
    }
  }

  @Test(arguments: [UInt64(1), 2])
  func everySampleIsPlacedOrTold(seed: UInt64) throws {
    let format = try StreamFormat(sampleRate: Self.rate, channelCount: 1)
    var numbers = PayloadNumbers()
    numbers.list(0, nil, PayloadFormat(.pcmu, format))
    numbers.list(8, nil, PayloadFormat(.pcma, format))
    numbers.list(101, "telephone-event/8000", nil)
    var reception = Reception(
      numbers, PayloadFormat(.pcmu, format), jitter: .milliseconds(200))
    var heard = Heard()
    var sender = Sender(seed: seed)
    var sent = 0
    for _ in 0..<20 { sender.talk() }
    while sender.time < Int64(24 * 3_600 * Self.rate) {
      for _ in 0..<sender.between(20, 200) { sender.talk(isLost: sender.isOne(in: 60)) }
      for _ in 0..<8 { sender.talk() }
      switch sender.between(0, 9) {
      case 0...3: sender.pause()
      case 4: sender.event()
      case 5: sender.number = 8 - sender.number
      case 6: sender.isInexact.toggle()
      case 7: sender.held = sender.time + sender.between(4_000, 40_000)
      case 8 where sender.time > sender.held + 80_000: sender.standStill()
      case 9 where sender.time > sender.held + 80_000: sender.beginAnew()
      default: break
      }
      for _ in 0..<8 { sender.talk() }
      for (packet, payload, arrival) in sender.packets {
        reception.advance(to: arrival, into: &heard)
        unsafe reception.take(packet, payload.span.bytes, at: arrival, into: &heard)
        if payload.count == Self.length { sent += 1 }
      }
      sender.packets.removeAll(keepingCapacity: true)
    }
    reception.finish(into: &heard)
    #expect(heard.places.count == sent && reception.counts.taken == sent)
    var worst: Int64 = 0
    for (before, next) in zip(heard.places, heard.places.dropFirst()) {
      #expect(next.sent > before.sent)
      let error = abs((next.place - before.place) - (next.sent - before.sent))
      worst = max(worst, error - (next.uncertainty - before.uncertainty))
    }
    #expect(worst <= Int64(2 * Self.deviation), "\(worst) samples are not told")
    #expect(
      reception.counts.restarts > 20 && reception.counts.silent > 1_000 && sender.lost > 1_000)
  }
}
