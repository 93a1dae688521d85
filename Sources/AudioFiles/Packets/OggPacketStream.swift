// SPDX-License-Identifier: Apache-2.0
/// Reads the packets of one stream in Ogg, one after the other.
struct OggPacketReader {
  struct Packet {
    var bytes: [UInt8]
    /// The granule position of its page, if it is the last packet that ends there.
    var granule: UInt64?
    /// Whether it ends on the last page of the stream.
    var isLast: Bool
  }

  private let window: FileWindow
  private let end: Int64
  private var place: Int64
  private var open: [UInt8] = []
  private var waiting: [Packet] = []
  /// The serial number of the stream; nil before its first page.
  private(set) var stream: UInt32?

  init(_ window: FileWindow, _ range: Range<Int64>) {
    self.window = window
    place = range.lowerBound
    end = range.upperBound
  }

  /// - Returns: nil at the end of the stream, or at a page that is damaged.
  mutating func next() throws(AudioError) -> Packet? {
    while waiting.isEmpty {
      guard place < end,
        let size = OggPage.sizes(try window.bytes(OggPage.headSize + 255, at: place))?.all,
        let page = OggPage(try window.bytes(size, at: place))
      else { return nil }
      place += Int64(size)
      stream = page.stream
      take(page)
    }
    return waiting.removeLast()
  }

  private mutating func take(_ page: OggPage) {
    if page.flags & OggPage.continues == 0 { open = [] }
    var start = 0
    let isLast = page.flags & OggPage.isLast != 0
    for size in page.segments {
      open += page.body[start..<start + Int(size)]
      start += Int(size)
      guard size < OggPage.segmentSize else { continue }
      waiting.append(Packet(bytes: open, granule: nil, isLast: isLast))
      open = []
    }
    if !waiting.isEmpty { waiting[waiting.count - 1].granule = page.granule }
    waiting.reverse()
  }
}

/// Makes pages of packets with samples.
struct OggPageWriter {
  /// A page is complete with so many packets: about a second.
  private static let mostPackets = 50
  private static let mostSegments = 255

  private var page: OggPage
  private var packetCount = 0

  /// - Parameter sequence: the number of the first page.
  init(stream: UInt32, from sequence: UInt32) {
    page = OggPage(
      flags: 0, granule: .max, stream: stream, sequence: sequence, segments: [], body: [])
  }

  /// Adds a packet.
  ///
  /// - Parameters:
  ///   - granule: its granule position.
  ///   - endsPage: whether no other packet may end on its page.
  ///   - isLast: whether the stream ends with it.
  /// - Returns: the bytes of the pages that are complete.
  mutating func add(
    _ packet: [UInt8], _ granule: Int64, endsPage: Bool = false, isLast: Bool = false
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    var start = 0
    while start <= packet.count {
      if page.segments.count == Self.mostSegments { bytes += finish(within: start > 0) }
      let size = min(OggPage.segmentSize, packet.count - start)
      page.segments.append(UInt8(size))
      page.body += packet[start..<start + size]
      start += size
      if size < OggPage.segmentSize { break }
    }
    page.granule = UInt64(bitPattern: granule)
    packetCount += 1
    if isLast { page.flags |= OggPage.isLast }
    if isLast || endsPage || packetCount == Self.mostPackets { bytes += finish(within: false) }
    return bytes
  }

  private mutating func finish(within isWithin: Bool) -> [UInt8] {
    defer {
      page = OggPage(
        flags: isWithin ? OggPage.continues : 0, granule: .max, stream: page.stream,
        sequence: page.sequence &+ 1, segments: [], body: [])
      packetCount = 0
    }
    return page.bytes
  }
}
