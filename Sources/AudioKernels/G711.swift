// SPDX-License-Identifier: Apache-2.0
/// Formula, scale and decision intervals: ITU-T Recommendation G.711 (11/88), tables 2a and 2b. A decoded value is
/// the middle of its decision interval.
enum MuLaw {
  /// The sample of a code, as a fraction of full scale; 0x7F is −0.
  @_noAllocation @_noLocks @inline(__always)
  static func decode(_ code: UInt8) -> Double {
    let bits = Int32(~code)
    let magnitude = (((bits & 15) &<< 1 &+ 33) &<< ((bits &>> 4) & 7)) &- 33
    let sign: Double = code & 0x80 != 0 ? 0x1p-13 : -0x1p-13
    return Double(magnitude) * sign
  }

  /// The code of the decision interval that holds `sample`; beyond the last interval, the last code. Not for NaN.
  @_noAllocation @_noLocks @inline(__always)
  static func encode(_ sample: Double) -> UInt8 {
    // With the bias of 33 every segment starts at a power of two, 2^5 to 2^12: the number's exponent is the segment,
    // and the first four bits of its fraction are the step.
    let limited = sample.magnitude < 1 ? sample.magnitude : 1
    let scaled = limited * 0x1p13 + 33
    let biased = scaled < 8191 ? scaled : 8191
    let step = UInt8(truncatingIfNeeded: (biased.bitPattern &>> 48) &- ((1023 &+ 5) &<< 4))
    return ~(step | UInt8(truncatingIfNeeded: (sample.bitPattern &>> 56) & 0x80))
  }
}

/// Formula, scale and decision intervals: ITU-T Recommendation G.711 (11/88), tables 1a and 1b; even bits inverted. A
/// decoded value is the middle of its decision interval.
enum ALaw {
  /// The sample of a code, as a fraction of full scale.
  @_noAllocation @_noLocks @inline(__always)
  static func decode(_ code: UInt8) -> Double {
    let bits = Int32(code ^ 0x55)
    let segment = (bits &>> 4) & 7
    let linear: Int32 = segment == 0 ? 1 : 33
    let shift = segment == 0 ? 0 : segment &- 1
    let magnitude = ((bits & 15) &<< 1 &+ linear) &<< shift
    let sign: Double = code & 0x80 != 0 ? 0x1p-12 : -0x1p-12
    return Double(magnitude) * sign
  }

  /// The code of the decision interval that holds `sample`; beyond the last interval, the last code. Not for NaN.
  @_noAllocation @_noLocks @inline(__always)
  static func encode(_ sample: Double) -> UInt8 {
    let scaled = sample.magnitude * 0x1p12
    let limited = scaled < 4095 ? scaled : 4095
    // From 32 on, the exponent is the segment and the first four bits of the fraction are the step. Below 32, adding
    // 32 makes this true of the linear segment 0, one segment too high.
    let isLinear = limited < 32
    let shifted = isLinear ? limited + 32 : limited
    let exponentOfSegment0: UInt64 = isLinear ? 1023 &+ 5 : 1023 &+ 4
    let step = UInt8(truncatingIfNeeded: (shifted.bitPattern &>> 48) &- (exponentOfSegment0 &<< 4))
    let sign = UInt8(truncatingIfNeeded: ~(sample.bitPattern &>> 56) & 0x80)
    return (step | sign) ^ 0x55
  }
}
