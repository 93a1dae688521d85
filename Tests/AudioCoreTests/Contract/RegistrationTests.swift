import AudioCore
import Testing

/// Point 10: registration. Unregistering during a run is held by `UnregisterTests`.
@Suite struct RegistrationTests {
  @Test func whoeverRegistersAfterTheStartGetsNoCall() throws {
    let bench = try ContractSession()
    let late = RecordingObserver<Float>(.all)
    bench.session.onStart = { [unowned session = bench.session] _ in session.register(late) }
    _ = try bench.run()
    #expect(late.frames.isEmpty)
  }

  @Test func unregisteringTwiceAndAfterTheRunIsHarmless() throws {
    let bench = try ContractSession()
    let observer = RecordingObserver<Float>(.all)
    let registration = bench.session.register(observer)
    _ = try bench.run()
    let calls = observer.frames.count
    registration.unregister()
    registration.unregister()
    #expect(observer.frames.count == calls && calls == 65)
    #expect(registration.statistics.values.reduce(0) { $0 + $1.calls } == calls)
  }

  /// From then on the stream passes by it, in the format that was settled.
  @Test(arguments: [ObserverMode.readWrite, .writeOnly])
  func afterUnregisteringTheRestGoesOnUnchanged(mode: ObserverMode) throws {
    let plain = try ContractSession().run()[0]
    let bench = try ContractSession()
    let box = RegistrationBox()
    let observer = RecordingObserver<Float>(.record, FrameParameters(mode: mode)) { samples in
      for index in samples.indices { samples[index] = 0.5 }
      box.registration?.unregister()
    }
    box.registration = bench.session.register(observer)
    let output = try bench.run()[0]
    #expect(observer.frames.count == 1)
    #expect(output == [Double](repeating: 0.5, count: 80) + plain.dropFirst(80))
  }
}

private final class RegistrationBox {
  var registration: ObserverRegistration?
}
