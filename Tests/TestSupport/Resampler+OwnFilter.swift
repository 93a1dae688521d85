// SPDX-License-Identifier: Apache-2.0

extension Resampler {
  /// Creates a resampler with its own filter.
  package convenience init(
    from inputFormat: StreamFormat, sampleRate: Int, quality: ResamplerQuality
  ) throws(AudioError) {
    let ratio = ResamplingRatio(from: inputFormat.sampleRate, to: sampleRate)
    try self.init(
      from: inputFormat, sampleRate: sampleRate,
      filter: ResamplerFilter(ratio: ratio, quality: quality))
  }
}
