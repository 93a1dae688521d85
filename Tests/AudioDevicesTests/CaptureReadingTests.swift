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
    func held(after microseconds: Int) -> Int {
      reading(after: microseconds, window: 0).mostHeld(at: earlier, sampleRate: 48_000, step: 0)
    }
    // 48 samples less 0.2 %.
    #expect(held(after: 1_000) == 953)
    #expect(held(after: 0) == 1_000)
    #expect(held(after: -500) == 1_000)
  }

  /// The thread paused for 1 ms between the device's answer and the clock's, or before both.
  @Test func aQuestionThatTookLongSaysNothingOfWhatCameSince() {
    func held(after microseconds: Int) -> Int {
      reading(after: microseconds, window: 1e-3).mostHeld(
        at: earlier, sampleRate: 768_000, step: 0)
    }
    #expect(held(after: 1_000) == 1_000)
    // 384 samples less 0.2 %.
    #expect(held(after: 1_500) == 617)
  }

  /// A device of 96 kHz that is slow by 500 ppm, whose position moves by 64 samples, had overwritten 8 samples of its
  /// buffer of 248 when reading ended. Then the thread lost the processor for 14.336 ms (`make simulate SEED=9515094`).
  @Test func aSlowDeviceThatMovesInStepsHasNotOverwrittenLess() {
    let reading = CaptureReading(
      time: MonotonicTime(nanoseconds: 1_014_336_210), window: 0, available: 1_352,
      isRunning: true)
    #expect(reading.mostHeld(at: earlier, sampleRate: 96_000, step: 124) >= 8)
    // Of a larger buffer a pause of the thread still overwrites nothing.
    #expect(reading.mostHeld(at: earlier, sampleRate: 96_000, step: 124) <= 8 + 124 + 24)
  }

  /// An overrun stopped the device before the reading: the time since the earlier instant is unknown.
  @Test func aDeviceThatHasStoppedMovedNoFurther() {
    let stopped = reading(after: 1_000, window: 0, isRunning: false)
    #expect(stopped.mostHeld(at: earlier, sampleRate: 48_000, step: 0) == 1_000)
  }
}
