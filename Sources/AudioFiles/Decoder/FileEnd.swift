// SPDX-License-Identifier: Apache-2.0
/// The end of a file that ffmpeg decodes, by the sizes that its container states. ffmpeg itself ends without a word in
/// most cut files.
enum FileEnd {
  /// Lines of ffmpeg about a file that ends too early. Source: matroskadec.c, mov.c and utils.c of libavformat.
  static let errors = ["File ended prematurely", "partial file"]

  /// Whether a file ends within an element of its container; false where nothing tells.
  ///
  /// - Parameter demuxer: ffmpeg's demuxer for it.
  static func isMissing(in file: FileWindow, _ demuxer: String) throws(AudioError) -> Bool {
    switch demuxer {
    case "ogg": try OggEnd.isMissing(in: file, file.range)
    case "matroska": try endsWithinElement(file)
    case "mov": try endsWithinBox(file)
    case "avi": try endsWithinForm(file)
    case "asf": try endsWithinStatedSize(file)
    case "flv", "live_flv": try endsWithinTag(file)
    case "mpegts": try endsWithinPacket(file)
    case "mpeg": try endsWithinPack(file)
    default:
      try FrameSizes.of[demuxer].map { (size) throws(AudioError) in
        try endsWithinFrame(file, from: SurroundingTags.end(ofTagsIn: file), size)
      } ?? false
    }
  }

  /// Matroska: elements with a number and a size, either of 1 to 8 bytes. A live recording states no size of its segment
  /// and of its clusters, whose content follows then. Source: RFC 8794, sections 4 to 6.
  private static func endsWithinElement(_ file: FileWindow) throws(AudioError) -> Bool {
    var position = file.range.lowerBound
    for _ in 0..<1_000_000 where position < file.range.upperBound {
      let head = try file.bytes(12, at: position)
      guard let first = head.first, first >= 0x10 else { return false }
      let idLength = first.leadingZeroBitCount + 1
      guard head.count > idLength else { return true }
      let sizeLength = head[idLength].leadingZeroBitCount + 1
      guard sizeLength <= 8 else { return false }
      let end = idLength + sizeLength
      guard head.count >= end else { return true }
      let ones = UInt64(1) << (7 * UInt64(sizeLength)) - 1
      let size = head[idLength..<end].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } & ones
      position += Int64(end)
      if size == ones { continue }
      // Bytes of something else may follow the segment.
      if head.starts(with: [0x18, 0x53, 0x80, 0x67]) {
        return size > UInt64(file.range.upperBound - position)
      }
      guard size <= UInt64(file.range.upperBound - position) else { return true }
      position += Int64(size)
    }
    return false
  }

  /// MPEG-4 and QuickTime: boxes.
  private static func endsWithinBox(_ file: FileWindow) throws(AudioError) -> Bool {
    let end = try MovieBoxes.all(in: file, file.range).last?.content.upperBound
    let head = try file.bytes(8, at: end ?? file.range.lowerBound)
    // Bytes of something else may follow.
    return head.count == 8
      && ["moof", "mdat", "moov", "mfra", "free"].contains { head.has($0, at: 4) }
  }

  /// AVI: one form `RIFF`, or several.
  private static func endsWithinForm(_ file: FileWindow) throws(AudioError) -> Bool {
    var position = file.range.lowerBound
    while position < file.range.upperBound {
      let head = try file.bytes(8, at: position)
      guard head.has("RIFF", at: 0), head.count == 8 else { return false }
      let size = Int64(head.integer(at: 4, 4, .little))
      // A recording that was not completed states none.
      guard size > 0 else { return false }
      position += size + 8
    }
    return position > file.range.upperBound + 1
  }

  /// ASF: the size of the file in its header, behind an identifier each of 16 bytes. Source: "Advanced Systems Format
  /// Specification" 1.2, sections 3.1 and 3.2.
  private static func endsWithinStatedSize(_ file: FileWindow) throws(AudioError) -> Bool {
    var position = file.range.lowerBound + 30
    for _ in 0..<100 {
      let head = try file.bytes(92, at: position)
      guard head.count == 92 else { return false }
      let size = Int64(clamping: head.integer(at: 16, 8, .little))
      if head.starts(with: [0xA1, 0xDC, 0xAB, 0x8C]) {
        let isLive = head[88] & 1 != 0
        let stated = Int64(clamping: head.integer(at: 40, 8, .little))
        return !isLive && stated > file.range.upperBound - file.range.lowerBound
      }
      guard (24..<1 << 24).contains(size) else { return false }
      position += size
    }
    return false
  }

  /// FLV: behind each tag stands its size. Source: "Adobe Flash Video File Format Specification" 10.1, annex E.3.
  private static func endsWithinTag(_ file: FileWindow) throws(AudioError) -> Bool {
    let end = file.range.upperBound - 4
    let bytes = try file.bytes(4, at: end)
    guard bytes.count == 4 else { return true }
    let size = Int64(bytes.integer(at: 0, 4, .big))
    guard size >= 11, end - size >= file.range.lowerBound + 13 else { return true }
    let head = try file.bytes(4, at: end - size)
    return Int64(head.integer(at: 1, 3, .big)) + 11 != size
  }

  private static func endsWithinPacket(_ file: FileWindow) throws(AudioError) -> Bool {
    let beginning = try file.bytes(FileBeginning.length, at: file.range.lowerBound)
    guard let size = TransportPackets.size(beginning) else { return false }
    return (file.range.upperBound - file.range.lowerBound) % Int64(size) != 0
  }

  /// MPEG programs: packets from the beginning of the last pack on.
  private static func endsWithinPack(_ file: FileWindow) throws(AudioError) -> Bool {
    var last: Int64?
    var start = max(file.range.lowerBound, file.range.upperBound - 1 << 18)
    while let place = try file.position(from: start, where: { $0 == 0 && $1 == 0 && $2 == 1 }) {
      if try file.bytes(4, at: place).last == 0xBA { last = place }
      start = place + 3
    }
    return try last.map { (place) throws(AudioError) in
      try endsWithinFrame(file, from: place, FrameSizes.ofPackets)
    } ?? false
  }

  /// Frames one behind the other; behind the last one a tag may stand.
  private static func endsWithinFrame(
    _ file: FileWindow, from start: Int64, _ size: ([UInt8]) -> Int?
  ) throws(AudioError) -> Bool {
    var position = start
    while let size = size(try file.bytes(14, at: position)) { position += Int64(size) }
    return position > file.range.upperBound
  }
}

/// The bytes of a frame by its first 14 bytes; nil if these are no frame's.
enum FrameSizes {
  /// By ffmpeg's demuxers.
  static let of: [String: @Sendable ([UInt8]) -> Int?] = [
    "aac": ofADTS, "ac3": ofAC3, "eac3": ofAC3, "dts": ofDTS, "truehd": ofMLP, "mlp": ofMLP,
    "wv": ofWavPack,
  ]

  /// Source: ISO/IEC 13818-7, 6.2.
  private static let ofADTS: @Sendable ([UInt8]) -> Int? = { head in
    guard head.count >= 6, head.integer(at: 0, 2, .big) & 0xFFF6 == 0xFFF0 else { return nil }
    return atLeast(7, Int(head.integer(at: 3, 3, .big) >> 5 & 0x1FFF))
  }

  private static let ofAC3: @Sendable ([UInt8]) -> Int? = { AC3Frames.size(Array($0.prefix(6))) }

  /// Source: ETSI TS 102 114, 5.3.
  private static let ofDTS: @Sendable ([UInt8]) -> Int? = { head in
    guard head.count >= 8, head.integer(at: 0, 4, .big) == 0x7FFE_8001 else { return nil }
    return atLeast(96, Int(head.integer(at: 5, 3, .big) >> 4 & 0x3FFF) + 1)
  }

  /// Words of 16 bits. Source: "Meridian Lossless Packing", an access unit's head, as libavcodec/mlp_parser.c reads it.
  private static let ofMLP: @Sendable ([UInt8]) -> Int? = { head in
    head.count >= 4 ? atLeast(4, 2 * Int(head.integer(at: 0, 2, .big) & 0xFFF)) : nil
  }

  /// Source: "WavPack 4 & 5 Binary File / Block Format", 2.0.
  private static let ofWavPack: @Sendable ([UInt8]) -> Int? = { head in
    head.has("wvpk", at: 0) && head.count >= 8 ? 8 + Int(head.integer(at: 4, 4, .little)) : nil
  }

  /// Packs and packets of MPEG programs. Source: ISO/IEC 13818-1, 2.5.3; ISO/IEC 11172-1, 2.4.3.
  static let ofPackets: @Sendable ([UInt8]) -> Int? = { head in
    guard head.count >= 4, head.integer(at: 0, 3, .big) == 1 else { return nil }
    switch head[3] {
    case 0xB9: return 4
    case 0xBA where head.count < 14: return 14
    case 0xBA: return head[4] >> 6 == 1 ? 14 + Int(head[13] & 7) : 12
    case 0xBB...: return head.count < 6 ? 6 : 6 + Int(head.integer(at: 4, 2, .big))
    default: return nil
    }
  }

  private static func atLeast(_ least: Int, _ size: Int) -> Int? { size >= least ? size : nil }
}
