// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioStreams

@Suite struct PendingGapTests {
  @Test func itKeepsTheFirstCauseAndCountsWhatIsNew() {
    var gap = PendingGap()
    #expect(!gap.isOpen)
    gap.add(.ringOverflow, isNew: false)
    #expect(gap.isOpen)
    gap.add(.xrun, isNew: true)
    gap.add(.fault, isNew: false)
    gap.lost = 30
    #expect(
      gap.ended(at: 7)
        == DeviceGap(cause: .ringOverflow, position: 7, lostSamplesPerChannel: 30, occurrences: 2))
  }

  @Test func anEmptyGapTakesOnTheOneThatFollows() {
    var next = PendingGap()
    next.add(.suspend, isNew: true)
    next.lost = 12
    next.uncertainty = 3
    next.needsEstimate = true
    var gap = PendingGap()
    gap.join(next)
    #expect(gap.needsEstimate)
    #expect(
      gap.ended(at: 0)
        == DeviceGap(cause: .suspend, position: 0, lostSamplesPerChannel: 12, uncertainty: 3))
  }

  /// Losses and occurrences add up; the larger uncertainty stays.
  @Test func gapsWithoutASampleInBetweenAreOne() {
    var gap = PendingGap()
    gap.add(.xrun, isNew: true)
    gap.lost = 100
    gap.uncertainty = 9
    var next = PendingGap()
    next.add(.fault, isNew: true)
    next.add(.fault, isNew: true)
    next.lost = 20
    next.uncertainty = 4
    gap.join(next)
    #expect(!gap.needsEstimate)
    #expect(
      gap.ended(at: 1)
        == DeviceGap(
          cause: .xrun, position: 1, lostSamplesPerChannel: 120, uncertainty: 9, occurrences: 3))
  }

  /// A length is unknown only if it needs an estimate and nothing was counted: a counted 0 is known.
  @Test(arguments: [(0, true, nil), (5, true, 5), (0, false, 0)] as [(Int64, Bool, Int64?)])
  func aLengthThatNobodyKnowsIsNotZero(lost: Int64, needsEstimate: Bool, told: Int64?) {
    var gap = PendingGap()
    gap.add(.xrun, isNew: true)
    gap.lost = lost
    gap.uncertainty = 7
    gap.needsEstimate = needsEstimate
    #expect(gap.ended(at: 0).lostSamplesPerChannel == told)
    #expect(gap.ended(at: 0).uncertainty == (told == nil ? 0 : 7))
  }
}
