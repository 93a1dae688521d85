// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioStreams

/// The steps in which a device's pointer moves.
@Suite struct PointerStepTests {
  /// Reads a pointer in steps of `step` at random places.
  private func look(at pointer: inout PointerStep, step: Int64, seed: UInt64) {
    var numbers = SplitMix64(seed: seed)
    var position: Int64 = 3
    for _ in 0..<200 {
      position += (1 + Int64(numbers.next() % 50)) * step
      pointer.observe(position)
    }
  }

  @Test(arguments: [Int64(1), 7, 16, 48, 256], [UInt64(1), 2, 3])
  func stepsAreFound(step: Int64, seed: UInt64) {
    var pointer = PointerStep()
    look(at: &pointer, step: step, seed: seed)
    #expect(pointer.samples == step)
    // Positions restart after a failure; the steps stay equal.
    pointer.endStretch()
    look(at: &pointer, step: step, seed: seed + 1)
    #expect(pointer.samples == step)
  }

  /// The position at a failure or in a standstill may lie between two steps.
  @Test func onePositionBetweenTwoStepsChangesNothing() {
    var pointer = PointerStep()
    look(at: &pointer, step: 16, seed: 1)
    pointer.observe(100_001)
    #expect(pointer.samples == 16)
    pointer.endStretch()
    pointer.observe(0)
    pointer.observe(37)
    pointer.observe(48)
    pointer.observe(51)
    pointer.endStretch()
    pointer.observe(0)
    pointer.observe(5)
    #expect(pointer.samples == 16)
    pointer.observe(11)
    #expect(pointer.samples == 1)
  }
}
