// SPDX-License-Identifier: Apache-2.0
import TestSupport
internal import CSndfile
import Foundation
import Testing

@testable import AudioFiles

/// Metadata copied from a WAV file to another one, as bytes written and read here.
@Suite struct CarriedMetadataTests {
  let scratch = ScratchDirectory()

  static let loops = ChunkBytes.sampler(note: 62, loops: [(100, 199), (300, 399)])
  static let front: [(name: String, content: [UInt8])] = [
    ("bext", ChunkBytes.broadcast()),
    ("LIST", Array("INFO".utf8) + ChunkBytes.chunk("INAM", [0xDC, 0x62, 0])),
    ("iXML", Array("<BWFXML/>".utf8)), ("axml", Array("<a/>".utf8)), ("cart", [1, 2, 3]),
    ("inst", [61, 0xF6, 3, 10, 100, 2, 126]),
  ]
  static let behind: [(name: String, content: [UInt8])] = [
    ("cue ", ChunkBytes.cue([(1, 10), (7, 500)])),
    (
      "LIST",
      Array("adtl".utf8) + ChunkBytes.chunk("labl", ChunkBytes.number(7, 4) + Array("end\0".utf8))
    ),
    ("smpl", loops), ("zzz!", [9, 8, 7, 6, 5]),
  ]

  static func file(_ more: [[UInt8]] = []) -> [UInt8] {
    ChunkBytes.wave(
      front: front.map { ChunkBytes.chunk($0.name, $0.content) },
      behind: behind.map { ChunkBytes.chunk($0.name, $0.content) } + more)
  }

  /// Runs a session from a file to a file.
  func carried(
    _ bytes: [UInt8], to format: FileFormat? = nil, rate: Int? = nil, channels: Int? = nil,
    from start: Int64 = 0, length: Int64? = nil, gain: Double = 1, name: String = "out.wav"
  ) throws -> (bytes: [UInt8], omissions: [Metadata.Omission]) {
    let path = scratch.file(name)
    let sink = SoundFileSink(
      path: path, format: try format ?? FileFormat(.wav, .s16), sampleRate: rate,
      channelCount: channels, overwrite: true)
    let session = Session()
    try session.setLocal(
      TrimmedSource(
        SoundFileSource(path: scratch.write(bytes, "in.wav")), start: .samples(start),
        duration: length.map { .samples($0) }), gain: gain)
    try session.setSink(at: .publish) { (request) throws(AudioError) in
      sink.metadata = request.metadata
      return sink
    }
    _ = try session.run()
    return (try contents(path), sink.metadataOmissions)
  }

  private func pieces(_ wave: WaveBytes) -> [(name: String, content: [UInt8])] {
    wave.chunks.filter { !["JUNK", "fmt ", "data", "fact"].contains($0.id) }.map { chunk in
      (chunk.id, Array(wave.bytes[chunk.start..<chunk.start + Int(chunk.size)]))
    }
  }

  /// Ten chunks keep their bytes and their order, except the origin, which records the processing.
  @Test func everyChunkIsCarriedAsItStands() throws {
    let (bytes, omissions) = try carried(Self.file())
    let wave = WaveBytes(bytes)
    #expect(Int(wave.riffSize) == bytes.count - 8)
    let found = pieces(wave)
    let given = Self.front + Self.behind
    #expect(found.map(\.name) == given.map(\.name))
    for (one, other) in zip(found, given) where one.name != "bext" {
      #expect(one.content == other.content, "\(one.name)")
    }
    let history = "A=PCM,F=48000,W=16,M=mono,T=rawaudio\r\n"
    let origin = ChunkBytes.broadcast() + Array(history.utf8)
    #expect(found.first?.content == origin + (origin.count.isMultiple(of: 2) ? [] : [0]))
    #expect(omissions == [])
    #expect(wave.body("data") == ChunkBytes.samples(1_000))
    // Repeating a step adds nothing.
    let again = pieces(WaveBytes(try carried(bytes).bytes))
    #expect(again.first?.content == found.first?.content)
  }

  /// Another program of libsndfile's family must find the samples.
  @Test func samplesStandWhereTheHeaderSays() throws {
    let (bytes, _) = try carried(Self.file(), to: FileFormat(.rf64, .s24))
    let path = try scratch.write(bytes, "check.wav")
    let information = try SoundFileInformation(path: path)
    #expect(information.samplesPerChannel == 1_000)
    #expect(information.truncation == nil)
    #expect(information.metadata.chunks.count == 10)
    let other = try FileBeginning(Array(bytes.prefix(FileBeginning.length)), named: path)
      .open(FileDescriptor(reading: path))
    #expect(other.information.frames == 1_000)
  }

  /// A picture, texts without a name in INFO and frames only known to ID3 go into a tag in a chunk.
  @Test func whatHasNoOtherPlaceGoesIntoATag() throws {
    let own = ID3Bytes.frame(4, "PRIV", Array("x\0y".utf8))
    let title = ID3Bytes.frame(4, "TIT2", [3] + Array("tune".utf8))
    let length = ID3Bytes.frame(4, "TLEN", [3] + Array("7".utf8))
    var metadata = Metadata(interpreting: [
      .init(.id3, "ID3v2", ID3Bytes.tag(4, [title, own, length]))
    ])
    metadata.tags.append("MOOD", "calm")
    metadata.pictures = [.init([1, 2, 3], mediaType: "image/png")]
    for (container, name) in [(Container.wav, "a.wav"), (.rf64, "b.wav"), (.aiff, "c.aiff")] {
      let path = scratch.file(name)
      let sink = SoundFileSink(path: path, format: try FileFormat(container, .s16))
      sink.metadata = metadata
      try store(
        [Double](repeating: 0.25, count: 100), sink,
        StreamFormat(sampleRate: 48_000, channelCount: 1))
      #expect(sink.metadataOmissions == [])
      let back = try SoundFileInformation(path: path).metadata
      #expect(back.tags["TITLE"] == ["tune"])
      #expect(back.tags["MOOD"] == ["calm"])
      #expect(back.pictures == metadata.pictures)
      let chunk = try #require(back.chunks.first { $0.identifier.lowercased() == "id3 " })
      let frames = ID3Tag(chunk.content)?.frames.map(\.identifier)
      #expect(frames == ["TIT2", "PRIV", "APIC", "TMOO"])
      // A change in the metadata changes its frame in the tag; the other frames stay.
      var changed = back
      changed.tags["MOOD"] = ["wild"]
      let again = SoundFileSink(
        path: path, format: try FileFormat(container, .s16), overwrite: true)
      again.metadata = changed
      try store(
        [Double](repeating: 0.25, count: 100), again,
        StreamFormat(sampleRate: 48_000, channelCount: 1))
      let last = try SoundFileInformation(path: path).metadata
      #expect(last.tags["MOOD"] == ["wild"])
      #expect(last.pictures == metadata.pictures)
      #expect(last.chunks.filter { $0.identifier.lowercased() == "id3 " }.count == 1)
    }
  }

  @Test func aPartHasItsOwnPositions() throws {
    let (bytes, _) = try carried(Self.file(), from: 90, length: 700)
    let metadata = try SoundFileInformation(path: scratch.write(bytes, "check.wav")).metadata
    #expect(metadata.markers.map(\.position) == [410])
    #expect(metadata.markers.map(\.label) == ["end"])
    #expect(metadata.instrument?.loops.map(\.range) == [10..<110, 210..<310])
    #expect(try #require(metadata.broadcast).timeReference == 0x1_0000_0002 + 90)
    // The loudness was measured on the whole file.
    #expect(metadata.broadcast?.loudness == nil)
    let found = pieces(WaveBytes(bytes))
    #expect(found.map(\.name) == (Self.front + Self.behind).map(\.name))
    // The manufacturer and the bytes after the loops are no positions.
    #expect(found[8].content.suffix(3) == [1, 2, 3])
    for index in [1, 2, 3, 4, 5, 9] {
      #expect(found[index].content == (Self.front + Self.behind)[index].content)
    }
  }

  @Test func anotherRateMovesPositions() throws {
    let (bytes, _) = try carried(Self.file(), rate: 24_000)
    let metadata = try SoundFileInformation(path: scratch.write(bytes, "check.wav")).metadata
    #expect(metadata.markers.map(\.position) == [5, 250])
    #expect(metadata.instrument?.loops.map(\.range) == [50..<100, 150..<200])
    #expect(metadata.broadcast?.timeReference == 0x8000_0001)
    let sampler = try #require(WaveBytes(bytes).body("smpl"))
    #expect(WaveBytes.word(sampler, 8) == 1_000_000_000 / 24_000)
    let history = try #require(metadata.broadcast?.codingHistory)
    #expect(history.hasSuffix("\r\nA=PCM,F=24000,W=16,M=mono,T=rawaudio\r\n"))
  }

  /// Loudness, peaks and checksums describe other samples and are dropped without a report: nothing true is lost.
  @Test func measurementsOfOtherSamplesGo() throws {
    let more = [ChunkBytes.chunk("PEAK", [1, 2]), ChunkBytes.chunk("MD5 ", [3])]
    let same = try carried(Self.file(more))
    #expect(pieces(WaveBytes(same.bytes)).map(\.name).suffix(2) == ["PEAK", "MD5 "])
    let louder = try carried(Self.file(more), gain: 0.5)
    #expect(pieces(WaveBytes(louder.bytes)).map(\.name).suffix(2) == ["smpl", "zzz!"])
    let metadata = try SoundFileInformation(path: scratch.file("out.wav")).metadata
    #expect(metadata.broadcast?.loudness == nil)
    #expect(metadata.broadcast?.version == 2)
    #expect(louder.omissions == [])
    let wider = try carried(Self.file(more), to: FileFormat(.wav, .s24))
    #expect(pieces(WaveBytes(wider.bytes)).map(\.name).suffix(2) == ["smpl", "zzz!"])
  }

  /// A pipe cannot have a chunk after its samples.
  @Test func onAPipeEverythingStandsInFront() throws {
    let input = try scratch.write(Self.file(), "in.wav")
    let bytes = try Pipe.collecting { end in
      let sink = SoundFileSink(descriptor: end, name: "pipe", format: try FileFormat(.wav, .s16))
      sink.metadata = try SoundFileInformation(path: input).metadata
      try sink.begin(StreamFormat(sampleRate: 48_000, channelCount: 1))
      _ = try sink.write([Float](repeating: 0.5, count: 100).span)
      try sink.complete()
    }
    let names = WaveBytes(bytes).chunks.map(\.id)
    #expect(names == ["fmt "] + (Self.front + Self.behind).map(\.name) + ["data"])
  }

  /// An unusual set of loudspeakers, none at all, and B-format.
  @Test func placesOfChannelsAreKept() throws {
    let tails = [WaveFormat.subFormatTail, WaveFormat.ambisonicTail]
    for (mask, tail) in [(0x60F, 0), (0x3F, 0), (0, 0), (0, 1)] {
      var format = ChunkBytes.number(0xFFFE, 2)
      for (value, size) in [(6, 2), (48_000, 4), (576_000, 4), (12, 2), (16, 2), (22, 2), (16, 2)] {
        format += ChunkBytes.number(value, size)
      }
      format += ChunkBytes.number(mask, 4)
      format += ChunkBytes.number(1, 2)
      format += tails[tail]
      let input = ChunkBytes.form(
        ChunkBytes.chunk("fmt ", format) + ChunkBytes.chunk("data", ChunkBytes.samples(600)))
      #expect(WaveBytes(try carried(input).bytes).body("fmt ") == format)
    }
    // A layout of six channels has no meaning for stereo.
    let surround = try carried(Self.file(), channels: 2).bytes
    #expect(WaveBytes(surround).body("fmt ")?.count == 16)
  }

  @Test func whatWavCannotHoldIsNamed() throws {
    var metadata = Metadata(interpreting: [
      .init(.flac, "APPLICATION", [1, 2, 3, 4]), .init(.flac, "PADDING", []),
      .init(.flac, "VORBIS_COMMENT", []),
    ])
    metadata.tags.append("TITLE", "tune")
    metadata.tags.append("MOOD", "calm")
    metadata.pictures = [.init([], mediaType: "")]
    metadata.cueSheet = .init()
    let sink = SoundFileSink(path: scratch.file("named.wav"), format: try FileFormat(.wav, .s16))
    sink.metadata = metadata
    _ = try sink.initialize(
      proposing: StreamFormat(sampleRate: 48_000, channelCount: 1), wakeup: Wakeup())
    #expect(sink.metadataOmissions.map(\.name) == ["cue sheet", "'APPLICATION' block"])
    sink.dispose()
  }

  /// Each part has its own time and the marks of its own samples.
  @Test func partsHaveTheirOwn() throws {
    let input = try scratch.write(Self.file(), "in.wav")
    let metadata = try SoundFileInformation(path: input).metadata
    let format = try FileFormat(.wav, .s16)
    let sink = SplittingSink(
      try PartNames(scratch.file("part-%03d.wav")), limits: [.duration(.samples(400))]
    ) { SoundFileSink(path: $0, format: format) }
    sink.metadataOfPart = { position, _ in metadata.part(from: position) }
    try sink.begin(StreamFormat(sampleRate: 48_000, channelCount: 1))
    _ = try sink.write([Float](repeating: 0.5, count: 1_000).span)
    try sink.complete()
    let parts = try (0...2).map { number in
      try SoundFileInformation(path: scratch.file("part-00\(number).wav")).metadata
    }
    #expect(parts.map { $0.markers.map(\.position) } == [[10], [100], []])
    #expect(parts.map { ($0.broadcast?.timeReference ?? 0) - 0x1_0000_0002 } == [0, 400, 800])
    #expect(parts.allSatisfy { $0.instrument?.loops == [] })
    #expect(sink.metadataOmissions.map(\.name) == ["loops"])
  }

  /// A hundred files with damaged chunk lists: each is converted or refused. Every piece of the result is in the
  /// damaged file byte for byte, except pieces composed from it.
  @Test func damagedListsInventNothing() throws {
    var random = SeededRandom(seed: 14)
    let whole = Self.file()
    for _ in 0..<100 {
      var damaged = whole
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        // Keep the format of the samples.
        let index = Int.random(in: 36..<damaged.count, using: &random)
        damaged[index] = UInt8.random(in: 0...255, using: &random)
      }
      guard let (bytes, _) = try? carried(damaged) else { continue }
      for (name, content) in pieces(WaveBytes(bytes)) where name != "bext" {
        let isThere = Data(damaged).range(of: Data(content)) != nil
        #expect(isThere || content.isEmpty, "\(name)")
      }
    }
  }
}
