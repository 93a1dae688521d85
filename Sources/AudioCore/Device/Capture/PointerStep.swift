// SPDX-License-Identifier: Apache-2.0
/// In which steps a device's pointer moves: the greatest common divisor of how far it was seen to move.
///
/// The pointer of one device tells every sample, that of another only whole bursts or periods. Between two steps the
/// device seems to stand still, so that a reading may be late by as much as a step.
///
/// Device thread only.
struct PointerStep {
  /// In samples per channel; 0 while the pointer was not seen to move.
  private(set) var samples: Int64 = 0
  /// Where it stood first in this stretch; −1 before.
  private var origin: Int64 = -1

  @_noAllocation @_noLocks
  init() {}

  /// The device had given `position` samples per channel since the stretch began.
  @_noAllocation @_noLocks
  mutating func observe(_ position: Int64) {
    if origin < 0 {
      origin = position
      return
    }
    var (larger, smaller) = (samples, position - origin)
    while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
    samples = larger
  }

  /// Positions are counted from another sample from now on.
  @_noAllocation @_noLocks
  mutating func endStretch() { origin = -1 }
}
