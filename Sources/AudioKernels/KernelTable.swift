// SPDX-License-Identifier: Apache-2.0
/// The hottest loops over samples as pointers to functions: one set for each kind of processor.
///
/// The functions take addresses and numbers only, so that a set may come from another module: the Makefile compiles
/// this folder once more for newer processors, and links those copies into the program (`KernelCopy.swift`). All
/// copies give bit-identical results, since no kernel fuses or reorders its arithmetic.
@safe
package struct KernelTable {
  package var single: SampleKernels
  package var double: SampleKernels
  package var levels: LevelKernels
  package var filters: FilterKernels
  /// Samples, count, the samples as `Float`. Returns whether all of them are exact, to the last bit.
  package var narrow:
    @convention(c) (UnsafePointer<Double>, Int, UnsafeMutablePointer<Float>) -> Bool
  /// Samples, count, the samples as `Double`.
  package var widen:
    @convention(c) (UnsafePointer<Float>, Int, UnsafeMutablePointer<Double>) -> Void
  /// The first place, the whole, whether places count from its other end, count, the places as fractions.
  package var ramp: @convention(c) (Double, Double, Bool, Int, UnsafeMutablePointer<Double>) -> Void

  /// The kernels as compiled in this module.
  package static var compiledHere: KernelTable {
    unsafe KernelTable(
      single: .single, double: .double, levels: .compiledHere, filters: .compiledHere,
      narrow: { unsafe Double.narrow($0, count: $1, to: $2) },
      widen: { unsafe Double.widen($0, count: $1, to: $2) },
      ramp: { unsafe writeRamp(from: $0, of: $1, isFalling: $2, count: $3, to: $4) })
  }
}

/// The kernels of one precision. `samples` are of that type if the address is raw.
///
/// Every function neither allocates nor locks, and runs on any thread.
@safe
package struct SampleKernels {
  /// From bytes at any alignment: bytes, count, ``SampleStorage``, whether to swap the byte order, samples.
  package var decode:
    @convention(c) (UnsafeRawPointer, Int, UInt8, Bool, UnsafeMutableRawPointer) -> Void
  /// To bytes at any alignment: samples, count, ``SampleStorage``, whether to swap the byte order, bytes. Returns the
  /// number out of range.
  package var encode:
    @convention(c) (UnsafeRawPointer, Int, UInt8, Bool, UnsafeMutableRawPointer) -> Int
  /// Samples, count, the total to add them to.
  package var add: @convention(c) (UnsafeRawPointer, Int, UnsafeMutableRawPointer) -> Void
  /// Samples in place, count, factor.
  package var scale: @convention(c) (UnsafeMutableRawPointer, Int, Double) -> Void
  /// Samples, count, factor, the products.
  package var multiply:
    @convention(c) (UnsafeRawPointer, Int, Double, UnsafeMutableRawPointer) -> Void
  /// Samples in place, a factor for each sample frame, count of frames, samples in a frame.
  package var scaleFrames:
    @convention(c) (UnsafeMutableRawPointer, UnsafePointer<Double>, Int, Int) -> Void
  /// Samples, a factor for each sample frame, both of a second stream, count of frames, samples in a frame, the sums
  /// of the products.
  package var blend:
    @convention(c) (
      UnsafeRawPointer, UnsafePointer<Double>, UnsafeRawPointer, UnsafePointer<Double>, Int, Int,
      UnsafeMutableRawPointer
    ) -> Void
  /// Samples, count, samples in a frame, target: each target sample becomes the mean of itself and of every second
  /// sample frame.
  package var addHalves:
    @convention(c) (UnsafeRawPointer, Int, Int, UnsafeMutableRawPointer) -> Void
  /// Samples, count. Returns the number of NaN samples.
  package var countOfNaN: @convention(c) (UnsafeRawPointer, Int) -> Int
  /// Samples, count, the largest finite magnitude. Returns the number of infinite and NaN samples.
  package var magnitudes:
    @convention(c) (UnsafeRawPointer, Int, UnsafeMutablePointer<Double>) -> Int
  /// Samples, their stride, count, factor, whether to add, target, its stride.
  package var combine:
    @convention(c) (UnsafeRawPointer, Int, Int, Double, Bool, UnsafeMutableRawPointer, Int) -> Void
  /// Coefficients, samples, count.
  package var dotProduct: @convention(c) (UnsafeRawPointer, UnsafeRawPointer, Int) -> Double
  /// Coefficients, ``TileLayout``, samples, vectors, sums, their stride. Returns whether all sums are finite.
  package var sumTile:
    @convention(c) (
      UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer, Int, UnsafeMutableRawPointer, Int
    ) -> Bool
  /// Coefficients, taps, ``RowPoints``, the samples of one channel, the samples of a second, target.
  package var sumRows:
    @convention(c) (
      UnsafeRawPointer, Int, UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer?,
      UnsafeMutableRawPointer
    ) -> Void
  /// Coefficients, taps, ``RowPoints``, four weights a point, the samples of one channel, the samples of a second,
  /// target.
  package var interpolateRows:
    @convention(c) (
      UnsafeRawPointer, Int, UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer,
      UnsafeRawPointer?, UnsafeMutableRawPointer
    ) -> Void
}

/// The kernels that measure.
@safe
package struct LevelKernels {
  /// Samples as `Float`, their stride, count, copies as `Double` and as `Float`, side by side.
  package var separateSingles:
    @convention(c) (
      UnsafePointer<Float>, Int, Int, UnsafeMutablePointer<Double>, UnsafeMutablePointer<Float>
    ) -> Void
  /// Samples as `Double`, their stride, count, copies as `Double` and as `Float`, side by side.
  package var separateDoubles:
    @convention(c) (
      UnsafePointer<Double>, Int, Int, UnsafeMutablePointer<Double>, UnsafeMutablePointer<Float>
    ) -> Void
  /// Samples, count, the largest magnitude of each group. Returns the largest of all.
  package var scan: @convention(c) (UnsafePointer<Float>, Int, UnsafeMutablePointer<Int32>) -> Int32
  /// Samples, count, the largest magnitude of each group, ``TruePeakPhases``, the peak so far. Returns the new peak.
  package var truePeak:
    @convention(c) (UnsafePointer<Float>, Int, UnsafePointer<Int32>, UnsafeRawPointer, Float)
      -> Float
  /// Samples, count, the largest magnitude of each group and of the groups before, ``TruePeakPhases``, a threshold,
  /// the largest interpolated magnitude at each sample.
  package var truePeaks:
    @convention(c) (
      UnsafePointer<Float>, Int, UnsafePointer<Int32>, Int32, UnsafeRawPointer, Float,
      UnsafeMutablePointer<Float>
    ) -> Void
  /// Samples, count, ``SampleSums``, whether bits are wanted.
  package var sum:
    @convention(c) (UnsafePointer<Double>, Int, UnsafeMutableRawPointer, Bool) -> Void
}

// The raw addresses have the types that each function documents.

extension SampleKernels {
  fileprivate static var single: SampleKernels {
    unsafe SampleKernels(
      decode: { bytes, count, storage, swapped, samples in
        guard let storage = SampleStorage(rawValue: storage) else { return }
        unsafe Float.decode(bytes, count: count, as: storage, swapped: swapped, to: floats(samples))
      },
      encode: { samples, count, storage, swapped, bytes in
        guard let storage = SampleStorage(rawValue: storage) else { return 0 }
        return unsafe Float.encode(
          floats(samples), count: count, as: storage, swapped: swapped, to: bytes)
      },
      add: { unsafe Float.add(floats($0), count: $1, to: floats($2)) },
      scale: { unsafe Float.scale(floats($0), count: $1, by: $2) },
      multiply: { unsafe Float.scale(floats($0), count: $1, by: $2, to: floats($3)) },
      scaleFrames: { unsafe Float.scale(floats($0), by: $1, count: $2, width: $3) },
      blend: {
        unsafe Float.blend(
          floats($0), by: $1, floats($2), by: $3, count: $4, width: $5, to: floats($6))
      },
      addHalves: { unsafe Float.addHalves(floats($0), count: $1, width: $2, to: floats($3)) },
      countOfNaN: { unsafe Float.countOfNaN(floats($0), count: $1) },
      magnitudes: {
        let (largest, notFinite) = unsafe Float.magnitudes(floats($0), count: $1)
        unsafe $2.pointee = Double(largest)
        return notFinite
      },
      combine: {
        unsafe Float.combine(
          floats($0), every: $1, count: $2, by: Float($3), adding: $4, to: floats($5), every: $6)
      },
      dotProduct: { unsafe Double(Float.dotProduct(floats($0), floats($1), count: $2)) },
      sumTile: {
        unsafe Float.sumTile(
          floats($0), $1.load(as: TileLayout.self), floats($2), vectors: $3, to: floats($4),
          every: $5)
      },
      sumRows: {
        unsafe Float.sumRows(
          floats($0), $1, $2.load(as: RowPoints.self), floats($3), $4.map { unsafe floats($0) },
          to: floats($5))
      },
      interpolateRows: {
        unsafe Float.interpolateRows(
          floats($0), $1, $2.load(as: RowPoints.self),
          $3.assumingMemoryBound(to: SIMD4<Double>.self), floats($4),
          $5.map { unsafe floats($0) }, to: floats($6))
      })
  }

  fileprivate static var double: SampleKernels {
    unsafe SampleKernels(
      decode: { bytes, count, storage, swapped, samples in
        guard let storage = SampleStorage(rawValue: storage) else { return }
        unsafe Double.decode(
          bytes, count: count, as: storage, swapped: swapped, to: doubles(samples))
      },
      encode: { samples, count, storage, swapped, bytes in
        guard let storage = SampleStorage(rawValue: storage) else { return 0 }
        return unsafe Double.encode(
          doubles(samples), count: count, as: storage, swapped: swapped, to: bytes)
      },
      add: { unsafe Double.add(doubles($0), count: $1, to: doubles($2)) },
      scale: { unsafe Double.scale(doubles($0), count: $1, by: $2) },
      multiply: { unsafe Double.scale(doubles($0), count: $1, by: $2, to: doubles($3)) },
      scaleFrames: { unsafe Double.scale(doubles($0), by: $1, count: $2, width: $3) },
      blend: {
        unsafe Double.blend(
          doubles($0), by: $1, doubles($2), by: $3, count: $4, width: $5, to: doubles($6))
      },
      addHalves: { unsafe Double.addHalves(doubles($0), count: $1, width: $2, to: doubles($3)) },
      countOfNaN: { unsafe Double.countOfNaN(doubles($0), count: $1) },
      magnitudes: {
        let (largest, notFinite) = unsafe Double.magnitudes(doubles($0), count: $1)
        unsafe $2.pointee = Double(largest)
        return notFinite
      },
      combine: {
        unsafe Double.combine(
          doubles($0), every: $1, count: $2, by: $3, adding: $4, to: doubles($5), every: $6)
      },
      dotProduct: { unsafe Double.dotProduct(doubles($0), doubles($1), count: $2) },
      sumTile: {
        unsafe Double.sumTile(
          doubles($0), $1.load(as: TileLayout.self), doubles($2), vectors: $3, to: doubles($4),
          every: $5)
      },
      sumRows: {
        unsafe Double.sumRows(
          doubles($0), $1, $2.load(as: RowPoints.self), doubles($3), $4.map { unsafe doubles($0) },
          to: doubles($5))
      },
      interpolateRows: {
        unsafe Double.interpolateRows(
          doubles($0), $1, $2.load(as: RowPoints.self),
          $3.assumingMemoryBound(to: SIMD4<Double>.self), doubles($4),
          $5.map { unsafe doubles($0) }, to: doubles($6))
      })
  }
}

extension LevelKernels {
  fileprivate static var compiledHere: LevelKernels {
    unsafe LevelKernels(
      separateSingles: { unsafe Float.separate($0, apart: $1, count: $2, $3, $4) },
      separateDoubles: { unsafe Double.separate($0, apart: $1, count: $2, $3, $4) },
      scan: { unsafe scanGroups($0, count: $1, into: $2) },
      truePeak: {
        unsafe interpolatedPeak(
          $0, count: $1, $2, $3.load(as: TruePeakPhases.self), atLeast: $4)
      },
      truePeaks: {
        unsafe interpolatedMagnitudes(
          $0, count: $1, $2, earlier: $3, $4.load(as: TruePeakPhases.self), reaching: $5, into: $6)
      },
      sum: {
        unsafe $2.assumingMemoryBound(to: SampleSums.self).pointee.add($0, count: $1, withBits: $3)
      })
  }
}

/// The kernels of filters.
@safe
package struct FilterKernels {
  /// Samples, count of sample frames, channels, whether the first frame completes a pair, the sections
  /// (``FilterSection``), their count, their states.
  package var run:
    @convention(c) (
      UnsafeMutablePointer<Double>, Int, Int, Bool, UnsafeRawPointer, Int,
      UnsafeMutablePointer<Double>
    ) -> Void
  /// States, count of channels of sections.
  package var settle: @convention(c) (UnsafeMutablePointer<Double>, Int) -> Void

  fileprivate static var compiledHere: FilterKernels {
    unsafe FilterKernels(
      run: {
        unsafe runFilters(
          $0, count: $1, width: $2, isSecond: $3, $4.assumingMemoryBound(to: FilterSection.self),
          $5, $6)
      },
      settle: { unsafe settleStates($0, count: $1) })
  }
}

@inline(__always)
private func floats(_ samples: UnsafeRawPointer) -> UnsafePointer<Float> {
  unsafe samples.assumingMemoryBound(to: Float.self)
}

@inline(__always)
private func floats(_ samples: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Float> {
  unsafe samples.assumingMemoryBound(to: Float.self)
}

@inline(__always)
private func doubles(_ samples: UnsafeRawPointer) -> UnsafePointer<Double> {
  unsafe samples.assumingMemoryBound(to: Double.self)
}

@inline(__always)
private func doubles(_ samples: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Double> {
  unsafe samples.assumingMemoryBound(to: Double.self)
}
