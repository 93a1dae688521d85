// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// One closure, and no class.
@Suite struct ClosureObserverTests {
  private func session(_ samples: [Double]) throws -> (Session, CollectingSink) {
    let session = try Session(local: GivenSource(samples, encoding: .s16))
    let sink = try session.collect(.publish)
    return (session, sink)
  }

  @Test func framesAreFloatWhereTheClosureDoesNotSay() throws {
    let samples = Noise.integers(1_000)
    let (session, sink) = try session(samples)
    var seen: [Float] = []
    var partials: [Bool] = []
    let registration = try session.observe(at: .record) { frame in
      seen += frame.copy().samples
      partials.append(frame.isPartial)
    }
    _ = try session.run()
    #expect(seen == samples.map { Float($0) })
    #expect(partials == [false, false, true])
    #expect(sink.samples == samples)
    #expect(registration.statistics[.record]?.calls == 3)
  }

  @Test func framesAreOfTheTypeThatTheClosureSays() throws {
    let samples = Noise.integers(960)
    let (session, _) = try session(samples)
    var integers: [Int16] = []
    var doubles: [Double] = []
    try session.observe(at: .record) { (frame: inout AudioFrame<Int16>) in
      integers += frame.copy().samples
    }
    try session.observe(at: .record) { (frame: inout AudioFrame<Double>) in
      doubles += frame.copy().samples
    }
    _ = try session.run()
    #expect(integers == samples.map { Int16($0 * 32_768) })
    #expect(doubles == samples)
  }

  @Test func whatIsLeftInAFrameGoesOnWhereTheModeSaysSo() throws {
    for mode in [nil] + ObserverMode.allCases {
      let samples = Noise.integers(960)
      let (session, sink) = try session(samples)
      let parameters = FrameParameters(mode: mode, samplesPerCall: 960)
      try session.observe(at: .record, as: parameters) { frame in
        for index in frame.samples.indices { frame.samples[index] = -frame.samples[index] }
      }
      _ = try session.run()
      switch mode {
      case nil, .readOnly: #expect(sink.samples == samples)
      case .readWrite: #expect(sink.samples == samples.map { -$0 })
      case .writeOnly: #expect(sink.samples == samples.map { _ in 0 })
      }
    }
  }

  @Test func severalPositionsAndOneSource() throws {
    let bench = try ContractSession()
    var calls = 0
    var sources: Set<SourceID?> = []
    let shape = FrameParameters(sampleRate: 16_000, samplesPerCall: 160)
    let registration = try bench.session.observe(
      at: [.beforeMixing, .mixed], as: shape, from: "room/1"
    ) { frame in
      calls += 1
      sources.insert(frame.source)
    }
    _ = try bench.run()
    #expect(sources == [SourceID("1"), nil])
    #expect(registration.parameters[.mixed]?.parameters == shape)
    #expect(calls == registration.statistics.values.reduce(0) { $0 + $1.calls })
  }

  /// The closure and its captured object are released at once.
  @Test func unregisteredItIsReleased() throws {
    final class Held {}
    weak var held: Held?
    let (session, _) = try session(Noise.integers(4_800))
    let box = Box<ObserverRegistration?>(nil)
    do {
      let object = Held()
      held = object
      box.value = try session.observe(at: .record) { [object] _ in
        withExtendedLifetime(object) { box.value?.unregister() }
      }
    }
    var isHeld: [Bool] = []
    try session.observe(at: .record) { _ in isHeld.append(held != nil) }
    _ = try session.run()
    #expect(isHeld == Array(repeating: false, count: 10))
  }
}
