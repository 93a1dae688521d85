/// A type of sample that a session computes in: `Float` or `Double`, nominal range ±1.0.
///
/// The static requirements are block kernels. They are requirements, not generic functions, so that
/// code that does not know the sample type still reaches the specialised loop: one witness call for
/// each block, none for each sample. All kernels run on any thread, allocate nothing and take no lock.
///
/// Only `Float` and `Double` conform; do not add conformances.
public protocol AudioSample: FrameSample, BinaryFloatingPoint {
  static var precision: SamplePrecision { get }

  /// Appends the samples that `bytes` holds, in order, scaled so that the most negative integer is −1.
  ///
  /// - Parameters:
  ///   - bytes: whole samples, interleaved; any alignment.
  ///   - layout: how they lie there.
  ///   - output: must have room for `bytes.byteCount / layout.bytesPerSample` samples.
  static func decode(_ bytes: RawSpan, as layout: SampleLayout, into output: inout OutputSpan<Self>)

  /// Stores samples as bytes: integers are rounded to nearest (ties to even) and saturated.
  ///
  /// - Parameters:
  ///   - samples: interleaved samples.
  ///   - layout: how they are to lie in `bytes`.
  ///   - bytes: exactly `samples.count × layout.bytesPerSample` bytes; any alignment.
  /// - Returns: how many samples lay outside the range of an integer layout, or of s16 for µ-law and
  ///   A-law (NaN, stored as 0, too).
  static func encode(
    _ samples: Span<Self>, as layout: SampleLayout, into bytes: inout MutableRawSpan
  ) -> Int

  /// `total[i] += samples[i]` for every i of `samples`; `total` is at least as long.
  static func add(_ samples: Span<Self>, to total: inout MutableSpan<Self>)

  /// `samples[i] *= factor` for every i: the product in double precision, rounded to `Self`.
  static func scale(_ samples: inout MutableSpan<Self>, by factor: Double)

  /// The place of the first sample whose magnitude is at least `threshold`; nil where there is none.
  static func firstIndex(in samples: Span<Self>, reaching threshold: Self) -> Int?

  /// The place of the last sample whose magnitude is at least `threshold`; nil where there is none.
  static func lastIndex(in samples: Span<Self>, reaching threshold: Self) -> Int?

  /// The sum of `coefficients[i] × samples[offset + i]`.
  ///
  /// The order of summation depends only on `coefficients.count`, never on `offset`.
  static func dotProduct(
    _ coefficients: Span<Self>, _ samples: Span<Self>, from offset: Int
  ) -> Self

  /// Two sums at once that share the loads of their coefficients; each is bit for bit what
  /// ``dotProduct(_:_:from:)`` gives.
  static func dotProducts(
    _ coefficients: Span<Self>, _ left: Span<Self>, _ right: Span<Self>, from offset: Int
  ) -> (left: Self, right: Self)

  /// Appends `samples` to `output` as an observer asked to see them.
  static func present<Target: FrameSample>(
    _ samples: Span<Self>, in output: inout OutputSpan<Target>)

  /// Appends what an observer left in its frame to `output`.
  static func accept<Origin: FrameSample>(
    _ samples: Span<Origin>, into output: inout OutputSpan<Self>)
}
