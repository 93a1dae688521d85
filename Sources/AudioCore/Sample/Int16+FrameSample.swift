extension Int16: FrameSample {
  public static func append(_ samples: Span<Float>, to output: inout OutputSpan<Int16>) {
    unsafe samples.withUnsafeBufferPointer { source in
      unsafe output.appendSamples(source.count) { target in
        guard let from = source.baseAddress else { return }
        _ = unsafe Float.encode(from, count: source.count, as: .s16, swapped: false, to: target)
      }
    }
  }
  public static func append(_ samples: Span<Double>, to output: inout OutputSpan<Int16>) {
    unsafe samples.withUnsafeBufferPointer { source in
      unsafe output.appendSamples(source.count) { target in
        guard let from = source.baseAddress else { return }
        _ = unsafe Double.encode(from, count: source.count, as: .s16, swapped: false, to: target)
      }
    }
  }
  public static func append(_ samples: Span<Int16>, to output: inout OutputSpan<Float>) {
    output.append(samples) { Float($0) * 0x1p-15 }
  }
  public static func append(_ samples: Span<Int16>, to output: inout OutputSpan<Double>) {
    output.append(samples) { Double($0) * 0x1p-15 }
  }
}
