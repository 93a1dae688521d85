import AudioCore
import Foundation
import Testing

/// An observer that holds a live session up: nothing is lost while the ring holds, and then it is
/// counted.
@Suite struct SlowObserverTests {
  private static let capacity = 1_000

  /// Stays in its first call, longer than the frame lasts, until it is let go.
  private final class Holder: RecordObserver {
    private let isInside: DispatchSemaphore
    private let mayLeave: DispatchSemaphore
    private var isFirst = true

    init(_ isInside: DispatchSemaphore, _ mayLeave: DispatchSemaphore) {
      self.isInside = isInside
      self.mayLeave = mayLeave
    }

    func record(_ frame: inout AudioFrame<Float>) -> Bool {
      guard isFirst else { return true }
      isFirst = false
      let clock = ContinuousClock()
      let begin = clock.now
      isInside.signal()
      mayLeave.wait()
      while clock.now - begin <= .milliseconds(10) { usleep(500) }
      return true
    }
  }

  @Test(arguments: [0, 1, 500])
  func losesNothingWhileTheRingHoldsAndCountsTheRest(excess: Int) throws {
    let (isInside, mayLeave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let samples = Noise.integers(80 + Self.capacity + excess).map { Float($0) }
    let program = SendingProgram(try StreamFormat(sampleRate: 8_000, channelCount: 1)) { sender in
      _ = try? sender.sendWaiting(Array(samples.prefix(80)))
      isInside.wait()
      _ = try? sender.send(Array(samples.dropFirst(80)))
      mayLeave.signal()
      sender.finish()
    }
    let session = Session()
    try session.setLocal(PushSource(program, options: .init(capacity: Self.capacity)))
    let registration = try session.register(Holder(isInside, mayLeave))
    let called = CalledProgram<Float>()
    try session.setSink(.publish, CallingSink(called))
    _ = try session.run()
    #expect(called.samples == Array(samples.prefix(80 + Self.capacity)))
    #expect(program.sender?.statistics.samplesRefused == Int64(excess))
    #expect((registration.statistics[.record]?.lateCalls ?? 0) >= 1)
  }
}
