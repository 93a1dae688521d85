/// How large a sound file can become at most, so that it ends before a limit.
struct FileSizeBound {
  /// Bytes that a sample of all channels takes at most.
  let bytesPerSampleFrame: Int64
  /// Bytes that may still come without another sample: padding, what a codec holds back.
  let reserve: Int64
  /// Fewer sample frames than this are not worth another look: a codec may still shrink what it has.
  let granularity: Int64

  init(_ file: FileFormat, channelCount: Int) {
    let channelCount = Int64(channelCount)
    let isOwn = file.container.isWave || file.container == .raw
    if let bytes = file.encoding.bytesPerSample,
      isOwn || file.container.storesPlainSamples(file.encoding)
    {
      bytesPerSampleFrame = Int64(bytes) * channelCount
      // RIFF pads to two bytes, Wave64 to eight; libsndfile ends some containers with a few bytes more.
      reserve = isOwn ? bytesPerSampleFrame & 1 : 64
      granularity = 1
    } else if file.container == .flac {
      // A block of 4096 that does not shrink is stored as it is, with a header of at most 16 bytes; one
      // can be on its way.
      bytesPerSampleFrame = Int64(file.encoding.significantBits + 7) / 8 * channelCount + 1
      reserve = 4_100 * bytesPerSampleFrame + 512
      granularity = 256
    } else {
      bytesPerSampleFrame = 4 * channelCount
      // An Ogg page has 65,307 bytes at most.
      reserve = 1 << 18
      granularity = 1_024
    }
  }

  /// How many sample frames a file of `size` bytes can take so that it ends below `limit`.
  func sampleFrames(from size: Int64, to limit: Int64) -> Int64 {
    let count = (limit - size - reserve) / bytesPerSampleFrame
    return count < granularity ? 0 : count
  }
}

extension SoundFileSink {
  /// How many more samples per channel can be written so that the file ends within `limit` bytes. A
  /// codec needs fewer bytes than it might: ask again after so many.
  func samplesPerChannelThatFit(in limit: Int64) throws(AudioError) -> Int64 {
    guard let output, let encoder else { return 0 }
    _ = try encoder.flush()
    let bound = FileSizeBound(fileFormat, channelCount: encoder.channelCount)
    return bound.sampleFrames(from: try output.descriptor.size(), to: limit)
  }
}
