// SPDX-License-Identifier: Apache-2.0
/// The largest size that a sound file can reach, so that it ends before a limit.
struct FileSizeBound {
  /// Bytes that a sample of all channels takes at most.
  let bytesPerSampleFrame: Int64
  /// Bytes that may still be written without another sample: padding, what a codec holds back.
  let reserve: Int64
  /// Room for fewer sample frames than this counts as none, for asking again costs a flush.
  let granularity: Int64

  init(_ file: FileFormat, channelCount: Int) {
    let channelCount = Int64(channelCount)
    let isOwn = file.container.row.ownWriting != nil
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
