// SPDX-License-Identifier: Apache-2.0
/// A new file's metadata, as bytes in its container's form.
struct WrittenMetadata {
  /// In WAVE files, the chunks between the description of the samples and the samples. In other files, the bytes before
  /// libsndfile's first one.
  var front: [UInt8] = []
  /// The bytes at the end of a complete file; not written to a pipe.
  var behind: [UInt8] = []
  /// The place in ``front`` where the end of the sound is stated in the complete file, in milliseconds, in four bytes; nil
  /// = nowhere.
  var placeOfEnd: Int?
  /// In WAVE files: the places in ``front`` and ``behind`` for the length that GUANO states; nil = nowhere.
  var placesOfLength: (front: Int?, behind: Int?) = (nil, nil)
  /// The factor by which the sound was slowed down, which the length does not count.
  var expansion = 1
  /// In WAVE files: the marks to write at the end. Marks behind the last sample are dropped.
  var markers: [Metadata.Marker] = []
  /// In WAVE files: the channel layout in the description of the samples; nil = the usual one.
  var channelLayout: Metadata.ChannelLayout?
  /// The channel order of the codec; nil = the stream's order.
  var channelOrder: ChannelOrder?
  /// Changes the metadata that libsndfile itself writes within the file.
  var rewriter: (any ByteRewriter)?
  /// The parts that the file cannot carry.
  var omissions: [Metadata.Omission] = []
}

extension WrittenMetadata {
  /// The most bytes behind the samples.
  var sizeBehind: Int64 {
    let marks = markers.isEmpty ? [] : WaveCues(markers).chunks(.little, length: .max)
    return Int64(behind.count + marks.count)
  }

  /// - Parameters: as of ``MetadataRequest``; `metadata` is that of the sources.
  init(
    _ metadata: Metadata?, in file: FileFormat, _ format: StreamFormat, isPatchable: Bool,
    isPart: Bool, isCopy: Bool = false
  ) throws(AudioError) {
    self.init()
    try setOrder(metadata?.adapted(to: format, file.encoding).channelLayout, file, format)
    // A headerless file has no metadata.
    guard file.container != .raw else { return }
    let container = file.container
    guard
      var metadata = (metadata ?? container.ownMetadata(format) ?? (isCopy ? Metadata() : nil))?
        .adapted(to: format, file.encoding)
    else { return }
    if metadata.channelLayout == nil {
      metadata.channelLayout = container.ownMetadata(format)?.channelLayout
    }
    metadata = metadata.withGains(forOpus: container == .opus)
    if isPart { metadata.changeGuano { $0.forgetLength() } }
    expansion = metadata.guano?.expansion ?? 1
    if container.hasPlace(for: .origin) || container.hasPlace(for: .texts) {
      let keepsRoom = isPatchable && (container.hasPlace(for: .origin) || container == .flac)
      metadata = metadata.withGuano(in: file.metadataFamily, keepsRoom: keepsRoom)
    }
    if container.hasPlace(for: .origin) { metadata = metadata.withOriginFromTexts }
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
        metadata: metadata, file: file, format: format, isPatchable: isPatchable, isPart: isPart,
        isCopy: isCopy))
  }

  /// Finds the places of the channels in a codec with its own channel order.
  ///
  /// - Throws: `unsupported` if a channel would take the place of low frequencies, which keeps only those.
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
        "all of channel \(channel)",
        because: "\(file.container.rawValue) keeps its low frequencies only, as those of an LFE")
    }
  }
}

extension Container {
  /// The channel layout that a file states without other metadata; nil if it states none.
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
  /// The family of the metadata pieces of this format; nil if it has none.
  var metadataFamily: Metadata.Family? { container.row.metadata?.family(byteOrder) }
}

/// Changes an encoder's bytes on their way into a file. A piece in the middle becomes longer or shorter, and all later
/// bytes move. The encoder sees the file as it wrote it.
protocol ByteRewriter: AnyObject {
  /// Returns the bytes to write instead of `bytes`, in order; empty if later bytes must be seen first.
  ///
  /// - Parameter offset: the place of `bytes` in the encoder's file. The encoder may return to an earlier place.
  /// - Returns: bytes with their places from the start of the new file. On a pipe, only bytes at the end of the
  ///   previous ones are written.
  func rewritten(_ bytes: [UInt8], at offset: Int64) throws(AudioError) -> [PlacedBytes]

  /// Returns the held bytes after the encoder's last write; empty if called again.
  func rest() throws(AudioError) -> [PlacedBytes]

  /// The place in the file of the encoder's byte at `offset`.
  func place(of offset: Int64) -> Int64
}

/// Bytes and their place in a file, or in a codec's view of it.
struct PlacedBytes {
  var offset: Int64
  var bytes: [UInt8]
}
