// SPDX-License-Identifier: Apache-2.0
/// In which steps a device's pointer moves: the greatest common divisor of how far it was seen to move.
///
/// The pointer of one device tells every sample, that of another only whole bursts or periods. Between two steps the
/// device seems to stand still, so that a reading may be late by as much as a step.
///
/// A device that fails or stands still tells where it stopped, which may be between two steps. So a step is taken for
/// smaller only where two readings in a row say so.
///
/// Device thread only.
struct PointerStep {
  /// In samples per channel; 0 while the pointer was not seen to move.
  private(set) var samples: Int64 = 0
  /// Where it stood first in this stretch; −1 before.
  private var origin: Int64 = -1
  /// How far it had moved by the last reading where that was no multiple of the step; 0 otherwise.
  private var between: Int64 = 0

  @_noAllocation @_noLocks
  init() {}

  /// The device had given `position` samples per channel since the stretch began.
  @_noAllocation @_noLocks
  mutating func observe(_ position: Int64) {
    if origin < 0 {
      origin = position
      return
    }
    let moved = position - origin
    if samples == 0 || moved % samples == 0 {
      if samples == 0 { samples = moved }
      between = 0
    } else if between == 0 {
      between = moved
    } else {
      samples = commonDivisor(samples, commonDivisor(between, moved))
      between = 0
    }
  }

  /// Positions are counted from another sample from now on.
  @_noAllocation @_noLocks
  mutating func endStretch() {
    origin = -1
    between = 0
  }
}

/// The greatest that divides both, by Euclid.
@_noAllocation @_noLocks
private func commonDivisor(_ first: Int64, _ second: Int64) -> Int64 {
  var (larger, smaller) = (first, second)
  while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
  return larger
}
