// SPDX-License-Identifier: Apache-2.0
/// Tells whether the bytes behind a file's stated samples are further samples.
enum BytesBehind {
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
    in window: FileWindow, from end: Int64, _ form: ChunkForm, countsZeros: Bool = false
  ) throws(AudioError) -> Int64 {
    let limit = try SurroundingTags.start(
      ofTagsIn: window, behind: min(end, window.range.upperBound))
    guard end < limit else { return 0 }
    for start in [end, form.padded(end)] {
      let head = try window.bytes(32, at: start)
      if tags.contains(where: { head.has($0, at: 0) }) { return 0 }
      if form.headSize > 0, names.contains(where: { head.has($0, at: 0) }) { return 0 }
      let isNamed = ChunkForm.name(head.prefix(4)) != nil
      if isNamed, let next = form.end(of: head, at: start), next <= limit { return 0 }
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
