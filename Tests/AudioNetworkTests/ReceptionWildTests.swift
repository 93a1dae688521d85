// SPDX-License-Identifier: Apache-2.0
import AudioStreams
import Testing

@testable import AudioNetwork

/// Senders that do not keep to the textbook: telephones with comfort noise and events, clocks that are rounded, wrong or
/// stand still, senders whose format, port or identifier changes. The oracle is the time at which each packet was sent.
@Suite struct ReceptionWildTests {
  /// Packets of 20 ms of G.711, whose bytes say which packet they are of.
  private struct Telephone {
    static let length = 160
    var packets: [Sender.Packet] = []
    private var sequence: UInt16 = 65_500

    /// - Parameters:
    ///   - time: of its arrival, in seconds.
    ///   - number: the payload type.
    mutating func send(
      _ timestamp: Int, at time: Double, payload: [UInt8], number: UInt8 = 0, source: UInt32 = 7
    ) {
      packets.append(
        Sender.Packet(
          header: RTPPacket(
            payloadType: number, sequence: sequence,
            timestamp: UInt32(truncatingIfNeeded: timestamp + 4_294_960_000), source: source,
            byteCount: payload.count),
          payload: payload, arrival: MonotonicTime(nanoseconds: Int((10 + time) * 1e9)),
          position: timestamp))
      sequence &+= 1
    }

    /// Packets whose timestamps and arrivals fit, unless they are given.
    mutating func talk(
      _ range: Range<Int>, number: UInt8 = 0, source: UInt32 = 7, late: Double = 0,
      timestamp: (Int) -> Int = { $0 * length }
    ) {
      for index in range {
        send(
          timestamp(index), at: Double(index) * 0.02 + late, payload: Self.payload(index),
          number: number, source: source)
      }
    }

    static func payload(_ index: Int) -> [UInt8] {
      [UInt8](repeating: UInt8(index % 200 + 1), count: length)
    }

    /// The bytes of packets at their places, with zeros between.
    static func sound(_ ranges: Range<Int>..., from first: Int = 0) -> [UInt8] {
      var bytes: [UInt8] = []
      for index in ranges.joined() {
        bytes += [UInt8](repeating: 0, count: max((index - first) * length - bytes.count, 0))
        bytes += payload(index)
      }
      return bytes
    }
  }

  private static func format(_ encoding: PayloadFormat.Encoding) throws -> PayloadFormat {
    PayloadFormat(encoding, try StreamFormat(sampleRate: 8_000, channelCount: 1))
  }

  /// PCMU and PCMA, and events of a telephone, as a description lists them.
  private static var listed: PayloadNumbers {
    get throws {
      var numbers = PayloadNumbers()
      numbers.list(0, nil, try format(.pcmu))
      numbers.list(8, nil, try format(.pcma))
      numbers.list(101, "telephone-event/8000", nil)
      return numbers
    }
  }

  private func receive(
    _ packets: [Sender.Packet], _ numbers: PayloadNumbers? = nil,
    jitter: Duration = .milliseconds(200)
  ) throws -> (Reception, ReceivedSamples, [ReceptionNews]) {
    let format = try Self.format(.pcmu)
    var reception = Reception(numbers ?? PayloadNumbers(format), format, jitter: jitter)
    var output = ReceivedSamples(frameSize: 1)
    reception.takeAll(packets, into: &output)
    return (reception, output, reception.takeNews())
  }

  /// RFC 3389: a packet of comfort noise begins a pause, and none is lost.
  @Test func comfortNoiseIsAPause() throws {
    var telephone = Telephone()
    telephone.talk(0..<50)
    telephone.send(8_000, at: 1, payload: [64], number: 13)
    telephone.talk(100..<150)
    let (reception, output, news) = try receive(telephone.packets)
    #expect(output.bytes == Telephone.sound(0..<50, 100..<150))
    #expect(output.gaps == [] && news == [])
    #expect(reception.counts.lost == 0 && reception.counts.silent == 1)
  }

  /// Each packet of a long pause is a sign of life, and the silence goes on with it.
  @Test func aLongPauseGoesOn() throws {
    var telephone = Telephone()
    telephone.talk(0..<50)
    for second in 0..<14 {
      telephone.send(8_000 * (second + 1), at: Double(second + 1), payload: [64], number: 13)
    }
    let (reception, output, _) = try receive(telephone.packets)
    #expect(output.length == 14 * 8_000 && output.gaps == [])
    #expect(reception.lastSign == telephone.packets.last?.arrival)
    telephone.talk(750..<800)
    let (_, whole, _) = try receive(telephone.packets)
    #expect(whole.bytes == Telephone.sound(0..<50, 750..<800) && whole.gaps == [])
  }

  /// A packet that is lost beside comfort noise may have had no sound.
  @Test func aLossBesideAPauseIsUncertain() throws {
    var telephone = Telephone()
    telephone.talk(0..<50)
    telephone.send(8_000, at: 1, payload: [64], number: 13)
    telephone.talk(99..<150)
    telephone.packets.remove(at: 51)
    let (_, output, _) = try receive(telephone.packets)
    #expect(output.bytes == Telephone.sound(0..<50, 100..<150))
    #expect(output.gaps == [.init(position: 15_840, count: 160, uncertainty: 160)])
  }

  /// The first packets are comfort noise, an event, or anything else.
  @Test(arguments: [13, 101, 77] as [UInt8], [true, false])
  func theFirstPacketNeedNotBeSound(number: UInt8, isListed: Bool) throws {
    var telephone = Telephone()
    telephone.send(0, at: 0, payload: [5, 10, 0, 160], number: number)
    telephone.talk(5..<105)
    let (reception, output, news) = try receive(
      telephone.packets, isListed ? Self.listed : nil)
    #expect(output.bytes == Telephone.sound(5..<105, from: 5) && output.gaps == [])
    #expect(reception.counts.taken == 100 && news == [])
  }

  /// Random datagrams first.
  @Test(arguments: [UInt64(1), 2, 3])
  func noiseFirst(seed: UInt64) throws {
    var chance = SplitMix64(seed: seed)
    var telephone = Telephone()
    for index in 0..<100 {
      let bytes = (0..<60).map { _ in UInt8(truncatingIfNeeded: chance.next()) }
      guard var header = unsafe RTPPacket(bytes.span.bytes) else { continue }
      header.payloadType = index % 3 == 0 ? 0 : header.payloadType
      telephone.packets.append(
        Sender.Packet(
          header: header, payload: Array(bytes[12...]),
          arrival: MonotonicTime(nanoseconds: 9_000_000_000 + index * 1_000_000), position: 0))
    }
    telephone.talk(0..<100)
    let (_, output, _) = try receive(telephone.packets)
    #expect(output.bytes == Telephone.sound(0..<100) && output.gaps == [])
  }

  /// An event: packets with one timestamp, whose number no description need have named.
  @Test(arguments: [true, false])
  func anEventIsAPause(isListed: Bool) throws {
    var telephone = Telephone()
    telephone.talk(0..<50)
    for index in 0..<10 {
      let duration = UInt8(min(index * 16, 255))
      telephone.send(
        8_000, at: 1 + Double(index) * 0.02, payload: [5, 10, 0, duration], number: 101)
    }
    telephone.talk(60..<110)
    let (reception, output, news) = try receive(
      telephone.packets, isListed ? Self.listed : nil)
    #expect(output.bytes == Telephone.sound(0..<50, 60..<110))
    #expect(output.gaps == [] && news == [])
    #expect(reception.counts.silent == 10 && reception.counts.lost == 0)
  }

  /// RFC 3264, section 6.1: any listed format may come, at any time.
  @Test(arguments: [0, 75])
  func aListedFormatMayCome(from first: Int) throws {
    var telephone = Telephone()
    telephone.talk(0..<first)
    telephone.talk(first..<150, number: 8)
    let (reception, output, news) = try receive(telephone.packets, Self.listed)
    #expect(output.bytes == Telephone.sound(0..<150) && output.gaps == [])
    #expect(news == [.newType(8)] && reception.counts.taken == 150)
  }

  /// Another format behind a pause goes on in its place. If its timestamps leap, it is another stream.
  @Test(arguments: [0, 7_000_000])
  func anotherFormatBehindAPause(leap: Int) throws {
    var telephone = Telephone()
    telephone.talk(0..<50)
    telephone.talk(100..<150, number: 8) { $0 * 160 + leap }
    let (_, output, news) = try receive(telephone.packets, Self.listed)
    #expect(output.bytes == Telephone.sound(0..<50, 100..<150))
    #expect(news == (leap == 0 ? [.newType(8)] : [.newStream]))
    #expect(
      output.gaps == (leap == 0 ? [] : [.init(position: 8_000, count: 8_000, uncertainty: 161)]))
  }

  @Test func anUnlistedFormatIsTold() throws {
    var telephone = Telephone()
    telephone.talk(0..<50)
    telephone.talk(50..<60, number: 18)
    telephone.talk(60..<110)
    let (_, output, news) = try receive(telephone.packets, Self.listed)
    #expect(output.bytes == Telephone.sound(0..<50, 60..<110) && output.gaps == [])
    #expect(news == [.unheardType(18)])
    #expect(try Self.listed.name(of: 18) == "number 18")
    #expect(try Self.listed.name(of: 101) == "telephone-event/8000")
  }

  /// Timestamps that are 2 ms off either way: packets follow each other, and a lost one is as long as the others.
  @Test(arguments: [false, true])
  func inexactTimestampsAreFollowed(hasLoss: Bool) throws {
    var telephone = Telephone()
    telephone.talk(0..<150) { $0 * 160 + 8 * ($0 * 7 % 5 - 2) }
    let lost = hasLoss ? 70..<73 : 0..<0
    telephone.packets.removeSubrange(lost)
    let (reception, output, news) = try receive(telephone.packets)
    #expect(output.bytes == Telephone.sound(0..<lost.lowerBound, lost.upperBound..<150))
    #expect(output.gaps == (hasLoss ? [.init(position: 11_200, count: 480)] : []))
    #expect(reception.counts.corrected == 0 && news == [])
  }

  /// Timestamps of 161 for 160 samples: corrected each time that they are a packet off, and told.
  @Test func timestampsThatMoveAwayAreFollowed() throws {
    var telephone = Telephone()
    telephone.talk(0..<1_000) { $0 * 161 }
    let (reception, output, _) = try receive(telephone.packets)
    #expect(reception.counts.corrected == 6)
    #expect(output.gaps.allSatisfy { $0.count == 161 && $0.uncertainty == 161 })
    #expect(output.gaps.count == 6 && abs(output.length - 161_000) <= 160)
  }

  /// Timestamps that step back while no time passes: nothing is cut, and it is told.
  @Test(arguments: [250, 300, 400, 100_000])
  func timestampsThatStepBackCutNothing(step: Int) throws {
    var telephone = Telephone()
    telephone.talk(0..<100)
    telephone.talk(100..<150) { $0 * 160 - step }
    let (reception, output, news) = try receive(telephone.packets)
    #expect(output.bytes == Telephone.sound(0..<150) && output.gaps == [])
    #expect(reception.counts.corrected == 1 || news == [.newStream])
  }

  /// A sender of nothing that is listed is told, too.
  @Test func onlyUnlistedFormats() throws {
    var telephone = Telephone()
    telephone.talk(0..<50, number: 18)
    let (reception, output, news) = try receive(telephone.packets, Self.listed)
    #expect(output.length == 0 && news == [.unheardType(18)] && reception.counts.ignored == 50)
  }

  /// Timestamps that advance by something else than samples: the clock of a video, a second a packet, not at all.
  @Test(arguments: [1_800, 8_000, 0, 3])
  func uselessTimestampsAreTold(step: Int) throws {
    var telephone = Telephone()
    telephone.talk(0..<150) { $0 * step }
    telephone.packets.removeSubrange(100..<102)
    let (reception, output, news) = try receive(telephone.packets)
    #expect(output.bytes == Telephone.sound(0..<100, 102..<150))
    #expect(output.gaps == [.init(position: 16_000, count: 320, uncertainty: 160)])
    #expect(news == [.uselessTimestamps] && reception.counts.taken == 148)
  }

  /// A sender stops for five seconds, and its timestamps with it: the local clock tells the length.
  @Test func aStandstillIsAGap() throws {
    var telephone = Telephone()
    telephone.talk(0..<50)
    telephone.talk(50..<100, late: 5)
    let (reception, output, news) = try receive(telephone.packets)
    let gap = try #require(output.gaps.first)
    #expect(output.gaps.count == 1 && gap.position == 8_000)
    #expect(abs(gap.count - 40_000) <= gap.uncertainty && gap.uncertainty <= 320)
    #expect(output.bytes.suffix(8_000) == Telephone.sound(50..<100, from: 50)[...])
    #expect(news == [.standstill(Int64(gap.count))] && reception.counts.restarts == 1)
  }

  /// A network that holds packets back and then gives them all, at once or at twice the pace, loses none.
  @Test(arguments: [0.0, 0.01])
  func aNetworkThatHoldsBackIsNoGap(pace: Double) throws {
    var telephone = Telephone()
    telephone.talk(0..<700)
    for index in 100..<350 {
      telephone.packets[index].arrival.nanoseconds = Int((17 + Double(index - 100) * pace) * 1e9)
    }
    for index in 350..<700
    where telephone.packets[index].arrival < telephone.packets[index - 1].arrival {
      telephone.packets[index].arrival = telephone.packets[index - 1].arrival
      telephone.packets[index].arrival.nanoseconds += Int(pace * 1e9)
    }
    let (reception, output, news) = try receive(telephone.packets)
    #expect(output.bytes == Telephone.sound(0..<700) && output.gaps == [])
    #expect(reception.counts.restarts == 0 && news == [])
  }

  /// Another identifier without a pause: nothing is missing, and that is told.
  @Test(arguments: [123_456, 0])
  func anotherIdentifierWithoutAPause(leap: Int) throws {
    var telephone = Telephone()
    telephone.talk(0..<75)
    telephone.talk(75..<150, source: 8) { $0 * 160 + leap }
    let (reception, output, news) = try receive(telephone.packets)
    #expect(output.bytes == Telephone.sound(0..<150) && output.gaps == [])
    #expect(news == [.newStream] && reception.counts.restarts == 1)
  }

  /// Another identifier whose numbers and timestamps go on behind three lost packets: the loss is counted. If only the
  /// numbers are near, the local clock tells the time between.
  @Test(arguments: [0, 1_280])
  func anotherIdentifierBehindALoss(leap: Int) throws {
    var telephone = Telephone()
    telephone.talk(0..<100)
    telephone.talk(100..<150, source: 8) { $0 * 160 + leap }
    telephone.packets.removeSubrange(97..<100)
    let (_, output, news) = try receive(telephone.packets)
    let gap = try #require(output.gaps.first)
    #expect(output.gaps.count == 1 && gap.position == 97 * 160 && news == [.newStream])
    #expect(leap == 0 ? gap.uncertainty == 0 && gap.count == 480 : gap.uncertainty > 0)
    #expect(abs(gap.count - 480) <= max(gap.uncertainty, 1))
  }

  /// Packets that this machine has dropped are told as such.
  @Test func ownDropsAreToldAsOurs() throws {
    var telephone = Telephone()
    telephone.talk(0..<100)
    let format = try Self.format(.pcmu)
    var reception = Reception(format, jitter: .milliseconds(200))
    var gaps: [ReceptionGap] = []
    var output = Gaps { gaps.append($0) }
    for (index, packet) in telephone.packets.enumerated() where ![30, 31, 60].contains(index) {
      if index == 32 { reception.noteOverflow(2) }
      reception.advance(to: packet.arrival, into: &output)
      unsafe reception.take(
        packet.header, packet.payload.span.bytes, at: packet.arrival, into: &output)
    }
    reception.finish(into: &output)
    #expect(
      gaps == [
        ReceptionGap(count: 320, isOverflow: true), ReceptionGap(count: 160, isOverflow: false),
      ])
  }
}

/// Only the gaps.
private struct Gaps: ReceptionOutput {
  let note: (ReceptionGap) -> Void

  mutating func append(_ payload: RawSpan, _ part: PayloadPart) {}
  mutating func appendSilence(_ count: Int64) {}
  mutating func appendGap(_ gap: ReceptionGap) { note(gap) }
}
