// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite struct MixedPositionTests {
  @Test func isRecordPlusPlaybackToTheSample() throws {
    let local = Noise.integers(30_000, seed: 1)
    let remotes = [Noise.integers(20_000, seed: 2), Noise.integers(45_000, seed: 3)]
    let session = try Session(local: GivenSource(local, pieces: [441, 17]))
    for remote in remotes { try session.addRemote(try GivenSource(remote)) }
    let (publish, playback, mixed) = (CollectingSink(), CollectingSink(), CollectingSink())
    try session.setSink(publish, at: .publish)
    try session.setSink(playback, at: .playback)
    try session.setSink(mixed, at: .mixed)
    _ = try session.run()
    #expect(publish.samples == local)
    #expect(playback.samples.count == 45_000)
    #expect(
      mixed.samples
        == playback.samples.indices.map {
          playback.samples[$0] + ($0 < local.count ? local[$0] : 0)
        })
  }

  @Test func hearsEditsMadeBeforeMixingAndAtRecord() throws {
    let samples = Noise.integers(9_600, seed: 4)
    let session = try Session(local: GivenSource(samples))
    try session.addRemote(try GivenSource(samples))
    try session.register(
      RecordingObserver<Float>([.record, .beforeMixing], FrameParameters(mode: .readWrite)) {
        span in
        for index in span.indices { span[index] *= 0.5 }
      })
    let (publish, playback, mixed) = (CollectingSink(), CollectingSink(), CollectingSink())
    try session.setSink(publish, at: .publish)
    try session.setSink(playback, at: .playback)
    try session.setSink(mixed, at: .mixed)
    _ = try session.run()
    #expect(publish.samples == samples.map { $0 * 0.5 })
    #expect(playback.samples == samples.map { $0 * 0.5 })
    #expect(mixed.samples == samples)
  }

  @Test func endsWithoutAPlaybackSink() throws {
    let samples = Noise.integers(50_000, seed: 5)
    let session = Session()
    try session.addRemote(try GivenSource(samples))
    let mixed = try session.run(collecting: .mixed)
    #expect(mixed.samples == samples)
  }
}
