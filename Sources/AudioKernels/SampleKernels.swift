// SPDX-License-Identifier: Apache-2.0
/// The kernels of both sample types.
///
/// The first argument says whether the samples are `Double`; otherwise they are `Float`. A raw address points to samples
/// of that type. Every function neither allocates nor locks, and runs on any thread.
@safe
package struct SampleKernels {
  /// From bytes at any alignment: bytes, count, ``SampleStorage``, whether to swap the byte order, samples.
  package var decode:
    @convention(c) (Bool, UnsafeRawPointer, Int, UInt8, Bool, UnsafeMutableRawPointer) -> Void =
      unsafe decodeKernel
  /// To bytes at any alignment: samples, count, ``SampleStorage``, whether to swap the byte order, bytes. Returns the
  /// number out of range.
  package var encode:
    @convention(c) (Bool, UnsafeRawPointer, Int, UInt8, Bool, UnsafeMutableRawPointer) -> Int =
      unsafe encodeKernel
  /// Samples, count, the total to add them to.
  package var add: @convention(c) (Bool, UnsafeRawPointer, Int, UnsafeMutableRawPointer) -> Void =
    unsafe addKernel
  /// Samples in place, count, factor.
  package var scale: @convention(c) (Bool, UnsafeMutableRawPointer, Int, Double) -> Void =
    unsafe scaleKernel
  /// Samples, count, factor, the products.
  package var multiply:
    @convention(c) (Bool, UnsafeRawPointer, Int, Double, UnsafeMutableRawPointer) -> Void =
      unsafe multiplyKernel
  /// Samples in place, a factor for each sample frame, count of frames, samples in a frame.
  package var scaleFrames:
    @convention(c) (Bool, UnsafeMutableRawPointer, UnsafePointer<Double>, Int, Int) -> Void =
      unsafe scaleFramesKernel
  /// Samples, a factor for each sample frame, both of a second stream, count of frames, samples in a frame, the sums
  /// of the products.
  package var blend:
    @convention(c) (
      Bool, UnsafeRawPointer, UnsafePointer<Double>, UnsafeRawPointer, UnsafePointer<Double>, Int,
      Int, UnsafeMutableRawPointer
    ) -> Void = unsafe blendKernel
  /// Samples, count, samples in a frame, target: each target sample becomes the mean of itself and of every second
  /// sample frame.
  package var addHalves:
    @convention(c) (Bool, UnsafeRawPointer, Int, Int, UnsafeMutableRawPointer) -> Void =
      unsafe addHalvesKernel
  /// Samples, count. Returns the number of NaN samples.
  package var countOfNaN: @convention(c) (Bool, UnsafeRawPointer, Int) -> Int =
    unsafe countOfNaNKernel
  /// Samples, count, the largest finite magnitude. Returns the number of infinite and NaN samples.
  package var magnitudes:
    @convention(c) (Bool, UnsafeRawPointer, Int, UnsafeMutablePointer<Double>) -> Int =
      unsafe magnitudesKernel
  /// Samples, count, a magnitude, whether to search from the end. Returns the index of the first sample found that
  /// reaches the magnitude, −1 if none does.
  package var index: @convention(c) (Bool, UnsafeRawPointer, Int, Double, Bool) -> Int =
    unsafe indexKernel
  /// Samples, their stride, count, factor, whether to add, target, its stride.
  package var combine:
    @convention(c) (Bool, UnsafeRawPointer, Int, Int, Double, Bool, UnsafeMutableRawPointer, Int)
      -> Void = unsafe combineKernel
  /// Samples, their stride, count, copies as `Double` and as `Float`, side by side.
  package var separate:
    @convention(c) (
      Bool, UnsafeRawPointer, Int, Int, UnsafeMutablePointer<Double>, UnsafeMutablePointer<Float>
    ) -> Void = unsafe separateKernel
  /// Coefficients, samples, count, the sum.
  package var dotProduct:
    @convention(c) (Bool, UnsafeRawPointer, UnsafeRawPointer, Int, UnsafeMutableRawPointer) -> Void =
      unsafe dotProductKernel
  /// Coefficients, ``TileLayout``, samples, vectors, sums, their stride. Returns whether all sums are finite.
  package var sumTile:
    @convention(c) (
      Bool, UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer, Int, UnsafeMutableRawPointer, Int
    ) -> Bool = unsafe sumTileKernel
  /// Coefficients, taps, ``RowPoints``, the samples of one channel, the samples of a second, target.
  package var sumRows:
    @convention(c) (
      Bool, UnsafeRawPointer, Int, UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer?,
      UnsafeMutableRawPointer
    ) -> Void = unsafe sumRowsKernel
  /// Coefficients, taps, ``RowPoints``, four weights a point, the samples of one channel, the samples of a second,
  /// target.
  package var interpolateRows:
    @convention(c) (
      Bool, UnsafeRawPointer, Int, UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer,
      UnsafeRawPointer?, UnsafeMutableRawPointer
    ) -> Void = unsafe interpolateRowsKernel
}

@_noAllocation @_noLocks
private func decodeKernel(
  _ isDouble: Bool, _ bytes: UnsafeRawPointer, _ count: Int, _ storage: UInt8, _ swapped: Bool,
  _ samples: UnsafeMutableRawPointer
) {
  guard let storage = SampleStorage(rawValue: storage) else { return }
  if isDouble {
    unsafe Double.decode(bytes, count: count, as: storage, swapped: swapped, to: typed(samples))
  } else {
    unsafe Float.decode(bytes, count: count, as: storage, swapped: swapped, to: typed(samples))
  }
}

@_noAllocation @_noLocks
private func encodeKernel(
  _ isDouble: Bool, _ samples: UnsafeRawPointer, _ count: Int, _ storage: UInt8, _ swapped: Bool,
  _ bytes: UnsafeMutableRawPointer
) -> Int {
  guard let storage = SampleStorage(rawValue: storage) else { return 0 }
  return if isDouble {
    unsafe Double.encode(typed(samples), count: count, as: storage, swapped: swapped, to: bytes)
  } else {
    unsafe Float.encode(typed(samples), count: count, as: storage, swapped: swapped, to: bytes)
  }
}

@_noAllocation @_noLocks
private func addKernel(
  _ isDouble: Bool, _ samples: UnsafeRawPointer, _ count: Int, _ total: UnsafeMutableRawPointer
) {
  if isDouble {
    unsafe Double.add(typed(samples), count: count, to: typed(total))
  } else {
    unsafe Float.add(typed(samples), count: count, to: typed(total))
  }
}

@_noAllocation @_noLocks
private func scaleKernel(
  _ isDouble: Bool, _ samples: UnsafeMutableRawPointer, _ count: Int, _ factor: Double
) {
  if isDouble {
    unsafe Double.scale(typed(samples), count: count, by: factor)
  } else {
    unsafe Float.scale(typed(samples), count: count, by: factor)
  }
}

@_noAllocation @_noLocks
private func multiplyKernel(
  _ isDouble: Bool, _ samples: UnsafeRawPointer, _ count: Int, _ factor: Double,
  _ products: UnsafeMutableRawPointer
) {
  if isDouble {
    unsafe Double.scale(typed(samples), count: count, by: factor, to: typed(products))
  } else {
    unsafe Float.scale(typed(samples), count: count, by: factor, to: typed(products))
  }
}

@_noAllocation @_noLocks
private func scaleFramesKernel(
  _ isDouble: Bool, _ samples: UnsafeMutableRawPointer, _ factors: UnsafePointer<Double>,
  _ count: Int, _ width: Int
) {
  if isDouble {
    unsafe Double.scale(typed(samples), by: factors, count: count, width: width)
  } else {
    unsafe Float.scale(typed(samples), by: factors, count: count, width: width)
  }
}

@_noAllocation @_noLocks
private func blendKernel(
  _ isDouble: Bool, _ old: UnsafeRawPointer, _ oldFactors: UnsafePointer<Double>,
  _ new: UnsafeRawPointer, _ newFactors: UnsafePointer<Double>, _ count: Int, _ width: Int,
  _ sums: UnsafeMutableRawPointer
) {
  if isDouble {
    unsafe Double.blend(
      typed(old), by: oldFactors, typed(new), by: newFactors, count: count, width: width,
      to: typed(sums))
  } else {
    unsafe Float.blend(
      typed(old), by: oldFactors, typed(new), by: newFactors, count: count, width: width,
      to: typed(sums))
  }
}

@_noAllocation @_noLocks
private func addHalvesKernel(
  _ isDouble: Bool, _ samples: UnsafeRawPointer, _ count: Int, _ width: Int,
  _ target: UnsafeMutableRawPointer
) {
  if isDouble {
    unsafe Double.addHalves(typed(samples), count: count, width: width, to: typed(target))
  } else {
    unsafe Float.addHalves(typed(samples), count: count, width: width, to: typed(target))
  }
}

@_noAllocation @_noLocks
private func countOfNaNKernel(_ isDouble: Bool, _ samples: UnsafeRawPointer, _ count: Int) -> Int {
  isDouble
    ? unsafe Double.countOfNaN(typed(samples), count: count)
    : unsafe Float.countOfNaN(typed(samples), count: count)
}

@_noAllocation @_noLocks
private func magnitudesKernel(
  _ isDouble: Bool, _ samples: UnsafeRawPointer, _ count: Int,
  _ largest: UnsafeMutablePointer<Double>
) -> Int {
  if isDouble {
    let found = unsafe Double.magnitudes(typed(samples), count: count)
    unsafe largest.pointee = found.largest
    return found.notFinite
  } else {
    let found = unsafe Float.magnitudes(typed(samples), count: count)
    unsafe largest.pointee = Double(found.largest)
    return found.notFinite
  }
}

@_noAllocation @_noLocks
private func indexKernel(
  _ isDouble: Bool, _ samples: UnsafeRawPointer, _ count: Int, _ threshold: Double, _ fromEnd: Bool
) -> Int {
  if isDouble {
    unsafe Double.index(in: typed(samples), count: count, reaching: threshold, fromEnd: fromEnd)
  } else {
    unsafe Float.index(
      in: typed(samples), count: count, reaching: Float(threshold), fromEnd: fromEnd)
  }
}

@_noAllocation @_noLocks
private func combineKernel(
  _ isDouble: Bool, _ samples: UnsafeRawPointer, _ stride: Int, _ count: Int, _ factor: Double,
  _ adding: Bool, _ target: UnsafeMutableRawPointer, _ targetStride: Int
) {
  if isDouble {
    unsafe Double.combine(
      typed(samples), every: stride, count: count, by: factor, adding: adding, to: typed(target),
      every: targetStride)
  } else {
    unsafe Float.combine(
      typed(samples), every: stride, count: count, by: Float(factor), adding: adding,
      to: typed(target), every: targetStride)
  }
}

@_noAllocation @_noLocks
private func separateKernel(
  _ isDouble: Bool, _ samples: UnsafeRawPointer, _ distance: Int, _ count: Int,
  _ doubles: UnsafeMutablePointer<Double>, _ singles: UnsafeMutablePointer<Float>
) {
  if isDouble {
    unsafe Double.separate(typed(samples), apart: distance, count: count, doubles, singles)
  } else {
    unsafe Float.separate(typed(samples), apart: distance, count: count, doubles, singles)
  }
}

@_noAllocation @_noLocks
private func dotProductKernel(
  _ isDouble: Bool, _ coefficients: UnsafeRawPointer, _ samples: UnsafeRawPointer, _ count: Int,
  _ sum: UnsafeMutableRawPointer
) {
  if isDouble {
    let all = unsafe Double.dotProduct(typed(coefficients), typed(samples), count: count)
    unsafe sum.storeBytes(of: all, as: Double.self)
  } else {
    let all = unsafe Float.dotProduct(typed(coefficients), typed(samples), count: count)
    unsafe sum.storeBytes(of: all, as: Float.self)
  }
}

@_noAllocation @_noLocks
private func sumTileKernel(
  _ isDouble: Bool, _ coefficients: UnsafeRawPointer, _ layout: UnsafeRawPointer,
  _ samples: UnsafeRawPointer, _ vectors: Int, _ sums: UnsafeMutableRawPointer, _ stride: Int
) -> Bool {
  let layout = unsafe layout.load(as: TileLayout.self)
  return if isDouble {
    unsafe Double.sumTile(
      typed(coefficients), layout, typed(samples), vectors: vectors, to: typed(sums), every: stride)
  } else {
    unsafe Float.sumTile(
      typed(coefficients), layout, typed(samples), vectors: vectors, to: typed(sums), every: stride)
  }
}

@_noAllocation @_noLocks
private func sumRowsKernel(
  _ isDouble: Bool, _ coefficients: UnsafeRawPointer, _ taps: Int, _ points: UnsafeRawPointer,
  _ left: UnsafeRawPointer, _ right: UnsafeRawPointer?, _ target: UnsafeMutableRawPointer
) {
  let points = unsafe points.load(as: RowPoints.self)
  if isDouble {
    unsafe Double.sumRows(
      typed(coefficients), taps, points, typed(left), typed(right), to: typed(target))
  } else {
    unsafe Float.sumRows(
      typed(coefficients), taps, points, typed(left), typed(right), to: typed(target))
  }
}

@_noAllocation @_noLocks
private func interpolateRowsKernel(
  _ isDouble: Bool, _ coefficients: UnsafeRawPointer, _ taps: Int, _ points: UnsafeRawPointer,
  _ weights: UnsafeRawPointer, _ left: UnsafeRawPointer, _ right: UnsafeRawPointer?,
  _ target: UnsafeMutableRawPointer
) {
  let points = unsafe points.load(as: RowPoints.self)
  if isDouble {
    unsafe Double.interpolateRows(
      typed(coefficients), taps, points, typed(weights), typed(left), typed(right),
      to: typed(target))
  } else {
    unsafe Float.interpolateRows(
      typed(coefficients), taps, points, typed(weights), typed(left), typed(right),
      to: typed(target))
  }
}

@inline(__always)
private func typed<Sample>(_ samples: UnsafeRawPointer) -> UnsafePointer<Sample> {
  unsafe samples.assumingMemoryBound(to: Sample.self)
}

@inline(__always)
private func typed<Sample>(_ samples: UnsafeRawPointer?) -> UnsafePointer<Sample>? {
  unsafe samples?.assumingMemoryBound(to: Sample.self)
}

@inline(__always)
private func typed<Sample>(_ samples: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Sample> {
  unsafe samples.assumingMemoryBound(to: Sample.self)
}
