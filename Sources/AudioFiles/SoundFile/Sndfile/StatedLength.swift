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
    let head = try window.bytes(512, at: start)
    let walk = ChunkWalk(window, start)
    switch true {
    case head.has(".snd", at: 0): return au(head, .big)
    case head.has("dns.", at: 0): return au(head, .little)
    case head.has("FORM", at: 0) && head.has("AIF", at: 8): return try aiff(walk)
    case head.has("FORM", at: 0): return try walk.find("BODY", from: 12, .iff).map(Self.bytes)
    case head.has("riff", at: 0): return try walk.find("data", from: 40, .wave64).map(Self.bytes)
    case head.has("caff", at: 0): return try caf(walk)
    case head.has("Creative Voice File", at: 0): return try voc(window, start, head)
    case head.has("2BIT", at: 0): return number(head, at: 26, .big)
    case head.has("NIST_1A", at: 0): return nist(head)
    case head.has("ALawSoundFile**", at: 0):
      guard head.count >= 22 else { return nil }
      let size = head.integer(at: 18, 4, .big)
      return size == 0 ? nil : .bytes(32..<32 + Int64(size))
    case head.has("Extended Instrument", at: 0): return extendedInstrument(head)
    case head.has("MATLAB 5.0", at: 0): return try matlab5(window, start, head)
    // A matrix of one double: the rate.
    case head.starts(with: [0, 0, 3, 0xE8, 0, 0, 0, 1]): return try matlab4(window, start, .big)
    case head.starts(with: [0, 0, 0, 0, 1, 0, 0, 0]): return try matlab4(window, start, .little)
    case head.count >= 42 && head[0] == 1 && head[1] == 4: return number(head, at: 30, .little)
    default: return nil
    }
  }

  /// The length of a cut file that libsndfile 1.2.0 must be told to read its remaining samples. libsndfile skips a CAF
  /// chunk that is longer than the file, and refuses a cut last block of VOC.
  ///
  /// - Parameter part: the file's bytes within the window.
  /// - Returns: nil if libsndfile reads the file with its true length.
  func lengthToPretend(
    ofCut part: Range<Int64>, in window: FileWindow
  ) throws(AudioError) -> Int64? {
    let head = try window.bytes(20, at: part.lowerBound)
    if head.has("caff", at: 0) {
      let data = try ChunkWalk(window, part.lowerBound).find("data", from: 8, .caf)
      return data.flatMap { $0.upperBound > part.count ? $0.upperBound : nil }
    }
    guard head.has("Creative Voice File", at: 0), case .bytes(let samples) = self,
      samples.upperBound >= part.count
    else { return nil }
    // The end block is one byte.
    return samples.upperBound + 1
  }

  private static func number(_ head: [UInt8], at offset: Int, _ order: ByteOrder) -> Self? {
    guard head.count >= offset + 4 else { return nil }
    let count = head.integer(at: offset, 4, order)
    return count == 0 ? nil : .sampleFrames(Int64(count))
  }

  /// Sun AU: the start of the samples, and their bytes; all ones = unknown.
  private static func au(_ head: [UInt8], _ order: ByteOrder) -> Self? {
    guard head.count >= 12 else { return nil }
    let start = Int64(head.integer(at: 4, 4, order))
    let size = head.integer(at: 8, 4, order)
    if size == 0 { return .unfinished(start) }
    return size == 0xFFFF_FFFF ? nil : .bytes(start..<start + Int64(size))
  }

  /// AIFF and AIFF-C: the sound chunk, whose samples follow an offset and a block size. For DWVW, the number of sample
  /// frames in the common chunk.
  private static func aiff(_ walk: ChunkWalk) throws(AudioError) -> Self? {
    if let common = try walk.find("COMM", from: 12, .iff) {
      let head = try walk.bytes(22, at: common.lowerBound)
      // The bytes of this codec do not show its sample count.
      if head.has("DWVW", at: 18) { return .sampleFrames(Int64(head.integer(at: 2, 4, .big))) }
    }
    guard let sound = try walk.find("SSND", from: 12, .iff) else { return nil }
    if sound.count == 8 { return .unfinished(sound.upperBound) }
    guard sound.count > 8 else { return nil }
    // sox writes an unknown length as 0x7F000000 bytes, rounded down to whole sample frames.
    let unknown = 0x7F00_0000
    guard !(unknown - 512...unknown).contains(sound.count - 8) else { return nil }
    return .bytes(sound.lowerBound + 8..<sound.upperBound)
  }

  /// Core Audio: the data chunk behind its edit count. For ALAC, the packet table's count.
  private static func caf(_ walk: ChunkWalk) throws(AudioError) -> Self? {
    if let table = try walk.find("pakt", from: 8, .caf) {
      let head = try walk.bytes(16, at: table.lowerBound)
      let count = head.count == 16 ? head.integer(at: 8, 8, .big) : 0
      return count > 0 && count < 1 << 48 ? .sampleFrames(Int64(count)) : nil
    }
    guard let data = try walk.find("data", from: 8, .caf), data.count > 4 else { return nil }
    return .bytes(data.lowerBound + 4..<data.upperBound)
  }

  /// Creative Voice: blocks of a type and 24 bits of size, up to one of type 0.
  private static func voc(
    _ window: FileWindow, _ start: Int64, _ head: [UInt8]
  ) throws(AudioError) -> Self? {
    guard head.count >= 26 else { return nil }
    var position = Int64(head.integer(at: 20, 2, .little))
    var samples: Range<Int64>?
    for _ in 0..<ChunkWalk.limit {
      let block = try window.bytes(4, at: start + position)
      guard block.count == 4, block[0] > 0 else { break }
      let end = position + 4 + Int64(block.integer(at: 1, 3, .little))
      let isSound = [1, 2, 9].contains(block[0])
      let skipped: Int64 = block[0] == 1 ? 2 : block[0] == 9 ? 12 : 0
      if isSound, position + 4 + skipped <= end {
        samples = (samples?.lowerBound ?? position + 4 + skipped)..<end
      }
      position = end
    }
    return samples.map(Self.bytes)
  }

  /// NIST SPHERE: a line of text.
  private static func nist(_ head: [UInt8]) -> Self? {
    let key = "sample_count -i "
    guard let start = head.indices.first(where: { head.has(key, at: $0) }) else { return nil }
    let digits = head[(start + key.utf8.count)...].prefix { (0x30...0x39).contains($0) }.prefix(15)
    let count = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
    return count == 0 ? nil : .sampleFrames(count)
  }

  /// The offset of a FastTracker 2 instrument's sample table, whose entries begin with a sample's size.
  static let extendedInstrumentTable: Int64 = 298

  private static func extendedInstrument(_ head: [UInt8]) -> Self? {
    let table = Int(extendedInstrumentTable)
    guard head.count >= table + 4 else { return nil }
    let count = Int64(head.integer(at: table - 2, 2, .little))
    let size = Int64(head.integer(at: table, 4, .little))
    let start = Int64(table) + 40 * count
    return count == 0 || size == 0 ? nil : .bytes(start..<start + size)
  }

  /// Octave 2.0: two matrices, the rate and the samples. The second one has a column per sample frame.
  private static func matlab4(
    _ window: FileWindow, _ start: Int64, _ order: ByteOrder
  ) throws(AudioError) -> Self? {
    let rate = try window.bytes(20, at: start)
    guard rate.count == 20 else { return nil }
    let next = start + 20 + Int64(rate.integer(at: 16, 4, order)) + 8
    return number(try window.bytes(20, at: next), at: 8, order)
  }

  /// Octave 2.1: two matrices as in 2.0, with other headers.
  private static func matlab5(
    _ window: FileWindow, _ start: Int64, _ head: [UInt8]
  ) throws(AudioError) -> Self? {
    guard head.count >= 136 else { return nil }
    let order: ByteOrder = head.has("IM", at: 126) ? .little : .big
    let next = start + 136 + Int64(head.integer(at: 132, 4, order))
    // Behind the matrix's tag: 16 bytes of flags, then the dimensions behind their own tag.
    return number(try window.bytes(40, at: next), at: 36, order)
  }
}

/// Finds chunks by walking over their stated sizes.
struct ChunkWalk {
  /// The form of chunks: the bytes of the identifier and of the size, and the padding.
  enum Form {
    /// 4 + 4 bytes, big-endian, padded to even.
    case iff
    /// 4 + 8 bytes, big-endian, not padded; a size of −1 = unknown.
    case caf
    /// 16 + 8 bytes, little-endian, padded to 8. The size includes these 24 bytes.
    case wave64
  }

  /// Only a fabricated file has more chunks.
  static let limit = 1 << 16

  private let window: FileWindow
  private let start: Int64

  init(_ window: FileWindow, _ start: Int64) {
    self.window = window
    self.start = start
  }

  func bytes(_ count: Int, at offset: Int64) throws(AudioError) -> [UInt8] {
    try window.bytes(count, at: start + offset)
  }

  /// The content's place of the first chunk of this name, possibly beyond the window's end.
  ///
  /// - Parameter offset: the offset of the first chunk from the start of the sound.
  func find(_ name: String, from offset: Int64, _ form: Form) throws(AudioError) -> Range<Int64>? {
    var position = offset
    for _ in 0..<Self.limit {
      let head = try bytes(form == .iff ? 8 : form == .caf ? 12 : 24, at: position)
      let content = position + Int64(head.count)
      let size: UInt64
      switch (form, head.count) {
      case (.iff, 8): size = head.integer(at: 4, 4, .big)
      case (.caf, 12): size = head.integer(at: 4, 8, .big)
      case (.wave64, 24): size = head.integer(at: 16, 8, .little) &- 24
      default: return nil
      }
      guard size < 1 << 60 else { return nil }
      let end = content + Int64(size)
      if head.has(name, at: 0) { return content..<end }
      let padding = form == .iff ? end & 1 : form == .wave64 ? -end & 7 : 0
      position = end + padding
    }
    return nil
  }
}
