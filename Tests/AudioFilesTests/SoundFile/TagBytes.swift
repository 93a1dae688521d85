// SPDX-License-Identifier: Apache-2.0
/// The tags around sound files, byte by byte.
enum TagBytes {
  /// Four bytes of seven bits.
  private static func synchsafe(_ size: Int) -> [UInt8] {
    [21, 14, 7, 0].map { UInt8(size >> $0 & 0x7F) }
  }

  private static func little(_ values: Int...) -> [UInt8] {
    values.flatMap { value in [0, 8, 16, 24].map { UInt8(value >> $0 & 0xFF) } }
  }

  /// - Parameter content: its frames, which the tests' readers ignore.
  static func id3v2(
    _ version: UInt8, _ content: [UInt8], flags: UInt8 = 0, hasFooter: Bool = false
  ) -> [UInt8] {
    let fields = [version, 0, flags | (hasFooter ? 0x10 : 0)] + synchsafe(content.count)
    let footer = hasFooter ? Array("3DI".utf8) + fields : []
    return Array("ID3".utf8) + fields + content + footer
  }

  static let id3v1 = Array("TAGtitle".utf8) + [UInt8](repeating: 0, count: 120)
  static let enhanced = Array("TAG+".utf8) + [UInt8](repeating: 0, count: 223)

  static func ape(_ version: Int, valueLength: Int = 5, hasHeader: Bool) -> [UInt8] {
    let value = (0..<valueLength).map { UInt8($0 % 251) }
    let item = little(valueLength, 0) + Array("Title".utf8) + [0] + value
    func fields(_ flags: Int) -> [UInt8] {
      Array("APETAGEX".utf8) + little(version, item.count + 32, 1, flags)
        + [UInt8](repeating: 0, count: 8)
    }
    let flag = hasHeader ? 1 << 31 : 0
    return (hasHeader ? fields(flag | 1 << 29) : []) + item + fields(flag)
  }

  static let lyrics1 = Array("LYRICSBEGINla la laLYRICSEND".utf8)
  static let lyrics2 = Array("LYRICSBEGININD0000210LYR00005la la000032LYRICS200".utf8)

  /// Frames of text, of padding, of a picture of 2 MB, and bytes that look like a frame of MPEG.
  static let inFront: [(name: String, bytes: [UInt8])] = [
    ("v2.2", id3v2(2, Array("TT2\0\0\u{2}\0a".utf8))),
    ("v2.3", id3v2(3, Array("TIT2\0\0\0\u{2}\0\0\0a".utf8))),
    ("v2.4", id3v2(4, Array("TIT2\0\0\0\u{2}\0\0\0a".utf8))),
    ("v2.4 with a footer", id3v2(4, Array("TIT2\0\0\0\u{2}\0\0\0a".utf8), hasFooter: true)),
    ("two", id3v2(3, [1, 2, 3]) + id3v2(4, [4, 5, 6])),
    ("padded", id3v2(3, [UInt8](repeating: 0, count: 4_000))),
    ("unsynchronised", id3v2(3, [0xFF, 0x00, 0xFB, 0x90, 0x64], flags: 0x80)),
    ("with a picture", id3v2(3, (0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })),
    ("APE", ape(2_000, hasHeader: true)),
  ]

  static let behind: [(name: String, bytes: [UInt8])] = [
    ("ID3v1", id3v1), ("enhanced", enhanced + id3v1), ("APEv1", ape(1_000, hasHeader: false)),
    ("APEv2", ape(2_000, hasHeader: true)), ("without header", ape(2_000, hasHeader: false)),
    ("with a cover", ape(2_000, valueLength: 200_000, hasHeader: true)),
    ("Lyrics3 v1", lyrics1 + id3v1), ("Lyrics3 v2", lyrics2 + id3v1),
    ("ID3v2.4", id3v2(4, [1, 2, 3], hasFooter: true)),
    ("three", ape(2_000, hasHeader: true) + lyrics2 + id3v1),
    ("zeros", [UInt8](repeating: 0, count: 5_000)),
  ]
}
