// SPDX-License-Identifier: Apache-2.0
/// The metadata in tags in front of a file and behind it.
enum ID3Metadata {
  static func interpret(_ chunks: [Metadata.Chunk], into reading: inout MetadataReading) {
    for chunk in chunks where chunk.family == .id3 {
      reading.beginPiece(of: .id3)
      switch chunk.identifier {
      case ID3Tag.identifier: interpret(tag: chunk.content, into: &reading)
      case OldID3Tag.identifier:
        for tag in OldID3Tag.tags(chunk.content).entries {
          reading.add(reading.name(tag.key), tag.value)
        }
      case ApeTag.identifier: ApeTag(chunk.content)?.interpret(into: &reading)
      default: break
      }
    }
  }

  /// Adds the metadata of a version 2 tag, in front of a file or in a chunk.
  static func interpret(tag: [UInt8], into reading: inout MetadataReading) {
    if let tag = ID3Tag(tag) { interpret(tag, into: &reading) }
  }

  /// - Returns: the indices of the frames that are not completely read.
  @discardableResult
  static func interpret(_ tag: ID3Tag, into reading: inout MetadataReading) -> Set<Int> {
    var incomplete: Set<Int> = []
    var dates = OldDates()
    reading.add(
      tag.frames.filter { $0.identifier == ChapterFrames.chapter && !$0.isOpaque }.compactMap {
        ChapterFrames.chapter($0.content, tag.version) { title in
          reading.label(title.stored) { title.decoded($0) }
        }?.chapter
      })
    for (index, frame) in tag.frames.enumerated() where !frame.isOpaque && !dates.take(frame) {
      let isPicture = frame.identifier == "APIC" || frame.identifier == "PIC"
      var isComplete = true
      if isPicture {
        let picture = ID3Frames.picture(frame.content, isOld: frame.identifier == "PIC")
        if let picture { isComplete = reading.add(picture, mayBeCopy: true) }
      } else if let statement = ID3Statement(frame) {
        isComplete = statement.add(to: &reading)
      }
      if !isComplete { incomplete.insert(index) }
    }
    let date = reading.metadata.tags["DATE"].first
    for (key, value) in dates.texts(beside: date) { reading.add(reading.name(key), value) }
    reading.leaveOut(.frames, tag.furtherCount)
    return incomplete
  }

  /// The parts of a date in versions before 2.4.
  static let ofOldDates: Set = ["TYER", "TDAT", "TIME"]

  /// The loss of frames that only ID3 tags have, one for each name. The time is linear in the frames.
  static func unsaid(_ chunks: [Metadata.Chunk]) -> [Metadata.Omission] {
    var counts: [String: Int] = [:]
    for chunk in chunks where chunk.isID3 {
      for frame in ID3Tag(chunk.content)?.framesWithThoseOfChapters ?? [] where isUnsaid(frame) {
        counts[frame.identifier, default: 0] += 1
      }
    }
    return counts.sorted { $0.key < $1.key }.map { name, count in
      .init(
        count == 1 ? "'\(name)' frame" : "\(count) '\(name)' frames",
        because: "only ID3 tags have it")
    }
  }

  /// Whether only ID3 tags have such a frame.
  private static func isUnsaid(_ frame: ID3Tag.Frame) -> Bool {
    let isPicture = frame.identifier == "APIC" || frame.identifier == "PIC"
    return !isPicture && !isOfFile(frame) && !ofOldDates.contains(frame.identifier)
      && !frame.identifier.hasPrefix("T") && ID3Statement(frame) == nil
  }

  /// Whether a frame describes only its own file.
  static func isOfFile(_ frame: ID3Tag.Frame) -> Bool {
    ofSamples.contains(frame.identifier) || isPlayersOwn(frame)
  }

  /// Frames that describe the storage or the place of a file's samples.
  private static let ofSamples: Set = [
    "TLEN", "TSIZ", "TFLT", "ASPI", "MLLT", "SEEK", "AENC", "POSS", "RBUF",
  ]

  /// Notes of iTunes for itself: loudness, silence added by an encoder, the pause behind the file.
  static let playersOwn: Set = ["ITUNNORM", "ITUNSMPB", "ITUNPGAP"]

  static func isPlayersOwn(_ frame: ID3Tag.Frame) -> Bool {
    guard frame.identifier == "COMM",
      let (description, _) = ID3Frames.described(frame.content, hasLanguage: true)
    else { return false }
    return description.isShort && playersOwn.contains(description.decoded.uppercased())
  }

  /// The numbers that may contain a total, with the prefix of both names.
  static let numbered = ["TRACKNUMBER": "TRACK", "DISCNUMBER": "DISC"]

  /// Splits `3/12` into two texts.
  static func numberAndTotal(_ text: String, _ key: String) -> [(key: String, value: String)] {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    return zip(["\(key)NUMBER", "\(key)TOTAL"], parts).map { ($0, String($1)) }
  }
}

extension Metadata.Chunk {
  /// Whether it is a tag of version 2, around a file or in a chunk.
  var isID3: Bool { [ID3Tag.identifier, "id3 ", "ID3 "].contains(identifier) }
}

/// The frames with parts of a date, before version 2.4.
private struct OldDates {
  private var year = ""
  /// Day and month.
  private var day = ""
  /// Hour and minute.
  private var time = ""

  /// - Returns: whether the frame is one of them.
  mutating func take(_ frame: ID3Tag.Frame) -> Bool {
    func text() -> String {
      let text = ID3Frames.texts(frame.content).first { _ in true }
      return text.map { $0.isShort ? $0.decoded : "" } ?? ""
    }
    switch frame.identifier {
    case "TYER": year = text()
    case "TDAT": day = text()
    case "TIME": time = text()
    default: return false
    }
    return true
  }

  /// The date as in version 2.4. Parts that do not fit into it get the names of their frames.
  ///
  /// - Parameter said: the date from another frame.
  func texts(beside said: String?) -> [(key: String, value: String)] {
    if let said {
      // The parts complete a year from another frame.
      return said.utf8.count > 4 ? [] : parts(day: day, time: time)
    }
    guard !year.isEmpty else { return parts(day: day, time: time) }
    guard year.utf8.count == 4, let (dayPart, month) = Self.halves(day) else {
      let isWhole = year.utf8.count > 4
      return [("DATE", year)] + (isWhole ? [] : parts(day: day, time: time))
    }
    let date = "\(year)-\(month)-\(dayPart)"
    guard let (hour, minute) = Self.halves(time) else {
      return [("DATE", date)] + parts(day: "", time: time)
    }
    return [("DATE", "\(date)T\(hour):\(minute)")]
  }

  private func parts(day: String, time: String) -> [(key: String, value: String)] {
    [("TDAT", day), ("TIME", time)].filter { !$0.1.isEmpty }
  }

  private static func halves(_ text: String) -> (Substring, Substring)? {
    guard text.utf8.count == 4, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return (text.prefix(2), text.suffix(2))
  }
}
