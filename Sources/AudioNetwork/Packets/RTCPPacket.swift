// SPDX-License-Identifier: Apache-2.0
/// The parts of a compound RTCP packet that a receiver uses. Source: RFC 3550, section 6.
struct RTCPPacket: Equatable {
  /// A sender's statement of an instant on its clock and the time of day.
  struct SenderReport: Equatable, BitwiseCopyable {
    /// The identifier of the sender's stream (SSRC).
    var source: UInt32
    /// Seconds since 1900 in 32.32 bits; 0 if the sender does not know the time.
    var networkTime: UInt64
    /// The instant on the sender's clock.
    var timestamp: UInt32

    /// The time of day in nanoseconds since 1970 began in UTC. Nil if the sender does not know it.
    ///
    /// 2,208,988,800 seconds lie between 1900 and 1970 (RFC 868). Seconds below 2³¹ count from 2036 on (RFC 4330,
    /// section 3).
    var time: Int64? {
      if networkTime == 0 { return nil }
      let era: Int64 = networkTime >> 63 == 0 ? 1 << 32 : 0
      let seconds = Int64(networkTime >> 32) + era - 2_208_988_800
      let fraction = Int64(((networkTime & 0xFFFF_FFFF) * 1_000_000_000) >> 32)
      return seconds * 1_000_000_000 + fraction
    }
  }

  /// The most identifiers of a goodbye that are read.
  static let mostSources = 31

  /// Whether a packet at a port that RTP shares is one of RTCP. RFC 5761, section 4: payload types 64 to 95 stay unused
  /// there.
  static func isMultiplexed(_ bytes: RawSpan) -> Bool {
    bytes.byte(at: 1).map { (192...223).contains($0) } ?? false
  }

  private(set) var reports: [SenderReport] = []
  /// The streams that have ended.
  private(set) var endedSources: [UInt32] = []

  /// Reads a compound packet up to its first faulty part.
  ///
  /// - Returns: nil if the first part is no RTCP packet of version 2.
  init?(_ bytes: RawSpan) {
    var start = 0
    while start < bytes.byteCount {
      guard let first = bytes.byte(at: start), first >> 6 == 2,
        let type = bytes.byte(at: start + 1), (192...223).contains(type),
        let words = bytes.word(at: start + 2, as: UInt16.self)
      else { break }
      let end = start + 4 + Int(words) * 4
      if end > bytes.byteCount { break }
      read(bytes.extracting(start..<end), type: type, count: Int(first & 31))
      start = end
    }
    if start == 0 { return nil }
  }

  private mutating func read(_ part: RawSpan, type: UInt8, count: Int) {
    switch type {
    case 200:
      guard let source = part.word(at: 4, as: UInt32.self),
        let time = part.word(at: 8, as: UInt64.self),
        let timestamp = part.word(at: 16, as: UInt32.self)
      else { return }
      reports.append(SenderReport(source: source, networkTime: time, timestamp: timestamp))
    case 203:
      for index in 0..<min(count, Self.mostSources) {
        guard let source = part.word(at: 4 + index * 4, as: UInt32.self) else { return }
        endedSources.append(source)
      }
    default: return
    }
  }
}
