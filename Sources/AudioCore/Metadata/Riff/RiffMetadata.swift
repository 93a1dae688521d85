// SPDX-License-Identifier: Apache-2.0
/// What the chunks of RIFF files say.
///
/// Sources: Microsoft/IBM "Multimedia Programming Interface and Data Specifications 1.0" (`LIST`, `cue `), Microsoft
/// "New Multimedia Data Types and Data Techniques 3.0" (`smpl`, `inst`, `adtl`), EBU Tech 3285 (`bext`).
enum RiffMetadata {
  /// Adds what the chunks of the family say.
  static func interpret(_ chunks: [Metadata.Chunk], into metadata: inout Metadata) {
    var cues = CueList()
    for chunk in chunks {
      let order: ByteOrder
      switch chunk.family {
      case .riff, .wave64: order = .little
      case .rifx: order = .big
      default: continue
      }
      switch chunk.identifier {
      case "LIST" where chunk.content.has("INFO", at: 0):
        metadata.tags.fill(from: tags(chunk.content, order))
      case "LIST" where chunk.content.has("adtl", at: 0): cues.addLabels(chunk.content, order)
      case "cue ": cues.addPoints(chunk.content, order)
      case "bext" where metadata.broadcast == nil:
        metadata.broadcast = Metadata.BroadcastExtension(chunk.content, order)
      case "smpl": SamplerChunk.interpret(chunk.content, order, into: &metadata.instrument)
      case "id3 ", "ID3 ": ID3Metadata.interpret(tag: chunk.content, into: &metadata)
      case "inst": InstrumentChunk.interpret(chunk.content, into: &metadata.instrument)
      default: break
      }
    }
    metadata.markers += cues.markers
  }

  /// The texts of a `LIST` of type `INFO`. What has no name in the table keeps that of its chunk.
  static func tags(_ list: [UInt8], _ order: ByteOrder) -> Metadata.Tags {
    var tags = Metadata.Tags()
    for (name, content) in ChunkCollection.sublist(list, from: 4, order) {
      let key = TagNames.key(name, in: .info) ?? name
      tags.append(key, StoredText.decoded(fixed: content))
    }
    return tags
  }

  /// What the chunk of a text is called in such a list; nil where there is no name for it.
  static func name(_ key: String) -> String? {
    if let name = TagNames.name(key, in: .info) { return name }
    // `ISRC` is a number of a recording as a text, and where it comes from as a chunk.
    let isOwn = key.utf8.count == 4 && key.hasPrefix("I")
    return isOwn && TagNames.key(key, in: .info) == nil ? key : nil
  }

  /// The content of such a list, with the texts that have a name in it.
  static func list(of tags: Metadata.Tags, _ order: ByteOrder) -> [UInt8] {
    var list = Array("INFO".utf8)
    for key in tags.keys {
      guard let name = name(key) else { continue }
      let text = Array(tags[key].joined(separator: "; ").utf8) + [0]
      list += name.utf8
      list.append(text.count, 4, order)
      list += text
      if text.count & 1 == 1 { list.append(0) }
    }
    return list
  }
}
