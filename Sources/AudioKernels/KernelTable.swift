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
  package var fourier: FourierKernels
  /// Copies samples as `Float`. Returns whether all of them are exact, to the last bit.
  package var narrow:
    @convention(c) (
      _ samples: UnsafePointer<Double>, _ count: Int, _ singles: UnsafeMutablePointer<Float>
    ) -> Bool
  /// Copies samples as `Double`.
  package var widen:
    @convention(c) (
      _ samples: UnsafePointer<Float>, _ count: Int, _ doubles: UnsafeMutablePointer<Double>
    ) -> Void
  /// Writes places as fractions of the whole. If `isFalling`, they count from its other end.
  package var ramp:
    @convention(c) (
      _ first: Double, _ whole: Double, _ isFalling: Bool, _ count: Int,
      _ places: UnsafeMutablePointer<Double>
    ) -> Void

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
      fourier: FourierKernels(),
      narrow: { unsafe Double.narrow($0, count: $1, to: $2) },
      widen: { unsafe Double.widen($0, count: $1, to: $2) },
      ramp: { unsafe writeRamp(from: $0, of: $1, isFalling: $2, count: $3, to: $4) })
  }
}

/// The kernels that measure.
@safe
package struct LevelKernels {
  /// Writes the largest magnitude of each group. Returns the largest of all.
  package var scan:
    @convention(c) (
      _ samples: UnsafePointer<Float>, _ count: Int, _ groups: UnsafeMutablePointer<Int32>
    ) -> Int32
  /// Returns the peak so far, or a higher one; `groups` are the magnitudes that ``scan`` wrote, `phases` are
  /// ``TruePeakPhases``.
  package var truePeak:
    @convention(c) (
      _ samples: UnsafePointer<Float>, _ count: Int, _ groups: UnsafePointer<Int32>,
      _ phases: UnsafeRawPointer, _ peak: Float
    ) -> Float
  /// Writes the largest interpolated magnitude at each sample if it reaches the threshold; `groups` and `earlier` are
  /// magnitudes of this block's groups and of those before, `phases` are ``TruePeakPhases``.
  package var truePeaks:
    @convention(c) (
      _ samples: UnsafePointer<Float>, _ count: Int, _ groups: UnsafePointer<Int32>,
      _ earlier: Int32, _ phases: UnsafeRawPointer, _ threshold: Float,
      _ magnitudes: UnsafeMutablePointer<Float>
    ) -> Void
  /// Raises the peaks to the interpolated magnitudes behind each sample, which begin with the last one in front of
  /// the block. Returns whether one is above the threshold.
  package var raisePeaks:
    @convention(c) (
      _ samples: UnsafePointer<Float>, _ magnitudes: UnsafePointer<Float>, _ count: Int,
      _ threshold: Float, _ peaks: UnsafeMutablePointer<Float>
    ) -> Bool
  /// Writes the gains for peaks; `state` is a ``LimiterGains``.
  package var limiterGains:
    @convention(c) (
      _ state: UnsafeMutableRawPointer, _ peaks: UnsafePointer<Float>?, _ count: Int,
      _ limit: Float, _ gains: UnsafeMutablePointer<Double>
    ) -> Void
  /// Adds samples to ``SampleSums``.
  package var sum:
    @convention(c) (
      _ samples: UnsafePointer<Double>, _ count: Int, _ sums: UnsafeMutableRawPointer,
      _ withBits: Bool
    ) -> Void
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
  /// Filters sample frames of `width` channels in place; `isSecond` if the first frame completes a pair, `sections`
  /// are of type ``FilterSection``.
  package var run:
    @convention(c) (
      _ samples: UnsafeMutablePointer<Double>, _ count: Int, _ width: Int, _ isSecond: Bool,
      _ sections: UnsafeRawPointer, _ sectionCount: Int, _ states: UnsafeMutablePointer<Double>
    ) -> Void
  /// Settles the states of as many channels of sections.
  package var settle: @convention(c) (_ states: UnsafeMutablePointer<Double>, _ count: Int) -> Void

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
