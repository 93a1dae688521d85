// SPDX-License-Identifier: Apache-2.0
@testable import AudioNetwork

/// A stream as a reception gives it: bytes of samples, zeros for silence, and the gaps.
struct ReceivedSamples: ReceptionOutput {
  struct Gap: Equatable {
    var position: Int
    var count: Int
    var uncertainty = 0
  }

  let frameSize: Int
  private(set) var bytes: [UInt8] = []
  private(set) var gaps: [Gap] = []
  /// Silence that the sender meant.
  private(set) var meant: [Gap] = []

  init(frameSize: Int) { self.frameSize = frameSize }

  var length: Int { bytes.count / frameSize }

  mutating func append(_ payload: RawSpan, _ part: PayloadPart) {
    bytes += [UInt8](payload.extracting(droppingFirst: part.known * frameSize))
  }

  mutating func appendSilence(_ count: Int64) {
    meant.append(Gap(position: length, count: Int(count)))
    pad(count)
  }

  mutating func appendGap(_ gap: ReceptionGap) {
    gaps.append(
      Gap(position: length, count: Int(gap.count), uncertainty: Int(gap.uncertainty)))
    pad(gap.count)
  }

  private mutating func pad(_ count: Int64) {
    bytes += [UInt8](repeating: 0, count: Int(count) * frameSize)
  }
}

/// A sender of 48 kHz mono L16 in packets of 1 ms to 20 ms, whose samples tell their places.
struct Sender {
  struct Packet {
    var header: RTPPacket
    var payload: [UInt8]
    var arrival: MonotonicTime
    /// The first sample, counted from the first one sent.
    var position: Int
  }

  static var payload: PayloadFormat {
    get throws { PayloadFormat(.l16, try StreamFormat(sampleRate: 48_000, channelCount: 1)) }
  }

  var source: UInt32 = 0xCAFE
  var sequence: UInt16 = 0
  var timestamp: UInt32 = 0
  var packetLength = 960
  /// 1 + its drift.
  var speed = 1.0

  /// The sample at a place; never 0.
  static func sample(_ position: Int) -> UInt16 { UInt16(position % 65_521) + 1 }

  static func bytes(_ range: Range<Int>) -> [UInt8] {
    range.flatMap { sample($0).networkBytes }
  }

  /// Packets in the order of sending; the first one arrives at 1 s.
  func packets(_ count: Int) -> [Packet] {
    (0..<count).map { index in
      let position = index * packetLength
      let payload = Self.bytes(position..<position + packetLength)
      return Packet(
        header: RTPPacket(
          payloadType: 96, sequence: sequence &+ UInt16(truncatingIfNeeded: index),
          timestamp: timestamp &+ UInt32(truncatingIfNeeded: position), source: source,
          byteCount: payload.count),
        payload: payload,
        arrival: MonotonicTime(
          nanoseconds: 1_000_000_000 + Int(Double(position) / 48_000 / speed * 1e9)),
        position: position)
    }
  }
}

extension Reception {
  /// Takes packets in order; ends the stream.
  mutating func takeAll(
    _ packets: [Sender.Packet], into output: inout ReceivedSamples, finishes: Bool = true
  ) {
    for packet in packets {
      advance(to: packet.arrival, into: &output)
      unsafe take(packet.header, packet.payload.span.bytes, at: packet.arrival, into: &output)
    }
    if finishes { finish(into: &output) }
  }
}
