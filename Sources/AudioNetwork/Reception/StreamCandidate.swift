// SPDX-License-Identifier: Apache-2.0
/// Packets that do not continue the present stream: its first ones, those of another format, of a sender that began again,
/// of a clock that leapt, of a second sender, or damaged ones. Two that follow each other make a stream.
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
  /// The longest distance of two packets that follow each other, in numbers and in seconds.
  private static let longestStride = 100
  private static let longestStep = 2

  /// In the order of their numbers.
  private(set) var packets: [Packet]
  private(set) var byteCount: Int
  /// The packet that came last.
  private var last: RTPPacket

  init(_ packet: Packet) {
    packets = [packet]
    byteCount = packet.payload.count
    last = packet.header
  }

  var isProved: Bool { packets.count >= Self.proof }

  func isOf(_ header: RTPPacket) -> Bool {
    last.source == header.source && last.payloadType == header.payloadType
  }

  /// Whether a packet follows the last one, or precedes it.
  func isBeside(_ header: RTPPacket, clockRate: Int) -> Bool {
    let step = Int(Int16(bitPattern: header.sequence &- last.sequence))
    let distance = Int(Int32(bitPattern: header.timestamp &- last.timestamp))
    return step != 0 && abs(step) <= Self.longestStride
      && abs(distance) <= Self.longestStep * clockRate
      && (distance == 0 || (step > 0) == (distance > 0))
  }

  /// - Parameter hasRoom: whether the packet may be kept.
  /// - Returns: false if `packet` is not beside the last one.
  mutating func append(_ packet: Packet, clockRate: Int, hasRoom: Bool) -> Bool {
    guard isBeside(packet.header, clockRate: clockRate) else { return false }
    last = packet.header
    guard hasRoom, packets.count < Self.mostPackets else { return true }
    let place = packets.lastIndex {
      Int16(bitPattern: packet.header.sequence &- $0.header.sequence) > 0
    }
    packets.insert(packet, at: place.map { $0 + 1 } ?? 0)
    byteCount += packet.payload.count
    return true
  }

  /// Whether its last two packets follow each other without a hole. Events of a telephone do not, if no description has
  /// named their number.
  func isContiguous(_ numbers: PayloadNumbers, _ line: TimestampLine) -> Bool {
    guard case .sound(let format) = numbers.meaning(of: last.payloadType),
      let last = packets.last?.header, let before = packets.dropLast().last,
      let count = unsafe format.sampleCount(
        of: before.payload.span.bytes, isMarked: before.header.isMarked)
    else { return false }
    let step = line.samples(
      Int64(Int32(bitPattern: last.timestamp &- before.header.timestamp)))
    let stride = Int64(last.sequence &- before.header.sequence)
    return count == 0 || abs(step - stride * Int64(count)) <= line.limit(count) / 2
  }

  /// - Returns: the number of packets that were removed.
  mutating func remove(before time: MonotonicTime) -> Int {
    let count = packets.count
    packets.removeAll { $0.arrival < time }
    byteCount = packets.reduce(0) { $0 + $1.payload.count }
    return count - packets.count
  }
}

/// The candidates of one port, of several senders at most.
struct StreamCandidates {
  private static let mostCandidates = 16
  /// The most bytes of payloads.
  private static let mostBytes = 1 << 20

  private var list: [StreamCandidate] = []

  /// Adds a packet to the candidate that it belongs to.
  ///
  /// - Parameter time: the packets before it are dropped.
  /// - Returns: the candidate, if it makes a stream, how many packets were dropped, and how many of these came before
  ///   `time`.
  mutating func add(
    _ packet: StreamCandidate.Packet, clockRate: Int, since time: MonotonicTime?
  ) -> (StreamCandidate?, dropped: Int, earlier: Int) {
    var dropped = 0
    var candidate = StreamCandidate(packet)
    let hasRoom = list.reduce(packet.payload.count) { $0 + $1.byteCount } <= Self.mostBytes
    if let index = list.firstIndex(where: { $0.isOf(packet.header) }) {
      var known = list.remove(at: index)
      if known.append(packet, clockRate: clockRate, hasRoom: hasRoom) {
        candidate = known
      } else {
        dropped += known.packets.count
      }
    } else if list.count == Self.mostCandidates || !hasRoom, !list.isEmpty {
      dropped += list.removeFirst().packets.count
    }
    let earlier = time.map { candidate.remove(before: $0) } ?? 0
    list.append(candidate)
    return (candidate.isProved ? candidate : nil, dropped + earlier, earlier)
  }

  /// Whether this packet goes on with a candidate.
  func areFollowed(by header: RTPPacket, clockRate: Int) -> Bool {
    list.contains { $0.isOf(header) && $0.isBeside(header, clockRate: clockRate) }
  }

  /// Removes the candidate of this packet.
  ///
  /// - Returns: the number of its packets.
  mutating func remove(_ header: RTPPacket) -> Int {
    guard let index = list.firstIndex(where: { $0.isOf(header) }) else { return 0 }
    return list.remove(at: index).packets.count
  }
}
