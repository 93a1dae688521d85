// SPDX-License-Identifier: Apache-2.0
/// The length that a file's header states. libsndfile silently limits it to the file's own length.
enum StatedLength: Equatable {
  /// The place of the samples in bytes from the start of the sound.
  case bytes(Range<Int64>)
  /// In samples per channel.
  case sampleFrames(Int64)
  /// No length, because the program wrote to a pipe or was killed. The value is the start of the samples in bytes from
  /// the start of the sound.
  case unfinished(Int64)

  /// Finds the length in headers that the library does not read elsewhere.
  ///
  /// Sources: each container's specification, and libsndfile 1.2.0 for those without one. IRCAM, PAF and PVF state no
  /// length.
  ///
  /// - Parameter start: the start of the sound in the window.
  /// - Returns: nil if the header states no length, or ends early.
  static func find(in window: FileWindow, from start: Int64) throws(AudioError) -> Self? {
    let header = HeaderFields(window: window, start: start)
    let head = try header.bytes(512, at: 0)
    switch true {
    case head.has(".snd", at: 0): return try au(header, .big)
    case head.has("dns.", at: 0): return try au(header, .little)
    case head.has("FORM", at: 0) && head.has("AIF", at: 8): return try aiff(header)
    case head.has("FORM", at: 0): return try header.find("BODY", from: 12, .iff).map(Self.bytes)
    case head.has("riff", at: 0): return try header.find("data", from: 40, .wave64).map(Self.bytes)
    case head.has("caff", at: 0): return try caf(header)
    case head.has("2BIT", at: 0): return Self(count: try header.number(4, at: 26, .big))
    case head.has("NIST_1A", at: 0): return nist(head)
    case head.has("ALawSoundFile**", at: 0):
      return Self(from: 32, byteCount: try header.number(4, at: 18, .big))
    case head.has("Extended Instrument", at: 0): return try extendedInstrument(header)
    case head.has("MATLAB 5.0", at: 0):
      let order: ByteOrder = head.has("IM", at: 126) ? .little : .big
      // The second matrix's tag, 16 bytes of flags, the tag of its dimensions, and the rows.
      return try matrices(header, sizeAt: 132, gap: 36, order)
    // A matrix of one double, the rate; then the second one's type and rows.
    case head.starts(with: [0, 0, 3, 0xE8, 0, 0, 0, 1]):
      return try matrices(header, sizeAt: 16, gap: 16, .big)
    case head.starts(with: [0, 0, 0, 0, 1, 0, 0, 0]):
      return try matrices(header, sizeAt: 16, gap: 16, .little)
    case head.starts(with: [1, 4]) && head.count >= 42:
      return Self(count: try header.number(4, at: 30, .little))
    default: return nil
    }
  }

  /// The length of a cut CAF file that libsndfile 1.2.0 must be told to read its remaining samples. libsndfile skips a
  /// chunk that is longer than the file.
  ///
  /// - Parameter part: the file's bytes within the window.
  /// - Returns: nil if libsndfile reads the file with its true length.
  func lengthToPretend(
    ofCut part: Range<Int64>, in window: FileWindow
  ) throws(AudioError) -> Int64? {
    let head = try window.bytes(20, at: part.lowerBound)
    guard head.has("caff", at: 0) else { return nil }
    let data = try HeaderFields(window: window, start: part.lowerBound).find("data", from: 8, .caf)
    return data.flatMap { $0.upperBound > part.count ? $0.upperBound : nil }
  }

  /// - Parameter count: in samples per channel; 0 = unknown.
  private init?(count: Int64?) {
    guard let count, count > 0 else { return nil }
    self = .sampleFrames(count)
  }

  /// - Parameter byteCount: 0 = unknown.
  private init?(from start: Int64, byteCount: Int64?) {
    guard let byteCount, byteCount > 0 else { return nil }
    self = .bytes(start..<start + byteCount)
  }

  /// Sun AU: the start of the samples, and their bytes; all ones = unknown.
  private static func au(_ header: HeaderFields, _ order: ByteOrder) throws(AudioError) -> Self? {
    guard let start = try header.number(4, at: 4, order),
      let size = try header.number(4, at: 8, order)
    else { return nil }
    if size == 0 { return .unfinished(start) }
    return size == 0xFFFF_FFFF ? nil : .bytes(start..<start + size)
  }

  /// AIFF and AIFF-C: the sound chunk, whose samples follow an offset and a block size. For DWVW, the number of sample
  /// frames in the common chunk.
  private static func aiff(_ header: HeaderFields) throws(AudioError) -> Self? {
    if let common = try header.find("COMM", from: 12, .iff) {
      let head = try header.bytes(22, at: common.lowerBound)
      // The bytes of this codec do not show its sample count.
      if head.has("DWVW", at: 18) { return .sampleFrames(Int64(head.integer(at: 2, 4, .big))) }
    }
    guard let sound = try header.find("SSND", from: 12, .iff) else { return nil }
    if sound.count == 8 { return .unfinished(sound.upperBound) }
    guard sound.count > 8 else { return nil }
    // sox writes an unknown length as 0x7F000000 bytes, rounded down to whole sample frames.
    let unknown = 0x7F00_0000
    guard !(unknown - 512...unknown).contains(sound.count - 8) else { return nil }
    return .bytes(sound.lowerBound + 8..<sound.upperBound)
  }

  /// Core Audio: the data chunk behind its edit count. For ALAC, the packet table's count.
  private static func caf(_ header: HeaderFields) throws(AudioError) -> Self? {
    if let table = try header.find("pakt", from: 8, .caf) {
      let count = try header.number(8, at: table.lowerBound + 8, .big) ?? 0
      return count < 1 << 48 ? Self(count: count) : nil
    }
    guard let data = try header.find("data", from: 8, .caf), data.count > 4 else { return nil }
    return .bytes(data.lowerBound + 4..<data.upperBound)
  }

  /// NIST SPHERE: a line of text.
  private static func nist(_ head: [UInt8]) -> Self? {
    let key = "sample_count -i "
    guard let start = head.indices.first(where: { head.has(key, at: $0) }) else { return nil }
    let digits = head[(start + key.utf8.count)...].prefix { (0x30...0x39).contains($0) }.prefix(15)
    return Self(count: Int64(String(decoding: digits, as: UTF8.self)))
  }

  private static func extendedInstrument(_ header: HeaderFields) throws(AudioError) -> Self? {
    // The sample table, whose entries begin with a sample's size.
    let table: Int64 = 298
    guard let count = try header.number(2, at: table - 2, .little), count > 0 else { return nil }
    let size = try header.number(4, at: table, .little)
    return Self(from: table + 40 * count, byteCount: size)
  }

  /// Octave 2.0 and 2.1: two matrices, the rate and the samples. The second one has a column per sample frame.
  ///
  /// - Parameters:
  ///   - offset: the place of the last size in the first one: of its name, or of its number.
  ///   - gap: the bytes from the end of that name or number to the number of columns.
  private static func matrices(
    _ header: HeaderFields, sizeAt offset: Int64, gap: Int64, _ order: ByteOrder
  ) throws(AudioError) -> Self? {
    guard let size = try header.number(4, at: offset, order) else { return nil }
    return Self(count: try header.number(4, at: offset + 4 + size + gap, order))
  }
}

/// Tells whether the bytes behind a file's stated samples are further samples.
enum BytesBehind {
  /// Names of chunks that may follow samples. Even a cut chunk is not sound.
  private static let names = [
    "LIST", "list", "ID3 ", "id3 ", "bext", "cue ", "smpl", "inst", "plst", "fact", "JUNK", "junk",
    "PAD ", "pad ", "FLLR", "iXML", "axml", "chna", "DISP", "_PMX", "afsp", "acid", "strc", "SAUR",
    "NAME", "AUTH", "ANNO", "(c) ", "MARK", "COMT", "INST", "MIDI", "APPL", "CHAN", "info", "mark",
    "strg", "uuid", "free", "midi", "LGWV", "MD5 ",
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
    return try self.end(ofSoundFrom: end, in: window, form) - end
  }

  /// The most bytes at a file's end in which chunks are looked for: those that are read, and room for their heads.
  private static let mostOfChunks = Int64(Metadata.largestTotal) + 1 << 20

  /// The end of sound whose size is unknown: the tags at the file's end, and before them a known chunk, from which each
  /// chunk follows the one before.
  static func end(
    ofSoundFrom start: Int64, in window: FileWindow, _ form: ChunkForm
  ) throws(AudioError) -> Int64 {
    let limit = max(start, try SurroundingTags.start(ofTagsIn: window, behind: start))
    let first = max(start, limit - mostOfChunks)
    let bytes = try window.bytes(Int(limit - first), at: first)
    guard form.headSize > 0, bytes.count > form.headSize else { return limit }
    var (found, chunks) = (limit, Set([Int64(bytes.count)]))
    // From the end on: a chunk is one if another begins where it ends.
    for place in stride(from: bytes.count - form.headSize, through: 0, by: -1)
    where bytes[place] >= 0x20 && bytes[place] < 0x7F && bytes[place + 3] < 0x7F {
      guard ChunkForm.name(bytes[place..<place + 4]) != nil,
        let end = form.end(of: Array(bytes[place..<place + form.headSize]), at: 0),
        end >= form.headSize, chunks.count <= ChunkForm.mostChunks
      else { continue }
      // The padding of the last one may be missing.
      let next = min(Int64(place) + form.padded(end), max(Int64(place) + end, Int64(bytes.count)))
      guard chunks.contains(next) else { continue }
      chunks.insert(Int64(place))
      if names.contains(where: { bytes.has($0, at: place) }) { found = first + Int64(place) }
    }
    return found
  }

  /// Whether a stream's `bytes` begin with a chunk's name. Its size cannot be checked, because later bytes are not
  /// visible.
  static func isChunk(_ bytes: [UInt8]) -> Bool { names.contains { bytes.has($0, at: 0) } }
}
