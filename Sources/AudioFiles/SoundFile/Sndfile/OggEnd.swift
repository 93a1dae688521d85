// SPDX-License-Identifier: Apache-2.0
/// The end of an Ogg file. No header states it, but the last page of a stream is flagged.
///
/// Source: RFC 3533, section 6.
enum OggEnd {
  /// The largest possible page: its header and 255 segments of 255 bytes.
  private static let largestPage: Int64 = 27 + 255 + 255 * 255
  private static let isLast: UInt8 = 0x04

  /// Whether the stream is cut before its last page.
  ///
  /// - Parameter range: the Ogg file, without tags behind it.
  static func isMissing(in window: FileWindow, _ range: Range<Int64>) throws(AudioError) -> Bool {
    let start = max(range.lowerBound, range.upperBound - largestPage)
    let bytes = try window.bytes(Int(range.upperBound - start), at: start)
    // Bytes behind the last page of a stream do not belong to it, unless they are a page. The capture pattern may occur
    // within a page by chance. No page from there ends at the file's end.
    for index in bytes.indices.reversed() where bytes[index] == 0x4F && bytes.has("OggS", at: index)
    {
      guard index + 27 <= bytes.count else { continue }
      let tableEnd = index + 27 + Int(bytes[index + 26])
      guard tableEnd <= bytes.count else { continue }
      let size = bytes[(index + 27)..<tableEnd].reduce(tableEnd - index) { $0 + Int($1) }
      let end = index + size
      if end == bytes.count { return bytes[index + 5] & isLast == 0 }
      if end < bytes.count, bytes[index + 5] & isLast != 0, isPage(bytes[index..<end]) {
        return bytes.has("OggS", at: end)
      }
    }
    return true
  }

  /// Whether the page's checksum is right: CRC-32 of the polynomial 0x04C11DB7, with the checksum's own bytes as 0.
  private static func isPage(_ page: ArraySlice<UInt8>) -> Bool {
    let place = page.startIndex + 22
    var sum: UInt32 = 0
    for (index, byte) in zip(page.indices, page) {
      sum ^= UInt32((place..<place + 4).contains(index) ? 0 : byte) << 24
      for _ in 0..<8 { sum = sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
    }
    return Array(page[place..<place + 4]).integer(at: 0, 4, .little) == UInt64(sum)
  }
}
