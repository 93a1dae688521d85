// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioNetwork

/// Five hours of a network, in simulated time: losses, delays, duplicates, disorder, restarts and drift.
@Suite struct ReceptionHoursTests {
  /// The length and the gaps of the output.
  private struct Truth: ReceptionOutput {
    var length: Int64 = 0
    var gaps: [(position: Int64, count: Int64, uncertainty: Int64)] = []
    var meant: Int64 = 0

    mutating func append(_ payload: RawSpan, _ part: PayloadPart) {
      length += Int64(part.count - part.known)
    }
    mutating func appendSilence(_ count: Int64) {
      meant += count
      length += count
    }
    mutating func appendGap(_ gap: ReceptionGap) {
      gaps.append((length, gap.count, gap.uncertainty))
      length += gap.count
    }
  }

  private static let rate = 8_000
  private static let packetLength = 2_000

  @Test(arguments: [-200e-6, 150e-6])
  func everyLossIsCounted(drift: Double) throws {
    let format = try StreamFormat(sampleRate: Self.rate, channelCount: 1)
    var reception = Reception(PayloadFormat(.pcmu, format), jitter: .milliseconds(300))
    var output = Truth()
    var chance = SplitMix64(seed: 11)
    let payload = [UInt8](repeating: 1, count: Self.packetLength)
    var source: UInt32 = 1
    var sequence: UInt16 = 65_000
    var timestamp: UInt32 = 4_000_000_000
    var time = 1.0
    // The losses and the pauses, in samples, in their order.
    var losses: [Int64] = []
    var pauses: [Int] = []
    var lost: Int64 = 0
    var arrivals: [(time: Double, header: RTPPacket)] = []
    func deliver(until now: Double) {
      arrivals.sort { $0.time < $1.time }
      while let first = arrivals.first, first.time <= now {
        arrivals.removeFirst()
        let arrival = MonotonicTime(nanoseconds: Int(first.time * 1e9))
        reception.advance(to: arrival, into: &output)
        unsafe reception.take(first.header, payload.span.bytes, at: arrival, into: &output)
      }
    }
    var sinceRestart = 0
    while time < 5 * 3_600 {
      time += Double(Self.packetLength) / Double(Self.rate) / (1 + drift)
      let header = RTPPacket(
        payloadType: 0, sequence: sequence, timestamp: timestamp, source: source,
        byteCount: payload.count)
      sequence &+= 1
      timestamp &+= UInt32(Self.packetLength)
      sinceRestart += 1
      // A loss at the edge of a stream cannot be told from a pause.
      let isInside = sinceRestart > 200
      if isInside, lost > 0 || chance.next() % 50 == 0, chance.next() % 3 != 0 {
        lost += 1
      } else {
        if lost > 0 { losses.append(lost * Int64(Self.packetLength)) }
        lost = 0
        // Delays of 20 ms; one in fifty is late enough to change the order.
        let delay = 0.001 + Double(chance.next() % 20_000) / 1e6
        let isLate = isInside && chance.next() % 50 == 0
        arrivals.append((time + delay + (isLate ? 0.27 : 0), header))
        if chance.next() % 50 == 0 { arrivals.append((time + delay + 0.01, header)) }
      }
      deliver(until: time)
      if isInside, lost == 0, chance.next() % 4_000 == 0 {
        deliver(until: time + 1)
        let pause = 2 + Double(chance.next() % 20_000) / 1e3
        pauses.append(Int(pause * Double(Self.rate) * (1 + drift)))
        time += pause
        source &+= 1
        sequence = UInt16(truncatingIfNeeded: chance.next())
        timestamp = UInt32(truncatingIfNeeded: chance.next())
        sinceRestart = 0
      }
    }
    deliver(until: time + 10)
    reception.finish(into: &output)
    if lost > 0 { lost = 0 }
    let counted = output.gaps.filter { $0.uncertainty == 0 }
    let estimated = output.gaps.filter { $0.uncertainty > 0 }
    #expect(counted.map(\.count) == losses)
    #expect(reception.counts.restarts == pauses.count && estimated.count == pauses.count)
    #expect(pauses.count > 5 && losses.count > 500)
    for (gap, pause) in zip(estimated, pauses) {
      #expect(abs(gap.count - Int64(pause)) <= gap.uncertainty, "\(gap) for \(pause)")
    }
    #expect(output.meant == 0 && reception.counts.late == 0)
    let found = try #require(reception.drift)
    #expect(abs(found.partsPerMillion - drift * 1e6) <= found.uncertainty, "\(found)")
  }
}
