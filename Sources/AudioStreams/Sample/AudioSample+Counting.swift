// SPDX-License-Identifier: Apache-2.0
// Counts, sums and searches in a block of samples. One call for each block.

extension AudioSample {
  /// The number of NaN samples.
  package static func countOfNaN(in samples: Span<Self>) -> Int {
    unsafe samples.withUnsafeBufferPointer { source in
      guard let from = source.baseAddress else { return 0 }
      return unsafe KernelTable.current.samples.countOfNaN(isDouble, from, source.count)
    }
  }

  /// The largest finite magnitude, 0 if there is none, and the number of samples that are not finite.
  static func magnitudes(of samples: Span<Self>) -> (largest: Double, notFinite: Int) {
    var (largest, notFinite) = (0.0, 0)
    unsafe samples.withUnsafeBufferPointer { source in
      guard let from = source.baseAddress else { return }
      unsafe notFinite = KernelTable.current.samples.magnitudes(
        isDouble, from, source.count, &largest)
    }
    return (largest, notFinite)
  }

  /// The sum of the squares of the samples, in their precision.
  package static func energy(of samples: Span<Self>) -> Double {
    unsafe samples.withUnsafeBufferPointer { source in
      guard let from = source.baseAddress else { return 0 }
      let dotProduct = unsafe KernelTable.current.samples.dotProduct
      var single = Float(0)
      var double = 0.0
      if isDouble {
        unsafe dotProduct(true, from, from, source.count, &double)
        return double
      }
      unsafe dotProduct(false, from, from, source.count, &single)
      return Double(single)
    }
  }

  /// The index of the first sample whose magnitude is at least `threshold`, rounded to `Self`; nil if there is none.
  package static func firstIndex(in samples: Span<Self>, atLeast threshold: Double) -> Int? {
    index(in: samples, atLeast: threshold, fromEnd: false)
  }

  /// The index of the last such sample.
  package static func lastIndex(in samples: Span<Self>, atLeast threshold: Double) -> Int? {
    index(in: samples, atLeast: threshold, fromEnd: true)
  }

  private static func index(
    in samples: Span<Self>, atLeast threshold: Double, fromEnd: Bool
  ) -> Int? {
    unsafe samples.withUnsafeBufferPointer { source in
      guard let from = source.baseAddress else { return nil }
      let found = unsafe KernelTable.current.samples.index(
        isDouble, from, source.count, threshold, fromEnd)
      return found < 0 ? nil : found
    }
  }
}
