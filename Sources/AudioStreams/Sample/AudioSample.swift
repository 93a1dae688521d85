// SPDX-License-Identifier: Apache-2.0
/// A type of sample that a session computes in: `Float` or `Double`, nominal range ±1.0.
///
/// The static requirements are block kernels. As requirements, not generic functions, they lead code that does not know
/// the sample type to the specialised loop: one witness call for each block, none for each sample. All kernels run on
/// any thread, allocate nothing and take no lock.
///
/// Only `Float` and `Double` conform; do not add conformances.
public protocol AudioSample: FrameSample, BinaryFloatingPoint {
  static var precision: SamplePrecision { get }

  /// Appends the samples of `bytes`, in order, scaled so that the most negative integer is −1.
  ///
  /// - Parameters:
  ///   - bytes: whole samples, interleaved; any alignment.
  ///   - layout: their layout.
  ///   - output: must have room for `bytes.byteCount / layout.bytesPerSample` samples.
  @_lifetime(output: copy output)
  static func decode(_ bytes: RawSpan, as layout: SampleLayout, into output: inout OutputSpan<Self>)

  /// Stores samples as bytes: integers are rounded to nearest (ties to even) and saturated; floating point keeps
  /// NaN and infinities, and a finite number beyond the range of f32 becomes the largest of its sign.
  ///
  /// - Parameters:
  ///   - samples: interleaved samples.
  ///   - layout: their layout in `bytes`.
  ///   - bytes: exactly `samples.count × layout.bytesPerSample` bytes; any alignment.
  /// - Returns: how many samples were saturated, infinite or NaN. Samples outside the range of the layout, of s16 for
  ///   µ-law and A-law, are saturated; integers store NaN as 0.
  @_lifetime(bytes: copy bytes)
  static func encode(
    _ samples: Span<Self>, as layout: SampleLayout, into bytes: inout MutableRawSpan
  ) -> Int

  /// `total[i] += samples[i]` for every i of `samples`; `total` is at least as long.
  @_lifetime(total: copy total)
  static func add(_ samples: Span<Self>, to total: inout MutableSpan<Self>)

  /// `samples[i] *= factor` for every i: the product in double precision, rounded to `Self`.
  static func scale(_ samples: inout MutableSpan<Self>, by factor: Double)

  /// The index of the first sample whose magnitude is at least `threshold`; nil if there is none.
  static func firstIndex(in samples: Span<Self>, reaching threshold: Self) -> Int?

  /// The index of the last sample whose magnitude is at least `threshold`; nil if there is none.
  static func lastIndex(in samples: Span<Self>, reaching threshold: Self) -> Int?

  /// The sum of `coefficients[i] × samples[offset + i]`.
  ///
  /// The order of summation depends only on `coefficients.count`, never on `offset`.
  static func dotProduct(
    _ coefficients: Span<Self>, _ samples: Span<Self>, from offset: Int
  ) -> Self

  /// Appends `samples` to `output` in the observer's sample type.
  @_lifetime(output: copy output)
  static func present<Target: FrameSample>(
    _ samples: Span<Self>, in output: inout OutputSpan<Target>)

  /// Appends the samples that an observer left in its frame to `output`.
  @_lifetime(output: copy output)
  static func accept<Origin: FrameSample>(
    _ samples: Span<Origin>, into output: inout OutputSpan<Self>)
}

extension Float: AudioSample {
  public static var precision: SamplePrecision { .single }

  public static func firstIndex(in samples: Span<Float>, reaching threshold: Float) -> Int? {
    firstIndex(in: samples, atLeast: Double(threshold))
  }

  public static func lastIndex(in samples: Span<Float>, reaching threshold: Float) -> Int? {
    lastIndex(in: samples, atLeast: Double(threshold))
  }
}

extension Double: AudioSample {
  public static var precision: SamplePrecision { .double }

  public static func firstIndex(in samples: Span<Double>, reaching threshold: Double) -> Int? {
    firstIndex(in: samples, atLeast: threshold)
  }

  public static func lastIndex(in samples: Span<Double>, reaching threshold: Double) -> Int? {
    lastIndex(in: samples, atLeast: threshold)
  }
}

extension AudioSample {
  /// The first argument of every kernel.
  static var isDouble: Bool { precision == .double }

  @_lifetime(output: copy output)
  public static func decode(
    _ bytes: RawSpan, as layout: SampleLayout, into output: inout OutputSpan<Self>
  ) {
    let count = bytes.byteCount / layout.bytesPerSample
    unsafe bytes.withUnsafeBytes { source in
      unsafe output.appendSamples(count) { target in
        guard let from = source.baseAddress else { return }
        unsafe KernelTable.current.samples.decode(
          isDouble, from, count, layout.storage.rawValue, layout.byteOrder != .native, target)
      }
    }
  }

  @_lifetime(bytes: copy bytes)
  public static func encode(
    _ samples: Span<Self>, as layout: SampleLayout, into bytes: inout MutableRawSpan
  ) -> Int {
    precondition(bytes.byteCount == samples.count * layout.bytesPerSample)
    return unsafe samples.withUnsafeBufferPointer { source in
      unsafe bytes.withUnsafeMutableBytes { target in
        guard let from = source.baseAddress, let to = target.baseAddress else { return 0 }
        return unsafe KernelTable.current.samples.encode(
          isDouble, from, source.count, layout.storage.rawValue, layout.byteOrder != .native, to)
      }
    }
  }

  @_lifetime(total: copy total)
  public static func add(_ samples: Span<Self>, to total: inout MutableSpan<Self>) {
    precondition(samples.count <= total.count)
    unsafe samples.withUnsafeBufferPointer { source in
      unsafe total.withUnsafeMutableBufferPointer { target in
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        unsafe KernelTable.current.samples.add(isDouble, from, source.count, to)
      }
    }
  }

  public static func scale(_ samples: inout MutableSpan<Self>, by factor: Double) {
    unsafe samples.withUnsafeMutableBufferPointer { target in
      guard let to = target.baseAddress else { return }
      unsafe KernelTable.current.samples.scale(isDouble, to, target.count, factor)
    }
  }

  public static func dotProduct(
    _ coefficients: Span<Self>, _ samples: Span<Self>, from offset: Int
  ) -> Self {
    precondition(offset >= 0 && offset + coefficients.count <= samples.count)
    var sum: Self = 0
    unsafe coefficients.withUnsafeBufferPointer { factors in
      unsafe samples.withUnsafeBufferPointer { source in
        guard let first = factors.baseAddress, let from = source.baseAddress else { return }
        unsafe KernelTable.current.samples.dotProduct(
          isDouble, first, from + offset, factors.count, &sum)
      }
    }
    return sum
  }
}
