// SPDX-License-Identifier: Apache-2.0
// Products of sample frames and changing factors. One call for each block; the loops are kernels.

extension AudioSample {
  /// Appends one channel of a stream, bit for bit.
  ///
  /// - Parameters:
  ///   - channel: from 0.
  ///   - width: the channels of `samples`.
  ///   - samples: whole sample frames.
  @_lifetime(output: copy output)
  package static func take(
    _ channel: Int, of width: Int, from samples: Span<Self>, into output: inout OutputSpan<Self>
  ) {
    precondition((0..<width).contains(channel))
    let count = samples.count / width
    unsafe samples.withUnsafeBufferPointer { source in
      unsafe output.appendSamples(count) { target in
        guard let from = source.baseAddress else { return }
        unsafe KernelTable.current.samples.combine(
          isDouble, from + channel, width, count, 1, false, target, 1)
      }
    }
  }

  /// Appends sample frames whose channels come from different sample frames, bit for bit.
  ///
  /// - Parameters:
  ///   - samples: whole sample frames of `width` samples.
  ///   - starts: for each channel, the sample frame with its first sample.
  ///   - count: the sample frames to append.
  @_lifetime(output: copy output)
  package static func gather(
    _ samples: Span<Self>, of width: Int, from starts: [Int], _ count: Int,
    into output: inout OutputSpan<Self>
  ) {
    precondition(
      starts.count == width && starts.allSatisfy { ($0 + count) * width <= samples.count })
    unsafe samples.withUnsafeBufferPointer { source in
      unsafe output.appendSamples(count * width) { target in
        guard let from = source.baseAddress else { return }
        for (channel, start) in starts.enumerated() {
          unsafe KernelTable.current.samples.combine(
            isDouble, from + start * width + channel, width, count, 1, false, target + channel,
            width)
        }
      }
    }
  }

  /// Stores a stream in some channels of a wider one, bit for bit.
  ///
  /// - Parameters:
  ///   - samples: whole sample frames of `channels.count` samples.
  ///   - channels: from 0.
  ///   - width: the channels of `target`.
  ///   - target: as many sample frames as in `samples`, or more.
  @_lifetime(target: copy target)
  package static func place(
    _ samples: Span<Self>, in channels: Range<Int>, of width: Int,
    in target: inout MutableSpan<Self>
  ) {
    let count = samples.count / channels.count
    precondition(channels.upperBound <= width && target.count >= count * width)
    unsafe samples.withUnsafeBufferPointer { source in
      unsafe target.withUnsafeMutableBufferPointer { target in
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        for channel in channels {
          unsafe KernelTable.current.samples.combine(
            isDouble, from + channel - channels.lowerBound, channels.count, count, 1, false,
            to + channel, width)
        }
      }
    }
  }

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
  @_lifetime(output: copy output)
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
