extension Float {
  public static func present<Target: FrameSample>(
    _ samples: Span<Float>, in output: inout OutputSpan<Target>
  ) {
    Target.append(samples, to: &output)
  }

  public static func accept<Origin: FrameSample>(
    _ samples: Span<Origin>, into output: inout OutputSpan<Float>
  ) {
    Origin.append(samples, to: &output)
  }
}

extension Double {
  public static func present<Target: FrameSample>(
    _ samples: Span<Double>, in output: inout OutputSpan<Target>
  ) {
    Target.append(samples, to: &output)
  }

  public static func accept<Origin: FrameSample>(
    _ samples: Span<Origin>, into output: inout OutputSpan<Double>
  ) {
    Origin.append(samples, to: &output)
  }
}
