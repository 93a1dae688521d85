// SPDX-License-Identifier: Apache-2.0
/// The containers' names of the common texts.
///
/// Sources: RIFF INFO: Microsoft/IBM "Multimedia Programming Interface and Data Specifications 1.0" and the EXIF 2.3
/// audio list; ID3: id3.org, ID3v2.4.0 frames; AIFF: "Audio Interchange File Format 1.3"; CAF: Apple Core Audio Format
/// Specification 1.0, information chunk; MusicBrainz, APE, MP4 and ASF: MusicBrainz Picard, "Tag Mapping"; ffmpeg:
/// libavformat/mov.c, asf.c, id3v2.c and vorbiscomment.c.
struct TagNames: Sendable {
  /// Sets of names that differ from the keys.
  enum Vocabulary: CaseIterable {
    /// The chunk in a `LIST` of type `INFO`.
    case info
    /// The frame of ID3v2.4; behind a colon its description (`TXXX`) or owner (`UFID`).
    case id3
    case aiff
    case caf
  }

  /// The key in Vorbis comments.
  let key: String
  private let names: [Vocabulary: String]
  /// Further names that are read but never written, in upper case: of APE tags, MP4 and ASF, and ffmpeg's own.
  private let others: [String]

  // The compiler would repeat it in each row of `all`, and then needs as long for this table as for two thousand other lines.
  @inline(never)
  init(
    _ key: String, info: String? = nil, id3: String? = nil, aiff: String? = nil, caf: String? = nil,
    others: [String] = []
  ) {
    self.key = key
    names = [.info: info, .id3: id3, .aiff: aiff, .caf: caf].compactMapValues(\.self)
    self.others = others
  }

  /// - Parameter name: Picard's name behind `MusicBrainz ` in ID3 and MP4, and behind `MusicBrainz/` in ASF.
  private init(_ key: String, musicBrainz name: String, others: [String] = []) {
    self.init(
      key, id3: "TXXX:MusicBrainz \(name)", others: others + ["MUSICBRAINZ/\(name.uppercased())"])
  }

  /// If two rows share a container's name, reading uses the first.
  static let all: [TagNames] = [
    TagNames("TITLE", info: "INAM", id3: "TIT2", aiff: "NAME", caf: "title"),
    TagNames("ARTIST", info: "IART", id3: "TPE1", aiff: "AUTH", caf: "artist"),
    TagNames("ALBUM", info: "IPRD", id3: "TALB", caf: "album"),
    TagNames(
      "ALBUMARTIST", id3: "TPE2", others: ["ALBUM_ARTIST", "ALBUM ARTIST", "WM/ALBUMARTIST"]),
    TagNames(
      "TRACKNUMBER", info: "ITRK", id3: "TRCK", caf: "track number",
      others: ["TRACK", "WM/TRACKNUMBER"]),
    TagNames("TRACKTOTAL", others: ["TOTALTRACKS"]),
    TagNames("DISCNUMBER", id3: "TPOS", others: ["DISC", "WM/PARTOFSET"]),
    TagNames("DISCTOTAL", others: ["TOTALDISCS"]),
    TagNames(
      "DATE", info: "ICRD", id3: "TDRC", caf: "year", others: ["YEAR", "RECORD DATE", "WM/YEAR"]),
    TagNames("GENRE", info: "IGNR", id3: "TCON", caf: "genre", others: ["WM/GENRE"]),
    TagNames("COMMENT", info: "ICMT", id3: "COMM", aiff: "ANNO", caf: "comments"),
    TagNames("COPYRIGHT", info: "ICOP", id3: "TCOP", aiff: "(c) ", caf: "copyright"),
    TagNames("COMPOSER", info: "IMUS", id3: "TCOM", caf: "composer", others: ["WM/COMPOSER"]),
    TagNames("LYRICIST", info: "IWRI", id3: "TEXT", caf: "lyricist", others: ["WM/WRITER"]),
    TagNames("CONDUCTOR", id3: "TPE3", others: ["WM/CONDUCTOR"]),
    TagNames("REMIXER", id3: "TPE4", others: ["MIXARTIST", "WM/MODIFIEDBY"]),
    TagNames("ENGINEER", info: "IENG"),
    TagNames("PRODUCER", info: "IPRO", others: ["WM/PRODUCER"]),
    TagNames("ENCODED-BY", info: "ITCH", id3: "TENC", others: ["ENCODED_BY", "WM/ENCODEDBY"]),
    TagNames("ENCODER", info: "ISFT", id3: "TSSE", caf: "encoding application"),
    TagNames("ORGANIZATION", id3: "TPUB", others: ["PUBLISHER", "WM/PUBLISHER"]),
    TagNames("ISRC", id3: "TSRC", others: ["WM/ISRC"]),
    TagNames("BPM", id3: "TBPM", caf: "tempo", others: ["TMPO", "WM/BEATSPERMINUTE"]),
    TagNames(
      "KEY", id3: "TKEY", caf: "key signature", others: ["INITIALKEY", "WM/INITIALKEY"]),
    TagNames("TIMESIGNATURE", caf: "time signature"),
    TagNames("LANGUAGE", info: "ILNG", id3: "TLAN", others: ["WM/LANGUAGE"]),
    TagNames("LYRICS", id3: "USLT", others: ["WM/LYRICS"]),
    TagNames("GROUPING", id3: "TIT1", others: ["WM/CONTENTGROUPDESCRIPTION"]),
    TagNames("SUBTITLE", id3: "TIT3", others: ["WM/SUBTITLE"]),
    TagNames("MOOD", id3: "TMOO", others: ["WM/MOOD"]),
    TagNames("COMPILATION", id3: "TCMP", others: ["WM/ISCOMPILATION"]),
    TagNames("DISCSUBTITLE", id3: "TSST", others: ["WM/SETSUBTITLE"]),
    TagNames("SUBJECT", info: "ISBJ"),
    TagNames("KEYWORDS", info: "IKEY"),
    TagNames("SOURCE", info: "ISRC"),
    TagNames("SOURCEFORM", info: "ISRF"),
    TagNames("SOURCEMEDIA", info: "IMED", id3: "TMED", others: ["WM/MEDIA"]),
    TagNames("COMMISSIONED", info: "ICMS"),
    TagNames("LOCATION", info: "IARL"),
    TagNames("ORIGINALDATE", id3: "TDOR", others: ["WM/ORIGINALRELEASEYEAR"]),
    TagNames("ORIGINALALBUM", id3: "TOAL", others: ["WM/ORIGINALALBUMTITLE"]),
    TagNames("ORIGINALARTIST", id3: "TOPE", others: ["WM/ORIGINALARTIST"]),
    TagNames("ALBUMSORT", id3: "TSOA", others: ["SORT_ALBUM", "WM/ALBUMSORTORDER"]),
    TagNames("ARTISTSORT", id3: "TSOP", others: ["SORT_ARTIST", "WM/ARTISTSORTORDER"]),
    TagNames("TITLESORT", id3: "TSOT", others: ["SORT_NAME", "WM/TITLESORTORDER"]),
    TagNames(
      "ALBUMARTISTSORT", id3: "TSO2", others: ["SORT_ALBUM_ARTIST", "WM/ALBUMARTISTSORTORDER"]),
    TagNames("COMPOSERSORT", id3: "TSOC", others: ["SORT_COMPOSER", "WM/COMPOSERSORTORDER"]),
    TagNames("BARCODE", id3: "TXXX:BARCODE", others: ["WM/BARCODE"]),
    TagNames("CATALOGNUMBER", id3: "TXXX:CATALOGNUMBER", others: ["WM/CATALOGNO"]),
    TagNames("ACOUSTID_ID", id3: "TXXX:Acoustid Id", others: ["ACOUSTID/ID"]),
    TagNames(
      "ACOUSTID_FINGERPRINT", id3: "TXXX:Acoustid Fingerprint", others: ["ACOUSTID/FINGERPRINT"]),
    TagNames("MUSICIP_PUID", id3: "TXXX:MusicIP PUID", others: ["MUSICIP/PUID"]),
    TagNames(
      "MUSICBRAINZ_TRACKID", id3: "UFID:http://musicbrainz.org",
      others: ["MUSICBRAINZ TRACK ID", "MUSICBRAINZ/TRACK ID"]),
    TagNames("MUSICBRAINZ_RELEASETRACKID", musicBrainz: "Release Track Id"),
    TagNames("MUSICBRAINZ_ALBUMID", musicBrainz: "Album Id"),
    TagNames("MUSICBRAINZ_ALBUMARTISTID", musicBrainz: "Album Artist Id"),
    TagNames("MUSICBRAINZ_ARTISTID", musicBrainz: "Artist Id"),
    TagNames("MUSICBRAINZ_DISCID", musicBrainz: "Disc Id"),
    TagNames("MUSICBRAINZ_ORIGINALALBUMID", musicBrainz: "Original Album Id"),
    TagNames("MUSICBRAINZ_ORIGINALARTISTID", musicBrainz: "Original Artist Id"),
    TagNames("MUSICBRAINZ_RELEASEGROUPID", musicBrainz: "Release Group Id"),
    TagNames("MUSICBRAINZ_TRMID", musicBrainz: "TRM Id"),
    TagNames("MUSICBRAINZ_WORKID", musicBrainz: "Work Id"),
    TagNames("RELEASECOUNTRY", musicBrainz: "Album Release Country"),
    TagNames("RELEASESTATUS", musicBrainz: "Album Status", others: ["MUSICBRAINZ_ALBUMSTATUS"]),
    TagNames("RELEASETYPE", musicBrainz: "Album Type", others: ["MUSICBRAINZ_ALBUMTYPE"]),
    TagNames("REPLAYGAIN_TRACK_GAIN", id3: "TXXX:REPLAYGAIN_TRACK_GAIN"),
    TagNames("REPLAYGAIN_TRACK_PEAK", id3: "TXXX:REPLAYGAIN_TRACK_PEAK"),
    TagNames("REPLAYGAIN_TRACK_RANGE", id3: "TXXX:REPLAYGAIN_TRACK_RANGE"),
    TagNames("REPLAYGAIN_ALBUM_GAIN", id3: "TXXX:REPLAYGAIN_ALBUM_GAIN"),
    TagNames("REPLAYGAIN_ALBUM_PEAK", id3: "TXXX:REPLAYGAIN_ALBUM_PEAK"),
    TagNames("REPLAYGAIN_ALBUM_RANGE", id3: "TXXX:REPLAYGAIN_ALBUM_RANGE"),
    TagNames("REPLAYGAIN_REFERENCE_LOUDNESS", id3: "TXXX:REPLAYGAIN_REFERENCE_LOUDNESS"),
  ]

  /// The name in `vocabulary`; nil if it has none.
  func name(in vocabulary: Vocabulary) -> String? { names[vocabulary] }

  /// The key of a container's `name`, which is in upper case for ID3.
  static func key(_ name: String, in vocabulary: Vocabulary) -> String? {
    keys[vocabulary]?[name]
  }

  /// The key of a name in APE tags, MP4, ASF or ffmpeg; the name itself in upper case if it is unknown.
  static func key(ofOther name: String) -> String {
    let name = name.uppercased()
    return otherKeys[name] ?? keys[.id3]?["TXXX:\(name)"] ?? name
  }

  /// A container's name for the text of this key.
  static func name(_ key: String, in vocabulary: Vocabulary) -> String? {
    rows[key]?.name(in: vocabulary)
  }

  private static let rows = Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0) })
  private static let keys: [Vocabulary: [String: String]] = {
    var keys: [Vocabulary: [String: String]] = [:]
    for vocabulary in Vocabulary.allCases {
      let rows = all.compactMap { row in
        row.name(in: vocabulary).map { (vocabulary == .id3 ? $0.uppercased() : $0, row.key) }
      }
      keys[vocabulary] = Dictionary(rows) { first, _ in first }
    }
    // Some programs, such as ffmpeg, use this name for a track's number.
    keys[.info]?["IPRT"] = "TRACKNUMBER"
    return keys
  }()
  private static let otherKeys = Dictionary(
    all.flatMap { row in row.others.map { ($0, row.key) } }
  ) { first, _ in first }
}

extension Metadata.Tags {
  /// The key of a name that other programs give it, such as `TRACK` or `ALBUM_ARTIST`; the name itself if it is unknown.
  package static func usualKey(of name: String) -> String { TagNames.key(ofOther: name) }
}
