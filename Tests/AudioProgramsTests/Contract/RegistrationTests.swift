// SPDX-License-Identifier: Apache-2.0
import TestSupport
import AudioPrograms
import Testing

/// Point 10: registration. `UnregisterTests` covers unregistering during a run.
@Suite struct RegistrationTests {
  /// The first frame of an observer registered during the run begins with the next sample.
  @Test func anObserverThatIsRegisteredDuringTheRunSeesTheNextSamples() throws {
    let samples = Noise.integers(200_000)
    let session = try Session(local: GivenSource(samples, pieces: [1_000]))
    try session.setSink(NullSink(), at: .publish)
    let late = RecordingObserver<Double>(.record)
    var registration: ObserverRegistration?
    session.onProgress = { [unowned session] progress in
      guard registration == nil, progress.samplesPerChannel >= 100_000 else { return }
      registration = try? session.register(late)
    }
    _ = try session.run()
    session.onProgress = nil
    let begin = Int(try #require(late.frames.first?.samplePosition))
    #expect((100_000..<120_000).contains(begin))
    #expect(late.samples() == Array(samples[begin...]))
    #expect(registration?.statistics[.record]?.calls == late.frames.count)
  }

  /// A change after the run would never take effect.
  @Test func afterTheRunEveryChangeIsAnError() throws {
    let bench = try ContractSession()
    _ = try bench.run()
    let session = bench.session
    let changes: [(String, () throws -> Void)] = [
      ("set source", { try session.setLocal(try GivenSource([0])) }),
      ("add source", { try session.addRemote(try GivenSource([0])) }),
      ("add source", { try session.addShared(try GivenSource([0])) }),
      ("set sink", { try session.setSink(NullSink(), at: .publish) }),
      (
        "set the observers' parameters at",
        { try session.setParameters(FrameParameters(), at: .record) }
      ),
      ("register the observer", { try session.register(RecordingObserver<Float>(.record)) }),
      (
        "register the observer",
        { try session.register(try ExternalProgram(.record, "true")) }
      ),
    ]
    for (action, change) in changes {
      let error = #expect(throws: AudioError.self, "\(action)") { try change() }
      #expect(error?.kind == .lifeCycle)
      #expect(error?.action == action && error?.subject.isEmpty == false)
      #expect(error?.reason == "the session has been run already")
      #expect(error?.advice == "do it before the run")
    }
  }

  /// The source selects streams of sources; a sum is always observed whole.
  @Test func oneSourceOfManyAndEverySum() throws {
    let bench = try ContractSession()
    let observer = RecordingObserver<Float>(.all)
    try bench.session.register(observer, from: "2")
    _ = try bench.run()
    #expect(Set(observer.visited) == [.beforeMixing, .playback, .mixed])
    #expect(Set(observer.frames.map(\.source)) == [nil, SourceID("2")])
  }

  @Test func unregisteringTwiceAndAfterTheRunIsHarmless() throws {
    let bench = try ContractSession()
    let observer = RecordingObserver<Float>(.all)
    let registration = try bench.session.register(observer)
    _ = try bench.run()
    let calls = observer.frames.count
    registration.unregister()
    registration.unregister()
    #expect(observer.frames.count == calls && calls == 65)
    #expect(registration.statistics.values.reduce(0) { $0 + $1.calls } == calls)
  }

  /// The stream then passes the observer, in the settled format.
  @Test(arguments: [ObserverMode.readWrite, .writeOnly])
  func afterUnregisteringTheRestGoesOnUnchanged(mode: ObserverMode) throws {
    let plain = try ContractSession().run()[0]
    let bench = try ContractSession()
    let box = RegistrationBox()
    let observer = RecordingObserver<Float>(.record, FrameParameters(mode: mode)) { samples in
      for index in samples.indices { samples[index] = 0.5 }
      box.registration?.unregister()
    }
    box.registration = try bench.session.register(observer)
    let output = try bench.run()[0]
    #expect(observer.frames.count == 1)
    #expect(output == [Double](repeating: 0.5, count: 80) + plain.dropFirst(80))
  }
}

private final class RegistrationBox {
  var registration: ObserverRegistration?
}
