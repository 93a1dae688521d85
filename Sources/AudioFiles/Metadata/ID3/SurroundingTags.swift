// SPDX-License-Identifier: Apache-2.0
/// Tags around a sound file of any kind: in front of it and, for streams of frames, behind it. They are not part of the
/// file: libsndfile fails to parse a file with them.
///
/// Sources: ID3v2.4.0 structure (id3.org), sections 3 and 5; ID3v1 (id3.org); APEv2 (Hydrogenaudio), header and footer;
/// Lyrics3 v1 and v2.00 (id3.org).
enum SurroundingTags {
  /// A tag and its range in the file.
  typealias Tag = (identifier: String, range: Range<Int64>)

  private static let lyrics = "Lyrics3"
  /// The most tags to read on either side.
  private static let limit = 64

  /// The tags in front, in order.
  static func front(of file: some ByteSource) throws(AudioError) -> [Tag] {
    var tags: [Tag] = []
    var start = file.range.lowerBound
    while tags.count < limit {
      let head = try file.bytes(32, at: start)
      let id3 = ID3Tag.size(head)
      guard let size = id3 ?? ApeTag.size(head) else { break }
      let end = start + min(Int64(size), file.range.upperBound - start)
      let identifier = id3 == nil ? ApeTag.identifier : ID3Tag.identifier
      tags.append((identifier, start..<end))
      start = end
    }
    return tags
  }

  /// The tags behind the sound that begins at `start`, the last one first.
  static func behind(
    _ start: Int64, in file: some ByteSource
  ) throws(AudioError) -> [Tag] {
    var tags: [Tag] = []
    var end = file.range.upperBound
    while tags.count < limit, let (identifier, size) = try lastTag(in: file, before: end),
      size <= end - start
    {
      tags.append((identifier, end - size..<end))
      end -= size
    }
    return tags
  }

  /// The start of the sound behind the tags in front, at most the file's end.
  static func end(ofTagsIn file: some ByteSource) throws(AudioError) -> Int64 {
    try front(of: file).last?.range.upperBound ?? file.range.lowerBound
  }

  /// The end of the sound in front of the tags behind it.
  ///
  /// - Parameter start: the start of the sound.
  static func start(
    ofTagsIn file: some ByteSource, behind start: Int64
  ) throws(AudioError) -> Int64 {
    try behind(start, in: file).last?.range.lowerBound ?? file.range.upperBound
  }

  /// The type and the size of the tag that ends at `end`.
  private static func lastTag(
    in file: some ByteSource, before end: Int64
  ) throws(AudioError) -> (identifier: String, size: Int64)? {
    func bytes(_ count: Int, before end: Int64) throws(AudioError) -> [UInt8] {
      try file.bytes(count, at: end - Int64(count))
    }
    let last = try bytes(OldID3Tag.size, before: end)
    if last.has("TAG", at: 0) {
      // An extension has 227 bytes.
      let isExtended = try bytes(227, before: end - 128).has("TAG+", at: 0)
      return (OldID3Tag.identifier, isExtended ? 128 + 227 : 128)
    }
    let tail = try bytes(32, before: end)
    guard tail.count == 32 else { return nil }
    if tail.has("APETAGEX", at: 0) {
      return ApeTag.size(foot: tail).map { (ApeTag.identifier, Int64($0)) }
    }
    if tail.has("3DI", at: 22), let size = ID3Tag.statedSize(Array(tail[22...])) {
      return (ID3Tag.identifier, Int64(size))
    }
    if tail.has("LYRICS200", at: 23) {
      let digits = tail[17..<23]
      guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      return (Self.lyrics, digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) } + 15)
    }
    if tail.has("LYRICSEND", at: 23) {
      return try lyrics(in: file, before: end).map { (Self.lyrics, $0) }
    }
    return nil
  }

  /// The size of Lyrics3 v1, which states none: at most 5,100 bytes between its two words.
  private static func lyrics(in file: some ByteSource, before end: Int64) throws(AudioError)
    -> Int64?
  {
    let most = Int(min(5_100 + 20, end - file.range.lowerBound))
    let bytes = try file.bytes(most, at: end - Int64(most))
    let start = bytes.indices.last { bytes[$0] == 0x4C && bytes.has("LYRICSBEGIN", at: $0) }
    return start.map { Int64(bytes.count - $0) }
  }

  /// Collects the tags around a file's sound.
  ///
  /// - Parameters:
  ///   - sound: its start, if tags can stand behind it.
  ///   - others: the pieces of the file itself.
  static func collect(
    _ file: some ByteSource, behind sound: Int64?, beside others: [Metadata.Chunk] = []
  ) throws(AudioError) -> (chunks: [Metadata.Chunk], omissions: [Metadata.Omission]) {
    var collection = PieceCollection(file, beside: others)
    for tag in try front(of: file) {
      try collection.take(.id3, tag.identifier, tag.range, called: "\(tag.identifier) tag")
    }
    guard let sound else { return (collection.chunks, collection.omissions) }
    for tag in try behind(sound, in: file).reversed() {
      try collection.take(
        .id3, tag.identifier, tag.range, called: "\(tag.identifier) tag", isInFront: false)
    }
    return (collection.chunks, collection.omissions)
  }
}
