// SPDX-License-Identifier: Apache-2.0
/// The text about a recording in a `guan` chunk, or in a tag of files without such chunks. All lines but the changed
/// ones stay as they are.
///
/// Source: "GUANO Metadata Specification" 1.0 (github.com/riggsd/guano-spec).
package struct GuanoText: Sendable, Equatable {
  static let identifier = "guan"
  static let tag = "GUANO"
  /// The width of the room for the length, in spaces. Readers pass over such a line.
  static let roomWidth = 24
  private static let (lineFeed, space) = (UInt8(ascii: "\n"), UInt8(ascii: " "))
  private static let (length, timestamp) = ("Length", "Timestamp")

  private var lines: [[UInt8]]

  init(_ bytes: [UInt8]) {
    lines = bytes.split(separator: Self.lineFeed, omittingEmptySubsequences: false).map {
      Array($0)
    }
  }

  /// The text of a new recording, with room for its length.
  ///
  /// - Parameters:
  ///   - timestamp: the time of the first sample, as ISO 8601 writes it.
  ///   - sampleRate: in hertz.
  init(timestamp: String, sampleRate: Int) {
    self.init(
      Array("GUANO|Version: 1.0\nTimestamp: \(timestamp)\nSamplerate: \(sampleRate)\n".utf8))
    forgetLength()
  }

  var bytes: [UInt8] { Array(lines.joined(separator: [Self.lineFeed])) }

  fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }

  /// ``bytes``, and a space if their number is odd, for a chunk.
  var evenBytes: [UInt8] {
    let bytes = bytes
    return bytes.count & 1 == 0 ? bytes : bytes + [Self.space]
  }

  /// Without white space behind the last line that is more.
  fileprivate var tidied: GuanoText {
    var other = self
    while let last = other.lines.last, Self.trimmed(last[...]).isEmpty,
      last.count != Self.roomWidth
    {
      other.lines.removeLast()
    }
    other.lines.append([])
    return other
  }

  /// The value of a field, without the spaces around it. A new field stands before the last empty line; nil removes it.
  package subscript(field: String) -> String? {
    get {
      place(of: field).map { place in
        String(decoding: lines[place.line][place.value], as: UTF8.self)
      }
    }
    set {
      let place = place(of: field)
      guard let newValue else {
        if let place { lines.remove(at: place.line) }
        return
      }
      if let place {
        lines[place.line].replaceSubrange(place.value, with: newValue.utf8)
      } else {
        let end = lines.lastIndex { !Self.trimmed($0[...]).isEmpty }.map { $0 + 1 } ?? 0
        lines.insert(Array("\(field): \(newValue)".utf8), at: end)
        if end == lines.count - 1 { lines.append([]) }
      }
    }
  }

  private func place(of field: String) -> (line: Int, value: Range<Int>)? {
    for (number, line) in lines.enumerated() {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
        line[Self.trimmed(line[..<colon])].elementsEqual(field.utf8)
      else { continue }
      return (number, Self.trimmed(line[(colon + 1)...]))
    }
    return nil
  }

  /// The place of a text without the white space around it.
  private static func trimmed(_ text: ArraySlice<UInt8>) -> Range<Int> {
    func isSpace(_ byte: UInt8) -> Bool { byte <= Self.space }
    guard let first = text.firstIndex(where: { !isSpace($0) }),
      let last = text.lastIndex(where: { !isSpace($0) })
    else { return text.startIndex..<text.startIndex }
    return first..<last + 1
  }

  // MARK: The length

  private var room: Int? {
    lines.firstIndex { $0.count == Self.roomWidth && $0.allSatisfy { $0 == Self.space } }
  }

  /// Puts room in place of the length, which is known when a file is complete.
  mutating func forgetLength() {
    let place = place(of: Self.length)?.line
    if let place { lines.remove(at: place) }
    guard room == nil else { return }
    let end = lines.lastIndex { !Self.trimmed($0[...]).isEmpty }.map { $0 + 1 } ?? 0
    lines.insert(Array(repeating: Self.space, count: Self.roomWidth), at: min(place ?? end, end))
    if lines.last?.isEmpty == false { lines.append([]) }
  }

  /// Removes the room: the file cannot be changed at its end.
  mutating func removeRoom() { if let room { lines.remove(at: room) } }

  /// The place of the room among ``bytes``. Nil if there is none.
  var placeOfRoom: Int? { room.map { lines[..<$0].reduce(0) { $0 + $1.count + 1 } } }

  /// The place of the room among chunks as they are stored. Nil if there is none.
  static func placeOfRoom(in chunks: [Metadata.Chunk]) -> Int? {
    var place = 0
    for chunk in chunks {
      if chunk.identifier == identifier, let room = GuanoText(chunk.content).placeOfRoom {
        return place + 8 + room
      }
      place += 8 + chunk.content.count + (chunk.content.count & 1)
    }
    return nil
  }

  /// The place of the room in a FLAC file's blocks, of which one has it. Nil if there is none.
  static func placeOfRoom(inBlocks bytes: [UInt8]) -> Int? {
    let room = Array(repeating: space, count: roomWidth) + [lineFeed]
    var place = bytes.startIndex
    while let next = bytes[place...].firstIndex(of: lineFeed) {
      place = next + 1
      if bytes[place...].starts(with: room) { return place }
    }
    return nil
  }

  /// The bytes to write into the room.
  static func statement(of samplesPerChannel: Int64, at sampleRate: Int, expansion: Int) -> [UInt8]
  {
    let rate = Int128(max(1, sampleRate)) * Int128(max(1, expansion))
    let millionths = Int64(clamping: (Int128(samplesPerChannel) * 2_000_000 + rate) / (2 * rate))
    let text = "\(length): \(millionths / 1_000_000).\((millionths % 1_000_000).padded(to: 6))"
    let bytes = Array(text.utf8.prefix(roomWidth))
    return bytes + Array(repeating: space, count: roomWidth - bytes.count)
  }

  // MARK: The sound

  /// The factor by which the sound was slowed down.
  var expansion: Int {
    self["TE"].flatMap { Double($0) }.flatMap { Int(exactly: $0.rounded()) }.map { max(1, $0) } ?? 1
  }

  /// The time of the first sample.
  var time: RecordedTime? { self[Self.timestamp].flatMap { TimeOfDay($0) }?.stated }

  /// Describes the sound from another sample on. A time that cannot be read goes.
  ///
  /// - Parameter start: in samples per channel; negative if silence stands in front.
  /// - Returns: whether the time is still stated, or never was.
  mutating func move(to start: Int64, at sampleRate: Int) -> Bool {
    forgetLength()
    guard start != 0, sampleRate > 0, let timestamp = self[Self.timestamp] else { return true }
    let nanoseconds = (Int128(start) * 1_000_000_000).dividedDown(
      by: Int128(sampleRate) * Int128(expansion))
    self[Self.timestamp] = Self.moved(timestamp, by: Int64(clamping: nanoseconds))
    return self[Self.timestamp] != nil
  }

  /// Describes the sound at another rate, in hertz.
  mutating func convert(from oldRate: Int, to newRate: Int) {
    func stated(_ rate: Int) -> Int128 { Int128(rate) * Int128(expansion) }
    guard self["Samplerate"].flatMap({ Int128($0) }) == stated(oldRate) else { return }
    self["Samplerate"] = "\(stated(newRate))"
  }

  /// A time, so many nanoseconds later, with its zone and at least its number of decimals.
  private static func moved(_ timestamp: String, by nanoseconds: Int64) -> String? {
    guard var stated = TimeOfDay(timestamp)?.stated else { return nil }
    stated.wall = Int64(clamping: Int128(stated.wall) + Int128(nanoseconds))
    let perSecond = TimeOfDay.perSecond
    let second = stated.wall.dividedDown(by: perSecond)
    let rest = stated.wall - second * perSecond
    let clock = timestamp.drop { !"T _".contains($0) }.dropFirst()
    let zone = clock.firstIndex { "+-ZzU ".contains($0) } ?? timestamp.endIndex
    let decimals = timestamp[..<zone].split(separator: ".").dropFirst().first?.count ?? 0
    let digits = rest == 0 ? decimals : max(6, min(9, decimals))
    let fraction = digits == 0 ? "" : "." + rest.padded(to: 9).prefix(digits)
    return CivilTime.utc.text("%Y-%m-%dT%H:%M:%S", at: Int(second)) + fraction + timestamp[zone...]
  }
}

extension Metadata {
  /// The text about the recording, in a chunk or in a tag. Nil if there is none.
  package var guano: GuanoText? {
    get {
      if let chunk = chunks.first(where: { $0.identifier == GuanoText.identifier }) {
        return GuanoText(chunk.content)
      }
      return tags[GuanoText.tag].first.map { GuanoText(Array($0.utf8)) }
    }
    set {
      if let index = chunks.firstIndex(where: { $0.identifier == GuanoText.identifier }) {
        if let newValue {
          chunks[index].content = newValue.evenBytes
        } else {
          chunks.remove(at: index)
        }
      } else if !tags[GuanoText.tag].isEmpty {
        setTag(newValue)
      } else if let newValue {
        chunks.append(.init(.riff, GuanoText.identifier, newValue.evenBytes))
        editor = PieceEditor(FilePieces.self)
      }
    }
  }

  package mutating func changeGuano(_ change: (inout GuanoText) -> Void) {
    func changed(_ old: GuanoText) -> GuanoText {
      var new = old
      change(&new)
      return new == old ? old : new.tidied
    }
    // A file may have both: neither may tell another sound's time.
    for index in chunks.indices where chunks[index].identifier == GuanoText.identifier {
      let old = GuanoText(chunks[index].content)
      let new = changed(old)
      if new != old { chunks[index].content = new.evenBytes }
    }
    let old = tags[GuanoText.tag]
    let new = old.map { changed(GuanoText(Array($0.utf8))).text }
    if new != old { tags[GuanoText.tag] = new }
  }

  private mutating func setTag(_ guano: GuanoText?) {
    tags.removeAll { $0 == GuanoText.tag }
    if let guano { tags.append(GuanoText.tag, guano.tidied.text) }
  }

  /// With the text in a chunk of that family, if it has such chunks, else in a tag.
  ///
  /// - Parameter keepsRoom: whether the file can be changed when its length is known.
  func withGuano(in family: Family?, keepsRoom: Bool) -> Metadata {
    guard var text = guano else { return self }
    var other = self
    if !keepsRoom { text.removeRoom() }
    if let family, family.riffOrder != nil {
      guard let index = chunks.firstIndex(where: { $0.identifier == GuanoText.identifier }) else {
        other.setTag(nil)
        other.chunks.append(.init(family, GuanoText.identifier, text.evenBytes))
        return other
      }
      other.chunks[index].family = family
      if !keepsRoom { other.chunks[index].content = text.evenBytes }
    } else {
      other.chunks.removeAll { $0.identifier == GuanoText.identifier }
      other.setTag(text)
    }
    return other
  }
}
