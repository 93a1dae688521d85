// SPDX-License-Identifier: Apache-2.0
/// The place of an opened file's metadata.
struct MetadataPlace {
  /// A regular file, or the bytes before a stream's samples.
  enum Bytes {
    case file(FileDescriptor)
    case held([UInt8])
  }

  let bytes: Bytes
  /// The container of the pieces; always WAV for a WAVE file.
  let container: Container
  /// The start of the container, behind preceding tags.
  let start: Int64
  /// The place of the samples, or of the whole container if pieces may lie among them.
  let samples: Range<Int64>
  /// The channel layout in the description of the samples.
  var channelLayout: Metadata.ChannelLayout?
}

extension FileWindow: ByteSource {}

extension MetadataPlace {
  /// Reads the pieces of the container and the tags around it, and lists the omitted ones.
  fileprivate func collect(
    _ source: any ByteSource
  ) throws(AudioError) -> (chunks: [Metadata.Chunk], omissions: [Metadata.Omission]) {
    let shape = container.row.metadata
    let own: MetadataShape.Pieces = try shape?.collect(source, start, samples) ?? ([], [])
    let isFramed = shape?.isFramed ?? false
    guard isFramed || start > source.range.lowerBound else { return own }
    let around = try SurroundingTags.collect(
      source, behind: isFramed ? start : nil, beside: own.chunks)
    // The container's own pieces have precedence.
    return (own.chunks + around.chunks, own.omissions + around.omissions)
  }
}

extension OpenedSoundFile {
  func metadata() throws(AudioError) -> Metadata {
    guard let place else { return try streamed() }
    // Small blocks suffice: most files carry little, and the search only looks for further chunks.
    let source: any ByteSource =
      switch place.bytes {
      case .file(let descriptor): try FileWindow(of: descriptor, blockSize: 4_096)
      case .held(let bytes): HeldBytes(bytes)
      }
    let (chunks, omissions) = try place.collect(source)
    var metadata = Metadata(interpreting: chunks, sampleRate: format.sampleRate)
    metadata.omissions += omissions
    metadata.sampleRate = format.sampleRate
    metadata.channelCount = format.channelCount
    metadata.encoding = encoding
    let isOrderedByCodec = container.row.metadata?.isOrderedByCodec ?? false
    metadata.channelLayout =
      isOrderedByCodec
      ? channelLayout : metadata.channelLayout ?? place.channelLayout ?? channelLayout
    return metadata
  }

  /// libsndfile's texts of a file without a ``place``, such as one from a pipe.
  private func streamed() throws(AudioError) -> Metadata {
    var metadata = Metadata()
    metadata.channelLayout = channelLayout
    metadata.channelCount = format.channelCount
    let texts = try handle?.texts() ?? [:]
    for text in SoundFileInformation.Text.allCases where text != .software {
      guard let value = texts[text], let key = text.keys.first else { continue }
      metadata.tags.append(key, value)
    }
    return metadata
  }
}

extension WaveHeader {
  /// The place of the file's chunks.
  func place(of bytes: MetadataPlace.Bytes, from start: Int64) -> MetadataPlace {
    MetadataPlace(
      bytes: bytes, container: .wav, start: start,
      samples: dataOffset..<dataOffset + (actualBytes ?? 0),
      channelLayout: format.channelLayout)
  }
}
