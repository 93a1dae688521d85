// SPDX-License-Identifier: Apache-2.0
/// A second-order section: y = (b0 + b1 z⁻¹ + b2 z⁻²) ⁄ (1 + a1 z⁻¹ + a2 z⁻²) x.
///
/// Transposed direct form II, two samples at a time. With the states s1 and s2 before both,
///
///     y0 = b0 x0 + s1                      s1″ = (a1² − a2) s1 − a1 s2 + n1 x0 + c1 x1
///     y1 = b0 x1 + c1 x0 − a1 s1 + s2      s2″ = a1 a2 s1 − a2 s2 + n2 x0 + c2 x1
///
/// for c1 = b1 − a1 b0, c2 = b2 − a2 b0, n1 = c2 − a1 c1 and n2 = −a2 c1. So two samples wait for three operations,
/// instead of one sample.
package struct FilterSection: BitwiseCopyable, Hashable {
  package let b0: Double
  package let b1: Double
  package let b2: Double
  package let a1: Double
  package let a2: Double
  let c1: Double
  let c2: Double
  let n1: Double
  let n2: Double
  /// The factors of both states over two samples.
  let m11: Double
  let m21: Double

  package init(b0: Double, b1: Double, b2: Double, a1: Double, a2: Double) {
    self.b0 = b0
    self.b1 = b1
    self.b2 = b2
    self.a1 = a1
    self.a2 = a2
    c1 = b1 - a1 * b0
    c2 = b2 - a2 * b0
    n1 = c2 - a1 * c1
    n2 = -a2 * c1
    m11 = a1 * a1 - a2
    m21 = a1 * a2
  }

  /// The memory of a section's channel: both states, and the first sample of an incomplete pair.
  package static var stateSize: Int {
    @_noAllocation @_noLocks get { 3 }
  }
}

/// Filters interleaved samples in place, by consecutive sections. Two channels are two lanes; no operation is fused.
///
/// - Parameters:
///   - samples: `count` sample frames of `width` channels.
///   - isSecond: whether the first of them completes a pair.
///   - sections: `sectionCount` of them.
///   - states: `FilterSection.stateSize` numbers for each channel of each section, section by section.
@_noAllocation @_noLocks
func runFilters(
  _ samples: UnsafeMutablePointer<Double>, count: Int, width: Int, isSecond: Bool,
  _ sections: UnsafePointer<FilterSection>, _ sectionCount: Int,
  _ states: UnsafeMutablePointer<Double>
) {
  let size = FilterSection.stateSize
  for index in 0..<sectionCount {
    let section = unsafe sections + index
    let state = unsafe states + index &* width &* size
    var channel = 0
    while channel < width {
      let place = unsafe samples + channel
      let own = unsafe state + channel &* size
      if channel &+ 1 < width {
        unsafe filterTwo(place, count, width, isSecond, section, own)
        channel &+= 2
      } else {
        unsafe filterOne(place, count, width, isSecond, section, own)
        channel &+= 1
      }
    }
  }
}

/// One channel through one section.
@_noAllocation @_noLocks
private func filterOne(
  _ samples: UnsafeMutablePointer<Double>, _ count: Int, _ width: Int, _ isSecond: Bool,
  _ section: UnsafePointer<FilterSection>, _ state: UnsafeMutablePointer<Double>
) {
  let s = unsafe section.pointee
  var (one, two, x0) = unsafe (state[0], state[1], state[2])
  var place = 0
  var rest = count
  if isSecond, rest > 0 {
    let x1 = unsafe samples[0]
    unsafe samples[0] = (s.b0 * x1 + s.c1 * x0) + (two - s.a1 * one)
    (one, two) = (
      (s.m11 * one - s.a1 * two) + (s.n1 * x0 + s.c1 * x1),
      (s.m21 * one - s.a2 * two) + (s.n2 * x0 + s.c2 * x1)
    )
    place = width
    rest &-= 1
  }
  while rest >= 2 {
    x0 = unsafe samples[place]
    let x1 = unsafe samples[place &+ width]
    unsafe samples[place] = s.b0 * x0 + one
    unsafe samples[place &+ width] = (s.b0 * x1 + s.c1 * x0) + (two - s.a1 * one)
    (one, two) = (
      (s.m11 * one - s.a1 * two) + (s.n1 * x0 + s.c1 * x1),
      (s.m21 * one - s.a2 * two) + (s.n2 * x0 + s.c2 * x1)
    )
    place &+= 2 &* width
    rest &-= 2
  }
  if rest == 1 {
    x0 = unsafe samples[place]
    unsafe samples[place] = s.b0 * x0 + one
  }
  unsafe state[0] = one
  unsafe state[1] = two
  unsafe state[2] = x0
}

/// Two channels through one section.
@_noAllocation @_noLocks
private func filterTwo(
  _ samples: UnsafeMutablePointer<Double>, _ count: Int, _ width: Int, _ isSecond: Bool,
  _ section: UnsafePointer<FilterSection>, _ state: UnsafeMutablePointer<Double>
) {
  let s = unsafe PairedSection(section.pointee)
  var one = unsafe SIMD2(state[0], state[3])
  var two = unsafe SIMD2(state[1], state[4])
  var x0 = unsafe SIMD2(state[2], state[5])
  var place = 0
  var rest = count
  if isSecond, rest > 0 {
    let x1 = unsafe pair(samples, 0)
    unsafe store((s.b0 * x1 + s.c1 * x0) + (two - s.a1 * one), samples, 0)
    (one, two) = s.advanced(one, two, x0, x1)
    place = width
    rest &-= 1
  }
  while rest >= 2 {
    x0 = unsafe pair(samples, place)
    let x1 = unsafe pair(samples, place &+ width)
    unsafe store(s.b0 * x0 + one, samples, place)
    unsafe store((s.b0 * x1 + s.c1 * x0) + (two - s.a1 * one), samples, place &+ width)
    (one, two) = s.advanced(one, two, x0, x1)
    place &+= 2 &* width
    rest &-= 2
  }
  if rest == 1 {
    x0 = unsafe pair(samples, place)
    unsafe store(s.b0 * x0 + one, samples, place)
  }
  for lane in 0..<2 {
    unsafe state[3 &* lane] = one[lane]
    unsafe state[3 &* lane &+ 1] = two[lane]
    unsafe state[3 &* lane &+ 2] = x0[lane]
  }
}

/// A section for two lanes.
private struct PairedSection {
  let b0: SIMD2<Double>
  let c1: SIMD2<Double>
  let c2: SIMD2<Double>
  let a1: SIMD2<Double>
  let a2: SIMD2<Double>
  let n1: SIMD2<Double>
  let n2: SIMD2<Double>
  let m11: SIMD2<Double>
  let m21: SIMD2<Double>

  @_noAllocation @_noLocks
  init(_ section: FilterSection) {
    b0 = SIMD2(repeating: section.b0)
    c1 = SIMD2(repeating: section.c1)
    c2 = SIMD2(repeating: section.c2)
    a1 = SIMD2(repeating: section.a1)
    a2 = SIMD2(repeating: section.a2)
    n1 = SIMD2(repeating: section.n1)
    n2 = SIMD2(repeating: section.n2)
    m11 = SIMD2(repeating: section.m11)
    m21 = SIMD2(repeating: section.m21)
  }

  /// Both states after two samples.
  @_noAllocation @_noLocks @inline(__always)
  func advanced(
    _ one: SIMD2<Double>, _ two: SIMD2<Double>, _ x0: SIMD2<Double>, _ x1: SIMD2<Double>
  ) -> (SIMD2<Double>, SIMD2<Double>) {
    let first = m11 * one - a1 * two
    let second = m21 * one - a2 * two
    return (first + (n1 * x0 + c1 * x1), second + (n2 * x0 + c2 * x1))
  }
}

@_noAllocation @_noLocks @inline(__always)
private func pair(_ samples: UnsafeMutablePointer<Double>, _ index: Int) -> SIMD2<Double> {
  unsafe SIMD2(samples[index], samples[index &+ 1])
}

@_noAllocation @_noLocks @inline(__always)
private func store(_ pair: SIMD2<Double>, _ samples: UnsafeMutablePointer<Double>, _ index: Int) {
  unsafe samples[index] = pair.x
  unsafe samples[index &+ 1] = pair.y
}

/// Clears inaudible states, since computing with numbers next to 0 is slow, and infinite or NaN states, which would
/// stay so for ever.
///
/// - Parameter count: of channels of sections.
@_noAllocation @_noLocks
func settleStates(_ states: UnsafeMutablePointer<Double>, count: Int) {
  for index in 0..<count {
    let state = unsafe states + index &* FilterSection.stateSize
    let sum = unsafe abs(state[0]) + abs(state[1])
    // −1,200 dB.
    let isHeard = sum >= 1e-60 && sum < .infinity
    guard !isHeard else { continue }
    unsafe state[0] = 0
    unsafe state[1] = 0
  }
}
