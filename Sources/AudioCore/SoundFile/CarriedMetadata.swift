/// Where in an opened file stands what it carries beside its samples.
struct MetadataPlace {
  /// A regular file, or what of a stream came before its samples.
  enum Bytes {
    case file(FileDescriptor)
    case held([UInt8])
  }

  let bytes: Bytes
  /// Where the container begins.
  let start: Int64
  /// Where the samples are.
  let samples: Range<Int64>
  /// What the description of the samples says of their channels.
  var channelLayout: Metadata.ChannelLayout?
}

extension FileWindow: ByteSource {}

extension OpenedSoundFile {
  /// What the file carries beside its samples, as far as there is a reader for its container.
  func metadata() throws(AudioError) -> Metadata {
    guard let place else { return Metadata() }
    // Most files carry little, and all that is looked at is whether chunks follow.
    let source: any ByteSource =
      switch place.bytes {
      case .file(let descriptor): try FileWindow(of: descriptor, blockSize: 4_096)
      case .held(let bytes): HeldBytes(bytes)
      }
    let (chunks, omissions) = try RiffChunks.collect(
      source, from: place.start, around: place.samples)
    var metadata = Metadata(interpreting: chunks)
    metadata.omissions += omissions
    metadata.sampleRate = format.sampleRate
    metadata.channelLayout = metadata.channelLayout ?? place.channelLayout
    return metadata
  }
}

extension WaveHeader {
  /// Where the chunks of the file are.
  func place(of bytes: MetadataPlace.Bytes, from start: Int64) -> MetadataPlace {
    MetadataPlace(
      bytes: bytes, start: start, samples: dataOffset..<dataOffset + (actualBytes ?? 0),
      channelLayout: format.channelLayout)
  }
}
