// SPDX-License-Identifier: Apache-2.0
/// Packets that do not continue the present stream: of a sender that began again, of a clock that leapt, of a second
/// sender, or damaged ones. Two in a row with a plausible distance make a stream.
struct StreamCandidate {
  struct Packet {
    var header: RTPPacket
    var payload: [UInt8]
    var arrival: MonotonicTime
  }

  /// The most packets that are kept until it is known whose they are.
  static let mostPackets = 256
  /// The packets that make a stream.
  private static let proof = 2

  let source: UInt32
  private(set) var packets: [Packet]

  init(_ packet: Packet) {
    source = packet.header.source
    packets = [packet]
  }

  var isProved: Bool { packets.count >= Self.proof }

  /// - Returns: false if `packet` is of another stream.
  mutating func append(_ packet: Packet, sampleRate: Int) -> Bool {
    guard packet.header.source == source, let last = packets.last else {
      return packets.isEmpty && packet.header.source == source
    }
    let step = Int16(bitPattern: packet.header.sequence &- last.header.sequence)
    let distance = Int32(bitPattern: packet.header.timestamp &- last.header.timestamp)
    guard (1...100).contains(step), distance > 0, Int(distance) <= sampleRate else { return false }
    if packets.count < Self.mostPackets { packets.append(packet) }
    return true
  }

  /// - Returns: the number of packets that were removed.
  mutating func removeFirst(before time: MonotonicTime) -> Int {
    let count = packets.prefix { $0.arrival < time }.count
    packets.removeFirst(count)
    return count
  }
}
