extension OutputSpan where Element: BitwiseCopyable {
  /// Appends `count` elements that `write` initialises through a pointer, all of them.
  @inline(__always)
  mutating func appendSamples(_ count: Int, _ write: (UnsafeMutablePointer<Element>) -> Void) {
    precondition(count <= freeCapacity)
    unsafe withUnsafeMutableBufferPointer { buffer, initializedCount in
      guard let start = buffer.baseAddress else { return }
      unsafe write(start + initializedCount)
      initializedCount += count
    }
  }

  /// Appends `convert` of every sample, in a loop of its own for each pair of types.
  @inline(__always)
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
