// SPDX-License-Identifier: Apache-2.0
/// ITU-T G.711 µ-law: 14-bit values on a scale of 8192, logarithmic in 8 segments of 16 steps.
///
/// Formula and scale: ITU-T Recommendation G.711 (11/88), tables 2a and 2b. A decision interval is the
/// one that the recommendation gives; the value sent back is its middle.
enum MuLaw {
  /// The sample of a code, as a fraction of full scale; 0x7F is −0.
  @_noAllocation @_noLocks @inline(__always)
  static func decode(_ code: UInt8) -> Double {
    let bits = Int32(~code)
    let magnitude = (((bits & 15) &<< 1 &+ 33) &<< ((bits &>> 4) & 7)) &- 33
    let sign: Double = code & 0x80 != 0 ? 0x1p-13 : -0x1p-13
    return Double(magnitude) * sign
  }

  /// The code whose decision interval holds `sample`; beyond the last one, the last. Not for NaN.
  @_noAllocation @_noLocks @inline(__always)
  static func encode(_ sample: Double) -> UInt8 {
    // With the bias of 33 every segment starts at a power of two, 2^5 to 2^12, so the exponent of the
    // number is the segment and the first four bits of its fraction are the step.
    let limited = sample.magnitude < 1 ? sample.magnitude : 1
    let scaled = limited * 0x1p13 + 33
    let biased = scaled < 8191 ? scaled : 8191
    let step = UInt8(truncatingIfNeeded: (biased.bitPattern &>> 48) &- ((1023 &+ 5) &<< 4))
    return ~(step | UInt8(truncatingIfNeeded: (sample.bitPattern &>> 56) & 0x80))
  }
}

/// ITU-T G.711 A-law: 13-bit values on a scale of 4096, two linear and six logarithmic segments.
///
/// Formula and scale: ITU-T Recommendation G.711 (11/88), tables 1a and 1b; even bits inverted. A
/// decision interval is the one that the recommendation gives; the value sent back is its middle.
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

  /// The code whose decision interval holds `sample`; beyond the last one, the last. Not for NaN.
  @_noAllocation @_noLocks @inline(__always)
  static func encode(_ sample: Double) -> UInt8 {
    let scaled = sample.magnitude * 0x1p12
    let limited = scaled < 4095 ? scaled : 4095
    // From 32 on, the exponent is the segment and the first four bits of the fraction are the step.
    // Below, adding 32 makes the same true of the linear segment 0, one segment too high.
    let isLinear = limited < 32
    let shifted = isLinear ? limited + 32 : limited
    let exponentOfSegment0: UInt64 = isLinear ? 1023 &+ 5 : 1023 &+ 4
    let step = UInt8(truncatingIfNeeded: (shifted.bitPattern &>> 48) &- (exponentOfSegment0 &<< 4))
    let sign = UInt8(truncatingIfNeeded: ~(sample.bitPattern &>> 56) & 0x80)
    return (step | sign) ^ 0x55
  }
}
