extension Double: AudioSample {
  public static var precision: SamplePrecision { .double }

  public static func decode(
    _ bytes: RawSpan, as layout: SampleLayout, into output: inout OutputSpan<Double>
  ) {
    let count = bytes.byteCount / layout.bytesPerSample
    unsafe bytes.withUnsafeBytes { source in
      unsafe output.appendSamples(count) { target in
        guard let from = source.baseAddress else { return }
        unsafe decode(
          from, count: count, as: layout.storage, swapped: layout.byteOrder != .native, to: target)
      }
    }
  }

  public static func encode(
    _ samples: Span<Double>, as layout: SampleLayout, into bytes: inout MutableRawSpan
  ) -> Int {
    precondition(bytes.byteCount == samples.count * layout.bytesPerSample)
    return unsafe samples.withUnsafeBufferPointer { source in
      unsafe bytes.withUnsafeMutableBytes { target in
        guard let from = source.baseAddress, let to = target.baseAddress else { return 0 }
        return unsafe encode(
          from, count: source.count, as: layout.storage, swapped: layout.byteOrder != .native,
          to: to)
      }
    }
  }

  public static func add(_ samples: Span<Double>, to total: inout MutableSpan<Double>) {
    precondition(samples.count <= total.count)
    unsafe samples.withUnsafeBufferPointer { source in
      unsafe total.withUnsafeMutableBufferPointer { target in
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        unsafe add(from, count: source.count, to: to)
      }
    }
  }

  public static func scale(_ samples: inout MutableSpan<Double>, by factor: Double) {
    unsafe samples.withUnsafeMutableBufferPointer { target in
      guard let to = target.baseAddress else { return }
      unsafe scale(to, count: target.count, by: factor)
    }
  }

  @_noAllocation @_noLocks
  public static func firstIndex(in samples: Span<Double>, reaching threshold: Double) -> Int? {
    for index in 0..<samples.count where abs(samples[index]) >= threshold { return index }
    return nil
  }

  @_noAllocation @_noLocks
  public static func lastIndex(in samples: Span<Double>, reaching threshold: Double) -> Int? {
    var index = samples.count
    while index > 0 {
      index -= 1
      if abs(samples[index]) >= threshold { return index }
    }
    return nil
  }

  public static func dotProduct(
    _ coefficients: Span<Double>, _ samples: Span<Double>, from offset: Int
  ) -> Double {
    precondition(offset >= 0 && offset + coefficients.count <= samples.count)
    return unsafe coefficients.withUnsafeBufferPointer { factors in
      unsafe samples.withUnsafeBufferPointer { source in
        guard let first = factors.baseAddress, let from = source.baseAddress else { return 0 }
        return unsafe dotProduct(first, from + offset, count: factors.count)
      }
    }
  }

  public static func dotProducts(
    _ coefficients: Span<Double>, _ left: Span<Double>, _ right: Span<Double>, from offset: Int
  ) -> (left: Double, right: Double) {
    let count = coefficients.count
    precondition(offset >= 0 && offset + count <= min(left.count, right.count))
    return unsafe coefficients.withUnsafeBufferPointer { factors in
      unsafe left.withUnsafeBufferPointer { left in
        unsafe right.withUnsafeBufferPointer { right in
          guard let first = factors.baseAddress, let left = left.baseAddress,
            let right = right.baseAddress
          else { return (0, 0) }
          return unsafe dotProducts(first, left + offset, right + offset, count: count)
        }
      }
    }
  }
}
