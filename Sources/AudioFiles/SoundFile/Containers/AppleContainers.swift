// SPDX-License-Identifier: Apache-2.0
internal import CSndfile

// The containers of Apple's programs, and the one of Sun and NeXT.

extension Container {
  /// AIFF, or AIFF-C if the encoding or the byte order requires it.
  public static let aiff = Container(
    "aiff",
    .init(
      major: SF_FORMAT_AIFF, title: "AIFF and AIFF-C (aif, aifc)", otherNames: ["aif", "aifc"],
      isUsual: true,
      // libsndfile cannot read its own DWVW of 12 bits.
      refused: [.dwvw12], countsIn32Bits: true, chunksBehindSamples: .iff, countsPiecesBehind: true,
      metadata: .aiff,
      channels: { (question) throws(AudioError) in try question.apple(.aiff) },
      correctHeader: { (written) throws(AudioError) in
        try AiffLength(header: written.header)?.state(
          written.sampleFrames, of: written.bytesPerFrame, in: written.descriptor,
          from: written.base)
      }))

  /// Sun/NeXT audio.
  public static let au = Container(
    "au",
    .init(
      major: SF_FORMAT_AU, title: "Sun and NeXT (snd)", otherNames: ["snd"], isUsual: true,
      streaming: .all(except: nil), chunksBehindSamples: ChunkForm.none))

  /// Apple Core Audio format.
  public static let caf = Container(
    "caf",
    .init(
      major: SF_FORMAT_CAF, title: "Apple Core Audio", isUsual: true, chunksBehindSamples: .caf,
      metadata: .caf,
      channels: { (question) throws(AudioError) in try question.apple(.caf) }))
}

private let usualSpeakers: @Sendable (_ channelCount: Int) -> Metadata.ChannelLayout? = {
  Metadata.ChannelLayout.usualSpeakers($0).map { .speakers($0) }
}

extension ChannelQuestion {
  fileprivate func apple(_ shape: MetadataShape) throws(AudioError) -> ChannelAnswer {
    let layout = AppleChannelLayout(in: try shape.collect(source, part.lowerBound, part).chunks)
    return (layout?.order, layout?.layout)
  }
}

extension MetadataShape {
  static let aiff = MetadataShape(
    name: "AIFF",
    places: [
      .texts: "`NAME`, `AUTH`, `(c) `, `ANNO`; others in `ID3 `", .marks: "`MARK`",
      .sampler: "`INST`, without new loops", .pictures: "`APIC` in `ID3 `",
      .layout: "`CHAN`; not B-format",
    ],
    family: { _ in .aiff }, ownLayout: usualSpeakers,
    collect: { (source, start, samples) throws(AudioError) in
      var collection = PieceCollection(source)
      try collection.collect(
        start + 12..<max(start + 12, samples.upperBound), .aiff, .iff,
        leavingOut: AiffMetadata.ofSamples)
      return (collection.chunks, collection.omissions)
    },
    compose: { written, request in
      let (metadata, omissions) = request.fixedInLength
      let composition = AiffComposition(metadata, channelCount: request.format.channelCount)
      written.behind = composition.chunks.bytes(.big)
      written.omissions += omissions + composition.omissions
    })

  static let caf = MetadataShape(
    name: "CAF",
    places: [.texts: "`info`", .marks: "`mark`, `strg`", .layout: "`chan`; not B-format"],
    family: { _ in .caf }, ownLayout: usualSpeakers,
    collect: { (source, start, samples) throws(AudioError) in
      var collection = PieceCollection(source)
      try collection.collect(
        start + 8..<max(start + 8, samples.upperBound), .caf, .caf,
        leavingOut: CafMetadata.ofSamples, around: "data")
      return (collection.chunks, collection.omissions)
    },
    compose: { written, request in
      let (metadata, omissions) = request.fixedInLength
      let composition = CafComposition(metadata, channelCount: request.format.channelCount)
      written.behind = composition.bytes
      written.omissions += omissions + composition.omissions
    })
}

extension MetadataRequest {
  /// The metadata; without positions if the file is a part, because they could lie behind its last sample. And their
  /// loss.
  fileprivate var fixedInLength: (Metadata, [Metadata.Omission]) {
    guard isPart, !metadata.markers.isEmpty || metadata.instrument?.loops.isEmpty == false else {
      return (metadata, [])
    }
    let fixed = metadata.withoutPositions(because: "a part may end before them")
    return (fixed, Array(fixed.omissions.dropFirst(metadata.omissions.count)))
  }
}
