// SPDX-License-Identifier: Apache-2.0
/// A type of sample that observers may ask to see: `Float` (the default), `Double` or `Int16`.
///
/// `Int16` frames are quantised as an s16 output would be: rounded to nearest and saturated.
/// Only these three conform; do not add conformances.
public protocol FrameSample: BitwiseCopyable, Sendable, Comparable, ExpressibleByIntegerLiteral {
  /// Appends `samples`, converted, to `output`, which has room for them.
  @_lifetime(output: copy output)
  static func append(_ samples: Span<Float>, to output: inout OutputSpan<Self>)
  /// Appends `samples`, converted, to `output`, which has room for them.
  @_lifetime(output: copy output)
  static func append(_ samples: Span<Double>, to output: inout OutputSpan<Self>)
  /// Appends `samples`, converted to the engine's type, to `output`, which has room for them.
  @_lifetime(output: copy output)
  static func append(_ samples: Span<Self>, to output: inout OutputSpan<Float>)
  /// Appends `samples`, converted to the engine's type, to `output`, which has room for them.
  @_lifetime(output: copy output)
  static func append(_ samples: Span<Self>, to output: inout OutputSpan<Double>)
}

extension Float: FrameSample {
  @_lifetime(output: copy output)
  public static func append(_ samples: Span<Float>, to output: inout OutputSpan<Float>) {
    output.append(samples) { $0 }
  }
  @_lifetime(output: copy output)
  public static func append(_ samples: Span<Double>, to output: inout OutputSpan<Float>) {
    output.append(samples) { Float($0) }
  }
  @_lifetime(output: copy output)
  public static func append(_ samples: Span<Float>, to output: inout OutputSpan<Double>) {
    output.append(samples) { Double($0) }
  }
}

extension Double: FrameSample {
  @_lifetime(output: copy output)
  public static func append(_ samples: Span<Float>, to output: inout OutputSpan<Double>) {
    output.append(samples) { Double($0) }
  }
  @_lifetime(output: copy output)
  public static func append(_ samples: Span<Double>, to output: inout OutputSpan<Double>) {
    output.append(samples) { $0 }
  }
  @_lifetime(output: copy output)
  public static func append(_ samples: Span<Double>, to output: inout OutputSpan<Float>) {
    output.append(samples) { Float($0) }
  }
}

extension Int16: FrameSample {
  @_lifetime(output: copy output)
  public static func append(_ samples: Span<Float>, to output: inout OutputSpan<Int16>) {
    unsafe samples.withUnsafeBufferPointer { source in
      unsafe output.appendSamples(source.count) { target in
        guard let from = source.baseAddress else { return }
        _ = unsafe KernelTable.current.samples.encode(
          false, from, source.count, SampleStorage.s16.rawValue, false, target)
      }
    }
  }
  @_lifetime(output: copy output)
  public static func append(_ samples: Span<Double>, to output: inout OutputSpan<Int16>) {
    unsafe samples.withUnsafeBufferPointer { source in
      unsafe output.appendSamples(source.count) { target in
        guard let from = source.baseAddress else { return }
        _ = unsafe KernelTable.current.samples.encode(
          true, from, source.count, SampleStorage.s16.rawValue, false, target)
      }
    }
  }
  @_lifetime(output: copy output)
  public static func append(_ samples: Span<Int16>, to output: inout OutputSpan<Float>) {
    output.append(samples) { Float($0) * 0x1p-15 }
  }
  @_lifetime(output: copy output)
  public static func append(_ samples: Span<Int16>, to output: inout OutputSpan<Double>) {
    output.append(samples) { Double($0) * 0x1p-15 }
  }
}

extension Float {
  @_lifetime(output: copy output)
  public static func present<Target: FrameSample>(
    _ samples: Span<Float>, in output: inout OutputSpan<Target>
  ) {
    Target.append(samples, to: &output)
  }

  @_lifetime(output: copy output)
  public static func accept<Origin: FrameSample>(
    _ samples: Span<Origin>, into output: inout OutputSpan<Float>
  ) {
    Origin.append(samples, to: &output)
  }
}

extension Double {
  @_lifetime(output: copy output)
  public static func present<Target: FrameSample>(
    _ samples: Span<Double>, in output: inout OutputSpan<Target>
  ) {
    Target.append(samples, to: &output)
  }

  @_lifetime(output: copy output)
  public static func accept<Origin: FrameSample>(
    _ samples: Span<Origin>, into output: inout OutputSpan<Double>
  ) {
    Origin.append(samples, to: &output)
  }
}

extension OutputSpan where Element: BitwiseCopyable {
  /// Appends `count` elements, all of which `write` initialises through a pointer.
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func appendSamples(_ count: Int, _ write: (UnsafeMutablePointer<Element>) -> Void) {
    precondition(count <= freeCapacity)
    unsafe withUnsafeMutableBufferPointer { buffer, initializedCount in
      guard let start = buffer.baseAddress else { return }
      unsafe write(start + initializedCount)
      initializedCount += count
    }
  }

  /// Appends `convert` of every sample, in a specialised loop for each pair of types.
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func append<Sample: BitwiseCopyable>(
    _ samples: Span<Sample>, converting convert: (Sample) -> Element
  ) {
    unsafe samples.withUnsafeBufferPointer { source in
      unsafe appendSamples(source.count) { target in
        for index in 0..<source.count {
          unsafe (target + index).initialize(to: convert(source[index]))
        }
      }
    }
  }
}

extension FrameSample {
  /// The encoding that holds every sample of this type.
  package static var encoding: SampleEncoding {
    if self == Double.self { return .f64 }
    return self == Int16.self ? .s16 : .f32
  }
}
