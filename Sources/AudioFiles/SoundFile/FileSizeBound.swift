// SPDX-License-Identifier: Apache-2.0
/// An upper bound of a sound file's size, so that the file ends before a limit.
struct FileSizeBound {
  /// The most bytes that one sample of all channels takes.
  let bytesPerSampleFrame: Int64
  /// The most bytes that follow without another sample: padding, and samples held back by a codec.
  let reserve: Int64
  /// Fewer sample frames than this count as no room: asking again costs a flush.
  let granularity: Int64

  init(_ file: FileFormat, channelCount: Int) {
    let channelCount = Int64(channelCount)
    let isOwn = file.container.row.ownWriting != nil
    if let bytes = file.encoding.bytesPerSample,
      isOwn || file.container.storesPlainSamples(file.encoding)
    {
      bytesPerSampleFrame = Int64(bytes) * channelCount
      // RIFF pads to two bytes, Wave64 to eight; libsndfile ends some containers with a few more bytes.
      reserve = isOwn ? bytesPerSampleFrame & 1 : 64
      granularity = 1
    } else if file.container == .flac {
      // A block of 4096 that does not shrink is stored uncompressed, with a header of at most 16 bytes. One block can
      // be on its way.
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

  /// The number of sample frames that a file of `size` bytes can take and still end below `limit`.
  func sampleFrames(from size: Int64, to limit: Int64) -> Int64 {
    let count = (limit - size - reserve) / bytesPerSampleFrame
    return count < granularity ? 0 : count
  }
}
