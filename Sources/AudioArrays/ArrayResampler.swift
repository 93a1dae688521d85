// SPDX-License-Identifier: Apache-2.0
internal import AudioStreams

/// A rate conversion of a stream that lies in the memory of another program. One thread at a time.
final class ArrayResampler {
  private let stream: any ArrayStream

  /// The filters of all conversions of the process.
  private static let filters = ResamplerFilterCache()

  /// Begins a conversion, in the precision that a session would choose.
  ///
  /// - Parameters:
  ///   - format: that of the samples that come.
  ///   - outputRate: in hertz.
  ///   - quality: the name of a ``ResamplerQuality``.
  ///   - input: the name of an encoding.
  ///   - output: the name of an encoding.
  ///   - isLive: whether a short delay matters more than a low cost.
  ///   - helpers: the most threads that help the caller.
  init(
    from format: StreamFormat, to outputRate: Int, quality: String, input: String, output: String,
    isLive: Bool, helpers: Int
  ) throws(AudioError) {
    let target = try format.with(sampleRate: outputRate, channelCount: nil)
    guard let level = ResamplerQuality(rawValue: quality) else {
      let names = ResamplerQuality.allCases.map { $0.rawValue }.joined(separator: ", ")
      throw AudioError(
        .invalidParameter, cannot: "use quality", quality, because: "it must be one of \(names)")
    }
    let (input, output) = (try SampleLayout(named: input), try SampleLayout(named: output))
    let needed = max(input.encoding.precision, output.encoding.precision)
    let pool = helpers > 0 ? WorkerPool(threadCount: helpers) : nil
    if level == .best || needed == .double {
      let filters = ResamplerFilters<Double>(
        quality: level, cache: Self.filters, pool: pool, isLive: isLive)
      stream = try ResampledStream(from: format, to: target, filters, input, output)
    } else {
      let filters = ResamplerFilters<Float>(
        quality: level, cache: Self.filters, pool: pool, isLive: isLive)
      stream = try ResampledStream(from: format, to: target, filters, input, output)
    }
  }

  /// Converts the next `count` samples per channel of the stream.
  ///
  /// - Returns: the samples per channel that are in `target` now.
  func process(
    _ samples: UnsafeRawPointer, _ count: Int, isLast: Bool, to target: UnsafeMutableRawPointer
  ) -> Int {
    unsafe stream.process(samples, count, isLast: isLast, to: target)
  }
}

extension SampleLayout {
  /// The layout of an encoding of this name.
  ///
  /// - Throws: `invalidParameter` if no encoding of the name stores samples one by one.
  init(named name: String) throws(AudioError) {
    guard let layout = SampleEncoding(rawValue: name).flatMap({ SampleLayout($0) }) else {
      throw AudioError(
        .invalidParameter, cannot: "use encoding", name,
        because: "it does not store samples one by one")
    }
    self = layout
  }
}

private protocol ArrayStream: AnyObject {
  func process(
    _ samples: UnsafeRawPointer, _ count: Int, isLast: Bool, to target: UnsafeMutableRawPointer
  ) -> Int
}

/// Converts in `Sample`, whatever the samples outside are.
private final class ResampledStream<Sample: AudioSample>: ArrayStream {
  private let chain: Chain<Sample>
  private let input: SampleLayout
  private let output: SampleLayout

  init(
    from format: StreamFormat, to target: StreamFormat, _ filters: ResamplerFilters<Sample>,
    _ input: SampleLayout, _ output: SampleLayout
  ) throws(AudioError) {
    (self.input, self.output) = (input, output)
    chain = Chain(format: format)
    try chain.convert(to: target, with: filters)
  }

  func process(
    _ samples: UnsafeRawPointer, _ count: Int, isLast: Bool, to target: UnsafeMutableRawPointer
  ) -> Int {
    let width = chain.format.channelCount
    let frameBytes = width * input.bytesPerSample
    let blockLength = chain.blockLength
    var written = 0
    for start in stride(from: 0, to: count, by: blockLength) {
      let length = min(blockLength, count - start)
      let bytes = unsafe UnsafeRawBufferPointer(
        start: samples + start * frameBytes, count: length * frameBytes)
      let input = input
      chain.input.append(atMost: length * width) { block in
        unsafe Sample.decode(bytes.bytes, as: input, into: &block)
      }
      // No stage of a rate conversion fails.
      try? chain.run()
      unsafe moveOutput(to: target, after: &written)
    }
    if isLast {
      try? chain.end()
      unsafe moveOutput(to: target, after: &written)
    }
    return written / width
  }

  /// Moves what has come out behind the first `written` samples of `target`.
  private func moveOutput(to target: UnsafeMutableRawPointer, after written: inout Int) {
    let ready = chain.output
    let size = output.bytesPerSample
    let free = unsafe UnsafeMutableRawBufferPointer(
      start: target + written * size, count: ready.count * size)
    var room = unsafe free.mutableBytes
    _ = Sample.encode(ready.readable, as: output, into: &room)
    written += ready.count
    ready.removeAll()
  }
}
