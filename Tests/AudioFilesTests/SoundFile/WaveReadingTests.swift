// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioFiles

/// The rules of command-line.md for the size in a WAV header.
@Suite struct WaveReadingTests {
  let scratch = ScratchDirectory()

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var size: UInt32
    var tail: [UInt8] = []
    /// Samples expected from a regular file and from a pipe.
    var file: Int
    var pipe: Int
    var isTruncatedFile = false
    var isTruncatedPipe = false
    var testDescription: String { name }
  }

  /// 10 samples of 2 bytes follow the header.
  static let data: [UInt8] = (1...20).map { UInt8($0) }
  static let list: [UInt8] = Array("LIST".utf8) + [3, 0, 0, 0, 1, 2, 3, 0]
  static let cases = [
    Case(name: "the size fits", size: 20, file: 10, pipe: 10),
    Case(name: "a smaller size is trusted", size: 8, file: 4, pipe: 4),
    Case(name: "a later chunk is no sound", size: 20, tail: list, file: 10, pipe: 10),
    Case(name: "0 before something else is unknown", size: 0, file: 10, pipe: 10),
    Case(name: "0x7ffff000 is unknown", size: 0x7FFF_F000, file: 10, pipe: 10),
    Case(name: "0x80000000 is unknown", size: 0x8000_0000, file: 10, pipe: 10),
    Case(name: "0xffffffff is unknown", size: 0xFFFF_FFFF, file: 10, pipe: 10),
    Case(
      name: "any other size that is too large is a claim", size: 0x7FFF_0000, file: 10, pipe: 10,
      isTruncatedFile: true, isTruncatedPipe: true),
    Case(name: "half a sample at the end is dropped", size: 19, file: 9, pipe: 9),
  ]

  @Test(arguments: cases) func sizeOfAFile(_ test: Case) throws {
    let path = try scratch.write(WaveBytes.file(test.size, data: Self.data, tail: test.tail))
    let back = try record(SoundFileSource(path: path))
    #expect(back.samples == Self.samples(test.file))
    #expect(back.description.samplesPerChannel == Int64(test.file))
    #expect((back.truncation != nil) == test.isTruncatedFile)
    if let truncation = back.truncation {
      #expect(truncation.claimedSamplesPerChannel == Int64(test.size / 2))
      #expect(truncation.actualSamplesPerChannel == 10)
    }
  }

  @Test(arguments: cases, [1, 7, 4_096]) func sizeOnAPipe(_ test: Case, step: Int) throws {
    signal(SIGPIPE, SIG_IGN)
    let end = Pipe.delivering(
      WaveBytes.file(test.size, data: Self.data, tail: test.tail), step: step)
    defer { close(end) }
    let back = try record(SoundFileSource(descriptor: end, name: "pipe"))
    #expect(back.samples == Self.samples(test.pipe))
    #expect((back.truncation != nil) == test.isTruncatedPipe)
  }

  @Test func zeroBeforeWholeChunksIsEmpty() throws {
    for tail in [[], Self.list, Self.list + Self.list] {
      let path = try scratch.write(WaveBytes.file(0, data: [], tail: tail))
      #expect(try record(SoundFileSource(path: path)).samples.isEmpty)
    }
    // A chunk after no sound is no sound on a pipe either.
    let end = Pipe.delivering(WaveBytes.file(0, data: [], tail: Self.list))
    defer { close(end) }
    #expect(try record(SoundFileSource(descriptor: end, name: "pipe")).samples.isEmpty)
  }

  /// A stream copied from a pipe into a file has no valid size, at any length.
  static let placeholders: [(UInt32, Int64, Int64, Bool)] = [
    (0xFFFF_FFFF, 0x1_4000_0000, 0x1_4000_0000, false),
    (0x7FFF_F000, 0xC000_0000, 0xC000_0000, false), (0x8000_0000, 0xC000_0000, 0xC000_0000, false),
    (0x7FFF_F000, 0x7FFF_F000, 0x7FFF_F000, false), (0x8000_0000, 0x8000_0000, 0x8000_0000, true),
  ]

  @Test(arguments: placeholders)
  func placeholdersThatFit(
    _ size: UInt32, _ present: Int64, _ expected: Int64, hasChunk: Bool
  ) throws {
    let header = WaveBytes.file(size, data: [])
    let path = try scratch.write(header)
    // Sparse: it takes no room.
    #expect(unsafe truncate(path, off_t(header.count) + off_t(present)) == 0)
    if hasChunk {
      let file = try #require(FileHandle(forWritingAtPath: path))
      try file.seekToEnd()
      try file.write(contentsOf: Data(Self.list))
      try file.close()
    }
    #expect(try SoundFileInformation(path: path).samplesPerChannel == expected / 2)
  }

  @Test(arguments: [1, 2, 33, 5_000]) func unknownChunksArePassedOver(junk: Int) throws {
    let bytes = WaveBytes.file(20, data: Self.data, junk: junk)
    let path = try scratch.write(bytes)
    #expect(try record(SoundFileSource(path: path)).samples == Self.samples(10))
    let end = Pipe.delivering(bytes)
    defer { close(end) }
    #expect(try record(SoundFileSource(descriptor: end, name: "p")).samples == Self.samples(10))
  }

  @Test(arguments: ["RF64", "BW64"]) func ds64StatesTheSize(id: String) throws {
    let bytes = WaveBytes.file(0xFFFF_FFFF, data: Self.data, tail: Self.list, id: id, ds64: 20)
    let path = try scratch.write(bytes)
    let back = try record(SoundFileSource(path: path))
    #expect(back.samples == Self.samples(10))
    let more = WaveBytes.file(0xFFFF_FFFF, data: Self.data, id: id, ds64: 1 << 40)
    let truncated = try record(SoundFileSource(path: try scratch.write(more)))
    #expect(truncated.truncation?.claimedSamplesPerChannel == 1 << 39)
    #expect(truncated.samples == Self.samples(10))
  }

  /// `ds64` counts, whatever the size of `data` is. Only if it does not end where the sound does, and that one does, the
  /// latter counts.
  @Test(arguments: [(0, 20), (8, 20), (12, 20), (19, 20), (20, 4), (0x7FFF_0000, 20)])
  func ds64CountsBeforeTheSizeOfData(_ size: UInt32, _ wide: UInt64) throws {
    for tail in [[], Self.list] {
      let bytes = WaveBytes.file(size, data: Self.data, tail: tail, id: "RF64", ds64: wide)
      let back = try record(SoundFileSource(path: try scratch.write(bytes)))
      #expect(back.samples == Self.samples(10))
      #expect(back.truncation == nil)
      let end = Pipe.delivering(bytes)
      defer { close(end) }
      let piped = try record(SoundFileSource(descriptor: end, name: "pipe"))
      #expect(piped.samples == Self.samples(Int(wide) / 2))
    }
  }

  /// A wrong size does not hide the chunks behind the samples: each follows the one before, and the last ends the file.
  @Test(arguments: [8, 0, 0x7FFF_F000, 0xFFFF_FFFF, 0x7FFF_0000 as UInt32], [true, false])
  func chunksBehindAWrongSize(_ size: UInt32, ignoresLength: Bool) throws {
    let other = Array("xyz ".utf8) + [2, 0, 0, 0, 7, 7]
    let tag = Array("TAG".utf8) + [UInt8](repeating: 0, count: 125)
    let isClaim = [8, 0x7FFF_0000].contains(size)
    for (tail, count) in [
      (Self.list + other, 10), (Self.list + other + tag, 10),
      // The last one lacks its padding.
      (Self.list + Array("id3 ".utf8) + [3, 0, 0, 0, 1, 2, 3], 10),
      // These are no chunks: a size is wrong, or nothing says that the first is one.
      (Self.list + other + [1], nil), (other + other, nil), (Array("LIST".utf8), nil),
    ] {
      guard ignoresLength || !isClaim else { continue }
      let path = try scratch.write(WaveBytes.file(size, data: Self.data, tail: tail))
      let source = SoundFileSource(path: path)
      source.corrections.ignoresLength = ignoresLength
      #expect(try record(source).samples.count == count ?? 10 + tail.count / 2, "\(tail)")
    }
  }

  /// 64-bit integers become the nearest `Double`.
  @Test func wideIntegersAreRead() throws {
    let values: [Int64] = [.min, -1, 0, 1 << 62, 0x0123_4567_89AB_CDEF, .max]
    let data = values.flatMap { WaveBytes.little(UInt64(bitPattern: $0), 8) }
    var bytes = WaveBytes.file(UInt32(data.count), data: data)
    bytes.replaceSubrange(32..<36, with: [8, 0, 64, 0])
    let back = try record(SoundFileSource(path: try scratch.write(bytes)))
    #expect(back.samples == values.map { Double($0) / 0x1p63 })
    let end = Pipe.delivering(bytes, step: 5)
    defer { close(end) }
    #expect(try record(SoundFileSource(descriptor: end, name: "pipe")).samples == back.samples)
  }

  /// Each field of `fmt ` with impossible values.
  @Test func hostileFormatsAreRefused() throws {
    let good = WaveBytes.file(20, data: Self.data)
    func patched(_ offset: Int, _ value: UInt64, _ size: Int) -> [UInt8] {
      var bytes = good
      bytes.replaceSubrange(20 + offset..<20 + offset + size, with: WaveBytes.little(value, size))
      return bytes
    }
    let broken = [
      patched(2, 0, 2), patched(2, 65, 2), patched(2, 65_535, 2), patched(4, 0, 4),
      patched(4, 999, 4), patched(4, 768_001, 4), patched(4, 0xFFFF_FFFF, 4),
      patched(14, 65_535, 2), patched(14, 17, 2),
    ]
    for bytes in broken {
      let path = try scratch.write(bytes)
      #expect(errorKind { try record(SoundFileSource(path: path)) } == .malformed)
    }
  }

  static func samples(_ count: Int) -> [Double] {
    (0..<count).map { (index: Int) -> Double in
      let (low, high) = (Int(data[2 * index]), Int(data[2 * index + 1]))
      return Double(low | high << 8) / 32_768
    }
  }
}
