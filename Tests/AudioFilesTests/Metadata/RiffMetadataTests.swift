// SPDX-License-Identifier: Apache-2.0
import TestSupport
import AudioFiles
import Foundation
import Testing

/// The metadata of WAV files, compared with files written byte by byte.
@Suite struct RiffMetadataTests {
  let scratch = ScratchDirectory()

  private func read(_ bytes: [UInt8]) throws -> Metadata {
    try SoundFileInformation(path: scratch.write(bytes, "in.wav")).metadata
  }

  /// Ten chunks before and after the samples.
  private static let front: [(name: String, content: [UInt8])] = [
    ("bext", ChunkBytes.broadcast()),
    ("LIST", Array("INFO".utf8) + ChunkBytes.chunk("INAM", Array("tune\0".utf8))),
    ("iXML", Array("<BWFXML/>".utf8)), ("axml", Array("<a/>".utf8)), ("cart", [1, 2, 3]),
    ("inst", [61, 0xF6, 3, 10, 100, 2, 126]),
  ]
  private static let labels: [UInt8] = {
    var part = ChunkBytes.number(1, 4)
    part += ChunkBytes.number(20, 4)
    part += Array("rgn ".utf8)
    part += ChunkBytes.number(0, 8)
    part += Array("verse\0".utf8)
    var bytes = Array("adtl".utf8)
    bytes += ChunkBytes.chunk("labl", ChunkBytes.number(7, 4) + Array("end\0".utf8))
    bytes += ChunkBytes.chunk("note", ChunkBytes.number(7, 4) + Array("loud\0".utf8))
    bytes += ChunkBytes.chunk("ltxt", part)
    return bytes
  }()
  private static let behind: [(name: String, content: [UInt8])] = [
    ("cue ", ChunkBytes.cue([(1, 10), (7, 500)])),
    (
      "LIST",
      labels
    ),
    ("smpl", ChunkBytes.sampler(note: 62, loops: [(100, 199), (300, 399)])),
    ("zzz!", [9, 8, 7, 6, 5]),
  ]

  private static func file() -> [UInt8] {
    ChunkBytes.wave(
      front: front.map { ChunkBytes.chunk($0.name, $0.content) },
      behind: behind.map { ChunkBytes.chunk($0.name, $0.content) })
  }

  @Test func everyPieceIsKeptAsItStands() throws {
    let metadata = try read(Self.file())
    #expect(metadata.chunks.map(\.identifier) == (Self.front + Self.behind).map(\.name))
    #expect(
      metadata.chunks.map(\.isInFront) == [true, true, true, true, true, true] + [
        false, false, false, false,
      ])
    for (chunk, piece) in zip(metadata.chunks, Self.front + Self.behind) {
      #expect(chunk.family == .riff)
      let isSame = chunk.content == piece.content
      #expect(isSame)
    }
    #expect(metadata.omissions == [])
    #expect(metadata.sampleRate == 48_000)
  }

  @Test func theOriginIsRead() throws {
    let broadcast = try #require(try read(Self.file()).broadcast)
    #expect(broadcast.description == "Rain on a roof")
    #expect(broadcast.originator == "Ann")
    #expect(broadcast.originatorReference == "REF-1")
    #expect(broadcast.originationDate == "2024-05-06")
    #expect(broadcast.originationTime == "07:08:09")
    #expect(broadcast.timeReference == 0x1_0000_0002)
    #expect(broadcast.version == 2)
    #expect(broadcast.materialIdentifier == (1...64).map { UInt8($0) })
    let loudness = try #require(broadcast.loudness)
    #expect(loudness.integrated == -23.05)
    #expect(loudness.range == 7.12)
    #expect(loudness.highestTruePeak == -1.01)
    #expect(loudness.highestMomentary == nil)
    #expect(loudness.highestShortTerm == -19.5)
    #expect(broadcast.codingHistory == "A=PCM,F=48000,W=16,M=mono\r\n")
  }

  @Test func marksLoopsAndNotesAreRead() throws {
    let metadata = try read(Self.file())
    #expect(metadata.markers.map(\.identifier) == [1, 7])
    #expect(metadata.markers.map(\.position) == [10, 500])
    #expect(metadata.markers.map(\.length) == [20, 0])
    #expect(metadata.markers.map(\.label) == ["", "end"])
    #expect(metadata.markers.map(\.note) == ["", "loud"])
    #expect(metadata.markers.map(\.purpose) == ["rgn ", ""])
    #expect(metadata.markers.map(\.text) == ["verse", ""])
    let instrument = try #require(metadata.instrument)
    // Only the sampler chunk states the note in half steps.
    #expect(instrument.baseNote == 62)
    #expect(instrument.detune == 50)
    #expect(instrument.gain == 3)
    #expect(instrument.notes == 10...100)
    #expect(instrument.velocities == 2...126)
    #expect(instrument.loops.map(\.range) == [100..<200, 300..<400])
    #expect(instrument.loops.map(\.direction) == [.forward, .alternating])
    #expect(instrument.loops.map(\.identifier) == [5, 6])
    #expect(instrument.loops.map(\.playCount) == [0, 2])
  }

  /// Windows-1252, UTF-8, an empty text, one without an end, one with an unknown name.
  @Test func textsAreDecoded() throws {
    let list = ChunkBytes.info([
      ("INAM", [0xDC, 0x62, 0x75, 0x6E, 0x67, 0x20, 0x96]), ("IART", Array("Übung".utf8)),
      ("ICMT", []), ("ISRC", Array("tape".utf8)), ("IXYZ", Array("?".utf8)),
    ])
    let path = try scratch.write(ChunkBytes.wave(front: [list]), "in.wav")
    let information = try SoundFileInformation(path: path)
    #expect(
      information.metadata.tags.entries.map { "\($0.key)=\($0.value)" } == [
        "TITLE=Übung –", "ARTIST=Übung", "SOURCE=tape", "IXYZ=?",
      ])
    #expect(information.texts == [.title: "Übung –", .artist: "Übung"])
  }

  @Test func bigEndianFilesSayTheSame() throws {
    let list = ChunkBytes.info([("INAM", Array("tune".utf8))], big: true)
    let cue = ChunkBytes.chunk("cue ", ChunkBytes.cue([(3, 70_000)], big: true), big: true)
    let bytes = ChunkBytes.form(
      ChunkBytes.format(big: true) + list + ChunkBytes.chunk("data", [0, 1, 0, 2], big: true) + cue,
      id: "RIFX")
    let metadata = try read(bytes)
    #expect(metadata.chunks.map(\.family) == [.rifx, .rifx])
    #expect(metadata.tags["title"] == ["tune"])
    #expect(metadata.markers.map(\.position) == [70_000])
  }

  @Test func chunksOfFilesWith64BitSizesAreFound() throws {
    let list = ChunkBytes.info([("INAM", Array("long".utf8))])
    let sizes = [(0, 8), (8, 8), (4, 8), (0, 4)].flatMap { ChunkBytes.number($0.0, $0.1) }
    var bytes = Array("RF64".utf8) + [255, 255, 255, 255] + Array("WAVE".utf8)
    bytes += ChunkBytes.chunk("ds64", sizes) + ChunkBytes.format()
    bytes += Array("data".utf8) + [255, 255, 255, 255] + [1, 0, 2, 0, 3, 0, 4, 0] + list
    #expect(try read(bytes).tags["TITLE"] == ["long"])
  }

  /// Chunks before the samples of a stream are known at its begin.
  @Test func aPipeTellsWhatCameBefore() throws {
    let end = Pipe.delivering(Self.file())
    defer { close(end) }
    let source = SoundFileSource(descriptor: end, name: "pipe")
    defer { source.dispose() }
    _ = try source.initialize(proposing: nil, wakeup: Wakeup())
    let metadata = try #require(try source.metadata())
    #expect(metadata.chunks.map(\.identifier) == Self.front.map(\.name))
    #expect(metadata.tags["TITLE"] == ["tune"])
  }

  @Test func whatIsMissingOrTooLargeIsNamed() throws {
    let whole = Self.file()
    let cut = try read(Array(whole.dropLast(4)))
    #expect(cut.chunks.map(\.identifier) == (Self.front + Self.behind).dropLast().map(\.name))
    #expect(cut.omissions == [.init("'zzz!' chunk", because: "it is cut short")])
    let large = ChunkBytes.chunk("iXML", [UInt8](repeating: 0x20, count: Metadata.largestChunk + 1))
    let list = ChunkBytes.info([("INAM", Array("tune".utf8))])
    let metadata = try read(ChunkBytes.wave(front: [large, list]))
    #expect(metadata.chunks.map(\.identifier) == ["LIST"])
    #expect(metadata.omissions.map(\.name) == ["'iXML' chunk"])
  }

  /// The space reserved for sizes is no content; other filler is kept.
  @Test func roomForSizesIsNoContent() throws {
    let room = ChunkBytes.chunk("JUNK", [UInt8](repeating: 0, count: 28))
    let bytes = ChunkBytes.form(
      room + ChunkBytes.format() + ChunkBytes.chunk("JUNK", [1, 2])
        + ChunkBytes.chunk("data", [0, 0]))
    let metadata = try read(bytes)
    #expect(metadata.chunks.map(\.content) == [[1, 2]])
    #expect(try read(ChunkBytes.wave()).isEmpty)
  }

  @Test func layoutsOfChannelsAreRead() throws {
    func layout(_ mask: Int, tail: [UInt8]) throws -> Metadata.ChannelLayout? {
      var fields: [UInt8] = []
      for (value, size) in [(0xFFFE, 2), (2, 2), (48_000, 4), (192_000, 4), (4, 2), (16, 2)] {
        fields += ChunkBytes.number(value, size)
      }
      for (value, size) in [(22, 2), (16, 2), (mask, 4), (1, 2)] {
        fields += ChunkBytes.number(value, size)
      }
      fields += tail
      return try read(
        ChunkBytes.form(ChunkBytes.chunk("fmt ", fields) + ChunkBytes.chunk("data", [0, 0, 0, 0]))
      )
      .channelLayout
    }
    let plain: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    let ambisonic: [UInt8] = [0, 0, 0x21, 7, 0xD3, 0x11, 0x86, 0x44, 0xC8, 0xC1, 0xCA, 0, 0, 0]
    #expect(try layout(0x600, tail: plain) == .speakers(0x600))
    #expect(try layout(0, tail: plain) == .discrete)
    #expect(try layout(0, tail: ambisonic) == .ambisonic)
    #expect(try read(ChunkBytes.wave()).channelLayout == nil)
  }

  /// Chunk lists with random names, sizes and bytes: all found metadata is in the file.
  @Test(arguments: 0..<100) func brokenListsInventNothing(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var bytes = Self.file()
    for _ in 0..<Int.random(in: 1...20, using: &random) {
      let place = Int.random(in: 12..<bytes.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1:
        bytes.replaceSubrange(place..<min(bytes.count, place + 4), with: [255, 255, 255, 127])
      case 2:
        bytes.removeSubrange(
          place..<min(bytes.count, place + Int.random(in: 1...40, using: &random)))
      default: bytes.insert(contentsOf: Array("LIST".utf8) + [4, 0, 0, 0], at: place)
      }
    }
    guard let information = try? SoundFileInformation(path: scratch.write(bytes, "in.wav")) else {
      return
    }
    let metadata = information.metadata
    var position = 12
    for chunk in metadata.chunks {
      var piece = Array(chunk.identifier.utf8)
      piece += ChunkBytes.number(chunk.content.count, 4)
      piece += chunk.content
      let found = (position...max(position, bytes.count)).first { start in
        bytes[start...].starts(with: piece)
      }
      position = try #require(found) + piece.count
    }
    #expect(metadata.markers.count <= bytes.count / 24)
    #expect(Metadata(interpreting: metadata.chunks).tags == metadata.tags)
  }
}
