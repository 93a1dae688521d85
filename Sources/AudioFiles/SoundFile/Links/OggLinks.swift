// SPDX-License-Identifier: Apache-2.0
/// The links of a chained Ogg file: streams one behind the other, each with headers of its own.
///
/// libsndfile 1.2.0 reads the first of them and ends there.
///
/// Source: RFC 3533, sections 4 and 6.
struct OggLinks {
  /// Where they are, in order. At least one.
  private(set) var ranges: [Range<Int64>] = []
  /// Whether one of them, but for the last, has no last page.
  private(set) var lacksEnds = false

  private let window: FileWindow
  private let range: Range<Int64>
  /// How many bytes were looked at to find pages again where none was.
  private var searched: Int64 = 0
  /// A file that takes more than that is made up.
  private static let mostSearched: Int64 = 1 << 26

  /// Walks from page to page.
  ///
  /// - Parameter range: of the window, the Ogg file.
  init(in window: FileWindow, _ range: Range<Int64>) throws(AudioError) {
    self.window = window
    self.range = range
    var linkStart = range.lowerBound
    var position = range.lowerBound
    /// The page before: where it begins, and its flags.
    var last: (start: Int64, flags: UInt8)?
    while position < range.upperBound {
      let head = try window.bytes(OggPage.headSize + 255, at: position)
      guard let size = OggPage.sizes(head)?.all, position + Int64(size) <= range.upperBound else {
        // The page before may be cut, so that the next begins within it.
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
    }
    ranges.append(linkStart..<range.upperBound)
  }

  /// The next place where a whole page stands, by its checksum.
  ///
  /// - Parameter known: a place where none does.
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
