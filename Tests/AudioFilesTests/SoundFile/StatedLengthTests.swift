// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioFiles

/// Files with more sound than their headers state.
@Suite struct StatedLengthTests {
  let scratch = ScratchDirectory()
  init() { signal(SIGPIPE, SIG_IGN) }

  /// Writes 1,000 samples, 16 bits, two channels, with a header changed by `change`.
  private func file(
    _ container: Container, _ change: (inout [UInt8]) throws -> Void
  ) throws -> (path: String, samples: [Double]) {
    let path = scratch.file("whole")
    let encoding: SampleEncoding = .s16
    try storeMaterial(
      1_000, in: path, FileFormat(container, encoding),
      StreamFormat(sampleRate: 48_000, channelCount: 2), overwrite: true)
    let whole = try record(SoundFileSource(path: path))
    var bytes = try contents(path)
    try change(&bytes)
    return (try scratch.write(bytes, "changed"), whole.samples)
  }

  /// Shortens the sizes at their places in libsndfile's headers.
  private static func shorten(_ container: Container, _ bytes: inout [UInt8]) throws {
    func place(_ name: String) throws -> Int {
      try #require(bytes.indices.first { bytes.has(name, at: $0) })
    }
    func big(_ value: UInt64, _ size: Int) -> [UInt8] { WaveBytes.little(value, size).reversed() }
    switch container {
    case .wav:
      let data = try place("data")
      bytes.replaceSubrange(data + 4..<data + 8, with: WaveBytes.little(1_600, 4))
    case .au: bytes.replaceSubrange(8..<12, with: big(1_600, 4))
    case .aiff:
      let sound = try place("SSND")
      bytes.replaceSubrange(sound + 4..<sound + 8, with: big(1_608, 4))
    case .caf:
      let data = try place("data")
      bytes.replaceSubrange(data + 4..<data + 12, with: big(1_604, 8))
    case .w64:
      let data = try place("data")
      bytes.replaceSubrange(data + 16..<data + 24, with: WaveBytes.little(1_624, 8))
    default:
      // The last five bytes of STREAMINFO before its checksum; four of their bits belong to the sample size.
      let total = bytes.integer(at: 21, 5, .big) & ~0xF_FFFF_FFFF | 400
      bytes.replaceSubrange(21..<26, with: big(total, 5))
    }
  }

  @Test(arguments: [Container.wav, .au, .aiff, .caf, .w64, .flac])
  func moreThanStated(_ container: Container) throws {
    let (path, samples) = try file(container) { try Self.shorten(container, &$0) }
    let source = SoundFileSource(path: path)
    let back = try record(source)
    #expect(back.samples == Array(samples.prefix(800)))
    #expect(source.samplesBehind == 600)
    #expect(back.truncation == nil)
    #expect(try SoundFileInformation(path: path).samplesBehind == 600)
    for skipped in [0, 700] as [Int64] {
      let all = SoundFileSource(path: path)
      all.corrections.ignoresLength = true
      let more = try record(all, skipping: skipped)
      #expect(more.samples == Array(samples.dropFirst(Int(skipped) * 2)))
      #expect(more.description.samplesPerChannel == 1_000)
      #expect(all.samplesBehind == 0)
      #expect(more.truncation == nil)
    }
    let end = try Pipe.delivering(contents(path))
    defer { close(end) }
    let piped = SoundFileSource(descriptor: end, name: "pipe")
    piped.corrections.ignoresLength = true
    #expect(try record(piped).samples == samples)
  }

  /// Chunks, cut or not, tags and the padding of a last block are no sound and are not read.
  @Test(arguments: [
    WaveReadingTests.list, Array(WaveReadingTests.list.dropLast(4)), TagBytes.id3v1,
    [UInt8](repeating: 0, count: 500), Array("zzz!".utf8) + [2, 0, 0, 0, 7, 7], [9],
  ])
  func whatIsNoSound(_ tail: [UInt8]) throws {
    let path = try scratch.write(WaveBytes.file(20, data: WaveReadingTests.data, tail: tail))
    for ignores in [false, true] {
      let source = SoundFileSource(path: path)
      source.corrections.ignoresLength = ignores
      let back = try record(source)
      #expect(back.samples == WaveReadingTests.samples(10))
      #expect(source.samplesBehind == 0)
    }
  }

  /// A size that wrapped at 4 GiB. The file is sparse: it takes no room.
  @Test func wrappedSize() throws {
    let present = Int64(1) << 32 + 2_000
    let header = WaveBytes.file(2_000, data: [1, 2, 3, 4])
    let path = try scratch.write(header)
    #expect(unsafe truncate(path, off_t(header.count) - 4 + off_t(present)) == 0)
    #expect(try SoundFileInformation(path: path).samplesBehind == 1 << 31)
  }

  private static func unfinished(_ container: Container, _ bytes: inout [UInt8]) throws {
    if container == .au {
      bytes.replaceSubrange(8..<12, with: [0, 0, 0, 0])
      return
    }
    let common = try #require(bytes.indices.first { bytes.has("COMM", at: $0) })
    bytes.replaceSubrange(common + 10..<common + 14, with: [0, 0, 0, 0])
    let sound = try #require(bytes.indices.first { bytes.has("SSND", at: $0) })
    bytes.replaceSubrange(sound + 4..<sound + 8, with: [0, 0, 0, 8])
    bytes.replaceSubrange(4..<8, with: WaveBytes.little(UInt64(sound + 8), 4).reversed())
  }

  /// The header of a program that writes to a pipe or was killed.
  @Test(arguments: [Container.au, .aiff]) func unfinishedFiles(_ container: Container) throws {
    let (path, samples) = try file(container) { try Self.unfinished(container, &$0) }
    let back = try record(SoundFileSource(path: path))
    #expect(back.samples == samples)
    #expect(back.description.samplesPerChannel == 1_000)
    #expect(back.truncation == nil)
    for step in [100, 4_096] {
      let end = try Pipe.delivering(contents(path), step: step)
      defer { close(end) }
      #expect(try record(SoundFileSource(descriptor: end, name: "pipe")).samples == samples)
    }
  }

  /// No sound, and a chunk after it.
  @Test func anEmptyAiffStaysEmpty() throws {
    let (path, _) = try file(.aiff) { bytes in
      try Self.unfinished(.aiff, &bytes)
      let sound = try #require(bytes.indices.first { bytes.has("SSND", at: $0) })
      bytes =
        Array(bytes[..<(sound + 16)]) + Array("ANNO".utf8) + [0, 0, 0, 4] + Array("text".utf8)
    }
    #expect(try record(SoundFileSource(path: path)).samples.isEmpty)
    let end = try Pipe.delivering(contents(path))
    defer { close(end) }
    #expect(try record(SoundFileSource(descriptor: end, name: "pipe")).samples.isEmpty)
  }
}
