// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import TestProcess
import Testing

@testable import AudioFiles

/// The metadata of AIFF and Core Audio files, compared with bytes written and read here.
@Suite struct ChunkedContainerTests {
  let scratch = ScratchDirectory()

  private func carried(
    _ input: String, to name: String, from start: Int64 = 0
  ) throws -> (bytes: [UInt8], omissions: [Metadata.Omission]) {
    let path = scratch.file(name)
    let container = try #require(Container(fileName: name))
    let sink = SoundFileSink(path: path, format: try FileFormat(container, .s16), overwrite: true)
    let session = try Session(
      local: TrimmedSource(SoundFileSource(path: input), start: .samples(start), duration: nil))
    try session.setSink(at: .publish) { (request) throws(AudioError) in
      sink.metadata = request.metadata
      return sink
    }
    _ = try session.run()
    return (try contents(path), sink.metadataOmissions)
  }

  private func big(_ value: Int, _ size: Int) -> [UInt8] {
    ChunkBytes.number(value, size, big: true)
  }

  private func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    ChunkBytes.chunk(name, content, big: true)
  }

  private func pieces(_ file: [UInt8]) -> [(name: String, content: [UInt8])] {
    var found: [(name: String, content: [UInt8])] = []
    var position = 12
    while position + 8 <= file.count {
      let size = file[(position + 4)..<(position + 8)].reduce(0) { $0 << 8 | Int($1) }
      let name = String(decoding: file[position..<position + 4], as: UTF8.self)
      found.append((name, Array(file[position + 8..<min(file.count, position + 8 + size)])))
      position += 8 + size + size % 2
    }
    return found
  }

  private static let rate: [UInt8] = [0x40, 0x0E, 0xBB, 0x80, 0, 0, 0, 0, 0, 0]

  /// Writes 500 mono samples at 48 kHz, two marks, an instrument with a loop, and chunks known only to AIFF.
  private func aiff() throws -> (path: String, pieces: [(name: String, content: [UInt8])]) {
    var marks = big(2, 2) + big(1, 2) + big(100, 4) + [3] + Array("one".utf8)
    marks += big(2, 2) + big(300, 4) + [2] + Array("ab".utf8) + [0]
    var instrument: [UInt8] = [61, 0xF6, 10, 100, 2, 126] + big(3, 2)
    instrument += big(1, 2) + big(1, 2) + big(2, 2) + big(0, 6)
    let pieces: [(name: String, content: [UInt8])] = [
      ("NAME", Array("tune".utf8)), ("AUTH", Array("Ann".utf8)), ("ANNO", Array("x".utf8)),
      ("ANNO", Array("y".utf8)), ("MARK", marks), ("INST", instrument), ("APPL", [1, 2, 3, 4, 5]),
    ]
    let common = big(1, 2) + big(500, 4) + big(16, 2) + Self.rate
    let samples = (0..<500).flatMap { big($0 * 7, 2) }
    var body = Array("AIFF".utf8) + chunk("COMM", common)
    for piece in pieces.prefix(4) { body += chunk(piece.name, piece.content) }
    body += chunk("SSND", big(0, 8) + samples)
    for piece in pieces.dropFirst(4) { body += chunk(piece.name, piece.content) }
    return (try scratch.write(Array("FORM".utf8) + big(body.count, 4) + body, "in.aiff"), pieces)
  }

  @Test func aiffIsRead() throws {
    let metadata = try SoundFileInformation(path: try aiff().path).metadata
    #expect(metadata.tags["TITLE"] == ["tune"])
    #expect(metadata.tags["COMMENT"] == ["x", "y"])
    #expect(metadata.markers.map(\.position) == [100, 300])
    #expect(metadata.markers.map(\.label) == ["one", "ab"])
    #expect(metadata.instrument?.baseNote == 61)
    #expect(metadata.instrument?.detune == -10)
    #expect(metadata.instrument?.gain == 3)
    #expect(metadata.instrument?.loops.map(\.range) == [100..<300])
  }

  @Test func aiffToAiffKeepsEveryChunk() throws {
    let (path, given) = try aiff()
    let (bytes, omissions) = try carried(path, to: "out.aiff")
    #expect(omissions == [])
    #expect(bytes[4..<8].reduce(0) { $0 << 8 | Int($1) } == bytes.count - 8)
    let found = pieces(bytes).filter { !["COMM", "SSND", "FVER"].contains($0.name) }
    #expect(found.map(\.name) == given.map(\.name))
    for (one, other) in zip(found, given) { #expect(one.content == other.content) }
    let read = try SoundFileInformation(path: scratch.file("out.aiff"))
    #expect(read.samplesPerChannel == 500)
    #expect(read.truncation == nil)
  }

  @Test func aiffToWavAndBack() throws {
    let (wave, omissions) = try carried(try aiff().path, to: "out.wav")
    #expect(omissions.map(\.name) == ["'APPL' chunk"])
    let read = try SoundFileInformation(path: scratch.write(wave, "a.wav")).metadata
    #expect(read.tags["TITLE"] == ["tune"])
    #expect(read.markers.map(\.label) == ["one", "ab"])
    #expect(read.instrument?.loops.map(\.range) == [100..<300])
    let (back, lost) = try carried(scratch.file("a.wav"), to: "back.aiff", from: 50)
    #expect(lost.map(\.name) == ["loops"])
    let again = try SoundFileInformation(path: scratch.write(back, "b.aiff")).metadata
    #expect(again.markers.map(\.position) == [50, 250])
    #expect(again.tags["ARTIST"] == ["Ann"])
    #expect(again.instrument?.baseNote == 61)
  }

  @Test func cafKeepsTextsMarksAndLayout() throws {
    let umid = Metadata.Chunk(.caf, "umid", [UInt8](repeating: 9, count: 64))
    var metadata = Metadata(interpreting: [umid])
    metadata.tags.append("TITLE", "Übung")
    metadata.tags.append("MOOD", "calm")
    metadata.markers = [
      .init(identifier: 7, position: 10, label: "a"), .init(identifier: 3, position: 70_000),
    ]
    metadata.channelLayout = .speakers(0x60F)
    let path = scratch.file("out.caf")
    let sink = SoundFileSink(path: path, format: try FileFormat(.caf, .s16))
    sink.metadata = metadata
    try sink.begin(StreamFormat(sampleRate: 48_000, channelCount: 6))
    _ = try sink.write([Float](repeating: 0.5, count: 600).span)
    try sink.complete()
    #expect(sink.metadataOmissions == [])
    let file = try SoundFileInformation(path: path)
    #expect(file.samplesPerChannel == 100)
    #expect(file.metadata.tags.entries == metadata.tags.entries)
    #expect(file.metadata.markers == metadata.markers)
    #expect(file.metadata.channelLayout == .speakers(0x60F))
    #expect(file.metadata.chunks.map(\.identifier) == ["umid", "info", "mark", "strg", "chan"])
    // The mark's type, its position in floating point, its number: Apple's CAFFile.h, CAFMarker.
    let mark = try #require(file.metadata.chunks.first { $0.identifier == "mark" }).content
    #expect(Array(mark[8..<24]) == [0, 0, 0, 0, 0x40, 0x24, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7])
    let (again, _) = try carried(path, to: "again.caf")
    let tail = try contents(path).suffix(400)
    #expect(Data(again.suffix(400)) == Data(tail))
  }

  /// docs/metadata.md has every row of the table in the code.
  @Test func theDocumentHasTheTable() throws {
    let text = try Package.text("docs/metadata.md")
    for row in MetadataShape.rows { #expect(text.contains(row + "\n"), "\(row)") }
  }
}
