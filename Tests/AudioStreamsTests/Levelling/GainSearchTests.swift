// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import AudioStreams

/// The search for the gain behind a limiter, on streams whose loudness is a formula.
@Suite struct GainSearchTests {
  /// Returns the best trial and the number of trials.
  private func search(
    _ target: Double, from gain: Double, _ loudness: (Double) -> Double
  ) throws -> (best: GainSearch.Trial, count: Int) {
    var search = GainSearch(target: target, from: gain)
    var count = 1
    while search.takes(loudness(search.gain)) { count += 1 }
    return (try #require(search.best), count)
  }

  /// Above a bend a decibel of gain gives `slope` of loudness.
  private func bent(_ slope: Double, at bend: Double) -> (Double) -> Double {
    { -26 + min($0, bend) + slope * max(0, $0 - bend) }
  }

  @Test(arguments: [1.0, 0.7, 0.3, 0.1, 0.05, 0.02], [-24.0, -20, -16])
  func findsTheGain(_ slope: Double, _ target: Double) throws {
    let stream = bent(slope, at: 9)
    let (best, count) = try search(target, from: target + 26, stream)
    let exact = target <= -17 ? target + 26 : 9 + (target + 17) / slope
    #expect(abs(best.loudness - target) <= 0.02)
    #expect(abs(best.gain - exact) <= 0.02 / min(slope, target < -17 ? 1 : slope) + 1e-9)
    #expect(best.loudness == stream(best.gain))
    #expect(count <= 12)
  }

  /// A curve without a straight part: the loudness comes ever nearer to -14.
  @Test(arguments: [-20.0, -16, -14.5, -14.1])
  func findsTheGainOnACurve(_ target: Double) throws {
    let (best, count) = try search(target, from: 0) { -14 - 12 * exp(-$0 / 10) }
    #expect(abs(best.loudness - target) <= 0.02)
    #expect(count <= 12)
  }

  /// Nothing reaches the target: of the trials that are as loud as any, the one with the smallest gain counts.
  @Test func endsIfMoreGainChangesNothing() throws {
    let (best, count) = try search(-10, from: 4) { min(-16, -26 + $0) }
    #expect(best.loudness == -16)
    #expect(best.gain >= 10 && best.gain <= 22)
    #expect(count <= 6)
  }

  /// The gates of a measurement let the loudness leap over the target.
  @Test func endsAtALeap() throws {
    let (best, count) = try search(-16, from: 10) { $0 < 11.3 ? -26 + $0 * 0.8 : -15.5 }
    #expect(abs(best.gain - 11.3) < 0.1)
    #expect(count <= 20)
  }

  @Test func takesOneTrialIfItFits() throws {
    let (best, count) = try search(-16, from: 10) { -26 + $0 }
    #expect(best.gain == 10 && count == 1)
  }
}
