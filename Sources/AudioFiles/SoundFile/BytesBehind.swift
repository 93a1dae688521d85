// SPDX-License-Identifier: Apache-2.0
/// Tells whether the bytes behind a file's stated samples are further samples.
enum BytesBehind {
  /// How a container's chunks begin.
  enum Chunks {
    case riff(ByteOrder)
    case iff
    case caf
    case wave64
    /// A container without chunks.
    case none
  }

  /// Names of chunks that may follow samples. Even a cut chunk is not sound.
  private static let names = [
    "LIST", "list", "ID3 ", "id3 ", "bext", "cue ", "smpl", "inst", "plst", "fact", "JUNK", "junk",
    "PAD ", "pad ",
    "FLLR", "iXML", "axml", "chna", "DISP", "_PMX", "afsp", "acid", "strc", "SAUR", "NAME", "AUTH",
    "ANNO", "(c) ",
    "MARK", "COMT", "INST", "MIDI", "APPL", "CHAN", "info", "mark", "strg", "uuid", "free", "midi",
    "LGWV", "MD5 ",
  ]
  /// Tags that may follow any file.
  private static let tags = ["TAG", "ID3", "3DI", "APETAGEX", "LYRICSBEGIN"]
  /// The most zeros that may fill up a disk's last block.
  private static let mostFilling: Int64 = 1 << 16

  /// Counts the bytes of sound behind `end`.
  ///
  /// - Parameters:
  ///   - end: the end of the samples according to the header.
  ///   - countsZeros: whether a few zeros alone count as sound.
  /// - Returns: 0 for chunks, tags or a filling.
  static func count(
    in window: FileWindow, from end: Int64, _ chunks: Chunks, countsZeros: Bool = false
  ) throws(AudioError) -> Int64 {
    let limit = try SurroundingTags.start(
      ofTagsIn: window, behind: min(end, window.range.upperBound))
    guard end < limit else { return 0 }
    for start in [end, chunks.padded(end)] {
      let head = try window.bytes(32, at: start)
      if tags.contains(where: { head.has($0, at: 0) }) { return 0 }
      if chunks.exist, names.contains(where: { head.has($0, at: 0) }) { return 0 }
      if let next = chunks.end(of: head, at: start), next <= limit { return 0 }
    }
    if !countsZeros, limit - end <= mostFilling,
      try window.bytes(Int(limit - end), at: end).allSatisfy({ $0 == 0 })
    {
      return 0
    }
    return limit - end
  }

  /// Whether a stream's `bytes` begin with a chunk's name. Its size cannot be checked, because later bytes are not
  /// visible.
  static func isChunk(_ bytes: [UInt8]) -> Bool { names.contains { bytes.has($0, at: 0) } }
}

extension BytesBehind.Chunks {
  fileprivate var exist: Bool { if case .none = self { false } else { true } }

  fileprivate func padded(_ end: Int64) -> Int64 {
    switch self {
    case .riff, .iff: end + end & 1
    case .wave64: end + (-end & 7)
    case .caf, .none: end
    }
  }

  /// The end of the chunk that begins at `start` with `head`; nil if `head` is no chunk's.
  fileprivate func end(of head: [UInt8], at start: Int64) -> Int64? {
    guard head.count >= 8, head[..<4].allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
    let size: UInt64
    let content: Int64
    switch self {
    case .riff(let order): (size, content) = (head.integer(at: 4, 4, order), 8)
    case .iff: (size, content) = (head.integer(at: 4, 4, .big), 8)
    case .caf where head.count >= 12: (size, content) = (head.integer(at: 4, 8, .big), 12)
    case .wave64 where head.count >= 24: (size, content) = (head.integer(at: 16, 8, .little), 0)
    default: return nil
    }
    return size < 1 << 60 ? start + content + Int64(size) : nil
  }
}
