extension Double: FrameSample {
  public static func append(_ samples: Span<Float>, to output: inout OutputSpan<Double>) {
    output.append(samples) { Double($0) }
  }
  public static func append(_ samples: Span<Double>, to output: inout OutputSpan<Double>) {
    output.append(samples) { $0 }
  }
  public static func append(_ samples: Span<Double>, to output: inout OutputSpan<Float>) {
    output.append(samples) { Float($0) }
  }
}
