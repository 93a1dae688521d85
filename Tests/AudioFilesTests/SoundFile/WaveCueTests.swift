// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioFiles

/// Marks written into a recording's file.
@Suite struct WaveCueTests {
  let scratch = ScratchDirectory()

  private func written(
    _ format: FileFormat, _ count: Int, _ marks: [(position: Int64, rate: Int, label: String)]
  ) throws -> WaveBytes {
    let path = scratch.file("out-\(UUID().uuidString)")
    let sink = SoundFileSink(path: path, format: format)
    try sink.begin(StreamFormat(sampleRate: 48_000, channelCount: 1))
    for mark in marks {
      sink.mark(mark.position, at: mark.rate, label: mark.label)
    }
    _ = try sink.write([Float](repeating: 0.5, count: count).span)
    try sink.complete()
    return WaveBytes(try contents(path))
  }

  /// An odd number of sample bytes, so the chunks follow padding.
  @Test func aMarkIsACuePointWithItsLabel() throws {
    let wave = try written(
      FileFormat(.wav, .u8), 1_001,
      [(10, 48_000, "one"), (441, 44_100, "a gap"), (2_000, 48_000, "")])
    #expect(Int(wave.riffSize) == wave.bytes.count - 8)
    #expect(wave.chunks.map(\.id) == ["JUNK", "fmt ", "data", "cue ", "LIST"])
    #expect(wave.body("data")?.count == 1_001)
    func point(_ id: UInt8, _ position: Int) -> [UInt8] {
      let place = [UInt8(position & 0xFF), UInt8(position >> 8), 0, 0]
      return [id, 0, 0, 0] + place + Array("data".utf8) + [0, 0, 0, 0, 0, 0, 0, 0] + place
    }
    // The last mark lies after the end and moves to the last sample.
    let points = point(1, 10) + point(2, 480) + point(3, 1_000)
    #expect(wave.body("cue ") == [3, 0, 0, 0] + points)
    let label = Array("labl".utf8)
    var list = Array("adtl".utf8)
    list += label + [8, 0, 0, 0, 1, 0, 0, 0] + Array("one\0".utf8)
    list += label + [10, 0, 0, 0, 2, 0, 0, 0] + Array("a gap\0".utf8)
    list += label + [5, 0, 0, 0, 3, 0, 0, 0, 0, 0]
    #expect(wave.body("LIST") == list)
  }

  @Test func withoutMarksNothingIsAdded() throws {
    let wave = try written(FileFormat(.wav, .s16), 10, [])
    #expect(wave.chunks.map(\.id) == ["JUNK", "fmt ", "data"])
  }

  /// Each part gets the marks of its own samples, counted from its beginning.
  @Test func marksGoToTheirParts() throws {
    let format = try FileFormat(.wav, .s16)
    let sink = SplittingSink(
      try PartNames(scratch.file("part-%03d.wav")), limits: [.duration(.samples(100))]
    ) { SoundFileSink(path: $0, format: format) }
    try sink.begin(StreamFormat(sampleRate: 48_000, channelCount: 1))
    // The last mark is set long before its part begins.
    for position: Int64 in [99, 100, 245] { sink.mark(position, at: 48_000, label: "x") }
    _ = try sink.write([Float](repeating: 0.5, count: 250).span)
    try sink.complete()
    let places = try (0..<3).map { number in
      WaveBytes(try contents(scratch.file("part-00\(number).wav"))).body("cue ").map { $0[8] }
    }
    #expect(places == [99, 0, 45])
  }

  @Test func tooManyAreRefused() {
    var cues = WaveCues()
    for position in 0..<Int64(WaveCues.limit) {
      if !cues.append(position: position, label: "") { Issue.record("\(position)") }
    }
    let takesAnother = cues.append(position: 0, label: "")
    #expect(!takesAnother)
    var far = WaveCues()
    let takesFar = far.append(position: 1 << 32, label: "")
    #expect(!takesFar)
  }
}
