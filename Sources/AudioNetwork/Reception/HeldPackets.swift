// SPDX-License-Identifier: Apache-2.0
/// A packet that waits for those before it.
struct HeldPacket {
  /// Its first sample, in samples per channel of the stream.
  var position: Int64
  /// Samples per channel.
  var count: Int
  /// Unwrapped.
  var sequence: Int64
  var isMarked: Bool
  var payload: [UInt8]
  var arrival: MonotonicTime

  /// The fragments of a unit have one position.
  fileprivate func isBehind(_ other: HeldPacket) -> Bool {
    (position, sequence) > (other.position, other.sequence)
  }
}

/// The jitter buffer: packets that came before their predecessors, in the order of their positions.
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
    while index > 0, packets[index - 1].isBehind(packet) { index -= 1 }
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

  mutating func shift(by count: Int64) {
    for index in packets.indices { packets[index].position += count }
  }
}
