// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioDevices
@testable import AudioStreams

/// A device's position at an instant, from one reading.
@Suite struct CaptureReadingTests {
  private func reading(
    after microseconds: Int, window: Double, isRunning: Bool = true
  ) -> CaptureReading {
    CaptureReading(
      time: MonotonicTime(nanoseconds: 1_000_000_000 + microseconds * 1_000), window: window,
      available: 1_000, isRunning: isRunning)
  }

  private let earlier = MonotonicTime(nanoseconds: 1_000_000_000)

  @Test func whatCameSinceIsTakenOff() {
    #expect(reading(after: 1_000, window: 0).mostHeld(at: earlier, sampleRate: 48_000) == 952)
    #expect(reading(after: 0, window: 0).mostHeld(at: earlier, sampleRate: 48_000) == 1_000)
    #expect(reading(after: -500, window: 0).mostHeld(at: earlier, sampleRate: 48_000) == 1_000)
  }

  /// The thread paused for 1 ms between the device's answer and the clock's, or before both.
  @Test func aQuestionThatTookLongSaysNothingOfWhatCameSince() {
    #expect(reading(after: 1_000, window: 1e-3).mostHeld(at: earlier, sampleRate: 768_000) == 1_000)
    #expect(reading(after: 1_500, window: 1e-3).mostHeld(at: earlier, sampleRate: 768_000) == 616)
  }

  /// An overrun stopped the device before the reading: the time since the earlier instant is unknown.
  @Test func aDeviceThatHasStoppedMovedNoFurther() {
    let stopped = reading(after: 1_000, window: 0, isRunning: false)
    #expect(stopped.mostHeld(at: earlier, sampleRate: 48_000) == 1_000)
  }
}
