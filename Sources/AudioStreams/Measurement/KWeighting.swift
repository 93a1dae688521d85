// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The K-weighting of ITU-R BS.1770-4, annex 1: a shelf for the head, then a high-pass.
///
/// The Recommendation gives coefficients for 48 kHz. The coefficients for other rates come from the analogue filters
/// behind them. Frequencies, gain and quality are libebur128's, which reproduce the Recommendation's coefficients.
struct KWeighting {
  /// A second-order section whose coefficient a0 is 1.
  struct Section {
    var b0 = 1.0
    var b1 = -2.0
    var b2 = 1.0
    var a1: Double
    var a2: Double
  }

  let shelf: Section
  /// Its coefficients b0, b1 and b2 are 1, −2 and 1 at every rate.
  let highPass: Section

  /// - Parameter sampleRate: in hertz.
  init(sampleRate: Int) {
    // A shelf above half the rate is meaningless: no sound lies there.
    let shelfFrequency = min(1_681.974450955533, 0.49 * Double(sampleRate))
    let k = tan(Double.pi * shelfFrequency / Double(sampleRate))
    let q = 0.7071752369554196
    let high = pow(10, 3.999843853973347 / 20)
    let band = pow(high, 0.4996667741545416)
    let scale = 1 + k / q + k * k
    shelf = Section(
      b0: (high + band * k / q + k * k) / scale, b1: 2 * (k * k - high) / scale,
      b2: (high - band * k / q + k * k) / scale, a1: 2 * (k * k - 1) / scale,
      a2: (1 - k / q + k * k) / scale)
    let low = tan(Double.pi * 38.13547087602444 / Double(sampleRate))
    let lowQ = 0.5003270373238773
    let lowScale = 1 + low / lowQ + low * low
    highPass = Section(
      a1: 2 * (low * low - 1) / lowScale, a2: (1 - low / lowQ + low * low) / lowScale)
  }

  /// The state of the filters of two channels.
  struct State {
    var shelf1 = SIMD2<Double>.zero
    var shelf2 = SIMD2<Double>.zero
    var high1 = SIMD2<Double>.zero
    var high2 = SIMD2<Double>.zero

    /// Replaces an inaudible state by 0: computing with subnormal numbers is slow.
    @_noAllocation @_noLocks
    mutating func settle() {
      for lane in 0..<2 {
        let sum = abs(shelf1[lane]) + abs(shelf2[lane]) + abs(high1[lane]) + abs(high2[lane])
        guard sum < 1e-30 else { continue }
        shelf1[lane] = 0
        shelf2[lane] = 0
        high1[lane] = 0
        high2[lane] = 0
      }
    }
  }

  /// The energy of two weighted channels: the sum of the squares of each.
  ///
  /// Both sections are in direct form II: the next sample waits for only two operations.
  @_noAllocation @_noLocks
  func energies(
    _ left: UnsafePointer<Double>, _ right: UnsafePointer<Double>, count: Int,
    _ state: inout State
  ) -> SIMD2<Double> {
    let b0 = SIMD2(repeating: shelf.b0)
    let b1 = SIMD2(repeating: shelf.b1)
    let b2 = SIMD2(repeating: shelf.b2)
    let a1 = SIMD2(repeating: shelf.a1)
    let a2 = SIMD2(repeating: shelf.a2)
    let highA1 = SIMD2(repeating: highPass.a1)
    let highA2 = SIMD2(repeating: highPass.a2)
    var (shelf1, shelf2) = (state.shelf1, state.shelf2)
    var (high1, high2) = (state.high1, state.high2)
    var sum = SIMD2<Double>.zero
    var index = 0
    while index < count {
      let sample = unsafe SIMD2(left[index], right[index])
      let inner = (sample - a2 * shelf2) - a1 * shelf1
      let shelved = b0 * inner + (b1 * shelf1 + b2 * shelf2)
      shelf2 = shelf1
      shelf1 = inner
      let high = (shelved - highA2 * high2) - highA1 * high1
      let weighted = (high + high2) - (high1 + high1)
      high2 = high1
      high1 = high
      sum += weighted * weighted
      index &+= 1
    }
    state.shelf1 = shelf1
    state.shelf2 = shelf2
    state.high1 = high1
    state.high2 = high2
    return sum
  }
}
