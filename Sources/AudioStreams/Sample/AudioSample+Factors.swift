// SPDX-License-Identifier: Apache-2.0
// Products of sample frames and changing factors. One call for each block; the loops are kernels.

extension AudioSample {
  /// Multiplies each sample frame by its factor: the product in double precision, rounded to `Self`.
  ///
  /// - Parameters:
  ///   - samples: whole sample frames of `width` samples.
  ///   - factors: one for each of them, and perhaps more.
  package static func scale(
    _ samples: inout MutableSpan<Self>, frames width: Int, by factors: [Double]
  ) {
    let count = samples.count / width
    precondition(samples.count % width == 0 && factors.count >= count)
    unsafe samples.withUnsafeMutableBufferPointer { target in
      unsafe factors.withUnsafeBufferPointer { factors in
        guard let to = target.baseAddress, let first = factors.baseAddress else { return }
        unsafe KernelTable.current.samples.scaleFrames(isDouble, to, first, count, width)
      }
    }
  }

  /// Appends the sums of two streams' sample frames, each multiplied by its factor, in double precision.
  ///
  /// - Parameters:
  ///   - old: whole sample frames of `width` samples.
  ///   - oldFactors: one for each of them, and perhaps more.
  ///   - new: as many sample frames as in `old`.
  ///   - newFactors: one for each of them, and perhaps more.
  static func blend(
    _ old: Span<Self>, by oldFactors: [Double], _ new: Span<Self>, by newFactors: [Double],
    frames width: Int, into output: inout OutputSpan<Self>
  ) {
    let count = old.count / width
    precondition(old.count % width == 0 && new.count == old.count)
    precondition(min(oldFactors.count, newFactors.count) >= count)
    unsafe output.appendSamples(count * width) { target in
      unsafe old.withUnsafeBufferPointer { old in
        unsafe new.withUnsafeBufferPointer { new in
          unsafe oldFactors.withUnsafeBufferPointer { oldFactors in
            unsafe newFactors.withUnsafeBufferPointer { newFactors in
              guard let old = old.baseAddress, let oldFactor = oldFactors.baseAddress,
                let new = new.baseAddress, let newFactor = newFactors.baseAddress
              else { return }
              unsafe KernelTable.current.samples.blend(
                isDouble, old, oldFactor, new, newFactor, count, width, target)
            }
          }
        }
      }
    }
  }
}
