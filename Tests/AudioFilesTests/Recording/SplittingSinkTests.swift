// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioStreams
@testable import AudioFiles

/// All parts together equal the unsplit recording, at every kind of limit and every block size.
@Suite struct SplittingSinkTests {
  let scratch = ScratchDirectory()

  struct Material {
    var container: Container
    var encoding: SampleEncoding
    var channels = 2
    var dither = Dither.none
  }

  static let materials = [
    Material(container: .wav, encoding: .s16),
    Material(container: .wav, encoding: .s16, dither: .tpdf(seed: 3)),
    Material(container: .wav, encoding: .u8, channels: 1),
    Material(container: .wav, encoding: .s24, channels: 3),
    Material(container: .rf64, encoding: .f32),
    Material(container: .raw, encoding: .s16),
    Material(container: .flac, encoding: .s16),
    Material(container: .flac, encoding: .s24, channels: 1),
    Material(container: .aiff, encoding: .s24, channels: 1),
    Material(container: .caf, encoding: .s16),
    Material(container: .w64, encoding: .s16, channels: 1),
    Material(container: .au, encoding: .f64),
  ]

  private func split(
    _ samples: [Double], _ material: Material, _ limits: [SplittingSink.Limit], block: Int,
    control: SplittingSink.Control = SplittingSink.Control(), named pattern: String? = nil,
    overwrite: Bool = false
  ) throws -> [SplittingSink.Part] {
    let file = try FileFormat(material.container, material.encoding)
    let format = try StreamFormat(sampleRate: 44_100, channelCount: material.channels)
    var parts: [SplittingSink.Part] = []
    let sink = SplittingSink(
      try PartNames(pattern ?? scratch.file("part-%03d")), limits: limits, control: control
    ) { path in
      SoundFileSink(path: path, format: file, dither: material.dither, overwrite: overwrite)
    } onPart: { part in
      parts.append(part)
      // The part is complete before the next event.
      let found = try? SoundFileInformation(
        path: part.path, container: material.container,
        headerless: SampleLayout(material.encoding).map { HeaderlessFormat(format, $0) })
      #expect(found?.samplesPerChannel == part.samplesPerChannel)
    }
    defer { sink.dispose() }
    try sink.begin(format)
    var start = 0
    while start < samples.count {
      let end = min(samples.count, start + block * material.channels)
      _ = try sink.write(samples.span.extracting(start..<end))
      start = end
    }
    try sink.stop(.finished)
    return parts
  }

  private func samples(of path: String, _ material: Material) throws -> [Double] {
    let format = try StreamFormat(sampleRate: 44_100, channelCount: material.channels)
    let headerless = SampleLayout(material.encoding).map { HeaderlessFormat(format, $0) }
    return try record(
      SoundFileSource(path: path, container: material.container, headerless: headerless)
    ).samples
  }

  private func unsplit(_ samples: [Double], _ material: Material) throws -> [Double] {
    let format = try StreamFormat(sampleRate: 44_100, channelCount: material.channels)
    let path = scratch.file("whole")
    try store(
      samples,
      SoundFileSink(
        path: path, format: try FileFormat(material.container, material.encoding),
        dither: material.dither, overwrite: true), format)
    return try self.samples(of: path, material)
  }

  /// A stream from the middle of a source begins later than the source.
  @Test func timesInNamesCountFromWhatIsRecorded() throws {
    let file = try FileFormat(.wav, .s16)
    let before = Int(Date().timeIntervalSince1970)
    let sink = SplittingSink(
      try PartNames(scratch.file("%s.wav")), limits: [], leadIn: .time(.seconds(1_000))
    ) { path in
      SoundFileSink(path: path, format: file)
    }
    defer { sink.dispose() }
    let format = try StreamFormat(sampleRate: 8_000, channelCount: 1)
    try sink.begin(format)
    _ = try sink.write([0.5].span)
    try sink.stop(.finished)
    let after = Int(Date().timeIntervalSince1970)
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.file(""))
    let time = try #require(names.first.flatMap { Int($0.dropLast(4)) })
    #expect((before + 1_000...after + 1_000).contains(time))
  }

  /// Positions come in any order; those outside the stream cut nothing.
  @Test(arguments: [1, 700, 5_000])
  func partsEndAtPositions(block: Int) throws {
    let material = Self.materials[0]
    let samples = material.noise(3_000)
    let parts = try split(
      samples, material, [.positions([2_000, 0, 1_000, 1_001, 2_000, 9_000])], block: block)
    #expect(parts.map(\.position) == [0, 1_000, 1_001, 2_000])
    #expect(parts.map(\.samplesPerChannel) == [1_000, 1, 999, 1_000])
    #expect(
      try parts.flatMap { try self.samples(of: $0.path, material) } == unsplit(samples, material))
  }

  @Test(arguments: materials)
  func partsOfOneDuration(material: Material) throws {
    let length = 20_000
    // An uneven length, so that rounding counts.
    let samples = material.noise(length)
    let whole = try unsplit(samples, material)
    for block in [1_000, 4_410, length] {
      // 0.0333 s are 1468.53 samples.
      let parts = try split(
        samples, material, [.duration(.time(.microseconds(33_300)))], block: block,
        overwrite: true)
      let ends = (1...13).map { Int64((Double($0) * 0.0333 * 44_100).rounded()) } + [20_000]
      #expect(parts.map { $0.position + $0.samplesPerChannel } == ends)
      #expect(parts.map(\.position) == [0] + ends.dropLast())
      let joined = try parts.flatMap { try self.samples(of: $0.path, material) }
      let isSame = joined == whole
      #expect(isSame)
    }
  }

  @Test(arguments: materials)
  func partsOfOneSize(material: Material) throws {
    let length = 100_000
    let samples = material.noise(length)
    let whole = try unsplit(samples, material)
    let limit = 60_001
    let parts = try split(samples, material, [.fileSize(Int64(limit))], block: 1_234)
    #expect(parts.count > 1)
    for (index, part) in parts.enumerated() {
      let size = try contents(part.path).count
      #expect(size <= limit)
      let bytes = material.encoding.bytesPerSample ?? 0
      let slack = material.container == .flac ? 40_000 : bytes * material.channels + 64
      if index < parts.count - 1 { #expect(size > limit - slack) }
    }
    let isSame = try parts.flatMap { try self.samples(of: $0.path, material) } == whole
    #expect(isSame)
  }

  @Test func aWholeNumberOfPartsHasNoEmptyOneBehind() throws {
    let material = Material(container: .wav, encoding: .s16, channels: 1)
    let parts = try split(material.noise(3_000), material, [.duration(.samples(1_000))], block: 700)
    #expect(parts.map(\.samplesPerChannel) == [1_000, 1_000, 1_000])
    #expect(scratch.names == ["part-000", "part-001", "part-002"])
  }

  @Test func nothingAtAllIsOneEmptyPart() throws {
    let material = Material(container: .wav, encoding: .s16, channels: 1)
    let parts = try split([], material, [.duration(.samples(1_000))], block: 1)
    #expect(parts.map(\.samplesPerChannel) == [0])
  }

  @Test func theFirstLimitCounts() throws {
    let material = Material(container: .raw, encoding: .s16, channels: 1)
    let parts = try split(
      material.noise(5_000), material, [.duration(.samples(2_000)), .fileSize(3_001)], block: 512)
    #expect(parts.map(\.samplesPerChannel) == [1_500, 1_500, 1_500, 500])
  }

  @Test func aRequestBeginsAPartWithTheNextSamples() throws {
    let control = SplittingSink.Control()
    let format = try StreamFormat(sampleRate: 44_100, channelCount: 1)
    var lengths: [Int64] = []
    let file = try FileFormat(.wav, .s16)
    let sink = SplittingSink(
      try PartNames(scratch.file("%03d.wav")), limits: [.duration(.samples(1_000))],
      control: control
    ) {
      SoundFileSink(path: $0, format: file)
    } onPart: {
      lengths.append($0.samplesPerChannel)
    }
    _ = try sink.initialize(proposing: format, wakeup: Wakeup())
    // There is no part to end yet.
    control.requestPart()
    let block = material(300, channels: 1, bits: 16)
    _ = try sink.write(block.span)
    #expect(lengths.isEmpty)
    control.requestPart()
    control.requestPart()
    for _ in 0..<5 { _ = try sink.write(block.span) }
    // 1,000 samples after the request, not after the beginning.
    #expect(lengths == [300, 1_000])
    try sink.stop(.finished)
    #expect(lengths == [300, 1_000, 500])
    sink.dispose()
  }

  /// Samples waiting for the disk precede the request.
  @Test func aRequestIsForWhatComesBehindIt() throws {
    let control = SplittingSink.Control()
    var lengths: [Int64] = []
    let file = try FileFormat(.wav, .s16)
    let sink = SplittingSink(
      try PartNames(scratch.file("%03d.wav")), limits: [], control: control
    ) {
      SoundFileSink(path: $0, format: file)
    } onPart: {
      lengths.append($0.samplesPerChannel)
    }
    let format = try StreamFormat(sampleRate: 44_100, channelCount: 1)
    _ = try sink.initialize(proposing: format, wakeup: Wakeup())
    let block = material(300, channels: 1, bits: 16)
    control.requestPart()
    for _ in 0..<3 {
      try sink.receive(.waited(.seconds(3_600)))
      _ = try sink.write(block.span)
    }
    #expect(lengths.isEmpty)
    try sink.receive(.waited(.zero))
    for _ in 0..<2 { _ = try sink.write(block.span) }
    #expect(lengths == [900])
    try sink.stop(.finished)
    #expect(lengths == [900, 600])
    sink.dispose()
  }

  @Test func namesThatComeTwiceAreNumbered() throws {
    let material = Material(container: .wav, encoding: .s16, channels: 1)
    let parts = try split(
      material.noise(3_000), material, [.duration(.samples(1_000))], block: 512,
      named: scratch.file("year %Y.wav"))
    let year = String(parts[0].path.dropLast(4))
    #expect(parts.map(\.path) == ["\(year).wav", "\(year)_x2.wav", "\(year)_x3.wav"])
  }

  @Test func aFileInTheWayEndsTheRecordingAndKeepsWhatThereIs() throws {
    let material = Material(container: .wav, encoding: .s16, channels: 1)
    let samples = material.noise(3_000)
    let old = try scratch.write([1, 2, 3], "part-002")
    do {
      _ = try split(samples, material, [.duration(.samples(1_000))], block: 512)
      Issue.record("the file was overwritten")
    } catch let error as AudioError {
      #expect(
        error.description == "cannot write to '\(old)': it exists already; "
          + "2000 samples per channel are kept in 2 parts")
    }
    #expect(try contents(old) == [1, 2, 3])
    let kept = try ["part-000", "part-001"].flatMap {
      try self.samples(of: scratch.file($0), material)
    }
    let isSame = kept == Array(try unsplit(samples, material).prefix(2_000))
    #expect(isSame)
    _ = try split(samples, material, [.duration(.samples(1_000))], block: 512, overwrite: true)
    #expect(try self.samples(of: old, material).count == 1_000)
  }

  @Test func aSizeWithoutRoomForASample() throws {
    let material = Material(container: .wav, encoding: .s16, channels: 1)
    do {
      _ = try split(material.noise(10), material, [.fileSize(81)], block: 10)
      Issue.record("there was room")
    } catch let error as AudioError {
      #expect(
        error.description == "cannot begin '\(scratch.file("part-000"))': "
          + "81 bytes leave no room for a sample; split at a larger size")
    }
    #expect(scratch.names.isEmpty)
  }
}

extension SplittingSinkTests.Material {
  /// Returns noise that every rounding changes.
  func noise(_ sampleFrames: Int) -> [Double] {
    var state: UInt64 = 7
    return (0..<sampleFrames * channels).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(Int64(bitPattern: state) >> 11) / 0x1p53 * 1.8
    }
  }
}
