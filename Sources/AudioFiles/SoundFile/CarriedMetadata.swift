// SPDX-License-Identifier: Apache-2.0
/// Where in an opened file stands what it carries beside its samples.
struct MetadataPlace {
  /// A regular file, or what of a stream came before its samples.
  enum Bytes {
    case file(FileDescriptor)
    case held([UInt8])
  }

  let bytes: Bytes
  /// What the pieces are those of; of a WAVE file that is WAV whatever is in it.
  let container: Container
  /// Where the container begins, behind tags in front of it.
  let start: Int64
  /// Where the samples are; where pieces stand among them, all of the container.
  let samples: Range<Int64>
  /// What the description of the samples says of their channels.
  var channelLayout: Metadata.ChannelLayout?
}

extension FileWindow: ByteSource {}

extension MetadataPlace {
  /// The pieces of the container and the tags around it, and what of them is not taken in.
  fileprivate func collect(
    _ source: any ByteSource
  ) throws(AudioError) -> (chunks: [Metadata.Chunk], omissions: [Metadata.Omission]) {
    let shape = container.row.metadata
    let own: MetadataShape.Pieces = try shape?.collect(source, start, samples) ?? ([], [])
    let isFramed = shape?.isFramed ?? false
    guard isFramed || start > source.range.lowerBound else { return own }
    let around = try SurroundingTags.collect(
      source, behind: isFramed ? start : nil, beside: own.chunks)
    // What a container calls its own counts first.
    return (own.chunks + around.chunks, own.omissions + around.omissions)
  }
}

extension OpenedSoundFile {
  /// What the file carries beside its samples, as far as there is a reader for its container.
  func metadata() throws(AudioError) -> Metadata {
    guard let place else { return try streamed() }
    // Most files carry little, and all that is looked at is whether chunks follow.
    let source: any ByteSource =
      switch place.bytes {
      case .file(let descriptor): try FileWindow(of: descriptor, blockSize: 4_096)
      case .held(let bytes): HeldBytes(bytes)
      }
    let (chunks, omissions) = try place.collect(source)
    var metadata = Metadata(interpreting: chunks)
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

  /// What libsndfile tells of a file that nobody here reads, or that comes from a pipe: some texts.
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
  /// Where the chunks of the file are.
  func place(of bytes: MetadataPlace.Bytes, from start: Int64) -> MetadataPlace {
    MetadataPlace(
      bytes: bytes, container: .wav, start: start,
      samples: dataOffset..<dataOffset + (actualBytes ?? 0),
      channelLayout: format.channelLayout)
  }
}
