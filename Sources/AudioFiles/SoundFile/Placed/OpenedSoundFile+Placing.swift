// SPDX-License-Identifier: Apache-2.0
extension OpenedSoundFile {
  /// Reads plain samples itself if libsndfile would read too few, too many, or in the wrong order.
  ///
  /// - Parameters:
  ///   - stated: the place of the samples according to the header.
  ///   - part: the file's bytes within the window.
  mutating func placeSamples(
    _ stated: StatedLength?, in window: FileWindow, _ file: FileDescriptor, _ part: Range<Int64>
  ) throws(AudioError) {
    guard container.storesPlainSamples(encoding), let stated else { return }
    switch (stated, container.row.arrangement) {
    case (.unfinished(let first), _):
      let begin = part.lowerBound + first
      let count = try BytesBehind.count(
        in: window, from: begin, container.row.chunksBehindSamples ?? .none, countsZeros: true)
      if count > 0 { readOn(file, begin..<begin + count) }
    case (.bytes(let samples), .inPlanes) where format.channelCount > 1:
      placePlanes(samples, file, part)
    case (.bytes(let samples), _):
      guard let chunks = container.row.chunksBehindSamples else { return }
      let end = part.lowerBound + samples.upperBound
      let count = try BytesBehind.count(in: window, from: end, chunks)
      guard count > 0 else { return }
      if file.corrections.ignoresLength {
        readOn(file, part.lowerBound + samples.lowerBound..<end + count)
      } else {
        samplesBehind = count / bytesPerFrame
        // libsndfile 1.2.0 reads other samples of a W64 file than its header states.
        readOn(file, part.lowerBound + samples.lowerBound..<end)
        claimedSamplesPerChannel = samplesPerChannel
      }
    default: break
    }
  }

  private var bytesPerFrame: Int64 { Int64(reader.layout.bytesPerSample * format.channelCount) }

  private mutating func readOn(_ file: FileDescriptor, _ samples: Range<Int64>) {
    samplesPerChannel = Int64(samples.count) / bytesPerFrame
    claimedSamplesPerChannel = nil
    reader = PlainSampleReader(
      file, reader.layout, channelCount: format.channelCount, from: samples.lowerBound,
      byteCount: Int64(samples.count))
  }

  /// Opens a Creative Voice file.
  ///
  /// - Parameter part: the file's bytes within the window.
  init(
    voice window: FileWindow, _ file: FileDescriptor, _ part: Range<Int64>
  ) throws(AudioError) {
    let blocks = try VoiceBlocks(in: window, from: part.lowerBound)
    guard let description = blocks.description else {
      throw .malformed(file.name, because: "it has no block of sound")
    }
    guard let layout = description.layout, let size = description.bytesPerFrame, size > 0 else {
      throw AudioError(
        .unsupported, cannot: "read", file.name,
        because: ForeignContainer.reason(description.codingName))
    }
    let format = try StreamFormat(
      claiming: description.sampleRate, description.channelCount, in: file.name)
    let present = blocks.parts(before: part.upperBound)
    self.init(
      container: .voc, encoding: layout.encoding,
      byteOrder: layout.bytesPerSample > 1 ? layout.byteOrder : nil, format: format,
      reader: PartedSampleReader(file, layout, channelCount: format.channelCount, present))
    claimedSamplesPerChannel = blocks.byteCount / Int64(size)
    samplesPerChannel = present.reduce(0) { $0 + $1.byteCount } / Int64(size)
    endsWithin = blocks.endsWithin
    place = MetadataPlace(
      bytes: .file(file), container: .voc, start: part.lowerBound, samples: part)
  }

  /// 8SVX stores all samples of the left channel before those of the right one. Source: Electronic Arts, "8SVX IFF
  /// 8-bit sampled voice", appendix on the chunk CHAN.
  private mutating func placePlanes(
    _ samples: Range<Int64>, _ file: FileDescriptor, _ part: Range<Int64>
  ) {
    let size = Int64(reader.layout.bytesPerSample)
    let channels = Int64(format.channelCount)
    let claimed = Int64(samples.count) / (size * channels)
    let start = part.lowerBound + samples.lowerBound
    let last = start + (channels - 1) * claimed * size
    let actual = min(claimed, max(0, part.upperBound - last) / size)
    claimedSamplesPerChannel = claimed
    samplesPerChannel = actual
    reader = PlanarSampleReader(
      file, reader.layout, channelCount: format.channelCount, from: start,
      planeSize: claimed * size, sampleFrames: actual)
  }

  /// Opens a stream whose header states no length, and reads it to its end.
  ///
  /// - Parameter first: the start of the samples within `head`.
  init(
    unfinished descriptor: FileDescriptor, _ head: FileBeginning, from first: Int64
  ) throws(AudioError) {
    try self.init(head.open(SpooledFile.holding(head.bytes, named: descriptor.name)))
    _ = try descriptor.nextBytes(Int(first))
    samplesPerChannel = nil
    claimedSamplesPerChannel = nil
    reader = PlainSampleReader(
      descriptor, reader.layout, channelCount: format.channelCount, from: 0, byteCount: nil)
  }

  /// Drops the samples that libsndfile invents for an incomplete last block.
  mutating func endWithLastBlock(_ header: WaveHeader) {
    guard let found = samplesPerChannel, let byteCount = header.actualBytes else { return }
    var count = header.statedSamples ?? found
    if let blocks = WaveBlocks(header.format) {
      count = blocks.samples(in: byteCount, stated: header.statedSamples)
    } else if count <= found - WaveBlocks.longestOfOthers {
      return
    }
    guard count < found else { return }
    samplesPerChannel = count
    claimedSamplesPerChannel = count
    (reader as? SndfileSampleReader)?.limit(to: count)
  }
}

extension WaveHeader {
  /// The position of 17 to 24 bits in four bytes. The user's choice comes first, then the look of the samples. nil for
  /// a pipe, whose samples are not read yet.
  func padding(in descriptor: FileDescriptor) throws(AudioError) -> PaddedBits? {
    if let stated = descriptor.corrections.paddedBits { return stated }
    guard descriptor.isRegular, let count = actualBytes else { return nil }
    return try PaddedBitsEvidence.verdict(
      in: FileWindow(of: descriptor), dataOffset..<dataOffset + count, byteOrder)
  }
}
