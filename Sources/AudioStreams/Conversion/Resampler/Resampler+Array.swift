// SPDX-License-Identifier: Apache-2.0
extension Resampler {
  /// Converts an array of samples to another rate, without a session.
  ///
  /// ```swift
  /// let speech = try Resampler.resample(samples, from: 44_100, to: 16_000)
  /// ```
  ///
  /// The result equals that of a session at this quality that is not live, bit for bit. It works on the calling thread.
  ///
  /// - Parameters:
  ///   - samples: interleaved whole sample frames.
  ///   - inputRate: the samples' rate, in hertz.
  ///   - outputRate: the rate of the result, in hertz.
  ///   - channelCount: the samples' channel count.
  ///   - quality: the quality, which decides the length of the filter.
  ///   - filterCache: the cache of the filter: one cache for many calls saves its computation.
  /// - Returns: n samples per channel become ⌈n × output rate / input rate⌉; the first output stands at the first input
  ///   sample.
  /// - Throws: `invalidParameter` if the samples end within a sample frame, and for rates and channel counts out of
  ///   ``StreamFormat``'s range.
  public static func resample(
    _ samples: [Sample], from inputRate: Int, to outputRate: Int, channelCount: Int = 1,
    quality: ResamplerQuality = .high, filterCache: ResamplerFilterCache = ResamplerFilterCache()
  ) throws(AudioError) -> [Sample] {
    let format = try StreamFormat(sampleRate: inputRate, channelCount: channelCount)
    let target = try StreamFormat(sampleRate: outputRate, channelCount: channelCount)
    try format.checkSampleFrames(samples.count)
    if format == target { return samples }
    // Like a session, because Float's precision is too low for this quality.
    if quality == .best {
      return try Resampler<Double>.convert(samples, format, target, quality, filterCache)
    }
    return try convert(samples, format, target, quality, filterCache)
  }

  /// Converts with computation in `Sample`.
  private static func convert<Given: AudioSample>(
    _ samples: [Given], _ format: StreamFormat, _ target: StreamFormat, _ quality: ResamplerQuality,
    _ cache: ResamplerFilterCache
  ) throws(AudioError) -> [Given] {
    let chain = Chain<Sample>(format: format)
    try chain.convert(to: target, with: ResamplerFilters(quality: quality, cache: cache))
    let ratio = ResamplingRatio(from: format.sampleRate, to: target.sampleRate)
    let length = ratio.outputLength(of: Int64(samples.count / format.channelCount))
    var result: [Given] = []
    result.reserveCapacity(Int(length) * format.channelCount)
    func takeOutput() {
      let output = chain.output
      result += [Given](capacity: output.count) { Sample.present(output.readable, in: &$0) }
      output.removeAll()
    }
    let piece = BlockSize.samplesPerChannel(format) * format.channelCount
    for start in stride(from: 0, to: samples.count, by: piece) {
      let end = min(start + piece, samples.count)
      let input = samples.span.extracting(start..<end)
      chain.input.append(atMost: input.count) { Given.present(input, in: &$0) }
      try chain.run()
      takeOutput()
    }
    try chain.end()
    takeOutput()
    return result
  }
}
