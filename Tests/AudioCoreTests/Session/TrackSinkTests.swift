// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Sinks of single sources that enter the sum.
@Suite struct TrackSinkTests {
  private static let length = 9_600

  private func voice(_ number: Int, _ length: Int) -> [Double] {
    Noise.integers(length, seed: UInt64(number)).map { $0 / 32 }
  }

  /// Each track is its source to the sample, edits before mixing included, and the sum is as without them.
  @Test(arguments: [false, true]) func aTrackIsItsSource(hasSum: Bool) throws {
    let session = Session()
    let keys = [SourceKey("anna"), SourceKey("ben", in: "room"), SourceKey("cleo")]
    let voices = (0..<3).map { voice($0, Self.length - 700 * $0) }
    try session.setLocal(try GivenSource(voice(9, Self.length), encoding: .s24, pieces: [700]))
    for (key, samples) in zip(keys, voices) {
      try session.addRemote(
        try GivenSource(samples, encoding: .s24, pieces: [500]), id: key.id, group: key.group)
    }
    let tracks = try keys.map { try session.collect(.track($0), precision: .double) }
    let sum = hasSum ? try session.collect(.playback, precision: .double) : nil
    try session.register(
      GainObserver([.beforeMixing], factor: 0.5), from: "cleo")
    let report = try session.run()
    #expect(firstDifference(tracks[0].samples, voices[0]) == nil)
    #expect(firstDifference(tracks[1].samples, voices[1]) == nil)
    #expect(firstDifference(tracks[2].samples, voices[2].map { $0 / 2 }) == nil)
    let places = keys.map { SinkPlace.track($0) } + (hasSum ? [.playback] : [])
    #expect(report.sinks.map(\.place) == places)
    var expected = [Double](repeating: 0, count: Self.length)
    for track in tracks { expected.add(track.samples, at: 0) }
    if let sum { #expect(firstDifference(sum.samples, expected) == nil) }
  }

  @Test func itNeedsItsSource() throws {
    let session = Session()
    try session.addRemote(try GivenSource(voice(1, 100), encoding: .s24, pieces: [50]), id: "anna")
    _ = try session.collect(.track("ben"), precision: .double)
    #expect(throws: AudioError.self) { try session.run() }
  }
}
