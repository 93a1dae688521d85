// SPDX-License-Identifier: Apache-2.0
internal import CSndfile

// WAVE of all kinds, and Wave64.

extension Container {
  /// RIFF WAVE. A file that grows past 4 GiB becomes RF64.
  public static let wav = Container(
    "wav",
    .init(
      major: SF_FORMAT_WAV, title: "RIFF WAVE, RF64 if it grows past 4 GiB",
      otherNames: ["wave", "bwf", "riff"], isUsual: true, group: .wave, ownWriting: .wave(),
      // `sf_open` refuses it.
      refused: [.mpegLayer3], streaming: .plain, countsIn32Bits: true, countsPiecesBehind: true,
      metadata: .riff,
      correctHeader: { (written) throws(AudioError) in
        // libsndfile 1.2.0 states whole blocks for IMA ADPCM.
        guard let place = written.placeOfFact else { return }
        try written.state(written.sampleFrames, byteCount: 4, at: place)
      }))

  /// WAVE whose `fmt` chunk is always WAVE_FORMAT_EXTENSIBLE.
  public static let wavex = Container(
    "wavex",
    .init(
      major: SF_FORMAT_WAVEX, title: "WAVE with a channel mask always", isUsual: true, group: .wave,
      ownWriting: .wave(isAlwaysExtensible: true), streaming: .plain, countsIn32Bits: true,
      metadata: .riff))

  /// WAVE with 64-bit sizes from the start (EBU Tech 3306).
  public static let rf64 = Container(
    "rf64",
    .init(
      major: SF_FORMAT_RF64, title: "WAVE with 64-bit sizes from the start (bw64)",
      otherNames: ["bw64"],
      isUsual: true, group: .wave, ownWriting: .wave(isAlways64Bit: true), streaming: .plain,
      metadata: .riff))

  /// Sony Wave64.
  public static let w64 = Container(
    "w64",
    .init(
      major: SF_FORMAT_W64, title: "Sony Wave64", otherNames: ["wave64"], isUsual: true,
      // It states no count of samples, and would end with those that fill the last block.
      refused: [.gsm610, .imaADPCM, .msADPCM],
      chunksBehindSamples: .wave64,
      channels: { question in (nil, question.head.wave64Format?.channelLayout) },
      settle: { (file, opened) throws(AudioError) in
        guard opened.stated == nil, file.samplesPerChannel == 0 else { return }
        throw .malformed(opened.name, because: "its header ends before its samples")
      }))
}

extension MetadataShape {
  static let riff = MetadataShape(
    name: "WAV, RF64",
    places: [
      .texts: "`LIST` of type `INFO`; others in `id3 `", .origin: "`bext`, `guan`",
      .marks: "`cue `, `LIST` of type `adtl`", .sampler: "`smpl`, `inst`",
      .pictures: "`APIC` in `id3 `", .layout: "`fmt `",
    ],
    family: { $0 == .big ? .rifx : .riff },
    collect: { (source, start, samples) throws(AudioError) in
      try RiffChunks.collect(source, from: start, around: samples)
    },
    compose: { $0.setWave($1) })
}

extension WrittenMetadata {
  fileprivate mutating func setWave(_ request: MetadataRequest) {
    var metadata = request.metadata
    let (file, format) = (request.file, request.format)
    channelLayout = metadata.channelLayout
    metadata.broadcast?.add(
      toHistory: Metadata.BroadcastExtension.historyLine(format, file.encoding))
    let family = file.metadataFamily ?? .riff
    let order = family.riffOrder ?? .little
    let composition = RiffComposition(
      metadata, as: family, sampleRate: format.sampleRate, isPart: request.isPart)
    func isInFront(_ chunk: Metadata.Chunk) -> Bool {
      // libsndfile 1.2.0 does not skip a chunk's padding in RF64, and then finds no samples behind it.
      let isMoved = file.container == .rf64 && chunk.content.count & 1 == 1
      // It writes the header of a codec itself.
      let isOfCodec = !file.container.storesPlainSamples(file.encoding)
      return !isOfCodec && (!request.isPatchable || chunk.isInFront && !isMoved)
    }
    let chunks = composition.chunks
    front = chunks.filter(isInFront).bytes(order)
    behind = chunks.filter { !isInFront($0) }.bytes(order)
    placesOfLength = (
      GuanoText.placeOfRoom(in: chunks.filter(isInFront)),
      GuanoText.placeOfRoom(in: chunks.filter { !isInFront($0) })
    )
    markers = composition.pendingMarkers
    omissions += composition.omissions
  }
}

extension Container {
  /// Whether a file has a place for the names of its channels.
  package var hasTrackNames: Bool { [.wav, .wavex, .rf64, .w64].contains(self) }
}
