// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// The callback's signature sets the sample type of a class observer: none of these has a `typealias`.
@Suite struct SampleTypeTests {
  private final class Integers: RecordObserver, PlaybackObserver, MixedObserver,
    BeforeMixingObserver
  {
    let positions: ObservationPositions = .all
    var samples: [Int16] = []
    func record(_ frame: inout AudioFrame<Int16>) -> Bool { add(&frame) }
    func playback(_ frame: inout AudioFrame<Int16>) -> Bool { add(&frame) }
    func mixed(_ frame: inout AudioFrame<Int16>) -> Bool { add(&frame) }
    func beforeMixing(_ frame: inout AudioFrame<Int16>, from source: SourceKey) -> Bool {
      add(&frame)
    }
    private func add(_ frame: inout AudioFrame<Int16>) -> Bool {
      samples += frame.copy().samples
      return true
    }
  }

  private final class SourceDoubles: BeforeMixingObserver {
    var samples: [Double] = []
    func beforeMixing(_ frame: inout AudioFrame<Double>, from source: SourceKey) -> Bool {
      samples += frame.copy().samples
      return true
    }
  }

  private final class AnyDoubles: UniformObserver {
    let positions: ObservationPositions = .all
    var samples: [Double] = []
    func observe(_ frame: inout AudioFrame<Double>, at position: ObservationPosition) -> Bool {
      samples += frame.copy().samples
      return true
    }
  }

  @Test func comesFromTheCallback() throws {
    let samples = Noise.integers(480).map { $0 / 2 }
    let integers = Integers()
    let sources = SourceDoubles()
    let doubles = AnyDoubles()
    for observer in [integers, sources, doubles] as [any AudioObserver] {
      let session = try Session(local: GivenSource(samples, encoding: .s24))
      try session.addRemote(try GivenSource([0], encoding: .s24))
      try session.register(observer)
      _ = try session.run()
    }
    // Record, before mixing, playback, mixed.
    let short: [Double] = [0]
    let seen = samples + short + short + samples
    #expect(doubles.samples == seen)
    #expect(integers.samples == seen.map { Int16(($0 * 32_768).rounded(.toNearestOrEven)) })
    #expect(sources.samples == short)
  }
}
