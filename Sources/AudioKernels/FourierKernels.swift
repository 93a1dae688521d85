// SPDX-License-Identifier: Apache-2.0
/// The kernels of a rate conversion in blocks of the frequency domain.
///
/// Eight signals at a time: the real parts of four complex numbers hold four of them, the imaginary parts the other
/// four. A filter with real coefficients leaves them apart.
@safe
package struct FourierKernels {
  /// Copies eight signals side by side. Returns whether all samples are finite.
  ///
  /// `sources` are their eight addresses, `stride` is the distance of a signal's samples.
  package var lay:
    @convention(c) (
      _ isDouble: Bool, _ sources: UnsafePointer<UnsafeRawPointer>, _ stride: Int, _ count: Int,
      _ values: UnsafeMutableRawPointer
    ) -> Bool = unsafe layKernel
  /// Transforms in place; `plan` is a ``TransformPlan``.
  package var transform:
    @convention(c) (_ plan: UnsafeRawPointer, _ values: UnsafeMutableRawPointer) -> Void =
      unsafe transformKernel
  /// Multiplies the bins from 0 on, and those that mirror them, by a response, and writes them to the places of another
  /// transform, which is to be an inverse one; the bins between are 0. Bins behind half of a smaller transform fold back:
  /// they are added.
  ///
  /// `places` are those of bin 0, of bin 1, of its mirror, of bin 2 and so on; the response
  /// are all real parts, then all imaginary ones.
  package var filter:
    @convention(c) (
      _ bins: UnsafeMutableRawPointer, _ binCount: Int, _ places: UnsafePointer<Int32>,
      _ response: UnsafePointer<Double>, _ count: Int, _ values: UnsafeMutableRawPointer,
      _ size: Int
    ) -> Void = unsafe filterKernel
  /// Copies eight signals of an inverse transform to their eight addresses, the samples `stride` apart.
  package var spread:
    @convention(c) (
      _ isDouble: Bool, _ values: UnsafeMutableRawPointer, _ size: Int,
      _ places: UnsafePointer<Int32>, _ count: Int,
      _ targets: UnsafePointer<UnsafeMutableRawPointer>, _ stride: Int
    ) -> Void = unsafe spreadKernel
}

@_noAllocation @_noLocks
private func layKernel(
  _ isDouble: Bool, _ sources: UnsafePointer<UnsafeRawPointer>, _ stride: Int, _ count: Int,
  _ values: UnsafeMutableRawPointer
) -> Bool {
  let values = unsafe FourSignals(values, count: count)
  return if isDouble {
    unsafe Double.lay(sources, every: stride, count, to: values)
  } else {
    unsafe Float.lay(sources, every: stride, count, to: values)
  }
}

@_noAllocation @_noLocks
private func transformKernel(_ plan: UnsafeRawPointer, _ values: UnsafeMutableRawPointer) {
  let plan = unsafe plan.load(as: TransformPlan.self)
  unsafe plan.apply(to: FourSignals(values, count: plan.size))
}

@_noAllocation @_noLocks
private func filterKernel(
  _ bins: UnsafeMutableRawPointer, _ binCount: Int, _ places: UnsafePointer<Int32>,
  _ response: UnsafePointer<Double>, _ count: Int, _ values: UnsafeMutableRawPointer, _ size: Int
) {
  let (bins, values) = unsafe (
    FourSignals(bins, count: binCount), FourSignals(values, count: size)
  )
  let response = unsafe Factors(response, response + count)
  unsafe values[0] = bins[Int(places[0])].times(response).exchanged
  let whole = min(count, (size &+ 1) / 2)
  var bin = 1
  while bin < whole {
    let factor = unsafe response + bin
    let (place, mirror) = unsafe (Int(places[2 &* bin &- 1]), Int(places[2 &* bin]))
    unsafe values[bin] = bins[place].times(factor).exchanged
    unsafe values[size &- bin] = bins[mirror].timesConjugate(of: factor).exchanged
    bin &+= 1
  }
  let zero = FourComplex(SIMD4(repeating: 0), SIMD4(repeating: 0))
  while bin <= size &- whole {
    unsafe values[bin] = zero
    bin &+= 1
  }
  bin = whole
  while bin < count {
    let factor = unsafe response + bin
    let (place, mirror) = unsafe (Int(places[2 &* bin &- 1]), Int(places[2 &* bin]))
    unsafe values[bin] = values[bin] + bins[place].times(factor).exchanged
    unsafe values[size &- bin] =
      values[size &- bin] + bins[mirror].timesConjugate(of: factor).exchanged
    bin &+= 1
  }
}

@_noAllocation @_noLocks
private func spreadKernel(
  _ isDouble: Bool, _ values: UnsafeMutableRawPointer, _ size: Int, _ places: UnsafePointer<Int32>,
  _ count: Int, _ targets: UnsafePointer<UnsafeMutableRawPointer>, _ stride: Int
) {
  let values = unsafe FourSignals(values, count: size)
  if isDouble {
    unsafe Double.spread(values, places, count, to: targets, every: stride)
  } else {
    unsafe Float.spread(values, places, count, to: targets, every: stride)
  }
}

extension KernelSample {
  @inline(__always)
  fileprivate static func lay(
    _ sources: UnsafePointer<UnsafeRawPointer>, every stride: Int, _ count: Int,
    to values: FourSignals
  ) -> Bool {
    @inline(__always) func source(_ index: Int) -> UnsafePointer<Self> {
      unsafe sources[index].assumingMemoryBound(to: Self.self)
    }
    let (a0, a1, a2, a3) = unsafe (source(0), source(1), source(2), source(3))
    let (b0, b1, b2, b3) = unsafe (source(4), source(5), source(6), source(7))
    var rest = SIMD4<Double>(repeating: 0)
    var (index, place) = (0, 0)
    while index < count {
      let real = unsafe SIMD4<Double>(
        a0[place].asDouble, a1[place].asDouble, a2[place].asDouble, a3[place].asDouble)
      let imaginary = unsafe SIMD4<Double>(
        b0[place].asDouble, b1[place].asDouble, b2[place].asDouble, b3[place].asDouble)
      unsafe values[index] = FourComplex(real, imaginary)
      rest += (real - real) + (imaginary - imaginary)
      index &+= 1
      place &+= stride
    }
    return rest.x + rest.y + (rest.z + rest.w) == 0
  }

  @inline(__always)
  fileprivate static func spread(
    _ values: FourSignals, _ places: UnsafePointer<Int32>, _ count: Int,
    to targets: UnsafePointer<UnsafeMutableRawPointer>, every stride: Int
  ) {
    @inline(__always) func target(_ index: Int) -> UnsafeMutablePointer<Self> {
      unsafe targets[index].assumingMemoryBound(to: Self.self)
    }
    let (a0, a1, a2, a3) = unsafe (target(0), target(1), target(2), target(3))
    let (b0, b1, b2, b3) = unsafe (target(4), target(5), target(6), target(7))
    var (index, place) = (0, 0)
    while index < count {
      let value = unsafe values[Int(places[index])].exchanged
      unsafe a0[place] = Self(rounding: value.real.x)
      unsafe a1[place] = Self(rounding: value.real.y)
      unsafe a2[place] = Self(rounding: value.real.z)
      unsafe a3[place] = Self(rounding: value.real.w)
      unsafe b0[place] = Self(rounding: value.imaginary.x)
      unsafe b1[place] = Self(rounding: value.imaginary.y)
      unsafe b2[place] = Self(rounding: value.imaginary.z)
      unsafe b3[place] = Self(rounding: value.imaginary.w)
      index &+= 1
      place &+= stride
    }
  }
}
