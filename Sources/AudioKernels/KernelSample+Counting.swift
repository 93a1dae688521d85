// SPDX-License-Identifier: Apache-2.0
// Counts and searches in a block of samples.
//
// A comparison is the highest bit of a difference: the compiler would turn any other into a branch and not vectorise
// the loop.

extension KernelSample {
  /// The number of NaN samples.
  @inline(__always)
  static func countOfNaN(_ samples: UnsafePointer<Self>, count: Int) -> Int {
    let infinity = Self.infinity.magnitudeBits
    var found = 0
    for index in 0..<count {
      let magnitude = unsafe samples[index].magnitudeBits
      found &-= Int(truncatingIfNeeded: (infinity &- magnitude) &>> (Word(Word.bitWidth) &- 1))
    }
    return found
  }

  /// Finds the largest finite magnitude, and counts the samples that are not finite.
  @inline(__always)
  static func magnitudes(
    _ samples: UnsafePointer<Self>, count: Int
  ) -> (largest: Self, notFinite: Int) {
    let infinity = Self.infinity.magnitudeBits
    var (largest, notFinite): (Word, Int) = (0, 0)
    for index in 0..<count {
      let magnitude = unsafe samples[index].magnitudeBits
      // −1 if it is finite, else 0.
      let isFinite = (magnitude &- infinity) &>> (Word(Word.bitWidth) &- 1)
      largest = max(largest, magnitude & isFinite)
      notFinite &+= 1 &+ Int(truncatingIfNeeded: isFinite)
    }
    return (Self(magnitudeBits: largest), notFinite)
  }

  /// The index of the first or last sample whose magnitude is at least `threshold`; −1 if there is none.
  @inline(__always)
  static func index(
    in samples: UnsafePointer<Self>, count: Int, reaching threshold: Self, fromEnd: Bool
  ) -> Int {
    var passed = 0
    while passed < count {
      let index = fromEnd ? count &- 1 &- passed : passed
      if unsafe abs(samples[index]) >= threshold { return index }
      passed &+= 1
    }
    return -1
  }
}

extension Double {
  /// Writes samples as `Float`.
  ///
  /// - Returns: whether all of them are exact to the last bit.
  @_noAllocation @_noLocks
  static func narrow(
    _ samples: UnsafePointer<Double>, count: Int, to target: UnsafeMutablePointer<Float>
  ) -> Bool {
    var difference: UInt64 = 0
    for index in 0..<count {
      let narrow = unsafe Float(samples[index])
      unsafe (target + index).initialize(to: narrow)
      difference |= unsafe Double(narrow).bitPattern ^ samples[index].bitPattern
    }
    return difference == 0
  }

  /// Reverses ``narrow(_:count:to:)``.
  @_noAllocation @_noLocks
  static func widen(
    _ samples: UnsafePointer<Float>, count: Int, to target: UnsafeMutablePointer<Double>
  ) {
    for index in 0..<count { unsafe (target + index).initialize(to: Double(samples[index])) }
  }
}
