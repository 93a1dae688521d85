// SPDX-License-Identifier: Apache-2.0
/// The clock of an MPEG transport stream, read at some places of a file.
///
/// ffmpeg takes the last time stamp minus the first one for the length. Where recordings follow one another that is no
/// length. Source: ITU-T H.222.0, sections 2.4.3.4 and 2.4.3.5.
enum TransportClock {
  /// The number of places.
  private static let placeCount: Int64 = 64
  /// The most bytes that are searched for a clock at a place: it comes ten times a second.
  private static let longestSearch = 1 << 18
  /// In seconds. A change of the bit rate makes shorter steps.
  private static let longestStep: Int64 = 10

  /// Whether the clock runs backwards between two places, or far faster than in the rest of the file.
  static func leaps(in file: FileWindow) throws(AudioError) -> Bool {
    guard let size = TransportPackets.size(try file.bytes(FileBeginning.length, at: 0)) else {
      return false
    }
    var (program, times): (UInt64?, [Int64]) = (nil, [])
    let packets = file.range.upperBound / Int64(size)
    for place in 0..<placeCount {
      let start = packets * place / placeCount * Int64(size)
      let bytes = try file.bytes(longestSearch / size * size, at: start)[...]
      for offset in stride(from: 0, through: bytes.count - size, by: size) {
        // In front of the packets of Blu-ray discs stand 4 bytes.
        let packet = bytes.dropFirst(offset + (size == 192 ? 4 : 0)).prefix(188)
        guard let (stream, time) = clock(packet), program == nil || program == stream else {
          continue
        }
        program = stream
        times.append(time)
        break
      }
    }
    // A clock of 33 bits begins again after a day.
    let steps = zip(times, times.dropFirst()).map { ($1 - $0) & (1 << 33 - 1) }
    guard let usual = steps.sorted().dropFirst(steps.count / 2).first else { return false }
    return steps.contains { $0 > max(longestStep * 90_000, 8 * usual) }
  }

  /// The number of the stream, and its clock in units of 1/90000 s; nil for a packet without one.
  private static func clock(_ packet: ArraySlice<UInt8>) -> (stream: UInt64, time: Int64)? {
    guard packet.count == 188, packet.integer(at: 0, 1, .big) == 0x47 else { return nil }
    let head = packet.integer(at: 0, 4, .big)
    // Bit 5 stands for a field in front of the content; bit 4 of its flags for a clock.
    guard head & 0x20 != 0, packet.integer(at: 4, 1, .big) >= 7,
      packet.integer(at: 5, 1, .big) & 0x10 != 0
    else { return nil }
    return (head >> 8 & 0x1FFF, Int64(packet.integer(at: 6, 5, .big) >> 7))
  }
}
