// SPDX-License-Identifier: Apache-2.0
/// Replaces the encoder's comments in an Ogg file. The new comments may need more or fewer pages, so that the numbers
/// and checksums of all later pages change. Their content and granule positions stay.
///
/// libsndfile writes Ogg strictly from start to end.
final class OggRewriter: ByteRewriter {
  private let composition: XiphComposition
  /// The bytes of an incomplete page.
  private var open: [UInt8] = []
  /// The pages before the samples, until all have arrived.
  private var front: [OggPage] = []
  private var packets = OggPackets()
  private var codec: OggCodec?
  private var isSettled = false
  /// The increase of all later page numbers.
  private var numberShift: UInt32 = 0
  /// The bytes received from the encoder, and the bytes returned.
  private var seen: Int64 = 0
  private var made: Int64 = 0
  /// The start of the samples in the encoder's bytes, and in the file.
  private var oldStart: Int64 = 0
  private var newStart: Int64 = 0

  init(_ composition: XiphComposition) { self.composition = composition }

  func rewritten(_ bytes: [UInt8], at offset: Int64) throws(AudioError) -> [PlacedBytes] {
    guard offset == seen else {
      throw AudioError(
        .inputOutput, cannot: "write to", "an Ogg file", because: "libsndfile changes earlier bytes"
      )
    }
    seen += Int64(bytes.count)
    open += bytes
    var result: [UInt8] = []
    var start = 0
    while let (_, size) = OggPage.sizes(Array(open[start...].prefix(OggPage.headSize + 255))),
      start + size <= open.count
    {
      let page = Array(open[start..<start + size])
      start += size
      result += take(page, endingAt: seen - Int64(open.count - start))
    }
    open.removeFirst(start)
    return placed(result)
  }

  private func placed(_ bytes: [UInt8]) -> [PlacedBytes] {
    guard !bytes.isEmpty else { return [] }
    defer { made += Int64(bytes.count) }
    return [PlacedBytes(offset: made, bytes: bytes)]
  }

  /// Returns the bytes that replace the encoder's next page.
  private func take(_ bytes: [UInt8], endingAt end: Int64) -> [UInt8] {
    if isSettled, numberShift == 0 { return bytes }
    guard var page = OggPage(bytes) else { return bytes }
    if isSettled {
      page.sequence &+= numberShift
      return page.bytes
    }
    front.append(page)
    packets.add(page)
    if codec == nil { codec = packets.packets.first.flatMap { OggCodec($0) } }
    guard let codec, let count = codec.headerCount else {
      return settle(end, front.flatMap(\.bytes))
    }
    guard packets.packets.count >= count, packets.endsWhole else { return [] }
    let prefix = codec.commentPrefix
    guard packets.packets.count == count, packets.packets[1].starts(with: prefix),
      let old = VorbisComments(packets.packets[1].dropFirst(prefix.count))
    else { return settle(end, front.flatMap(\.bytes)) }
    var comments = composition.comments
    comments.vendor = old.vendor
    comments.rest = old.rest
    let others = packets.packets[2...]
    let pages = OggPage.pages(
      [prefix + comments.bytes] + others, stream: page.stream, from: front[0].sequence &+ 1)
    numberShift = UInt32(truncatingIfNeeded: pages.count - (front.count - 1))
    return settle(end, front[0].bytes + pages.flatMap(\.bytes))
  }

  private func settle(_ end: Int64, _ result: [UInt8]) -> [UInt8] {
    isSettled = true
    front = []
    packets = OggPackets()
    oldStart = end
    newStart = Int64(result.count)
    return result
  }

  func rest() -> [PlacedBytes] {
    let rest = front.flatMap(\.bytes) + open
    front = []
    open = []
    return placed(rest)
  }

  func place(of offset: Int64) -> Int64 {
    isSettled ? max(newStart, offset - oldStart + newStart) : min(offset, made)
  }
}

extension OggPage {
  private static let mostSegments = 255

  /// The pages of consecutive packets before all samples.
  ///
  /// - Parameter sequence: the number of the first page.
  static func pages(
    _ packets: [[UInt8]], stream: UInt32, from sequence: UInt32
  ) -> [OggPage] {
    var pages: [OggPage] = []
    var page = OggPage(
      flags: 0, granule: .max, stream: stream, sequence: sequence, segments: [], body: [])
    func finish(within isWithin: Bool) {
      pages.append(page)
      page = OggPage(
        flags: isWithin ? continues : 0, granule: .max, stream: stream,
        sequence: page.sequence &+ 1, segments: [], body: [])
    }
    for packet in packets {
      var start = 0
      // A packet ends with a segment that is not full.
      while start <= packet.count {
        if page.segments.count == mostSegments { finish(within: start > 0) }
        let size = min(segmentSize, packet.count - start)
        page.segments.append(UInt8(size))
        page.body += packet[start..<start + size]
        if size < segmentSize {
          page.granule = 0
          break
        }
        start += size
      }
    }
    if !page.segments.isEmpty { finish(within: false) }
    return pages
  }
}
