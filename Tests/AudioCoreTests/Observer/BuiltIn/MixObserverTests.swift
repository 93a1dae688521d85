// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite struct MixObserverTests {
  private func capture(
    _ samples: [Double], encoding: SampleEncoding = .s16, isLive: Bool = false, gain: Double = 1,
    adding source: GivenSource
  ) throws -> (CollectingSink, Int64) {
    let session = try Session(
      local: GivenSource(samples, encoding: encoding, isLive: isLive, pieces: [333]))
    let sink = try session.collect(.publish)
    let observer = MixObserver(.record, gain: gain) { (_) throws(AudioError) in source }
    try session.register(observer)
    _ = try session.run()
    return (sink, observer.missingSamplesPerChannel)
  }

  @Test(arguments: [(SampleEncoding.s16, 16), (.s32, 32)])
  func addsSampleBySampleAndEndsQuietly(encoding: SampleEncoding, bits: Int) throws {
    let samples = Noise.integers(2_000, seed: 1, bits: bits)
    let others = Noise.integers(1_234, seed: 2, bits: bits)
    let source = try GivenSource(others, encoding: encoding, pieces: [100, 1])
    let (sink, missing) = try capture(samples, encoding: encoding, gain: 0.5, adding: source)
    let expected = samples.indices.map {
      samples[$0] + ($0 < others.count ? others[$0] / 2 : 0)
    }
    #expect(sink.samples == expected)
    #expect(missing == 0)
    #expect(source.calls == [.initialize, .start, .stop, .dispose])
  }

  @Test func aLongerSourceIsStoppedWithTheStream() throws {
    let source = try GivenSource(Noise.integers(50_000, seed: 2))
    let (sink, _) = try capture(Array(repeating: 0, count: 600), adding: source)
    #expect(sink.samples == Array(Noise.integers(50_000, seed: 2)[..<600]))
    #expect(source.calls == [.initialize, .start, .stop, .dispose])
  }

  @Test func isConvertedAsTheSessionConverts() throws {
    let samples = Noise.integers(4_800, seed: 3)
    let others = Noise.integers(1_500, seed: 4)
    let (sink, _) = try capture(
      samples, adding: try GivenSource(others, rate: 24_000, encoding: .s16))
    let session = Session()
    try session.addRemote(try GivenSource(samples, encoding: .s16))
    try session.addRemote(try GivenSource(others, rate: 24_000, encoding: .s16))
    let sum = try session.run(collecting: .playback, precision: .double)
    #expect(sink.samples == sum.samples)
  }

  /// A live stream goes on without a live source that has no samples; any other stream waits.
  @Test func onlyALiveStreamDoesNotWait() throws {
    let samples = Array(repeating: 0.0, count: 960)
    let others = Noise.integers(2_000, seed: 5)
    let waited = try capture(samples, adding: try GivenSource(others, pieces: [0, 480]))
    #expect(waited.0.samples == Array(others[..<960]))
    #expect(waited.1 == 0)
    let live = try capture(
      samples, isLive: true, adding: try GivenSource(others, pieces: [0, 480]))
    #expect(live.0.samples == Array(repeating: 0, count: 480) + others[..<480])
    #expect(live.1 == 480)
  }

  @Test func aFailingSourceIsToldAndReleasedOnce() throws {
    for call in [GivenSource.Call.initialize, .start] {
      let source = try GivenSource([0, 0])
      source.failures[call] = .diskFull
      #expect(throws: AudioError.diskFull) { try capture([0, 0], adding: source) }
      #expect(source.calls.filter { $0 == .dispose }.count == 1)
    }
    let source = try GivenSource([0, 0], pieces: [1])
    source.failingRead = (1, .diskFull)
    #expect(throws: AudioError.diskFull) { try capture([0, 0], adding: source) }
    #expect(source.calls == [.initialize, .start, .stop, .dispose])
  }

  @Test func eachStreamHasASourceOfItsOwn() throws {
    let session = Session()
    try session.addRemote(try GivenSource([0, 0]))
    try session.addRemote(try GivenSource([0, 0]))
    let sink = try session.collect(.playback)
    var names: [String] = []
    let values = ["1": [0.5, 0.125], "2": [0.25, 0.25]]
    try session.register(
      MixObserver(.beforeMixing) {
        (stream) throws(AudioError) in
        names.append(stream.name)
        return try constant(values[stream.name] ?? [])
      })
    _ = try session.run()
    #expect(names == ["1", "2"])
    #expect(sink.samples == [0.75, 0.375])
  }

  private func constant(_ samples: [Double]) throws(AudioError) -> any AudioSource {
    do { return try GivenSource(samples) } catch { throw .diskFull }
  }
}
