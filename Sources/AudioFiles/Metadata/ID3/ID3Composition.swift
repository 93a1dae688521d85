// SPDX-License-Identifier: Apache-2.0
/// The tags for an MP3 file. Old tags that are still correct are kept byte for byte. Otherwise a tag of version 2.4
/// gets the correct old frames, and new ones for the rest.
struct ID3Composition {
  /// The bytes in front of the frames of sound.
  private(set) var front: [UInt8] = []
  /// The bytes behind them.
  private(set) var behind: [UInt8] = []
  private(set) var omissions: [Metadata.Omission] = []

  private let wanted: Metadata
  /// Whether the frames of sound are copied, so that those of the tag about them stay true.
  private let isCopy: Bool
  private let texts: Metadata.Tags
  private var frames: [ID3Tag.Frame] = []
  /// The names of texts that a frame states already.
  private var said: Set<String> = []
  private var pictures: RemainingPictures
  private let chapters: [Chapter]
  /// Whether old frames of chapters are still correct.
  private var keepsChapters = false
  /// The place in ``front`` of the last chapter's end in milliseconds, four bytes: the end of the sound, which is known
  /// only there. Nil if there is none.
  private(set) var placeOfEnd: Int?

  /// - Parameters:
  ///   - isStream: whether nothing can be put behind the sound.
  ///   - isChunk: whether the tag is a chunk of a container that has marks of its own.
  ///   - isCopy: whether the frames of sound are copied.
  init(
    _ metadata: Metadata, isStream: Bool = false, isChunk: Bool = false, isCopy: Bool = false
  ) {
    wanted = metadata
    self.isCopy = isCopy
    chapters = metadata.chapters
    texts = isCopy ? metadata.tags : metadata.textsOfSound
    pictures = RemainingPictures(metadata.pictures)
    let own = metadata.chunks.filter { $0.family == .id3 }
    if isStillTrue(own), !isStream || own.allSatisfy(\.isInFront) {
      front = own.filter(\.isInFront).flatMap(\.content)
      behind = own.filter { !$0.isInFront }.flatMap(\.content)
      return
    }
    if let old = Self.tag(metadata.chunks) { take(old) }
    for picture in pictures.rest {
      frames.append(.init("APIC", ID3Frames.content(of: picture)[...]))
    }
    addTexts()
    if !keepsChapters, !isChunk, !chapters.isEmpty {
      let added = ChapterFrames.frames(chapters)
      frames += added
      front = ID3Tag.bytes(frames)
      placeOfEnd = ChapterFrames.placeOfUnknownEnd(in: front, added)
    } else {
      front = ID3Tag.bytes(frames)
    }
    omissions += wanted.omissionsHeld(by: .id3, [.texts, .pictures])
  }

  /// The tag in a chunk of a WAV or AIFF file, with all texts and pictures.
  ///
  /// - Returns: a composition whose ``behind`` is ignored.
  static func chunk(_ metadata: Metadata) -> ID3Composition {
    var metadata = metadata
    metadata.chunks.removeAll { $0.family == .id3 && $0.identifier != ID3Tag.identifier }
    return ID3Composition(metadata, isChunk: true)
  }

  /// Whether the tags match the wanted metadata and state nothing about the old samples.
  private func isStillTrue(_ own: [Metadata.Chunk]) -> Bool {
    guard !own.isEmpty else { return false }
    var reading = MetadataReading()
    ID3Metadata.interpret(own, into: &reading)
    let stated = reading.metadata
    guard stated.tags == texts, stated.pictures == wanted.pictures, reading.chapters == chapters
    else { return false }
    return own.allSatisfy { chunk in
      switch chunk.identifier {
      case ID3Tag.identifier:
        guard let tag = ID3Tag(chunk.content) else { return false }
        return isCopy || !tag.frames.contains { ID3Metadata.isOfFile($0) }
      case ApeTag.identifier where chunk.isInFront:
        // Behind a truncated tag readers would take the sound for its rest.
        return ApeTag.size(chunk.content) == chunk.content.count
      default: return true
      }
    }
  }

  /// The tag whose frames are kept: the file's, or that of a chunk.
  private static func tag(_ chunks: [Metadata.Chunk]) -> ID3Tag? {
    let own = chunks.first { $0.family == .id3 && $0.identifier == ID3Tag.identifier }
    let other = chunks.first { $0.identifier == "id3 " || $0.identifier == "ID3 " }
    return (own ?? other).flatMap { ID3Tag($0.content) }
  }

  /// Keeps the frames that are still correct and completely read.
  private mutating func take(_ tag: ID3Tag) {
    var reading = MetadataReading()
    let incomplete = ID3Metadata.interpret(tag, into: &reading)
    let changed = texts.keys(differingFrom: reading.metadata.tags)
    keepsChapters = reading.chapters == chapters
    if !keepsChapters { omissions += tag.omissionsOfChapters }
    for (index, frame) in tag.frames.enumerated() where !incomplete.contains(index) {
      take(frame, of: tag, changed)
    }
  }

  /// - Parameter changed: the names of texts that differ from the tag's.
  private mutating func take(_ frame: ID3Tag.Frame, of tag: ID3Tag, _ changed: Set<String>) {
    let name = frame.identifier
    guard !frame.isOpaque, name.utf8.count == 4 || name == "PIC" else {
      omissions.append(
        "'\(name)' frame", because: "it cannot be taken over from ID3v2.\(tag.version)")
      return
    }
    if ID3Metadata.isOfFile(frame), !isCopy || !ID3Metadata.isPlayersOwn(frame) { return }
    if ID3Metadata.ofOldDates.contains(name) { return }
    if ChapterFrames.isOne(frame), !keepsChapters { return }
    if name == "APIC" || name == "PIC" {
      guard let picture = ID3Frames.picture(frame.content, isOld: name == "PIC"),
        name != "PIC", pictures.take(picture)
      else { return }
      frames.append(frame)
      return
    }
    guard let statement = ID3Statement(frame) else {
      // Dropping an empty text loses nothing.
      if !name.hasPrefix("T") { frames.append(frame.renewed(from: tag.version)) }
      return
    }
    let keys = statement.keys
    guard changed.isDisjoint(with: keys) else { return }
    said.formUnion(keys)
    frames.append(frame)
  }

  /// Adds the texts that no frame states yet, in order.
  private mutating func addTexts() {
    for key in texts.keys where !said.contains(key) {
      let values = texts[key]
      switch key {
      case "TRACKNUMBER", "TRACKTOTAL": addNumber("TRCK", "TRACK")
      case "DISCNUMBER", "DISCTOTAL": addNumber("TPOS", "DISC")
      case "DATE" where !values.allSatisfy(Self.isDate): addOther(key, values)
      default:
        let parts = key.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let ownName = ID3Frames.otherTexts.contains(key) ? key : nil
        let name = TagNames.name(String(parts[0]), in: .id3) ?? ownName
        let named = name?.split(separator: ":", maxSplits: 1) ?? []
        switch name {
        case _? where named.count == 2 && parts.count == 1:
          addNamed(named[0], named[1], key, values)
        case "COMM", "USLT": addDescribed(name ?? "COMM", parts.dropFirst().first ?? "", values)
        case let name? where parts.count == 1:
          frames.append(.init(name, Self.content(values.joined(separator: "\0"))))
        default: addOther(key, values)
        }
      }
      said.insert(key)
    }
  }

  /// Adds a frame with a number and its total; with several texts for several numbers.
  private mutating func addNumber(_ name: String, _ key: String) {
    let keys = ["\(key)NUMBER", "\(key)TOTAL"]
    guard said.isDisjoint(with: keys) else { return }
    said.formUnion(keys)
    let (numbers, totals) = (texts[keys[0]], texts[keys[1]])
    let words = (0..<max(numbers.count, totals.count)).map { index in
      let number = index < numbers.count ? numbers[index] : ""
      // A number may contain its total already.
      let isWhole = number.utf8.contains(UInt8(ascii: "/")) || index >= totals.count
      return isWhole ? number : "\(number)/\(totals[index])"
    }
    frames.append(.init(name, Self.content(words.joined(separator: "\0"))))
  }

  /// Adds a frame with an unknown language.
  private mutating func addDescribed(_ name: String, _ description: Substring, _ values: [String]) {
    let text = values.joined(separator: "; ")
    frames.append(.init(name, Self.content("XXX\(description)\0\(text)")))
  }

  /// Adds a frame with the table's description (`TXXX`, `COMM`) or owner (`UFID`).
  private mutating func addNamed(
    _ name: Substring, _ description: Substring, _ key: String, _ values: [String]
  ) {
    guard name == "UFID" else {
      addOther(String(description), values)
      return
    }
    // A tag has one identifier per owner, of at most 64 bytes.
    if values.count == 1, values[0].utf8.count <= 64, values[0].utf8.allSatisfy({ $0 < 0x80 }) {
      frames.append(.init("UFID", Array("\(description)\0\(values[0])".utf8)[...]))
    } else {
      addOther(key, values)
    }
  }

  private mutating func addOther(_ key: String, _ values: [String]) {
    frames.append(.init("TXXX", Self.content("\(key)\0\(values.joined(separator: "\0"))")))
  }

  /// The content of a text frame, in UTF-8.
  private static func content(_ text: String) -> ArraySlice<UInt8> { [3] + Array(text.utf8) }

  /// Whether a frame of version 2.4 can hold it: `yyyy`, `yyyy-MM-dd`, `yyyy-MM-ddTHH:mm:ss`, or a beginning of it.
  private static func isDate(_ text: String) -> Bool {
    let pattern = Array("dddd-dd-ddTdd:dd:dd".utf8)
    let bytes = Array(text.utf8)
    return [4, 7, 10, 13, 16, 19].contains(bytes.count)
      && zip(bytes, pattern).allSatisfy { byte, wanted in
        wanted == UInt8(ascii: "d") ? (0x30...0x39).contains(byte) : byte == wanted
      }
  }
}

extension ID3Tag.Frame {
  /// Converts a frame to version 2.4: in it the frames of a chapter state their sizes with seven bits per byte.
  func renewed(from version: Int) -> ID3Tag.Frame {
    guard version == 3, identifier == "CHAP" || identifier == "CTOC",
      var start = content.firstIndex(of: 0).map({ $0 + 1 })
    else { return self }
    if identifier == "CHAP" {
      // Two times and two offsets.
      start += 16
    } else {
      guard start + 2 <= content.endIndex else { return self }
      let count = Int(content[start + 1])
      start += 2
      for _ in 0..<count {
        guard let end = content[min(start, content.endIndex)...].firstIndex(of: 0) else {
          return self
        }
        start = end + 1
      }
    }
    guard start <= content.endIndex else { return self }
    let inner = ID3Tag(framesOf: content[start...], version).frames.filter { !$0.isOpaque }
    return ID3Tag.Frame(identifier, content[..<start] + ID3Tag.content(inner))
  }
}

extension ID3Tag {
  private static func synchsafe(_ size: Int) -> [UInt8] {
    [21, 14, 7, 0].map { UInt8(size >> $0 & 0x7F) }
  }

  /// The bytes of frames of version 2.4.
  static func content(_ frames: [Frame]) -> [UInt8] {
    frames.reduce(into: []) { bytes, frame in
      bytes += frame.identifier.utf8
      bytes += synchsafe(frame.content.count)
      bytes += [0, 0]
      bytes += frame.content
    }
  }

  /// The bytes of a tag of version 2.4; empty without frames.
  static func bytes(_ frames: [Frame]) -> [UInt8] {
    guard !frames.isEmpty else { return [] }
    let body = content(frames)
    return Array("ID3".utf8) + [4, 0, 0] + synchsafe(body.count) + body
  }
}
