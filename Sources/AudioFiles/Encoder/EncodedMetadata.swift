// SPDX-License-Identifier: Apache-2.0
/// The metadata for a file that ffmpeg writes, in ffmpeg's input format.
///
/// Source: the chapter "Metadata" of ffmpeg-formats(1).
struct EncodedMetadata {
  /// The content of the file; nil if there are neither texts nor chapters.
  private(set) var text: String?
  /// The parts that the file cannot carry.
  private(set) var omissions: [Metadata.Omission] = []
  /// The picture to write, and `jpeg` or `png`.
  private(set) var cover: (bytes: [UInt8], kind: String)?
  /// Whether the last chapter lasts to the end of the sound, which ``ChapterEnd`` has to state.
  private(set) var endsWithChapter = false
  /// The loudspeakers as a WAV mask; nil = the usual ones for the number of channels.
  private(set) var speakers: UInt32?

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
    if container.carriage.cover != nil { takeCover(of: metadata, container) }
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
      picture.byteCount == 0 ? nil : ["image/jpeg": "jpeg", "image/png": "png"][picture.mimeType]
    }
    var rest = metadata
    let all = metadata.pictures
    if let index = all.firstIndex(where: { $0.kind == 3 && kind($0) != nil })
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
    if let known = container.carriage.texts {
      var rest = metadata
      rest.tags = tags
      rest.tags.removeAll { known.contains($0) }
      omissions += rest.omissions(of: .texts, in: container.name)
      tags.removeAll { !known.contains($0) }
    }
    for (number, total, name) in Self.numbers {
      guard let first = tags[number].first else { continue }
      lines.append(Self.line(name, tags[total].first.map { "\(first)/\($0)" } ?? first))
      tags.removeAll { $0 == number || $0 == total }
    }
    for key in tags.keys {
      // ffmpeg takes one value per name.
      let value = tags[key].joined(separator: "; ")
      lines.append(Self.line(Self.names[key] ?? key, value))
    }
    return lines
  }

  /// Each mark begins a chapter, which ends at the next mark.
  private mutating func chapters(
    _ markers: [Metadata.Marker], in container: EncodedContainer, _ sampleRate: Int, _ shift: Int
  ) -> [String] {
    var markers = markers.filter { $0.position >= 0 && $0.position < Int64(Int32.max) << 24 }
      .sorted { $0.position < $1.position }
    if container.carriage.chaptersAreGapless, let first = markers.first, first.position > 0 {
      markers.insert(.init(identifier: 0, position: 0), at: 0)
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
        Self.line("title", marker.label),
      ]
    }
  }

  private static func line(_ name: String, _ value: String) -> String {
    func escaped(_ text: String) -> String {
      text.reduce(into: "") { text, character in
        if "=;#\\".contains(character) || character.isNewline { text.append("\\") }
        // CR LF becomes one line end.
        text.append(character == "\r\n" ? "\n" : character)
      }
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
  ]
}

extension EncodedContainer {
  /// Whether a file can state the time, place and originator of its recording.
  package var tellsOrigin: Bool { carriage.texts == nil }

  /// Whether a file can hold this field.
  public func hasPlace(for field: Metadata.Field) -> Bool {
    switch field {
    case .texts: carriage.texts.map { !$0.isEmpty } ?? true
    case .marks: carriage.hasChapters
    case .layout: true
    case .pictures: carriage.cover != nil
    default: false
    }
  }
}
