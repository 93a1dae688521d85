// SPDX-License-Identifier: Apache-2.0
/// The step of a device's pointer: the greatest common divisor of its observed moves.
///
/// The pointer of one device counts every sample, another's only whole bursts or periods. Between two steps
/// the device seems to stand still, so a reading may be late by one step.
///
/// A device that fails or stands still reports the place of its stop, which may lie between two steps. So the
/// step shrinks only if two readings in a row say so.
///
/// Device thread only.
struct PointerStep {
  /// In samples per channel; 0 until the pointer has moved.
  private(set) var samples: Int64 = 0
  /// The first position of this stretch; −1 before it.
  private var origin: Int64 = -1
  /// The move at the last reading if it was no multiple of the step; else 0.
  private var between: Int64 = 0

  @_noAllocation @_noLocks
  init() {}

  /// Notes that the device had delivered `position` samples per channel since the start of the stretch.
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

  /// Starts a new stretch, whose positions count from another sample.
  @_noAllocation @_noLocks
  mutating func endStretch() {
    origin = -1
    between = 0
  }
}

/// The greatest common divisor, by Euclid's algorithm.
@_noAllocation @_noLocks
private func commonDivisor(_ first: Int64, _ second: Int64) -> Int64 {
  var (larger, smaller) = (first, second)
  while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
  return larger
}
