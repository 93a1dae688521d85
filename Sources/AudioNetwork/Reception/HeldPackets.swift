// SPDX-License-Identifier: Apache-2.0
/// A packet of a stream on its way through the jitter buffer.
struct HeldPacket {
  /// Unwrapped.
  var number: Int64
  /// Unwrapped, of its first sample, in units of the sender's clock.
  var timestamp: Int64
  /// Samples per channel. 0 for a fragment, and for a packet without sound.
  var count: Int
  /// Whether it is the last fragment of its unit, or the first packet behind a pause: the marker of RTP.
  var isMarked: Bool
  /// Nil for a packet without sound.
  var format: PayloadFormat?
  var payload: [UInt8] = []
  var arrival: MonotonicTime
}

/// The jitter buffer: packets that came before their predecessors, in the order of their numbers.
struct HeldPackets {
  /// The most bytes of payload: the packets of a second of 64 channels at 48 kHz have ten times as much, and they are
  /// not held without a hole.
  static let mostBytes = 1 << 20
  static let mostPackets = 4_096

  private(set) var packets: [HeldPacket] = []
  private var byteCount = 0
  /// The earliest arrival, since which the hole before the first packet is waited for. Nil if nothing is held.
  private(set) var waitingSince: MonotonicTime?

  var first: HeldPacket? { packets.first }
  var isEmpty: Bool { packets.isEmpty }
  var isFull: Bool { byteCount >= Self.mostBytes || packets.count >= Self.mostPackets }

  mutating func insert(_ packet: HeldPacket) {
    var index = packets.count
    while index > 0, packets[index - 1].number > packet.number { index -= 1 }
    packets.insert(packet, at: index)
    byteCount += packet.payload.count
    waitingSince = min(waitingSince ?? packet.arrival, packet.arrival)
  }

  mutating func removeFirst() -> HeldPacket {
    let packet = packets.removeFirst()
    byteCount -= packet.payload.count
    if packet.arrival == waitingSince { waitingSince = packets.lazy.map(\.arrival).min() }
    return packet
  }
}
