extension Float: FrameSample {
  public static func append(_ samples: Span<Float>, to output: inout OutputSpan<Float>) {
    for i in samples.indices { output.append(samples[i]) }
  }
  public static func append(_ samples: Span<Double>, to output: inout OutputSpan<Float>) {
    for i in samples.indices { output.append(Float(samples[i])) }
  }
  public static func append(_ samples: Span<Float>, to output: inout OutputSpan<Double>) {
    for i in samples.indices { output.append(Double(samples[i])) }
  }
}

extension Double: FrameSample {
  public static func append(_ samples: Span<Float>, to output: inout OutputSpan<Double>) {
    for i in samples.indices { output.append(Double(samples[i])) }
  }
  public static func append(_ samples: Span<Double>, to output: inout OutputSpan<Double>) {
    for i in samples.indices { output.append(samples[i]) }
  }
  public static func append(_ samples: Span<Double>, to output: inout OutputSpan<Float>) {
    for i in samples.indices { output.append(Float(samples[i])) }
  }
}
