// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioCore
@testable import AudioFiles

/// Tracks aligned with the session.
@Suite struct TapTrackTests {
  private func stream(_ rate: Int, _ session: Session) throws -> ObservedStream {
    ObservedStream(
      position: .beforeMixing, source: SourceID("anna"), group: nil, isShared: false,
      format: try StreamFormat(sampleRate: rate, channelCount: 1), samplesPerCall: rate / 100,
      encoding: .s16, isLive: false, isRepeatable: true, resamplerQuality: .high,
      control: session.control,
      registration: try session.register(Silent()))
  }

  private final class Silent: UniformObserver {
    func observe(_ frame: inout AudioFrame<Float>, at position: ObservationPosition) -> Bool {
      true
    }
  }

  /// There is silence only before the first sample and while the source is away.
  @Test func silenceWhereTheSourceIsAway() throws {
    let sink = CollectingSink()
    let session = Session()
    let stream = try stream(8_000, session)
    let writer = try BackgroundWriter()
    let track = try TapTrack(stream, .session, to: { _ in sink }, on: writer)
    let samples = Noise.integers(1_000)
    func write(_ range: Range<Int>, at position: Int) {
      let piece = samples[range].map { Float($0) }
      track.write(piece.span, stream.format, at: Int64(position))
    }
    write(0..<300, at: 50)
    write(300..<400, at: 350)
    try track.rest()
    write(400..<700, at: 20_000)
    // The overlap is dropped.
    write(650..<800, at: 20_250)
    // All of it overlaps.
    write(0..<10, at: 100)
    try track.end(.finished)
    var expected = [Double](repeating: 0, count: 50)
    expected += samples[..<400]
    expected += [Double](repeating: 0, count: 20_000 - 450)
    expected += samples[400..<800]
    #expect(sink.samples == expected)
  }

  /// A later stay at another rate is converted to the track's rate and keeps its place.
  @Test func aStayInAnotherFormatIsConverted() throws {
    let sink = CollectingSink()
    let session = Session()
    let (first, second) = (try stream(8_000, session), try stream(16_000, session))
    let track = try TapTrack(
      first, .session, to: { _ in sink }, on: try BackgroundWriter())
    let constant = [Float](repeating: 0.5, count: 16_000)
    func write(_ count: Int, _ stream: ObservedStream, at position: Int) {
      let piece = Array(constant[..<count])
      track.write(piece.span, stream.format, at: Int64(position))
    }
    write(800, first, at: 0)
    try track.rest()
    for start in stride(from: 0, to: 16_000, by: 160) {
      write(160, second, at: 16_000 + start)
    }
    try track.rest()
    write(800, first, at: 20_000)
    try track.end(.finished)
    #expect(sink.samples.count == 20_800)
    #expect(sink.samples[..<800].allSatisfy { $0 == 0.5 })
    #expect(sink.samples[800..<8_000].allSatisfy { $0 == 0 })
    // A second of the constant, except the edges of the filter.
    #expect(sink.samples[8_100..<15_900].allSatisfy { abs($0 - 0.5) < 1e-4 })
    #expect(sink.samples[16_000..<20_000].allSatisfy { $0 == 0 })
    #expect(sink.samples[20_000...].allSatisfy { $0 == 0.5 })
  }

  @Test func aTapIsAlignedWithTheSession() throws {
    let directory = ScratchDirectory()
    let session = Session()
    let samples = Noise.integers(500)
    try session.addRemote(
      try GivenSource(samples, encoding: .s16), id: SourceID("anna"),
      entry: MixEntry(offset: .samples(1_234)))
    try session.setSink(NullSink(), at: .playback)
    let files = try TapFiles(pattern: directory.file("%s.wav"))
    let tap = TapObserver(
      .beforeMixing, alignment: .session, to: files.sink, on: try BackgroundWriter())
    try session.register(tap)
    _ = try session.run()
    try tap.finish()
    #expect(
      try record(SoundFileSource(path: directory.file("anna.wav"))).samples
        == Array(repeating: 0, count: 1_234) + samples)
  }

  /// Without a user to ask, an existing file is kept.
  @Test func repeatsAreNumbered() throws {
    let directory = ScratchDirectory()
    _ = try directory.write([1], "anna.wav")
    let session = Session()
    for (id, group) in [("anna", nil), ("b-c", "a"), ("c", "a-b")] {
      try session.addRemote(
        try GivenSource([0.5], encoding: .s16), id: SourceID(id),
        group: try group.map { try SourceID($0) })
    }
    try session.setSink(NullSink(), at: .playback)
    let files = try TapFiles(pattern: directory.file("%s.wav"), numbersRepeats: true)
    try session.register(
      TapObserver(.beforeMixing, to: files.sink, on: try BackgroundWriter()))
    _ = try session.run()
    #expect(directory.names == ["a-b-c-2.wav", "a-b-c.wav", "anna-2.wav", "anna.wav"])
  }
}
