// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Point 4: the answer of an observer.
@Suite struct AnswerTests {
  /// `false` sends the original stream on, and the discarded frames are counted.
  @Test(arguments: ObservationPosition.whereOneEdits)
  func falseDiscardsAtEveryPosition(position: ObservationPosition) throws {
    let without = try ContractSession().run()
    let bench = try ContractSession()
    let registration = try bench.session.register(
      RecordingObserver<Int16>(.init(position), FrameParameters(mode: .readWrite), answer: false) {
        samples in
        for index in samples.indices { samples[index] = 1 }
      })
    #expect(try bench.run() == without)
    let streams = position == .beforeMixing ? 2 : 1
    #expect(registration.statistics[position]?.discardedEdits == streams * 13)
  }

  /// The stream goes on as if an observer in that format had edited nothing.
  @Test func falseGoesOnInTheObserversFormat() throws {
    func publish(answer: Bool, noise: Float) throws -> CollectingSink {
      let bench = try ContractSession()
      try bench.session.register(
        RecordingObserver<Float>(
          .record, FrameParameters(sampleRate: 11_025, channelCount: 2, mode: .readWrite),
          answer: answer
        ) { samples in
          for index in samples.indices { samples[index] += noise }
        })
      _ = try bench.run()
      return bench.sinks[0]
    }
    let (kept, discarded) = (
      try publish(answer: true, noise: 0), try publish(answer: false, noise: 0.5)
    )
    #expect(discarded.format == (try StreamFormat(sampleRate: 11_025, channelCount: 2)))
    #expect(discarded.samples == kept.samples)
  }

  @Test(arguments: [false, true])
  func observersRunInTheOrderOfRegistration(addsFirst: Bool) throws {
    let bench = try ContractSession()
    let plain = try ContractSession().run()[0]
    let double = RecordingObserver<Float>(
      .record, FrameParameters(mode: .readWrite, samplesPerCall: 100)
    ) { samples in
      for index in samples.indices { samples[index] *= 2 }
    }
    let add = RecordingObserver<Double>(
      .record, FrameParameters(mode: .readWrite, samplesPerCall: 170)
    ) { samples in
      for index in samples.indices { samples[index] += 0.25 }
    }
    for observer in addsFirst ? [add, double] as [any AudioObserver] : [double, add] {
      try bench.session.register(observer)
    }
    #expect(try bench.run()[0] == plain.map { addsFirst ? ($0 + 0.25) * 2 : $0 * 2 + 0.25 })
  }
}
