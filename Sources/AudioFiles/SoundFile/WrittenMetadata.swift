// SPDX-License-Identifier: Apache-2.0
/// What a file gets beside its samples, as bytes in the shape of its container.
struct WrittenMetadata {
  /// In WAVE files the chunks between the description of the samples and the samples; in others what stands in front
  /// of all that libsndfile writes.
  var front: [UInt8] = []
  /// Behind everything else, once the file is complete; not on a pipe.
  var behind: [UInt8] = []
  /// In WAVE files: marks that go there, as far as they lie in the file.
  var markers: [Metadata.Marker] = []
  /// In WAVE files: what the description of the samples says of their channels, where it is not the usual.
  var channelLayout: Metadata.ChannelLayout?
  /// How the codec wants the channels; nil where that is the stream's own order.
  var channelOrder: ChannelOrder?
  /// Where libsndfile writes pieces of its own in the middle: what becomes of them on their way.
  var rewriter: (any ByteRewriter)?
  /// The parts that the file cannot carry.
  var omissions: [Metadata.Omission] = []

  static var none: WrittenMetadata { WrittenMetadata() }
}

extension WrittenMetadata {
  /// The bytes behind the samples, at most.
  var sizeBehind: Int64 {
    let marks = markers.isEmpty ? [] : WaveCues(markers).chunks(.little, length: .max)
    return Int64(behind.count + marks.count)
  }

  /// - Parameters:
  ///   - metadata: of the sources.
  ///   - isPatchable: whether the file can be changed afterwards; else everything has to stand in front.
  ///   - isPart: whether the file is one of several into which a stream is split.
  init(
    _ metadata: Metadata?, in file: FileFormat, _ format: StreamFormat, isPatchable: Bool,
    isPart: Bool
  ) throws(AudioError) {
    self.init()
    try setOrder(metadata?.adapted(to: format, file.encoding).channelLayout, file, format)
    // Who asks for samples without a header asks for nothing else.
    guard file.container != .raw else { return }
    let container = file.container
    guard
      var metadata = (metadata ?? container.ownMetadata(format))?.adapted(to: format, file.encoding)
    else { return }
    if metadata.channelLayout == nil {
      metadata.channelLayout = container.ownMetadata(format)?.channelLayout
    }
    if !container.hasPlace(for: .origin), container.hasPlace(for: .texts) {
      metadata = metadata.withOriginAsTexts
    }
    if container.row.metadata?.endsTextsWithZero == true {
      metadata = metadata.withoutZeroBytes(in: container.rawValue)
    }
    omissions += metadata.omissionsLost(in: file.metadataFamily)
    for field in Metadata.Field.allCases where !container.hasPlace(for: field) {
      omissions += metadata.omissions(of: field, in: container.rawValue)
    }
    omissions += metadata.foreignOmissions(for: file.metadataFamily)
    container.row.metadata?.compose(
      &self,
      MetadataRequest(
        metadata: metadata, file: file, format: format, isPatchable: isPatchable, isPart: isPart))
  }

  /// Finds the places of the channels in a codec that has an order of its own.
  ///
  /// - Throws: `unsupported` where a channel would come into the place of low frequencies, which keeps only those.
  private mutating func setOrder(
    _ layout: Metadata.ChannelLayout?, _ file: FileFormat, _ format: StreamFormat
  ) throws(AudioError) {
    guard file.container.row.metadata?.isOrderedByCodec == true,
      let stored = StoredChannels.ofXiphCodecs(format.channelCount)
    else { return }
    guard let places = stored.places(of: layout) else {
      throw AudioError(
        .unsupported, cannot: "store these \(format.channelCount) channels in",
        file.container.rawValue,
        because: "it takes one of \(format.channelCount) for low frequencies (LFE), "
          + "and they have none",
        advice: "take flac, or choose channels with --channel-map")
    }
    channelOrder = ChannelOrder(places)
    if layout == .discrete, let channel = stored.lowFrequencyChannel {
      omissions.append(
        .init(
          "all of channel \(channel)",
          because: "\(file.container.rawValue) keeps its low frequencies only, as those of an LFE"))
    }
  }
}

extension Container {
  /// The layout of channels that a file states by itself; nil where it states none.
  fileprivate func ownMetadata(_ format: StreamFormat) -> Metadata? {
    guard format.channelCount > 2, let layout = row.metadata?.ownLayout(format.channelCount) else {
      return nil
    }
    var metadata = Metadata()
    metadata.channelLayout = layout
    return metadata
  }
}

extension FileFormat {
  /// The family of the pieces that a file of this format has; nil where it has none.
  var metadataFamily: Metadata.Family? { container.row.metadata?.family(byteOrder) }
}

/// Changes what an encoder writes on its way into a file: a piece in the middle becomes longer or shorter, and
/// everything behind it moves. The encoder sees the file as it wrote it.
protocol ByteRewriter: AnyObject {
  /// What is to be written in the place of `bytes`, in order; nothing where more has to be seen first.
  ///
  /// - Parameter offset: where the encoder puts them. It may change later what it wrote before.
  /// - Returns: bytes with their places in the file as it is to be, both counted from its start. On a pipe only what
  ///   goes on where the last ended is written.
  func rewritten(_ bytes: [UInt8], at offset: Int64) throws(AudioError) -> [PlacedBytes]

  /// What was held back, when the encoder has written everything; nothing where it is asked again.
  func rest() throws(AudioError) -> [PlacedBytes]

  /// Where in the file the byte is that the encoder has at `offset`.
  func place(of offset: Int64) -> Int64
}

/// Bytes and where they stand.
struct PlacedBytes {
  var offset: Int64
  var bytes: [UInt8]
}
