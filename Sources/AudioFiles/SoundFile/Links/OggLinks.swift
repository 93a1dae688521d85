// SPDX-License-Identifier: Apache-2.0
/// The links of a chained Ogg file: consecutive streams, each with its own headers.
///
/// libsndfile 1.2.0 reads only the first one.
///
/// Source: RFC 3533, sections 4 and 6.
struct OggLinks {
  /// The places of the links in order, at least one.
  private(set) var ranges: [Range<Int64>] = []
  /// Whether a link other than the last one has no last page.
  private(set) var lacksEnds = false

  private let window: FileWindow
  private let range: Range<Int64>
  /// The bytes examined so far to find pages again behind gaps.
  private var searched: Int64 = 0
  /// Only a fabricated file needs more.
  private static let mostSearched: Int64 = 1 << 26

  /// Walks from page to page to find the links.
  ///
  /// - Parameter range: the Ogg file within the window.
  init(in window: FileWindow, _ range: Range<Int64>) throws(AudioError) {
    self.window = window
    self.range = range
    var linkStart = range.lowerBound
    var position = range.lowerBound
    /// The previous page's place, flags and end.
    var last: (start: Int64, flags: UInt8)?
    var lastEnd = position
    while position < range.upperBound {
      let head = try window.bytes(OggPage.headSize + 255, at: position)
      guard let size = OggPage.sizes(head)?.all, position + Int64(size) <= range.upperBound else {
        // The previous page may be cut, so that the next one begins within it.
        let start = last.map { $0.start + Int64(OggPage.headSize) } ?? position
        guard let next = try wholePage(from: max(start, linkStart), besides: position) else {
          break
        }
        position = next
        continue
      }
      let flags = head[5]
      if flags & OggPage.isFirst != 0, let last, last.flags & OggPage.isFirst == 0 {
        if last.flags & OggPage.isLast == 0 { lacksEnds = true }
        ranges.append(linkStart..<position)
        linkStart = position
      }
      last = (position, flags)
      position += Int64(size)
      lastEnd = position
    }
    // Bytes of something else may follow the last page. libsndfile would not find the length in front of them. A page
    // that is cut belongs to the file.
    let isWhole = last.map { $0.flags & OggPage.isLast != 0 } ?? false
    let isCut = try window.bytes(4, at: lastEnd).has("OggS", at: 0)
    ranges.append(linkStart..<(isWhole && !isCut ? lastEnd : range.upperBound))
  }

  /// The number of streams of sound side by side, whose first pages stand at the beginning of a link.
  static func soundCount(_ beginning: [UInt8]) -> Int {
    var (position, count) = (0, 0)
    while position < beginning.count, let sizes = OggPage.sizes(Array(beginning[position...])),
      beginning[position + 5] & OggPage.isFirst != 0
    {
      let packet = beginning.dropFirst(position + sizes.head)
      let isSound = ["OpusHead", "\u{1}vorbis", "Speex   "].contains { packet.has($0, at: 0) }
      if isSound { count += 1 }
      position += sizes.all
    }
    return count
  }

  /// The place of the next whole page, confirmed by its checksum.
  ///
  /// - Parameter known: a place without a whole page.
  private mutating func wholePage(
    from start: Int64, besides known: Int64
  ) throws(AudioError) -> Int64? {
    var position = start
    while let place = try window.position(
      from: position, where: { $0 == 0x4F && $1 == 0x67 && $2 == 0x67 }),
      place < range.upperBound, searched < Self.mostSearched
    {
      if place != known,
        let size = OggPage.sizes(try window.bytes(OggPage.headSize + 255, at: place))?.all,
        place + Int64(size) <= range.upperBound
      {
        searched += Int64(size)
        if OggPage(try window.bytes(size, at: place)) != nil { return place }
      }
      position = place + 1
    }
    return nil
  }
}
