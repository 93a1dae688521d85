// SPDX-License-Identifier: Apache-2.0
/// A part of a stream of Vorbis or Opus in Ogg, cut at packets, whose granule positions hide the samples in front of it and
/// behind it.
///
/// A packet of Vorbis needs the one before, and a decoder of Opus needs 80 ms to settle. Sources: the Vorbis I
/// specification, appendix A.2; RFC 7845, sections 4.2 to 4.6.
struct OggCut {
  private let codec: OggCodec
  private let window: FileWindow
  private let range: Range<Int64>
  private let headers: [[UInt8]]
  private let stream: UInt32
  /// For each packet the samples of the stream up to its end.
  private var ends: [Int64] = []
  /// The samples that a decoder leaves out in front.
  private var skipped: Int64 = 0

  /// Of Opus, in samples per channel at 48,000 Hz: four times as long as the decoder needs at least.
  private static let settling: Int64 = 4 * 3_840

  /// Reads the lengths of all packets.
  ///
  /// - Parameter known: the samples per channel of Vorbis that a decoder leaves out in front; nil = as the first page says.
  /// - Throws: `malformed` if a header is damaged.
  init(
    _ codec: OggCodec, in window: FileWindow, _ range: Range<Int64>, named name: String,
    skipped known: Int64? = nil
  ) throws(AudioError) {
    var reader = OggPacketReader(window, range)
    var headers: [[UInt8]] = []
    while headers.count < codec.headerCount ?? 0, let packet = try reader.next() {
      headers.append(packet.bytes)
    }
    guard let stream = reader.stream, headers.first?.count ?? 0 >= 19,
      var durations = OggPacketDurations(codec, headers)
    else { throw .malformed(name, because: "its headers are damaged") }
    var isFirstPage = true
    while let packet = try reader.next() {
      let end = (ends.last ?? 0) + durations.next(packet.bytes)
      ends.append(end)
      // A first page that states less than it holds begins with samples that do not count.
      if isFirstPage, let granule = packet.granule {
        isFirstPage = false
        if codec == .vorbis, known == nil, !packet.isLast {
          skipped = max(0, end - Int64(clamping: granule))
        }
      }
    }
    skipped = codec == .opus ? Int64(headers[0].integer(at: 10, 2, .little)) : known ?? skipped
    (self.codec, self.window, self.range) = (codec, window, range)
    (self.headers, self.stream) = (headers, stream)
  }

  /// The samples per channel that a decoder gives for all packets.
  var samplesPerChannel: Int64 { max(0, (ends.last ?? 0) - skipped) }

  /// The samples per channel of a packet.
  func length(ofPacket index: Int) -> Int64 {
    ends.indices.contains(index) ? ends[index] - (index == 0 ? 0 : ends[index - 1]) : 0
  }

  /// Writes the pages of a part, with the comments of the file.
  ///
  /// - Parameter samples: in samples per channel, of Opus at 48,000 Hz.
  func write(
    _ samples: Range<Int64>, _ write: ([UInt8]) throws(AudioError) -> Void
  ) throws(AudioError) {
    let start = samples.lowerBound + skipped
    let end = samples.upperBound + skipped
    let kept = packets(start, end)
    guard let first = kept.first else { return }
    let origin = codec == .opus ? (first == 0 ? 0 : ends[first - 1]) : start
    var head = headers
    if codec == .opus {
      var skip: [UInt8] = []
      skip.append(start - origin, 2, .little)
      head[0].replaceSubrange(10..<12, with: skip)
    }
    let pages = OggPage.pages(Array(head[1...]), stream: stream, from: 1)
    var beginning = OggPage.pages([head[0]], stream: stream, from: 0)
    beginning[0].flags |= OggPage.isFirst
    try write((beginning + pages).flatMap(\.bytes))
    var writer = OggPageWriter(stream: stream, from: UInt32(pages.count + 1))
    var reader = OggPacketReader(window, range)
    for _ in 0..<headers.count + first { _ = try reader.next() }
    for index in kept {
      guard let packet = try reader.next() else { return }
      let isLast = index == kept.last
      let reached = isLast || index > first + 1 ? min(end, ends[index]) : ends[index]
      try write(
        writer.add(
          packet.bytes, max(0, reached - origin),
          // The first page of Vorbis states the samples that do not count.
          endsPage: codec == .vorbis && index == first + 1, isLast: isLast))
    }
  }

  /// The packets that a decoder needs for samples of the stream.
  private func packets(_ start: Int64, _ end: Int64) -> Range<Int> {
    let wanted = codec == .opus ? start - Self.settling : start
    let first = max(0, (ends.firstIndex { $0 > wanted } ?? 0) - (codec == .opus ? 0 : 1))
    let last = ends.firstIndex { $0 >= end } ?? ends.count - 1
    // The page with the start must not be the last one, whose position would mean the end.
    return first..<min(ends.count, max(last, first + 2) + 1)
  }
}
