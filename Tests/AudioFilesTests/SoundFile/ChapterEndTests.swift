// SPDX-License-Identifier: Apache-2.0
import AudioStreams
import Testing

@testable import AudioFiles

/// The end of the last chapter in boxes of either version: a book of more than 27 hours at 44.1 kHz needs times of eight
/// bytes.
@Suite struct ChapterEndTests {
  private func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(content.count + 8, 4, .big)
    return bytes + Array(name.utf8) + content
  }

  private func integers(_ values: [(Int64, Int)]) -> [UInt8] {
    values.reduce(into: []) { $0.append($1.0, $1.1, .big) }
  }

  /// A movie with a track of text: two chapters, the last of which has a length of 1.
  private func movie(_ first: Int64, last: Int64, movie scale: Int64, isLong: Bool) -> [UInt8] {
    let size = isLong ? 8 : 4
    let version: Int64 = isLong ? 1 : 0
    let end = first + last
    let movieEnd = end * scale / 44_100
    let times = integers([(0, 4), (2, 4), (1, 4), (first, 4), (1, 4), (last, 4)])
    let media =
      box(
        "mdhd",
        integers([(version, 1), (0, 3), (0, size), (0, size), (44_100, 4), (end, size), (0, 4)]))
      + box("hdlr", integers([(0, 8)]) + Array("text".utf8) + integers([(0, 13)]))
      + box("minf", box("stbl", box("stts", times)))
    let track =
      box(
        "tkhd",
        integers([
          (version, 1), (3, 3), (0, size), (0, size), (2, 4), (0, 4), (movieEnd, size), (0, 60),
        ]))
      + box(
        "edts",
        box(
          "elst",
          integers([(version, 1), (0, 3), (1, 4), (movieEnd, size), (0, size), (65_536, 4)])))
      + box("mdia", media)
    let header = box(
      "mvhd",
      integers([(version, 1), (0, 3), (0, size), (0, size), (scale, 4), (0, size), (0, 80)]))
    return box("ftyp", Array("M4A ".utf8)) + box("moov", header + box("trak", track))
  }

  /// The last one may begin where the sound ends.
  @Test(arguments: [
    (2_000, 1_000, false), (3_000_000_000, 2_000_000_000, true), (2_000, 0, false),
  ])
  func allTimesBecomeTheEnd(_ first: Int64, _ last: Int64, _ isLong: Bool) throws {
    let file = try SpooledFile.holding(
      movie(first, last: 1, movie: 1_000, isLong: isLong), named: "book")
    let container = try #require(EncodedContainer(fileName: "book.m4b"))
    try ChapterEnd.state(first + last, at: 44_100, in: file, container)
    let expected = movie(first, last: last, movie: 1_000, isLong: isLong)
    #expect(try file.bytes(expected.count, at: 0) == expected)
  }
}
