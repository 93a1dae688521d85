// SPDX-License-Identifier: Apache-2.0
/// The metadata for a file that ffmpeg writes, in ffmpeg's input format.
///
/// Source: the chapter "Metadata" of ffmpeg-formats(1).
struct EncodedMetadata {
  /// The content of the file; nil if there are neither texts nor chapters.
  private(set) var text: String?
  /// The parts that the file cannot carry.
  private(set) var omissions: [Metadata.Omission] = []
  /// The texts that ffmpeg may leave out, by its names.
  private var uncertain: [VideoContent.Text] = []
  /// The picture to write, and `jpeg` or `png`.
  private(set) var cover: (bytes: [UInt8], kind: String)?
  /// Whether the last chapter lasts to the end of the sound, which ``ChapterEnd`` has to state.
  private(set) var endsWithChapter = false
  /// The loudspeakers as a WAV mask; nil = the usual ones for the number of channels.
  private(set) var speakers: UInt32?
  /// The language of the sound, which MPEG-4 has beside its track.
  private(set) var language: String?

  /// - Parameter shift: the offset of the sound in the file, in samples per channel.
  init(
    _ metadata: Metadata?, in container: EncodedContainer, _ format: StreamFormat,
    encoding: SampleEncoding, shift: Int
  ) {
    guard var metadata = metadata?.adapted(to: format, encoding).withGains(forOpus: false) else {
      return
    }
    if container.hasPlace(for: .texts) {
      metadata = metadata.withGuano(in: nil, keepsRoom: false).withOriginAsTexts
    }
    metadata.tags = metadata.textsOfSound
    omissions += metadata.omissions + metadata.foreignOmissions(for: nil)
    if case .speakers(let mask) = metadata.channelLayout, Self.sideSpeakers.contains(mask) {
      speakers = mask
    } else {
      omissions += metadata.omissions(of: .layout, in: container.name)
    }
    if container.metadataSupport.cover != nil { takeCover(of: metadata, container) }
    for field in Metadata.Field.allCases where !container.hasPlace(for: field) {
      omissions += metadata.omissions(of: field, in: container.name)
    }
    var lines: [String] = []
    if container.hasPlace(for: .texts) { lines += texts(metadata, container) }
    if container.hasPlace(for: .marks) {
      lines += chapters(metadata.markers, in: container, format.sampleRate, shift)
    }
    if !lines.isEmpty { text = ([";FFMETADATA1"] + lines).joined(separator: "\n") + "\n" }
  }

  /// Takes the front cover, or else the first picture; others are omissions.
  private mutating func takeCover(of metadata: Metadata, _ container: EncodedContainer) {
    func kind(_ picture: Metadata.Picture) -> String? {
      picture.byteCount == 0 ? nil : ["image/jpeg": "jpeg", "image/png": "png"][picture.mediaType]
    }
    var rest = metadata
    let all = metadata.pictures
    if let index = all.firstIndex(where: { $0.kind == .frontCover && kind($0) != nil })
      ?? all.firstIndex(where: { kind($0) != nil }), let kind = kind(all[index])
    {
      cover = (all[index].data, kind)
      rest.pictures.remove(at: index)
    }
    omissions += rest.omissions(of: .pictures, in: container.name)
  }

  /// 5.0 and 5.1 with loudspeakers at the sides. For other unusual layouts ffmpeg would mix the channels into the
  /// codec's.
  private static let sideSpeakers: Set<UInt32> = [0x607, 0x60F]

  /// The texts under ffmpeg's names. Texts without a name in the container become omissions.
  private mutating func texts(_ metadata: Metadata, _ container: EncodedContainer) -> [String] {
    var tags = metadata.tags
    var lines = [String]()
    tags.removeAll { $0 == "ENCODER" }
    if let known = container.metadataSupport.texts {
      let hasHeaders = container.muxer == "ipod"
      if hasHeaders { language = tags["LANGUAGE"].first.flatMap(Self.language) }
      let isDated = hasHeaders && tags["CREATION_TIME"].first.map(Self.isTime) ?? false
      func hasPlace(_ key: String) -> Bool {
        known.contains(key) || key == "LANGUAGE" && language != nil
          || key == "CREATION_TIME" && isDated
      }
      var rest = metadata
      rest.tags = tags
      rest.tags.removeAll(where: hasPlace)
      omissions += rest.omissions(of: .texts, in: container.name)
      tags.removeAll { !hasPlace($0) || $0 == "LANGUAGE" }
    }
    let unwritable = tags.keys.filter { key in
      key.isEmpty || Self.kept(of: key) != key[...]
        || tags[key].contains { Self.kept(of: $0) != $0[...] }
    }
    lose(unwritable, because: Self.limit)
    tags.removeAll { unwritable.contains($0) }
    for (number, total, name) in Self.numbers {
      guard let first = tags[number].first else { continue }
      lines.append(Self.line(name, tags[total].first.map { "\(first)/\($0)" } ?? first))
      tags.removeAll { $0 == number || $0 == total }
    }
    for key in tags.keys {
      // ffmpeg takes one value per name.
      let value = tags[key].joined(separator: "; ")
      lines.append(Self.line(Self.names[key] ?? key, value))
      // ffmpeg leaves out some names and values of a program's own without a word.
      let isPlain = !value.isEmpty && value.unicodeScalars.allSatisfy { $0.value >= 0x20 }
      if Self.names[key] == nil || !isPlain { uncertain.append((Self.names[key] ?? key, value)) }
    }
    return lines
  }

  private mutating func lose(_ keys: [String], because reason: String) {
    guard !keys.isEmpty else { return }
    omissions.append(
      .init("\(keys.count == 1 ? "tag" : "tags") \(keys.namedShortly)", because: reason))
  }

  /// Reads a written file, and adds texts of ``uncertain`` that it lacks to ``omissions``.
  ///
  /// - Throws: `interrupted`.
  mutating func verify(
    _ file: FileDescriptor, _ container: EncodedContainer, _ wakeup: Wakeup?
  ) throws(AudioError) {
    guard !uncertain.isEmpty else { return }
    var found: [VideoContent.Text] = []
    do {
      found = try DecodedFileInformation(
        path: file.pathForOthers, named: file.name, wakeup: wakeup
      ).texts
    } catch {
      // ffmpeg does not know the shortest files again.
      if error.kind == .interrupted { throw error }
    }
    lose(
      uncertain.filter { !found.holds($0) }.map { $0.name.uppercased() },
      because: "ffmpeg does not write it into \(container.name)")
  }

  /// A language as MPEG-4's header of a track states it: three letters of ISO 639-2; nil for another text.
  private static func language(_ text: String) -> String? {
    let isCode = text.utf8.count == 3 && text.utf8.allSatisfy { (0x61...0x7A).contains($0) }
    return isCode ? text : nil
  }

  /// Whether a text is a time as MPEG-4's header of a movie states it: `2008-05-11T18:20:15Z`, to the second.
  private static func isTime(_ text: String) -> Bool {
    let form = Array("dddd-dd-ddTdd:dd:dd".utf8)
    let bytes = Array(text.utf8)
    let matches = zip(form, bytes).allSatisfy { form, byte in
      form == UInt8(ascii: "d") ? (0x30...0x39).contains(byte) : form == byte
    }
    return bytes.count >= form.count && matches
      && bytes.dropFirst(form.count).allSatisfy { ".0Z".utf8.contains($0) }
      && ("1904"..."2039").contains(String(text.prefix(4)))
  }

  /// Each mark begins a chapter, which ends at the next mark.
  private mutating func chapters(
    _ markers: [Metadata.Marker], in container: EncodedContainer, _ sampleRate: Int, _ shift: Int
  ) -> [String] {
    var markers = markers.filter { $0.position >= 0 && $0.position < Int64(Int32.max) << 24 }
      .sorted { $0.position < $1.position }
    if container.metadataSupport.chaptersAreGapless, let first = markers.first, first.position > 0 {
      markers.insert(.init(identifier: 0, position: 0), at: 0)
    }
    if markers.contains(where: { Self.kept(of: $0.label) != $0.label[...] }) {
      omissions.append(.init("end of a chapter's title", because: Self.limit))
    }
    endsWithChapter = markers.last.map { $0.length <= 0 } ?? false
    return markers.indices.flatMap { index in
      let marker = markers[index]
      let start = marker.position + Int64(shift)
      var end = start + max(marker.length, 1)
      if index + 1 < markers.count {
        end = markers[index + 1].position + Int64(shift)
      } else if endsWithChapter {
        end = ChapterEnd.placeholder(behind: start, in: container, at: sampleRate)
      }
      return [
        "[CHAPTER]", "TIMEBASE=1/\(sampleRate)", "START=\(start)", "END=\(max(end, start))",
        Self.line("title", String(Self.kept(of: marker.label))),
      ]
    }
  }

  private static let limit = "ffmpeg's texts end at a zero byte, and not with a backslash"

  /// The beginning of a text that a line of ffmpeg's format can hold.
  private static func kept(of text: String) -> Substring {
    var scalars = text.unicodeScalars.prefix { $0 != "\0" }
    // It would hide the line's end, even behind a backslash of its own (libavformat/ffmetadec.c).
    while scalars.last == "\\" { scalars.removeLast() }
    return Substring(scalars)
  }

  /// A line of ffmpeg's format. A backslash stands in front of signs that end a name or a line, or begin a section.
  private static func line(_ name: String, _ value: String) -> String {
    func escaped(_ text: String) -> String {
      var scalars = String.UnicodeScalarView()
      for scalar in text.unicodeScalars {
        if ["=", ";", "#", "\\", "\n", "\r", "["].contains(scalar) { scalars.append("\\") }
        scalars.append(scalar)
      }
      return String(scalars)
    }
    return "\(escaped(name))=\(escaped(value))"
  }

  private static let numbers = [
    ("TRACKNUMBER", "TRACKTOTAL", "track"), ("DISCNUMBER", "DISCTOTAL", "disc"),
  ]

  /// ffmpeg's names that differ from the keys (libavformat/avformat.h, "Public Metadata API").
  private static let names = [
    "ALBUMARTIST": "album_artist", "ENCODED-BY": "encoded_by", "ORGANIZATION": "publisher",
    "TITLE": "title", "ARTIST": "artist", "ALBUM": "album", "DATE": "date", "GENRE": "genre",
    "COMMENT": "comment", "COPYRIGHT": "copyright", "COMPOSER": "composer", "LYRICS": "lyrics",
    "DESCRIPTION": "description", "GROUPING": "grouping", "LANGUAGE": "language",
    "CREATION_TIME": "creation_time",
  ]
}

extension EncodedContainer {
  /// Whether a file can state the time, place and originator of its recording.
  package var tellsOrigin: Bool { metadataSupport.texts == nil }

  /// Whether a file can hold this field.
  public func hasPlace(for field: Metadata.Field) -> Bool {
    switch field {
    case .texts: metadataSupport.texts.map { !$0.isEmpty } ?? true
    case .marks: metadataSupport.hasChapters
    case .layout: true
    case .pictures: metadataSupport.cover != nil
    default: false
    }
  }
}
