// SPDX-License-Identifier: Apache-2.0
extension Metadata {
  /// The loss of pieces that only another family of containers has and no field states.
  ///
  /// - Parameter family: of the file to write; nil if it has no pieces.
  func foreignOmissions(for family: Family?) -> [Omission] {
    let foreign = chunks.filter { chunk in
      let isRelated = family.map { chunk.family.isRelated(to: $0) } ?? false
      return !isRelated && !chunk.isSaid && !chunk.isRoom
    }
    let pieces = foreign.map { chunk in
      let kind =
        switch chunk.family {
        case .flac: "block"
        case .id3, .ogg: "tag"
        default: "chunk"
        }
      return Omission(
        "'\(chunk.identifier)' \(kind)", because: "only \(chunk.family.name) files have it")
    }
    return pieces + (family?.hasID3Tags == true ? [] : ID3Metadata.unsaid(chunks))
  }
}

extension Metadata.Family {
  /// Whether a file can have an ID3 tag, around it or in a chunk.
  var hasID3Tags: Bool { [.id3, .riff, .rifx, .aiff].contains(self) }

  /// The name for users.
  var name: String {
    switch self {
    case .riff, .rifx: "WAV"
    case .wave64: "W64"
    case .aiff: "AIFF"
    case .caf: "CAF"
    case .flac: "FLAC"
    case .ogg: "Ogg"
    case .id3: "MP3"
    }
  }
}

extension Metadata.Chunk {
  /// Whether the fields of ``Metadata`` state its content.
  var isSaid: Bool {
    switch family {
    case .riff, .rifx, .wave64:
      identifier == "LIST"
        ? content.has("INFO", at: 0) || content.has("adtl", at: 0)
        : ["cue ", "bext", "smpl", "inst", "id3 ", "ID3 "].contains(identifier)
    case .aiff:
      ["NAME", "AUTH", "(c) ", "ANNO", "COMT", "MARK", "INST", "ID3 "].contains(identifier)
        || identifier == "CHAN" && AppleChannelLayout(content) != nil
    case .caf:
      ["info", "strg", "mark"].contains(identifier)
        || identifier == "chan" && AppleChannelLayout(content) != nil
    case .flac: ["VORBIS_COMMENT", "PICTURE", "CUESHEET"].contains(identifier)
    case .ogg, .id3: true
    }
  }

  /// Whether it is padding, or belongs to the samples.
  fileprivate var isRoom: Bool {
    ["JUNK", "junk", "PAD ", "FLLR", "fllr", "free", "PADDING", "SEEKTABLE", "FVER"].contains(
      identifier)
  }
}
