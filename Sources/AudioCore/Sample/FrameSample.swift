/// A type of sample that observers may ask to see: `Float` (the default), `Double` or `Int16`.
///
/// `Int16` frames are quantised as an s16 output would be: rounded to nearest and saturated.
/// Only these three conform; do not add conformances.
public protocol FrameSample: BitwiseCopyable, Sendable, Comparable, ExpressibleByIntegerLiteral {
  /// Appends `samples`, converted, to `output`, which has room for them.
  static func append(_ samples: Span<Float>, to output: inout OutputSpan<Self>)
  /// Appends `samples`, converted, to `output`, which has room for them.
  static func append(_ samples: Span<Double>, to output: inout OutputSpan<Self>)
  /// Appends `samples`, converted to the engine's type, to `output`, which has room for them.
  static func append(_ samples: Span<Self>, to output: inout OutputSpan<Float>)
  /// Appends `samples`, converted to the engine's type, to `output`, which has room for them.
  static func append(_ samples: Span<Self>, to output: inout OutputSpan<Double>)
}
