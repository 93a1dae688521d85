// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioDevices

/// The samples heard in a playback, in simulated time at 1 kHz: a millisecond is a sample.
@Suite struct HeardSamplesTests {
  private func instant(_ milliseconds: Int) -> MonotonicTime {
    MonotonicTime(nanoseconds: milliseconds * 1_000_000)
  }

  @Test func whatIsNotQueuedWasHeard() {
    var heard = HeardSamples(sampleRate: 1_000)
    heard.start(at: instant(10))
    heard.update(taken: 300, queued: 300, at: instant(10))
    #expect(heard.count == 0)
    heard.update(taken: 500, queued: 240, at: instant(270))
    #expect(heard.count == 260)
    // A lower answer of the device later does not reduce the count.
    heard.update(taken: 500, queued: 250, at: instant(271))
    #expect(heard.count == 260)
    #expect(heard.uncertainty == 0)
  }

  /// The samples heard between the last answer and the failure lie within the uncertainty.
  @Test(arguments: [0, 1, 7, 90, 239, 240, 1_000])
  func aFailureIsBoundedByTheTimeSinceTheLastAnswer(later: Int) {
    var heard = HeardSamples(sampleRate: 1_000)
    heard.start(at: instant(0))
    heard.update(taken: 500, queued: 240, at: instant(260))
    heard.beginGap(taken: 500, at: instant(260 + later), ranEmpty: false)
    let most = min(later + 1, 240)
    for truth in [260, 260 + most / 2, 260 + most] {
      #expect(abs(heard.count - truth) <= heard.uncertainty)
    }
    #expect(heard.uncertainty == (most + 1) / 2)
    #expect(!heard.isStarted)
  }

  /// An underrun after more time than the buffer holds: all samples were heard, for certain.
  @Test func aDeviceThatRanEmptyPlayedEverything() {
    var heard = HeardSamples(sampleRate: 1_000)
    heard.start(at: instant(0))
    heard.update(taken: 500, queued: 240, at: instant(260))
    heard.beginGap(taken: 500, at: instant(600), ranEmpty: true)
    #expect(heard.count == 500)
    #expect(heard.uncertainty == 0)
  }

  @Test func aDeviceThatNeverStartedPlayedNothing() {
    var heard = HeardSamples(sampleRate: 1_000)
    heard.beginGap(taken: 200, at: instant(5_000), ranEmpty: false)
    #expect(heard.count == 0)
    #expect(heard.uncertainty == 0)
  }

  /// Samples lost in one failure are not heard later; the uncertainties add up.
  @Test func whatWasLostIsNotCountedAgain() {
    var heard = HeardSamples(sampleRate: 1_000)
    heard.start(at: instant(0))
    heard.update(taken: 500, queued: 240, at: instant(260))
    heard.beginGap(taken: 500, at: instant(269), ranEmpty: false)
    #expect(heard.count == 265)
    #expect(heard.uncertainty == 5)
    heard.start(at: instant(400))
    heard.update(taken: 800, queued: 300, at: instant(400))
    #expect(heard.count == 265)
    heard.update(taken: 800, queued: 100, at: instant(600))
    #expect(heard.count == 465)
    heard.beginGap(taken: 800, at: instant(619), ranEmpty: false)
    #expect(heard.count == 475)
    #expect(heard.uncertainty == 15)
  }
}
