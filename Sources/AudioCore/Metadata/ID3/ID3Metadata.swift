// SPDX-License-Identifier: Apache-2.0
/// What tags in front of a file and behind it say.
enum ID3Metadata {
  /// Adds what the pieces of the family say; of a name the first piece counts that has it.
  static func interpret(_ chunks: [Metadata.Chunk], into metadata: inout Metadata) {
    for chunk in chunks where chunk.family == .id3 {
      switch chunk.identifier {
      case ID3Tag.identifier: interpret(tag: chunk.content, into: &metadata)
      case OldID3Tag.identifier: metadata.tags.fill(from: OldID3Tag.tags(chunk.content))
      case ApeTag.identifier: ApeTag(chunk.content)?.interpret(into: &metadata)
      default: break
      }
    }
  }

  /// Adds what a tag of version 2 says, wherever it stands: in front of a file or in a chunk.
  static func interpret(tag: [UInt8], into metadata: inout Metadata) {
    guard let tag = ID3Tag(tag) else { return }
    for frame in tag.frames where !frame.isOpaque {
      guard frame.identifier == "APIC" || frame.identifier == "PIC",
        let picture = ID3Frames.picture(frame.content, isOld: frame.identifier == "PIC")
      else { continue }
      // Some files have the same tag twice.
      if !metadata.pictures.contains(picture) { metadata.pictures.append(picture) }
    }
    metadata.tags.fill(from: texts(tag))
  }

  /// The texts of a tag.
  static func texts(_ tag: ID3Tag) -> Metadata.Tags {
    var tags = Metadata.Tags()
    var dates = OldDates()
    for frame in tag.frames where !frame.isOpaque && !dates.take(frame) {
      for (key, value) in statements(frame) { tags.append(key, value) }
    }
    if let date = dates.date, tags["DATE"].isEmpty { tags.append("DATE", date) }
    return tags
  }

  /// The parts of a date in versions before 2.4.
  static let ofOldDates: Set = ["TYER", "TDAT", "TIME"]

  /// What only such tags can say, as far as it is in these pieces.
  static func unsaid(_ chunks: [Metadata.Chunk]) -> [Metadata.Omission] {
    let tags = chunks.filter {
      $0.identifier == ID3Tag.identifier || ["id3 ", "ID3 "].contains($0.identifier)
    }
    let frames = tags.compactMap { ID3Tag($0.content) }.flatMap(\.frames).filter { frame in
      let isPicture = frame.identifier == "APIC" || frame.identifier == "PIC"
      return !isPicture && !isOfFile(frame) && !ofOldDates.contains(frame.identifier)
        && !frame.identifier.hasPrefix("T") && statements(frame).isEmpty
    }
    return frames.map { .init("'\($0.identifier)' frame", because: "only ID3 tags have it") }
  }

  /// Whether a frame describes the file that it was in, and so no other.
  static func isOfFile(_ frame: ID3Tag.Frame) -> Bool {
    ofSamples.contains(frame.identifier) || isPlayersOwn(frame)
  }

  /// What describes how a file's samples are stored or where they lie; another file has another one.
  private static let ofSamples: Set = [
    "TLEN", "TSIZ", "TFLT", "ASPI", "MLLT", "SEEK", "AENC", "POSS", "RBUF",
  ]

  /// The texts that a frame says, with their keys; none where it says something else.
  static func statements(_ frame: ID3Tag.Frame) -> [(key: String, value: String)] {
    let name = frame.identifier
    switch name {
    case "TXXX":
      guard let (description, texts) = ID3Frames.described(frame.content, hasLanguage: false) else {
        return []
      }
      return texts.map { (description, $0) }
    case "COMM", "USLT":
      guard let (description, texts) = ID3Frames.described(frame.content, hasLanguage: true),
        !isPlayersOwn(frame)
      else { return [] }
      let key = TagNames.key(name, in: .id3) ?? name
      return texts.map { (description.isEmpty ? key : "\(key):\(description)", $0) }
    case "TRCK", "TPOS":
      let key = name == "TRCK" ? "TRACK" : "DISC"
      return ID3Frames.texts(frame.content).flatMap { numberAndTotal($0, key) }
    case "TCON":
      let texts = ID3Frames.texts(frame.content).flatMap(Genres.names)
      return texts.map { ("GENRE", $0) }
    default:
      guard !isOfFile(frame), name.hasPrefix("T"), name.utf8.count == 4 else { return [] }
      let key = TagNames.key(name, in: .id3) ?? name
      return ID3Frames.texts(frame.content).map { (key, $0) }
    }
  }

  /// Whether a comment is what iTunes tells itself of loudness, of silence that an encoder added and of a disc.
  private static func isPlayersOwn(_ frame: ID3Tag.Frame) -> Bool {
    guard frame.identifier == "COMM",
      let (description, _) = ID3Frames.described(frame.content, hasLanguage: true)
    else { return false }
    return description.hasPrefix("iTun")
  }

  /// `3/12` as two texts.
  static func numberAndTotal(_ text: String, _ key: String) -> [(key: String, value: String)] {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    return zip(["\(key)NUMBER", "\(key)TOTAL"], parts).map { ($0, String($1)) }
  }
}

/// The frames that versions before 2.4 have for parts of a date.
private struct OldDates {
  private var year = ""
  /// Day and month.
  private var day = ""
  /// Hour and minute.
  private var time = ""

  /// - Returns: whether the frame is one of them.
  mutating func take(_ frame: ID3Tag.Frame) -> Bool {
    func text() -> String { ID3Frames.texts(frame.content).first ?? "" }
    switch frame.identifier {
    case "TYER": year = text()
    case "TDAT": day = text()
    case "TIME": time = text()
    default: return false
    }
    return true
  }

  /// As version 2.4 writes it, as far as it is known; nil where not even the year is.
  var date: String? {
    guard !year.isEmpty else { return nil }
    guard year.utf8.count == 4, let (dayPart, month) = Self.halves(day) else { return year }
    let date = "\(year)-\(month)-\(dayPart)"
    guard let (hour, minute) = Self.halves(time) else { return date }
    return "\(date)T\(hour):\(minute)"
  }

  private static func halves(_ text: String) -> (Substring, Substring)? {
    guard text.utf8.count == 4, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return (text.prefix(2), text.suffix(2))
  }
}
