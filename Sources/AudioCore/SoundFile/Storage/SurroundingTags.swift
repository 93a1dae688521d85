/// The tags that programs put around a sound file of any kind: in front of it and, of streams of frames, behind
/// it. They are no part of it: libsndfile loses its way where it meets them.
///
/// Sources: ID3v2.4.0 structure (id3.org), sections 3 and 5; ID3v1 (id3.org); APEv2 (Hydrogenaudio), header and
/// footer; Lyrics3 v1 and v2.00 (id3.org).
enum SurroundingTags {
  /// No file has more of them.
  private static let limit = 64

  /// Where the sound begins behind the tags in front, at the window's end at the latest.
  static func end(ofTagsIn window: FileWindow) throws(AudioError) -> Int64 {
    var start = window.range.lowerBound
    for _ in 0..<limit {
      let head = try window.bytes(32, at: start)
      guard let size = id3v2(head) ?? apeHeader(head) else { break }
      start += min(size, window.range.upperBound - start)
    }
    return start
  }

  /// Where the sound ends in front of the tags behind it.
  ///
  /// - Parameter start: where the sound begins.
  static func start(
    ofTagsIn window: FileWindow, behind start: Int64
  ) throws(AudioError) -> Int64 {
    var end = window.range.upperBound
    for _ in 0..<limit {
      guard let size = try lastTag(in: window, before: end), size <= end - start else { break }
      end -= size
    }
    return end
  }

  /// The size of an ID3v2 tag that `head` begins, its header and footer included.
  private static func id3v2(_ head: [UInt8]) -> Int64? {
    guard head.has("ID3", at: 0) else { return nil }
    return id3v2Size(head)
  }

  /// The size that an ID3v2 header or footer states, without the three letters being looked at.
  private static func id3v2Size(_ head: [UInt8]) -> Int64? {
    guard head.count >= 10, head[3] != 0xFF, head[4] != 0xFF,
      head[6..<10].allSatisfy({ $0 < 0x80 })
    else { return nil }
    let content = head[6..<10].reduce(Int64(0)) { $0 << 7 | Int64($1) }
    let hasFooter = head[5] & 0x10 != 0 && head[3] >= 4
    return 10 + content + (hasFooter ? 10 : 0)
  }

  /// The size of an APE tag that `head` begins.
  private static func apeHeader(_ head: [UInt8]) -> Int64? {
    guard head.count >= 32, head.has("APETAGEX", at: 0) else { return nil }
    return 32 + Int64(head.integer(at: 12, 4, .little))
  }

  /// The size of the tag that ends at `end`.
  private static func lastTag(
    in window: FileWindow, before end: Int64
  ) throws(AudioError) -> Int64? {
    func bytes(_ count: Int, before end: Int64) throws(AudioError) -> [UInt8] {
      try window.bytes(count, at: end - Int64(count))
    }
    let last = try bytes(128, before: end)
    if last.has("TAG", at: 0) {
      return try bytes(227, before: end - 128).has("TAG+", at: 0) ? 128 + 227 : 128
    }
    let tail = try bytes(32, before: end)
    guard tail.count == 32 else { return nil }
    if tail.has("APETAGEX", at: 0) {
      // The size counts the footer, but not the header, which a flag tells.
      let size = Int64(tail.integer(at: 12, 4, .little))
      return size >= 32 ? size + (tail[23] & 0x80 != 0 ? 32 : 0) : nil
    }
    if tail.has("3DI", at: 22), let size = id3v2Size(Array(tail[22...])) {
      return size
    }
    if tail.has("LYRICS200", at: 23) {
      let digits = tail[17..<23]
      guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      return digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) } + 15
    }
    if tail.has("LYRICSEND", at: 23) { return try lyrics(in: window, before: end) }
    return nil
  }

  /// The size of Lyrics3 v1, which states none: at most 5,100 bytes between its two words.
  private static func lyrics(in window: FileWindow, before end: Int64) throws(AudioError) -> Int64?
  {
    let most = Int(min(5_100 + 20, end - window.range.lowerBound))
    let bytes = try window.bytes(most, at: end - Int64(most))
    let start = bytes.indices.last { bytes[$0] == 0x4C && bytes.has("LYRICSBEGIN", at: $0) }
    return start.map { Int64(bytes.count - $0) }
  }
}
