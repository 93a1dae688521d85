// SPDX-License-Identifier: Apache-2.0
/// A section of second order, whose first coefficient behind is 1: y = (b0 + b1 z⁻¹ + b2 z⁻²) ⁄ (1 + a1 z⁻¹ + a2 z⁻²) x.
package struct FilterSection: BitwiseCopyable, Hashable {
  package var b0: Double
  package var b1: Double
  package var b2: Double
  package var a1: Double
  package var a2: Double

  package init(b0: Double, b1: Double, b2: Double, a1: Double, a2: Double) {
    (self.b0, self.b1, self.b2, self.a1, self.a2) = (b0, b1, b2, a1, a2)
  }
}

/// Filters interleaved samples where they are, by sections one behind the other.
///
/// Two channels are two lanes, and two sections are computed side by side: while the second has a sample, the first has the
/// next. Transposed direct form II; no operation is fused.
///
/// - Parameters:
///   - samples: `count` sample frames of `width` channels.
///   - sections: `sectionCount` of them.
///   - states: two numbers for each channel of each section, section by section.
@_noAllocation @_noLocks
func runFilters(
  _ samples: UnsafeMutablePointer<Double>, count: Int, width: Int,
  _ sections: UnsafePointer<FilterSection>, _ sectionCount: Int,
  _ states: UnsafeMutablePointer<Double>
) {
  var section = 0
  while section < sectionCount {
    let pair = section &+ 1 < sectionCount
    let first = unsafe sections + section
    let state = unsafe states + section &* width &* 2
    var channel = 0
    while channel < width {
      let place = unsafe samples + channel
      let own = unsafe state + channel &* 2
      if channel &+ 1 < width {
        if pair {
          unsafe filterTwoTwice(place, count, width, first, own, own + width &* 2)
        } else {
          unsafe filterTwo(place, count, width, first, own)
        }
        channel &+= 2
      } else {
        unsafe filterOne(place, count, width, first, own)
        if pair { unsafe filterOne(place, count, width, first + 1, own + width &* 2) }
        channel &+= 1
      }
    }
    section &+= pair ? 2 : 1
  }
}

/// One channel through one section.
@_noAllocation @_noLocks
private func filterOne(
  _ samples: UnsafeMutablePointer<Double>, _ count: Int, _ width: Int,
  _ section: UnsafePointer<FilterSection>, _ state: UnsafeMutablePointer<Double>
) {
  let s = unsafe section.pointee
  var (one, two) = unsafe (state[0], state[1])
  var place = 0
  for _ in 0..<count {
    let x = unsafe samples[place]
    let y = s.b0 * x + one
    one = (s.b1 * x + two) - s.a1 * y
    two = s.b2 * x - s.a2 * y
    unsafe samples[place] = y
    place &+= width
  }
  unsafe state[0] = one
  unsafe state[1] = two
}

/// Two channels through one section.
@_noAllocation @_noLocks
private func filterTwo(
  _ samples: UnsafeMutablePointer<Double>, _ count: Int, _ width: Int,
  _ section: UnsafePointer<FilterSection>, _ state: UnsafeMutablePointer<Double>
) {
  let s = unsafe PairedSection(section.pointee)
  var (one, two) = unsafe statesOfPair(state)
  var place = 0
  for _ in 0..<count {
    let x = unsafe SIMD2(samples[place], samples[place &+ 1])
    let y = s.b0 * x + one
    one = (s.b1 * x + two) - s.a1 * y
    two = s.b2 * x - s.a2 * y
    unsafe samples[place] = y.x
    unsafe samples[place &+ 1] = y.y
    place &+= width
  }
  unsafe store(one, two, to: state)
}

/// Two channels through two sections.
@_noAllocation @_noLocks
private func filterTwoTwice(
  _ samples: UnsafeMutablePointer<Double>, _ count: Int, _ width: Int,
  _ sections: UnsafePointer<FilterSection>, _ state: UnsafeMutablePointer<Double>,
  _ nextState: UnsafeMutablePointer<Double>
) {
  let s = unsafe PairedSection(sections[0])
  let t = unsafe PairedSection(sections[1])
  var (one, two) = unsafe statesOfPair(state)
  var (three, four) = unsafe statesOfPair(nextState)
  var place = 0
  for _ in 0..<count {
    let x = unsafe SIMD2(samples[place], samples[place &+ 1])
    let y = s.b0 * x + one
    one = (s.b1 * x + two) - s.a1 * y
    two = s.b2 * x - s.a2 * y
    let z = t.b0 * y + three
    three = (t.b1 * y + four) - t.a1 * z
    four = t.b2 * y - t.a2 * z
    unsafe samples[place] = z.x
    unsafe samples[place &+ 1] = z.y
    place &+= width
  }
  unsafe store(one, two, to: state)
  unsafe store(three, four, to: nextState)
}

/// A section for two lanes.
private struct PairedSection {
  let b0: SIMD2<Double>
  let b1: SIMD2<Double>
  let b2: SIMD2<Double>
  let a1: SIMD2<Double>
  let a2: SIMD2<Double>

  @_noAllocation @_noLocks
  init(_ section: FilterSection) {
    b0 = SIMD2(repeating: section.b0)
    b1 = SIMD2(repeating: section.b1)
    b2 = SIMD2(repeating: section.b2)
    a1 = SIMD2(repeating: section.a1)
    a2 = SIMD2(repeating: section.a2)
  }
}

/// Both states of two channels that lie side by side.
@_noAllocation @_noLocks @inline(__always)
private func statesOfPair(
  _ state: UnsafeMutablePointer<Double>
) -> (SIMD2<Double>, SIMD2<Double>) {
  unsafe (SIMD2(state[0], state[2]), SIMD2(state[1], state[3]))
}

@_noAllocation @_noLocks @inline(__always)
private func store(
  _ one: SIMD2<Double>, _ two: SIMD2<Double>, to state: UnsafeMutablePointer<Double>
) {
  unsafe state[0] = one.x
  unsafe state[1] = two.x
  unsafe state[2] = one.y
  unsafe state[3] = two.y
}

/// Takes states that no one hears for silence, since numbers next to 0 are slow to compute with; and those that are not
/// finite, which would stay so for ever.
///
/// - Parameter count: of pairs.
@_noAllocation @_noLocks
func settleStates(_ states: UnsafeMutablePointer<Double>, count: Int) {
  for index in 0..<count {
    let (one, two) = unsafe (abs(states[2 &* index]), abs(states[2 &* index &+ 1]))
    // −1,200 dB.
    let isHeard = one + two >= 1e-60 && one + two < .infinity
    guard !isHeard else { continue }
    unsafe states[2 &* index] = 0
    unsafe states[2 &* index &+ 1] = 0
  }
}
