// SPDX-License-Identifier: Apache-2.0
import AudioStreams
import Testing

@testable import AudioNetwork

/// Losses, disorder and restarts of a scripted sender. The oracle is the sent samples with zeros in place of the lost
/// packets.
@Suite struct ReceptionTests {
  private static let leaps: [UInt32] = [
    1 << 31, 1, 7_000_000, 1_000_000_000, 0xFFFF_0000, UInt32.max - 5_000_000,
  ]
  private static let sequences: [UInt16] = [0xFFFF, 0xFFFC, 0xFD43]
  private static let timestamps: [UInt32] = [0xFFFF_FFFF, 0xFFFF_FC17, 0xFFF8_5EDF]

  private func receive(
    _ packets: [Sender.Packet], jitter: Duration = .milliseconds(200)
  ) throws -> (Reception, ReceivedSamples) {
    var reception = try Reception(Sender.payload, jitter: jitter)
    var output = ReceivedSamples(frameSize: 2)
    reception.takeAll(packets, into: &output)
    return (reception, output)
  }

  /// The sent samples, with zeros for these packets.
  private func expected(
    _ packets: [Sender.Packet], lost: Set<Int>
  ) -> (bytes: [UInt8], gaps: [ReceivedSamples.Gap]) {
    var bytes: [UInt8] = []
    var gaps: [ReceivedSamples.Gap] = []
    for (index, packet) in packets.enumerated() {
      let count = packet.payload.count / 2
      guard lost.contains(index) else {
        bytes += packet.payload
        continue
      }
      if lost.contains(index - 1) {
        gaps[gaps.count - 1].count += count
      } else {
        gaps.append(.init(position: bytes.count / 2, count: count))
      }
      bytes += [UInt8](repeating: 0, count: packet.payload.count)
    }
    return (bytes, gaps)
  }

  private func check(
    _ sender: Sender, lost: Set<Int>, count: Int = 1_500,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let packets = sender.packets(count)
    let arrived = packets.indices.filter { !lost.contains($0) }.map { packets[$0] }
    let (reception, output) = try receive(arrived)
    let (bytes, gaps) = expected(packets, lost: lost)
    #expect(output.bytes == bytes, sourceLocation: sourceLocation)
    #expect(output.gaps == gaps, sourceLocation: sourceLocation)
    #expect(output.meant.isEmpty, sourceLocation: sourceLocation)
    #expect(reception.counts.lost == lost.count, sourceLocation: sourceLocation)
    #expect(reception.counts.taken == arrived.count, sourceLocation: sourceLocation)
  }

  @Test(arguments: [48, 240, 960])
  func nothingIsLost(length: Int) throws { try check(Sender(packetLength: length), lost: []) }

  /// Both counters wrap among the packets, at every place.
  @Test(arguments: sequences, timestamps)
  func bothCountersWrap(sequence: UInt16, timestamp: UInt32) throws {
    try check(
      Sender(sequence: sequence, timestamp: timestamp), lost: [1, 2, 3, 500, 699, 700, 701])
  }

  @Test(arguments: [1, 2, 20, 50, 200, 1_000])
  func aBurstIsLost(length: Int) throws {
    try check(Sender(packetLength: 240), lost: Set(300..<300 + length))
  }

  @Test(arguments: [UInt64(1), 2, 3, 4])
  func fiveInAHundredAreLost(seed: UInt64) throws {
    var numbers = SplitMix64(seed: seed)
    try check(Sender(), lost: Set((1..<1_499).filter { _ in numbers.next() % 20 == 0 }))
  }

  /// Each packet is delayed by up to `distance` packets, and some come twice. Nothing is lost within the jitter.
  @Test(arguments: [2, 5, 10], [UInt64(1), 2, 3])
  func disorderIsPutRight(distance: Int, seed: UInt64) throws {
    var numbers = SplitMix64(seed: seed)
    let sent = Sender(packetLength: 480).packets(1_000)
    var delayed: [Sender.Packet] = []
    for packet in sent {
      var packet = packet
      packet.arrival.nanoseconds += Int(numbers.next() % UInt64(distance * 10_000_000))
      delayed.append(packet)
      if numbers.next() % 10 == 0 {
        packet.arrival.nanoseconds += Int(numbers.next() % 50_000_000)
        delayed.append(packet)
      }
    }
    delayed.sort { $0.arrival < $1.arrival }
    let (reception, output) = try receive(delayed)
    #expect(output.bytes == sent.flatMap(\.payload))
    #expect(output.gaps.isEmpty)
    #expect(reception.counts.duplicated == delayed.count - sent.count)
    #expect(reception.counts.reordered > 0)
    #expect(reception.counts.late == 0)
  }

  /// A packet that is later than the jitter is a gap, and is told as late.
  @Test func tooLateIsToldAsLate() throws {
    var packets = Sender().packets(100)
    packets[50].arrival.nanoseconds += 300_000_000
    packets.sort { $0.arrival < $1.arrival }
    let (reception, output) = try receive(packets)
    #expect(output.length == 96_000)
    #expect(output.gaps == [.init(position: 48_000, count: 960)])
    #expect((reception.counts.late, reception.counts.lateSamples) == (1, 960))
  }

  /// Timestamps go on while no packets come and no number is missing: the sender was silent on purpose.
  @Test(arguments: [0.1, 0.9, 5.0, 90.0])
  func aSilenceThatWasMeant(seconds: Double) throws {
    var packets = Sender().packets(200)
    for index in 100..<200 {
      packets[index].header.timestamp &+= UInt32(seconds * 48_000)
      packets[index].arrival.nanoseconds += Int(seconds * 1e9)
    }
    let (reception, output) = try receive(packets)
    #expect(output.meant == [.init(position: 96_000, count: Int(seconds * 48_000))])
    #expect(output.gaps.isEmpty)
    #expect(output.length == 192_000 + Int(seconds * 48_000))
    #expect(reception.counts.restarts == 0)
  }

  /// Another sender, and a clock that leaps by any number or stands still: a gap by the local clock, with its uncertainty.
  @Test(arguments: leaps, [true, false])
  func aRestart(leap: UInt32, isNewSource: Bool) throws {
    let pause = 0.7
    var packets = Sender().packets(200)
    for index in 100..<200 {
      packets[index].header.timestamp &+= leap
      if isNewSource {
        packets[index].header.source = 0xBEEF
        packets[index].header.sequence &+= 12_345
      }
      packets[index].arrival.nanoseconds += Int(pause * 1e9)
    }
    let (reception, output) = try receive(packets)
    let told = Int(pause * 48_000)
    #expect(abs(output.length - (192_000 + told)) <= 1)
    #expect(reception.counts.restarts == 1)
    #expect(reception.counts.taken == 200)
    #expect(output.gaps.count == 1)
    guard let gap = output.gaps.first else { return }
    #expect(gap.position == 96_000)
    #expect(abs(gap.count - told) <= gap.uncertainty)
    #expect(gap.uncertainty > 0 && gap.uncertainty < 4_800)
    let sent = packets[100...].flatMap(\.payload)
    #expect(output.bytes.suffix(96_000 * 2) == sent[...])
  }

  /// A second sender among the packets of the first, and single packets from anywhere, change nothing.
  @Test func strangersAreIgnored() throws {
    let sent = Sender().packets(500)
    var numbers = SplitMix64(seed: 9)
    var packets = sent
    var second = Sender(source: 0xBEEF, sequence: 7, timestamp: 99).packets(500)
    for index in second.indices { second[index].arrival.nanoseconds += 1_000_000 }
    packets += second
    for _ in 0..<200 {
      var stray = sent[Int(numbers.next() % 500)]
      stray.header.timestamp = UInt32(truncatingIfNeeded: numbers.next())
      stray.header.sequence = UInt16(truncatingIfNeeded: numbers.next())
      stray.arrival.nanoseconds += 2_000_000
      packets.append(stray)
    }
    packets.sort { $0.arrival < $1.arrival }
    let (reception, output) = try receive(packets)
    #expect(output.bytes == sent.flatMap(\.payload))
    #expect(output.gaps.isEmpty)
    #expect(reception.counts.restarts == 0)
    #expect(reception.counts.ignored > 600)
  }

  /// A day at 200 ppm: 86,400 packets, whose timestamps wrap.
  @Test func aDayOfDriftKeepsItsLength() throws {
    var reception = try Reception(Sender.payload, jitter: .milliseconds(200))
    var output = CountedSamples()
    let payload = [UInt8](repeating: 1, count: 48_000 * 2)
    let count = 24 * 3_600
    for index in 0..<count {
      let header = RTPPacket(
        payloadType: 96, sequence: UInt16(truncatingIfNeeded: index),
        timestamp: UInt32(truncatingIfNeeded: index * 48_000), source: 1, byteCount: 96_000)
      let arrival = MonotonicTime(nanoseconds: Int(Double(index) * 1e9 / 1.0002))
      unsafe reception.take(header, payload.span.bytes, at: arrival, into: &output)
    }
    reception.finish(into: &output)
    #expect(output.length == Int64(count) * 48_000)
    #expect(output.silence == 0)
    let drift = try #require(reception.drift)
    #expect(abs(drift.partsPerMillion - 200) <= drift.uncertainty && drift.uncertainty < 50)
  }

  /// 300 ppm, heard with a jitter of 2 ms for half a minute: unknown, or right. A minute later it is known.
  @Test(arguments: [UInt64(1), 2, 3])
  func driftIsToldWhenItIsKnown(seed: UInt64) throws {
    var chance = SplitMix64(seed: seed)
    var reception = try Reception(Sender.payload, jitter: .milliseconds(200))
    var output = CountedSamples()
    for (index, packet) in Sender().packets(4_500).enumerated() {
      let delay = Int(chance.next() % 2_000_000)
      let time = 10_000_000_000 + Int(Double(index) * 20e6 / 1.0003) + delay
      unsafe reception.take(
        packet.header, packet.payload.span.bytes, at: MonotonicTime(nanoseconds: time),
        into: &output)
      if let drift = reception.drift {
        #expect(drift.uncertainty < 100)
        #expect(abs(drift.partsPerMillion - 300) <= drift.uncertainty)
      }
    }
    let drift = try #require(reception.drift)
    #expect(drift.uncertainty < 50)
  }
}

/// Only lengths.
private struct CountedSamples: ReceptionOutput {
  var length: Int64 = 0
  var silence: Int64 = 0

  mutating func append(_ payload: RawSpan, _ part: PayloadPart) {
    length += Int64(part.count - part.known)
  }
  mutating func appendSilence(_ count: Int64) {
    silence += count
    length += count
  }
  mutating func appendGap(_ gap: ReceptionGap) { appendSilence(gap.count) }
}
