// SPDX-License-Identifier: Apache-2.0
/// The hottest loops over samples as pointers to functions: one set for each kind of processor.
///
/// The functions take addresses and numbers only, so that a set may come from another module: `Package.swift` compiles
/// this folder again for newer processors. All copies give bit-identical results, since no kernel fuses or reorders its
/// arithmetic.
@safe
package struct KernelTable {
  package var samples: SampleKernels
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

  /// Replaces the kernels in the table of another copy of this folder by those of this one.
  ///
  /// For the compiler the tables of two copies have two types.
  ///
  /// - Parameter table: the address of a `KernelTable`.
  package static func replace(_ table: UnsafeMutableRawPointer) {
    unsafe table.storeBytes(of: compiledHere, as: KernelTable.self)
  }

  /// The kernels as compiled in this module.
  package static var compiledHere: KernelTable {
    unsafe KernelTable(
      samples: SampleKernels(), levels: .compiledHere, filters: .compiledHere,
      narrow: { unsafe Double.narrow($0, count: $1, to: $2) },
      widen: { unsafe Double.widen($0, count: $1, to: $2) },
      ramp: { unsafe writeRamp(from: $0, of: $1, isFalling: $2, count: $3, to: $4) })
  }
}

/// The kernels that measure.
@safe
package struct LevelKernels {
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
  /// Samples, the interpolated magnitudes behind each with the last one in front of the block, count, a threshold, the
  /// peaks to raise. Returns whether one is above the threshold.
  package var raisePeaks:
    @convention(c) (
      UnsafePointer<Float>, UnsafePointer<Float>, Int, Float, UnsafeMutablePointer<Float>
    ) -> Bool
  /// ``LimiterGains``, the peaks or nil, count, the limit, the gains.
  package var limiterGains:
    @convention(c) (
      UnsafeMutableRawPointer, UnsafePointer<Float>?, Int, Float, UnsafeMutablePointer<Double>
    ) -> Void
  /// Samples, count, ``SampleSums``, whether bits are wanted.
  package var sum:
    @convention(c) (UnsafePointer<Double>, Int, UnsafeMutableRawPointer, Bool) -> Void
}

extension LevelKernels {
  fileprivate static var compiledHere: LevelKernels {
    unsafe LevelKernels(
      scan: { unsafe scanGroups($0, count: $1, into: $2) },
      truePeak: {
        unsafe interpolatedPeak(
          $0, count: $1, $2, $3.load(as: TruePeakPhases.self), atLeast: $4)
      },
      truePeaks: {
        unsafe interpolatedMagnitudes(
          $0, count: $1, $2, earlier: $3, $4.load(as: TruePeakPhases.self), reaching: $5, into: $6)
      },
      raisePeaks: { unsafe raise($4, count: $2, to: $0, between: $1, threshold: $3) },
      limiterGains: {
        unsafe $0.assumingMemoryBound(to: LimiterGains.self).pointee.write(
          $1, count: $2, limit: $3, to: $4)
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
