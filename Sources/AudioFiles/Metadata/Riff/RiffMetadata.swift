// SPDX-License-Identifier: Apache-2.0
/// The metadata in the chunks of RIFF files.
///
/// Sources: Microsoft/IBM "Multimedia Programming Interface and Data Specifications 1.0" (`LIST`, `cue `), Microsoft
/// "New Multimedia Data Types and Data Techniques 3.0" (`smpl`, `inst`, `adtl`), EBU Tech 3285 (`bext`).
enum RiffMetadata {
  static func interpret(_ chunks: [Metadata.Chunk], into reading: inout MetadataReading) {
    let own = chunks.compactMap { chunk in chunk.family.riffOrder.map { (chunk, $0) } }
    var cues = CueList()
    // The texts of points may stand in front of the points.
    for (chunk, order) in own where chunk.identifier == "cue " {
      reading.beginPiece(of: chunk.family)
      cues.addPoints(chunk.content, order, &reading)
    }
    for (chunk, order) in own {
      reading.beginPiece(of: chunk.family)
      switch chunk.identifier {
      case "LIST" where chunk.content.has("INFO", at: 0):
        interpret(list: chunk.content, order, into: &reading)
      case "LIST" where chunk.content.has("adtl", at: 0): cues.addLabels(chunk.content, order)
      case "bext" where reading.metadata.broadcast == nil:
        reading.metadata.broadcast = Metadata.BroadcastExtension(chunk.content, order)
        if Metadata.BroadcastExtension.hasLongHistory(chunk.content) { reading.leaveOut(.history) }
      case "smpl": SamplerChunk.interpret(chunk.content, order, into: &reading)
      case "id3 ", "ID3 ": ID3Metadata.interpret(tag: chunk.content, into: &reading)
      case "inst": InstrumentChunk.interpret(chunk.content, into: &reading.metadata.instrument)
      default: break
      }
    }
    cues.addMarkers(to: &reading)
  }

  /// The texts of a `LIST` of type `INFO`. A text that is not in the table keeps its chunk's name.
  private static func interpret(
    list: [UInt8], _ order: ByteOrder, into reading: inout MetadataReading
  ) {
    for (name, content) in Subchunks(list[4...], order) {
      let key = TagNames.key(name, in: .info) ?? name
      if key == "TRACKNUMBER", content.count <= mostOfNumber {
        let text = StoredText.decoded(fixed: content)
        for (key, value) in ID3Metadata.numberAndTotal(text, "TRACK") {
          reading.add(reading.name(key), value)
        }
      } else {
        reading.add(reading.name(key), content) { StoredText.decoded(fixed: $0) }
      }
      if StoredText.hasMore(fixed: content) { reading.leaveOut(.ends) }
    }
  }

  private static let mostOfNumber = 1 << 16

  /// The texts of one `LIST` of type `INFO`.
  static func tags(_ list: [UInt8], _ order: ByteOrder) -> Metadata.Tags {
    var reading = MetadataReading()
    interpret(list: list, order, into: &reading)
    return reading.metadata.tags
  }

  /// The name of a text's chunk in such a list; nil if it has none.
  static func name(_ key: String) -> String? {
    if let name = TagNames.name(key, in: .info) { return name }
    // The key `ISRC` is a recording code, but the chunk `ISRC` is a source; the chunk `IPRT` is a track number.
    let isOwn = key.utf8.count == 4 && key.hasPrefix("I")
    return isOwn && TagNames.key(key, in: .info) == nil ? key : nil
  }

  /// The content of such a list, with the texts that have a name in it.
  static func list(of tags: Metadata.Tags, _ order: ByteOrder) -> [UInt8] {
    var list = Array("INFO".utf8)
    for key in tags.keys {
      guard let name = name(key) else { continue }
      list.append(chunk: name, Array(tags[key].joined(separator: "; ").utf8) + [0], order)
    }
    return list
  }
}

/// Collects the chunks of a RIFF, RIFX, RF64 or BW64 file, except those that describe the samples.
///
/// Sources: as ``WaveHeader``.
enum RiffChunks {
  /// Chunks that the writer of the samples makes.
  static let ofSamples: Set = ["fmt ", "data", "ds64", "fact", "LIST wavl"]

  /// - Parameters:
  ///   - source: the file, or the part of a stream in front of its samples.
  ///   - start: the offset of the file's first four letters.
  static func collect(
    _ source: any ByteSource, from start: Int64, around samples: Range<Int64>
  ) throws(AudioError) -> (chunks: [Metadata.Chunk], omissions: [Metadata.Omission]) {
    let isBig = try source.bytes(4, at: start).has("RIFX", at: 0)
    let family: Metadata.Family = isBig ? .rifx : .riff
    let form = ChunkForm.riff(isBig ? .big : .little)
    var collection = PieceCollection(source)
    let front = start + 12..<max(start + 12, samples.lowerBound - 8)
    try collection.collect(front, family, form, leavingOut: ofSamples)
    let behind = samples.upperBound + Int64(samples.count & 1)
    if behind < source.range.upperBound {
      try collection.collect(
        behind..<source.range.upperBound, family, form, leavingOut: ofSamples, isInFront: false)
    }
    var chunks = collection.chunks
    // Padding for a 64-bit header, which the next writer reserves itself.
    if let first = chunks.first, first.identifier == "JUNK", first.isInFront,
      first.content.allSatisfy({ $0 == 0 })
    {
      chunks.removeFirst()
    }
    return (chunks, collection.omissions)
  }
}
