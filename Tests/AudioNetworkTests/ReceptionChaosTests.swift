// SPDX-License-Identifier: Apache-2.0
import AudioStreams
import Testing

@testable import AudioNetwork

/// Any packets at any time: each sample is accounted for once, and no packet makes silence of a length that neither the
/// packets nor the local clock agree with.
@Suite struct ReceptionChaosTests {
  private struct Account: ReceptionOutput {
    var length: Int64 = 0
    var longest: Int64 = 0
    var hasEmpty = false

    mutating func append(_ payload: RawSpan, _ part: PayloadPart) {
      hasEmpty = hasEmpty || part.known > part.count
      length += Int64(part.count - part.known)
    }

    mutating func appendSilence(_ count: Int64) {
      hasEmpty = hasEmpty || count < 1
      longest = max(longest, count)
      length += count
    }

    mutating func appendGap(_ gap: ReceptionGap) { appendSilence(gap.count) }
  }

  @Test(arguments: 0..<8)
  func everySampleIsAccountedForOnce(lane: Int) throws {
    let format = try StreamFormat(sampleRate: 8_000, channelCount: 1)
    let payload = PayloadFormat(.pcmu, format)
    var listed = PayloadNumbers()
    listed.list(0, nil, payload)
    listed.list(8, nil, PayloadFormat(.pcma, format))
    listed.list(101, "telephone-event/8000", nil)
    for seed in 0..<250 {
      var chance = SplitMix64(seed: UInt64(lane * 1_000 + seed))
      func draw(_ bound: Int) -> Int { Int(chance.next() % UInt64(bound)) }
      var reception = Reception(
        draw(2) == 0 ? listed : PayloadNumbers(payload), payload,
        jitter: .milliseconds(draw(300) + 1))
      var output = Account()
      var (sequence, timestamp) = (UInt16(draw(65_536)), UInt32(truncatingIfNeeded: chance.next()))
      var (time, source) = (1_000_000_000, UInt32(1))
      let order = draw(20) + 1
      var isExact = true
      for _ in 0..<400 {
        if draw(order) == 0 {
          switch draw(9) {
          case 0: sequence &+= UInt16(draw(300))
          case 1: timestamp &+= UInt32(draw(100_000))
          case 2: time += draw(5_000) * 1_000_000
          case 3: source = UInt32(draw(3))
          case 4: sequence = UInt16(draw(65_536))
          case 5: timestamp = UInt32(truncatingIfNeeded: chance.next())
          case 6:
            sequence &-= UInt16(draw(40))
            timestamp &-= UInt32(draw(40) * 160)
          case 7: timestamp &+= UInt32(draw(40))
          default: timestamp &-= UInt32(draw(100_000))
          }
        }
        let number: UInt8 = draw(10) == 0 ? [0, 8, 13, 101, 77, 96][draw(6)] : 0
        let bytes = [UInt8](repeating: 1, count: draw(30) == 0 ? draw(400) : 160)
        let header = RTPPacket(
          payloadType: number, isMarked: draw(2) == 0, sequence: sequence, timestamp: timestamp,
          source: source, byteCount: bytes.count)
        let arrival = MonotonicTime(nanoseconds: time)
        reception.advance(to: arrival, into: &output)
        unsafe reception.take(header, bytes.span.bytes, at: arrival, into: &output)
        if draw(50) == 0 { reception.finish(into: &output) }
        if draw(80) == 0 { reception.expectNewStream(listed) }
        if draw(60) == 0 { reception.noteOverflow(draw(4)) }
        _ = (reception.deadline, reception.drift, reception.unsent(at: arrival))
        _ = (reception.time(of: timestamp), reception.takeNews())
        isExact = isExact && output.length == reception.end
        sequence &+= 1
        timestamp &+= UInt32(bytes.count)
        time += 20_000_000
      }
      reception.finish(into: &output)
      #expect(isExact && output.length == reception.end && !output.hasEmpty, "\(lane) \(seed)")
      // A minute of lost packets needs no proof.
      #expect(output.longest <= 120 * 8_000, "\(lane) \(seed)")
    }
  }
}
