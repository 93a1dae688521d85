// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioDevices

/// The patience of a device thread, in simulated time.
@Suite struct DeviceProgressTests {
  private static let millisecond = 1_000_000

  private func instant(_ milliseconds: Int) -> MonotonicTime {
    MonotonicTime(nanoseconds: milliseconds * Self.millisecond)
  }

  private func progress(proof: Int = 100) -> DeviceProgress {
    DeviceProgress(proof: proof, stallLimit: 1_000 * Self.millisecond, at: instant(50))
  }

  /// Checks every 100 ms and at the end; returns whether the device was stalled.
  private func isStalled(
    _ progress: inout DeviceProgress, from begin: Int, to end: Int
  ) -> Bool {
    for time in stride(from: begin + 100, to: end, by: 100) {
      if progress.isStalled(at: instant(time)) { return true }
    }
    return progress.isStalled(at: instant(end))
  }

  @Test func aDeviceIsStalledOnlyBeyondTheLimit() {
    var progress = progress()
    #expect(!isStalled(&progress, from: 50, to: 1_050))
    #expect(isStalled(&progress, from: 1_050, to: 1_051))
    progress.moved(1, at: instant(2_000))
    #expect(!isStalled(&progress, from: 2_000, to: 3_000))
    progress.rested(at: instant(2_500))
    #expect(!isStalled(&progress, from: 2_500, to: 3_500))
    #expect(isStalled(&progress, from: 3_500, to: 3_501))
    #expect(progress.attempt(after: .xrun, at: instant(3_501)) == .none)
  }

  /// A stopped thread, as by SIGSTOP, tells nothing about the device.
  @Test func anAbsenceOfTheThreadIsNoStall() {
    var progress = progress()
    progress.moved(1, at: instant(100))
    let isStalled = progress.isStalled(at: instant(60_000))
    #expect(!isStalled)
    #expect(progress.attempt(after: .xrun, at: instant(60_001)) == .first)
    #expect(self.isStalled(&progress, from: 60_001, to: 60_600))
  }

  @Test func onlyTheFirstAttemptOpensAGap() {
    var progress = progress()
    #expect(progress.attempt(after: .xrun, at: instant(60)) == .first)
    #expect(progress.attempt(after: .suspended, at: instant(61)) == .repeated)
    progress.moved(1, at: instant(62))
    #expect(progress.attempt(after: .xrun, at: instant(63)) == .first)
  }

  /// An xrun is no fault of the device, at any number.
  @Test func faultsAreForgivenEightTimes() {
    var progress = progress()
    for count in 1...8 {
      #expect(progress.attempt(after: .xrun, at: instant(60)) != .none)
      #expect(progress.attempt(after: .other(errno: 5), at: instant(60)) != .none)
      #expect(progress.isFailing() == (count > 1))
    }
    #expect(progress.attempt(after: .xrun, at: instant(60)) != .none)
    #expect(progress.attempt(after: .disconnected, at: instant(60)) == .none)
  }

  /// A few stray samples after each start do not prove that a device works.
  @Test(arguments: [(99, false), (100, true)])
  func aDeviceThatMovedEnoughWorks(count: Int, works: Bool) {
    var progress = progress(proof: 100)
    for _ in 1...8 {
      _ = progress.attempt(after: .other(errno: 5), at: instant(60))
      progress.moved(count, at: instant(60))
    }
    #expect(progress.isFailing() == !works)
    #expect((progress.attempt(after: .other(errno: 5), at: instant(60)) != .none) == works)
  }

  /// Samples before a failure prove nothing about the device after it.
  @Test func theProofBeginsAnewWithEachRecovery() {
    var progress = progress(proof: 100)
    for _ in 1...2 { _ = progress.attempt(after: .other(errno: 5), at: instant(60)) }
    progress.moved(60, at: instant(60))
    _ = progress.attempt(after: .xrun, at: instant(60))
    progress.moved(60, at: instant(60))
    #expect(progress.isFailing())
    progress.moved(40, at: instant(60))
    #expect(!progress.isFailing())
  }

  @Test func aDeviceThatIsReadyInVainIsNotedFromTheSecondTimeOn() {
    var progress = progress()
    progress.waited(.ready)
    #expect(!progress.isSpinning())
    progress.waited(.ready)
    #expect(progress.isSpinning())
    progress.waited(.notYet)
    #expect(!progress.isSpinning())
    progress.waited(.ready)
    progress.moved(1, at: instant(60))
    progress.waited(.ready)
    #expect(!progress.isSpinning())
  }
}
