// SPDX-License-Identifier: Apache-2.0
/// The bit rate at which an encoder aimed, by its packets: the mean of those seconds that have at least half of the bits
/// of the fullest one. Quiet places take fewer bits, and would let the mean of all fall.
struct PacketRate {
  private var seconds: [Double] = []
  private var bits = 0.0
  private var length = 0.0

  mutating func add(_ byteCount: Int, seconds duration: Double) {
    bits += Double(8 * byteCount)
    length += duration
    guard length >= 1 else { return }
    seconds.append(bits / length)
    (bits, length) = (0, 0)
  }

  /// In bits per second; nil without packets.
  var bitRate: Int? {
    guard let fullest = seconds.max() else {
      guard length > 0, bits > 0 else { return nil }
      return Int((bits / length).rounded())
    }
    let full = seconds.filter { $0 >= fullest / 2 }
    let sum: Double = full.reduce(0, +)
    return fullest > 0 ? Int((sum / Double(full.count)).rounded()) : nil
  }
}

extension PacketRate {
  /// The number of bytes of Ogg that tell the rate: some minutes.
  private static let measured: Int64 = 1 << 22

  /// Reads the pages of a file with Opus, whose positions count 48,000 a second. Source: RFC 7845, section 4.
  init(ofOpus file: any ByteSource, from start: Int64) throws(AudioError) {
    self.init()
    let noPacketEnds = UInt64.max
    var (place, position, byteCount) = (start, UInt64(0), 0)
    while place < start + Self.measured {
      let head = try file.bytes(OggPage.headSize + 255, at: place)
      guard let size = OggPage.sizes(head) else { return }
      let granule = head.integer(at: 6, 8, .little)
      byteCount += size.all - size.head
      place += Int64(size.all)
      guard granule != noPacketEnds else { continue }
      // The pages with the header have the position 0.
      if position > 0, granule > position {
        add(byteCount, seconds: Double(granule - position) / 48_000)
      }
      (position, byteCount) = (granule, 0)
    }
  }
}
