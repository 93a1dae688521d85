// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Observers with a latency, such as a look-ahead: the stream keeps its position.
@Suite struct LatencyTests {
  /// Delays every channel by its latency, and halves it.
  private final class Delay: UniformObserver {
    let positions: ObservationPositions
    let parameters: FrameParameters
    var latency: Int
    /// The calls that it answers with `false`.
    var refuses: (Int) -> Bool = { _ in false }
    private(set) var calls = 0
    private(set) var shown: [Double] = []
    private var held: [Double] = []

    init(
      _ positions: ObservationPositions, latency: Int,
      _ parameters: FrameParameters = FrameParameters(mode: .readWrite)
    ) {
      self.positions = positions
      self.latency = latency
      self.parameters = parameters
    }

    func parameters(at position: ObservationPosition) -> FrameParameters { parameters }
    func latency(at position: ObservationPosition, in format: StreamFormat) -> Int { latency }

    func begin(_ stream: ObservedStream) throws(AudioError) {
      held = Array(repeating: 0, count: latency * stream.format.channelCount)
    }

    func observe(_ frame: inout AudioFrame<Double>, at position: ObservationPosition) -> Bool {
      for index in frame.samples.indices {
        shown.append(frame.samples[index])
        held.append(frame.samples[index] / 2)
      }
      for index in frame.samples.indices { frame.samples[index] = held[index] }
      held.removeFirst(frame.samples.count)
      calls += 1
      return !refuses(calls - 1)
    }
  }

  private let samples = Noise.integers(20_000).map { $0 / 4 }

  private func run(
    _ observer: Delay, channels: Int = 1, pieces: [Int] = [700],
    _ prepare: (Session, ObserverRegistration) -> Void = { _, _ in }
  ) throws -> [Double] {
    let session = try Session(local: GivenSource(samples, channels: channels, pieces: pieces))
    let registration = try session.register(observer)
    let sink = try session.collect(.publish, precision: .double)
    prepare(session, registration)
    _ = try session.run()
    return sink.samples
  }

  /// Shorter than a frame, equal to one, longer, and longer than the stream.
  @Test(arguments: [1, 100, 480, 481, 5_000, 30_000], [1, 2])
  func nothingMovesInTime(latency: Int, channels: Int) throws {
    for pieces in [[700], [1, 480, 3], [20_000]] {
      let observer = Delay(.record, latency: latency)
      let output = try run(observer, channels: channels, pieces: pieces)
      #expect(output == samples.map { $0 / 2 })
      // Silence after the stream flushes the delayed samples.
      #expect(observer.shown == samples + Array(repeating: 0, count: latency * channels))
    }
  }

  /// A refused frame leaves its samples of the stream unedited.
  @Test func refusedFramesAreAsLate() throws {
    let observer = Delay(.record, latency: 100)
    observer.refuses = { $0 % 2 == 1 }
    let output = try run(observer)
    let expected = samples.indices.map { index in
      (index + 100) / 480 % 2 == 1 ? samples[index] : samples[index] / 2
    }
    #expect(output == expected)
  }

  @Test func readOnlyNothingIsDelayed() throws {
    let observer = Delay(.record, latency: 5_000, FrameParameters())
    #expect(try run(observer) == samples)
    #expect(observer.shown == samples)
  }

  /// At another rate the result equals the result without latency.
  @Test func nothingMovesInAnotherRate() throws {
    let parameters = FrameParameters(sampleRate: 44_100, mode: .readWrite)
    let expected = try run(Delay(.record, latency: 0, parameters))
    #expect(expected.count == (20_000 * 441 + 479) / 480)
    #expect(try run(Delay(.record, latency: 777, parameters)) == expected)
  }

  /// The samples still inside the observer go on unedited, and none is lost.
  @Test func oneThatIsUnregisteredLosesNothing() throws {
    let observer = Delay(.record, latency: 1_000)
    let output = try run(observer) { _, registration in
      observer.refuses = { call in
        if call == 20 { registration.unregister() }
        return false
      }
    }
    // 21 frames; their first 1,000 samples preceded the stream.
    let end = 21 * 480 - 1_000
    #expect(output == samples[..<end].map { $0 / 2 } + samples[end...])
  }

  @Test func anotherLatencyAppliesAfterARefresh() throws {
    let observer = Delay(.record, latency: 1_000)
    let output = try run(observer) { _, registration in
      observer.refuses = { call in
        if call == 10 {
          observer.latency = 333
          registration.refresh()
        }
        return false
      }
    }
    #expect(output == samples.map { $0 / 2 })
  }

  /// A sum waits for the delayed stream, live and offline.
  @Test(arguments: [false, true])
  func aSumWaits(isLive: Bool) throws {
    let time = VirtualTime()
    let session = Session()
    session.time = time
    let others = Noise.integers(20_000, seed: 2).map { $0 / 4 }
    if isLive {
      try session.setLocal(try VirtualLiveSource(samples, device: "microphone", time))
      try session.addRemote(try VirtualLiveSource(others, time))
    } else {
      try session.setLocal(try GivenSource(samples, pieces: [700]))
      try session.addRemote(try GivenSource(others, pieces: [500]))
    }
    try session.register(Delay(.record, latency: 4_321))
    let mixed = try session.collect(.mixed, precision: .double)
    let report = try session.run()
    #expect(mixed.samples == zip(samples, others).map { $0 / 2 + $1 })
    #expect(report.sources.allSatisfy { $0.missingSamplesPerChannel == 0 })
  }

  @Test(arguments: [-1, 60 * 48_000 + 1])
  func anIllegalLatencyEndsTheSession(latency: Int) throws {
    let error = #expect(throws: AudioError.self) {
      try run(Delay(.record, latency: latency))
    }
    #expect(
      error?.description
        == "cannot use latency '\(latency)': it must be 0 to 2880000 samples per channel, which last a minute"
    )
  }
}
