// SPDX-License-Identifier: Apache-2.0
/// The kernels of both sample types.
///
/// `isDouble` says whether the samples are `Double`; otherwise they are `Float`. A raw address points to samples of that
/// type, `storage` is a ``SampleStorage``. Every function neither allocates nor locks, and runs on any thread.
@safe
package struct SampleKernels {
  /// Decodes bytes at any alignment. `swapped` swaps the byte order.
  package var decode:
    @convention(c) (
      _ isDouble: Bool, _ bytes: UnsafeRawPointer, _ count: Int, _ storage: UInt8, _ swapped: Bool,
      _ samples: UnsafeMutableRawPointer
    ) -> Void = unsafe decodeKernel
  /// Encodes to bytes at any alignment. Returns the number of samples out of range.
  package var encode:
    @convention(c) (
      _ isDouble: Bool, _ samples: UnsafeRawPointer, _ count: Int, _ storage: UInt8,
      _ swapped: Bool, _ bytes: UnsafeMutableRawPointer
    ) -> Int = unsafe encodeKernel
  /// Adds samples to a total.
  package var add:
    @convention(c) (
      _ isDouble: Bool, _ samples: UnsafeRawPointer, _ count: Int, _ total: UnsafeMutableRawPointer
    ) -> Void = unsafe addKernel
  /// Multiplies samples in place.
  package var scale:
    @convention(c) (
      _ isDouble: Bool, _ samples: UnsafeMutableRawPointer, _ count: Int, _ factor: Double
    ) -> Void = unsafe scaleKernel
  /// Writes the products of samples and a factor.
  package var multiply:
    @convention(c) (
      _ isDouble: Bool, _ samples: UnsafeRawPointer, _ count: Int, _ factor: Double,
      _ products: UnsafeMutableRawPointer
    ) -> Void = unsafe multiplyKernel
  /// Multiplies sample frames of `width` samples in place, each by its own factor.
  package var scaleFrames:
    @convention(c) (
      _ isDouble: Bool, _ samples: UnsafeMutableRawPointer, _ factors: UnsafePointer<Double>,
      _ count: Int, _ width: Int
    ) -> Void = unsafe scaleFramesKernel
  /// Writes the sums of two streams, each sample frame of `width` samples by its own factors.
  package var blend:
    @convention(c) (
      _ isDouble: Bool, _ old: UnsafeRawPointer, _ oldFactors: UnsafePointer<Double>,
      _ new: UnsafeRawPointer, _ newFactors: UnsafePointer<Double>, _ count: Int, _ width: Int,
      _ sums: UnsafeMutableRawPointer
    ) -> Void = unsafe blendKernel
  /// Returns the number of NaN samples.
  package var countOfNaN:
    @convention(c) (_ isDouble: Bool, _ samples: UnsafeRawPointer, _ count: Int) -> Int =
      unsafe countOfNaNKernel
  /// Writes the largest finite magnitude. Returns the number of infinite and NaN samples.
  package var magnitudes:
    @convention(c) (
      _ isDouble: Bool, _ samples: UnsafeRawPointer, _ count: Int,
      _ largest: UnsafeMutablePointer<Double>
    ) -> Int = unsafe magnitudesKernel
  /// Returns the index of the first sample that reaches the threshold, from the end if `fromEnd`; −1 if none does.
  package var index:
    @convention(c) (
      _ isDouble: Bool, _ samples: UnsafeRawPointer, _ count: Int, _ threshold: Double,
      _ fromEnd: Bool
    ) -> Int = unsafe indexKernel
  /// Writes samples by a factor to a target, or adds them to it.
  package var combine:
    @convention(c) (
      _ isDouble: Bool, _ samples: UnsafeRawPointer, _ stride: Int, _ count: Int, _ factor: Double,
      _ adding: Bool, _ target: UnsafeMutableRawPointer, _ targetStride: Int
    ) -> Void = unsafe combineKernel
  /// Copies samples that lie `distance` apart, as `Double` and as `Float`.
  package var separate:
    @convention(c) (
      _ isDouble: Bool, _ samples: UnsafeRawPointer, _ distance: Int, _ count: Int,
      _ doubles: UnsafeMutablePointer<Double>, _ singles: UnsafeMutablePointer<Float>
    ) -> Void = unsafe separateKernel
  /// Writes the sum of the products of coefficients and samples.
  package var dotProduct:
    @convention(c) (
      _ isDouble: Bool, _ coefficients: UnsafeRawPointer, _ samples: UnsafeRawPointer, _ count: Int,
      _ sum: UnsafeMutableRawPointer
    ) -> Void = unsafe dotProductKernel
  /// Writes the sums of a tile; `layout` is a ``TileLayout``. Returns whether all sums are finite.
  package var sumTile:
    @convention(c) (
      _ isDouble: Bool, _ coefficients: UnsafeRawPointer, _ layout: UnsafeRawPointer,
      _ samples: UnsafeRawPointer, _ vectors: Int, _ sums: UnsafeMutableRawPointer, _ stride: Int
    ) -> Bool = unsafe sumTileKernel
  /// Writes a row's products with one or two channels; `points` are ``RowPoints``.
  package var sumRows:
    @convention(c) (
      _ isDouble: Bool, _ coefficients: UnsafeRawPointer, _ taps: Int, _ points: UnsafeRawPointer,
      _ left: UnsafeRawPointer, _ right: UnsafeRawPointer?, _ target: UnsafeMutableRawPointer
    ) -> Void = unsafe sumRowsKernel
  /// Writes the products of interpolated rows with one or two channels; `points` are ``RowPoints``, with four weights
  /// a point.
  package var interpolateRows:
    @convention(c) (
      _ isDouble: Bool, _ coefficients: UnsafeRawPointer, _ taps: Int, _ points: UnsafeRawPointer,
      _ weights: UnsafeRawPointer, _ left: UnsafeRawPointer, _ right: UnsafeRawPointer?,
      _ target: UnsafeMutableRawPointer
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
