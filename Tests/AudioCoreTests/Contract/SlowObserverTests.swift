// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

/// An observer that stalls a live session: nothing is lost while the ring has room, later losses are counted.
@Suite struct SlowObserverTests {
  private static let capacity = 1_000

  /// Stays in its first call, longer than the frame lasts, until the test releases it.
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
    let session = try Session(local: program.source(.init(capacity: Self.capacity)))
    let registration = try session.register(Holder(isInside, mayLeave))
    let called = CalledProgram<Float>()
    try session.setSink(called.sink, at: .publish)
    _ = try session.run()
    #expect(called.samples == Array(samples.prefix(80 + Self.capacity)))
    #expect(program.sender?.statistics.refusedSamplesPerChannel == Int64(excess))
    #expect((registration.statistics[.record]?.lateCalls ?? 0) >= 1)
  }

  /// An observer ten times slower than its frames does not delay the end tenfold.
  @Test func doesNotHoldUpTheEnd() throws {
    final class Slow: RecordObserver {
      var atFirst: (() -> Void)?

      func record(_ frame: inout AudioFrame<Float>) -> Bool {
        atFirst?()
        atFirst = nil
        usleep(100_000)
        return true
      }
    }
    let session = Session()
    let microphone = PushSource(
      format: try StreamFormat(sampleRate: 8_000, channelCount: 1))
    try session.setLocal(microphone)
    let samples = Noise.integers(4_000).map { Float($0) }
    let (sender, control) = (microphone.sender, session.control)
    let slow = Slow()
    slow.atFirst = {
      _ = try? sender.send(Array(samples[80...]))
      control.requestStop(.finish)
    }
    let registration = try session.register(slow)
    let called = CalledProgram<Float>()
    try session.setSink(called.sink, at: .publish)
    let thread = OtherThread.run {
      guard sender.waitForStart(atMost: .milliseconds(20_000)) else { return }
      _ = try? sender.send(Array(samples[..<80]))
    }
    _ = try session.run()
    thread.wait()
    #expect(called.samples == samples)
    let statistics = try #require(registration.statistics[.record])
    #expect(statistics.calls + statistics.missedCalls == 50)
    // One second, and half a second of sound, in calls of 0.1 s.
    #expect(statistics.calls <= 17)
  }
}
