// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// The order in which the positions are called.
@Suite struct CallOrderTests {
  /// Keeps the position and the end of each frame, in samples.
  private final class Clerk: UniformObserver {
    let positions: ObservationPositions = .all
    var calls: [(position: ObservationPosition, source: SourceID?, end: Int64)] = []
    func observe(_ frame: inout AudioFrame<Float>, at position: ObservationPosition) -> Bool {
      calls.append((position, frame.source, frame.samplePosition + Int64(frame.samplesPerChannel)))
      return true
    }
  }

  private func calls(pieces: [Int], channels: Int) throws -> Clerk {
    let session = Session()
    func source(_ seed: UInt64) throws -> GivenSource {
      try GivenSource(
        Noise.integers(100_000 * channels, seed: seed), channels: channels, pieces: pieces)
    }
    try session.setLocal(try source(1))
    try session.addRemote(try source(2))
    try session.addShared(try source(3))
    try session.setSink(NullSink(), at: .mixed)
    let clerk = Clerk()
    try session.register(clerk)
    _ = try session.run()
    return clerk
  }

  /// A frame of a sum comes after all frames of its inputs; the inputs are at most two blocks ahead.
  @Test(arguments: [[1_000_000], [1_000, 77]], [1, 2])
  func aSumComesAfterWhatIsInIt(pieces: [Int], channels: Int) throws {
    let clerk = try calls(pieces: pieces, channels: channels)
    var reached: [String: Int64] = [:]
    let block = Int64(16_384 / channels)
    for call in clerk.calls {
      let name = call.source?.description ?? call.position.rawValue
      #expect(call.end > reached[name, default: 0])
      reached[name] = call.end
      func hasReached(_ others: [String]) -> Bool {
        others.allSatisfy { reached[$0, default: 0] >= call.end }
      }
      switch call.position {
      case .record, .beforeMixing:
        #expect(call.end - reached["mixed", default: 0] <= 2 * block)
      case .playback: #expect(hasReached(["1", "shared"]))
      case .shared: Issue.record("it was not asked for")
      case .mixed: #expect(hasReached(["local", "playback"]))
      }
    }
    #expect(reached.values.allSatisfy { $0 == 100_000 })
    #expect(reached.count == 5)
  }

  /// Record may be ahead of its sum: the calls are no clock.
  @Test func recordComesABlockAtATime() throws {
    let clerk = try calls(pieces: [1_000_000], channels: 1)
    let first = try #require(clerk.calls.firstIndex { $0.position != .record })
    #expect(first == 16_384 / 480)
  }
}
