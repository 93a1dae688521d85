// SPDX-License-Identifier: Apache-2.0
/// What containers call the texts that most of them know.
///
/// Sources: RIFF INFO: Microsoft/IBM "Multimedia Programming Interface and Data Specifications 1.0" and the EXIF 2.3
/// audio list; ID3: id3.org, ID3v2.4.0 frames; AIFF: "Audio Interchange File Format 1.3"; CAF: Apple Core Audio Format
/// Specification 1.0, information chunk.
struct TagNames: Sendable {
  /// As in Vorbis comments.
  let key: String
  /// The chunk in a `LIST` of type `INFO`.
  var info: String?
  /// The frame of ID3v2.4.
  var id3: String?
  var aiff: String?
  var caf: String?

  init(
    _ key: String, info: String? = nil, id3: String? = nil, aiff: String? = nil, caf: String? = nil
  ) {
    self.key = key
    self.info = info
    self.id3 = id3
    self.aiff = aiff
    self.caf = caf
  }

  /// Where two rows have one name of a container, the first is what is read from it.
  static let all: [TagNames] = [
    TagNames("TITLE", info: "INAM", id3: "TIT2", aiff: "NAME", caf: "title"),
    TagNames("ARTIST", info: "IART", id3: "TPE1", aiff: "AUTH", caf: "artist"),
    TagNames("ALBUM", info: "IPRD", id3: "TALB", caf: "album"),
    TagNames("ALBUMARTIST", id3: "TPE2"),
    TagNames("TRACKNUMBER", info: "ITRK", id3: "TRCK", caf: "track number"),
    TagNames("TRACKTOTAL"),
    TagNames("DISCNUMBER", id3: "TPOS"),
    TagNames("DISCTOTAL"),
    TagNames("DATE", info: "ICRD", id3: "TDRC", caf: "year"),
    TagNames("GENRE", info: "IGNR", id3: "TCON", caf: "genre"),
    TagNames("COMMENT", info: "ICMT", id3: "COMM", aiff: "ANNO", caf: "comments"),
    TagNames("COPYRIGHT", info: "ICOP", id3: "TCOP", aiff: "(c) ", caf: "copyright"),
    TagNames("COMPOSER", info: "IMUS", id3: "TCOM", caf: "composer"),
    TagNames("LYRICIST", info: "IWRI", id3: "TEXT", caf: "lyricist"),
    TagNames("CONDUCTOR", id3: "TPE3"),
    TagNames("REMIXER", id3: "TPE4"),
    TagNames("ENGINEER", info: "IENG"),
    TagNames("PRODUCER", info: "IPRO"),
    TagNames("ENCODED-BY", info: "ITCH", id3: "TENC"),
    TagNames("ENCODER", info: "ISFT", id3: "TSSE", caf: "encoding application"),
    TagNames("ORGANIZATION", id3: "TPUB"),
    TagNames("ISRC", id3: "TSRC"),
    TagNames("BPM", id3: "TBPM", caf: "tempo"),
    TagNames("KEY", id3: "TKEY", caf: "key signature"),
    TagNames("TIMESIGNATURE", caf: "time signature"),
    TagNames("LANGUAGE", info: "ILNG", id3: "TLAN"),
    TagNames("LYRICS", id3: "USLT"),
    TagNames("GROUPING", id3: "TIT1"),
    TagNames("SUBTITLE", id3: "TIT3"),
    TagNames("MOOD", id3: "TMOO"),
    TagNames("SUBJECT", info: "ISBJ"),
    TagNames("KEYWORDS", info: "IKEY"),
    TagNames("SOURCE", info: "ISRC"),
    TagNames("SOURCEFORM", info: "ISRF"),
    TagNames("SOURCEMEDIA", info: "IMED", id3: "TMED"),
    TagNames("COMMISSIONED", info: "ICMS"),
    TagNames("LOCATION", info: "IARL"),
    TagNames("ORIGINALDATE", id3: "TDOR"),
    TagNames("ORIGINALALBUM", id3: "TOAL"),
    TagNames("ORIGINALARTIST", id3: "TOPE"),
    TagNames("ALBUMSORT", id3: "TSOA"),
    TagNames("ARTISTSORT", id3: "TSOP"),
    TagNames("TITLESORT", id3: "TSOT"),
    TagNames("ALBUMARTISTSORT", id3: "TSO2"),
    TagNames("COMPOSERSORT", id3: "TSOC"),
  ]

  /// Who calls texts by other names.
  enum Vocabulary: CaseIterable {
    case info
    case id3
    case aiff
    case caf
  }

  /// What `vocabulary` calls it; nil where it has no name for it.
  func name(in vocabulary: Vocabulary) -> String? {
    switch vocabulary {
    case .info: info
    case .id3: id3
    case .aiff: aiff
    case .caf: caf
    }
  }

  /// The key of what a container calls `name`.
  static func key(_ name: String, in vocabulary: Vocabulary) -> String? {
    keys[vocabulary]?[name]
  }

  /// What a container calls the text of this key.
  static func name(_ key: String, in vocabulary: Vocabulary) -> String? {
    names[key]?.name(in: vocabulary)
  }

  private static let names = Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0) })
  private static let keys: [Vocabulary: [String: String]] = {
    var keys: [Vocabulary: [String: String]] = [:]
    for vocabulary in Vocabulary.allCases {
      let rows = all.compactMap { row in row.name(in: vocabulary).map { ($0, row.key) } }
      keys[vocabulary] = Dictionary(rows) { first, _ in first }
    }
    return keys
  }()
}
