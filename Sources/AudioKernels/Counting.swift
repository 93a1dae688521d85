// SPDX-License-Identifier: Apache-2.0
// Counts and searches in a block of samples.
//
// Magnitudes have the order of their bits: finite ones, infinity, NaN. A comparison is the highest bit of a
// difference: the compiler would turn any other into a branch and not vectorise the loop.

extension Float {
  /// The number of NaN samples.
  @_noAllocation @_noLocks
  static func countOfNaN(_ samples: UnsafePointer<Float>, count: Int) -> Int {
    let infinity = Int32(bitPattern: Float.infinity.bitPattern)
    var found = 0
    for index in 0..<count {
      let magnitude = unsafe Int32(bitPattern: samples[index].bitPattern & 0x7FFF_FFFF)
      found &-= Int((infinity &- magnitude) &>> 31)
    }
    return found
  }

  /// Finds the largest finite magnitude, and counts the samples that are not finite.
  @_noAllocation @_noLocks
  static func magnitudes(
    _ samples: UnsafePointer<Float>, count: Int
  ) -> (largest: Float, notFinite: Int) {
    let infinity = Int32(bitPattern: Float.infinity.bitPattern)
    var (largest, notFinite): (Int32, Int) = (0, 0)
    for index in 0..<count {
      let magnitude = unsafe Int32(bitPattern: samples[index].bitPattern & 0x7FFF_FFFF)
      // −1 if it is finite, else 0.
      let isFinite = (magnitude &- infinity) &>> 31
      largest = max(largest, magnitude & isFinite)
      notFinite &+= 1 &+ Int(isFinite)
    }
    return (Float(bitPattern: UInt32(bitPattern: largest)), notFinite)
  }
}

extension Double {
  /// The number of NaN samples.
  @_noAllocation @_noLocks
  static func countOfNaN(_ samples: UnsafePointer<Double>, count: Int) -> Int {
    let infinity = Int64(bitPattern: Double.infinity.bitPattern)
    var found = 0
    for index in 0..<count {
      let magnitude = unsafe Int64(bitPattern: samples[index].bitPattern & 0x7FFF_FFFF_FFFF_FFFF)
      found &-= Int((infinity &- magnitude) &>> 63)
    }
    return found
  }

  /// Finds the largest finite magnitude, and counts the samples that are not finite.
  @_noAllocation @_noLocks
  static func magnitudes(
    _ samples: UnsafePointer<Double>, count: Int
  ) -> (largest: Double, notFinite: Int) {
    let infinity = Int64(bitPattern: Double.infinity.bitPattern)
    var (largest, notFinite): (Int64, Int) = (0, 0)
    for index in 0..<count {
      let magnitude = unsafe Int64(bitPattern: samples[index].bitPattern & 0x7FFF_FFFF_FFFF_FFFF)
      // −1 if it is finite, else 0.
      let isFinite = (magnitude &- infinity) &>> 63
      largest = max(largest, magnitude & isFinite)
      notFinite &+= 1 &+ Int(isFinite)
    }
    return (Double(bitPattern: UInt64(bitPattern: largest)), notFinite)
  }

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
