// SPDX-License-Identifier: Apache-2.0
internal import CSndfile

// The containers of Xiph's codecs, and MPEG audio streams.

extension Container {
  /// Free Lossless Audio Codec.
  public static let flac = Container(
    "flac",
    .init(
      major: SF_FORMAT_FLAC, title: "Free Lossless Audio Codec", otherNames: ["fla"], isUsual: true,
      packed: SampleEncoding.allCases, streaming: .all(except: nil),
      // The limit of libFLAC.
      statableRates: 1_000...655_350, metadata: .flac))

  /// Ogg with Vorbis.
  public static let ogg = Container(
    "ogg",
    .init(
      major: SF_FORMAT_OGG, title: "Ogg with Vorbis (oga)", otherNames: ["oga", "vorbis"],
      isUsual: true,
      group: .ogg, refused: [.opus], packed: SampleEncoding.allCases, streaming: .all(except: nil),
      // The limit of libvorbis.
      statableRates: 1_000...200_000, metadata: .ogg,
      channels: { question in
        (StoredChannels.ofXiphCodecs(question.channelCount)?.order, nil)
      },
      settle: settleOgg))

  /// Ogg with Opus.
  public static let opus = Container(
    "opus",
    .init(
      major: SF_FORMAT_OGG, title: "Ogg with Opus", isUsual: true, group: .ogg, ownEncoding: .opus,
      refused: [.vorbis], packed: SampleEncoding.allCases, streaming: .all(except: nil),
      isFrames: true,
      rates: [8_000, 12_000, 16_000, 24_000, 48_000], metadata: .ogg,
      channels: { question in
        // RFC 7845, section 5.1.1.2: up to eight channels in the order of Vorbis.
        guard question.head.opusMappingFamily == 1 else { return (nil, .discrete) }
        return (StoredChannels.ofXiphCodecs(question.channelCount)?.order, nil)
      },
      settle: settleOgg))

  /// MPEG audio without a container.
  public static let mp3 = Container(
    "mp3",
    .init(
      major: SF_FORMAT_MPEG, title: "MPEG audio", otherNames: ["mp1", "mp2", "mpeg"], isUsual: true,
      packed: SampleEncoding.allCases, streaming: .all(except: nil), isFrames: true,
      rates: [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000],
      metadata: .mpeg,
      // libsndfile only estimates the length.
      settle: { file, _ in file.samplesPerChannel = nil }))
}

private func settleOgg(
  _ file: inout OpenedSoundFile, _ opened: SettledPart
) throws(AudioError) {
  file.claimedSamplesPerChannel = file.samplesPerChannel
  file.endsWithin = try OggEnd.isMissing(in: opened.window, opened.part)
}

extension MetadataShape {
  static let flac = MetadataShape(
    name: "FLAC",
    places: [
      .texts: "`VORBIS_COMMENT`", .marks: "`CHAPTER001` in `VORBIS_COMMENT`",
      .pictures: "`PICTURE`", .tracks: "`CUESHEET`",
      .layout: "`WAVEFORMATEXTENSIBLE_CHANNEL_MASK`; not B-format",
    ],
    family: { _ in .flac }, isFramed: true, endsTextsWithZero: false, marksAreChapters: true,
    collect: { (source, start, _) throws(AudioError) in
      try FlacBlocks.collect(source, from: start)
    },
    compose: { $0.setComments($1, as: .flac) { FlacRewriter($0) } })

  static let ogg = MetadataShape(
    name: "Ogg, Opus",
    places: [
      .texts: "comments", .marks: "`CHAPTER001`", .pictures: "`METADATA_BLOCK_PICTURE`",
    ],
    family: { _ in .ogg }, isFramed: true, endsTextsWithZero: false, isOrderedByCodec: true,
    marksAreChapters: true,
    collect: { (source, start, _) throws(AudioError) in
      try OggComments.collect(source, from: start)
    },
    compose: { $0.setComments($1, as: .ogg) { OggRewriter($0) } })

  static let mpeg = MetadataShape(
    name: "MP3", places: [.texts: "frames of ID3v2.4", .marks: "`CHAP`", .pictures: "`APIC`"],
    family: { _ in .id3 }, isFramed: true, marksAreChapters: true, collect: { _, _, _ in ([], []) },
    compose: { written, request in
      let composition = ID3Composition(
        request.metadata, isStream: !request.isPatchable, isCopy: request.isCopy && !request.isPart)
      written.front = composition.front
      written.behind = composition.behind
      written.placeOfEnd = composition.placeOfEnd
      written.omissions += composition.omissions
    })
}

extension WrittenMetadata {
  /// - Parameter rewriter: replaces the encoder's comments.
  fileprivate mutating func setComments(
    _ request: MetadataRequest, as family: Metadata.Family,
    _ rewriter: (XiphComposition) -> any ByteRewriter
  ) {
    let composition = XiphComposition(
      request.metadata, as: family, channelCount: request.format.channelCount,
      isCopy: request.isCopy)
    omissions += composition.omissions
    if !composition.isEmpty || request.isCopy { self.rewriter = rewriter(composition) }
  }
}
