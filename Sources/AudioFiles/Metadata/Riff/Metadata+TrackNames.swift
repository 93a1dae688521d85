// SPDX-License-Identifier: Apache-2.0
/// The names of a file's channels in the `iXML` chunk of field recorders.
///
/// Source: "iXML Specification", version 3 (gallery.co.uk/ixml), object TRACK_LIST. `INTERLEAVE_INDEX` is the channel in
/// the file, from 1.
extension Metadata {
  private static let list = "TRACK_LIST"

  /// The names in stream order; nil for a channel without a name, and for all if the list is of another number of
  /// channels.
  ///
  /// - Parameter channelCount: the channels of the stream.
  package func trackNames(of channelCount: Int) -> [String?] {
    var names = [String?](repeating: nil, count: channelCount)
    guard let notes = chunks.first(where: \.isIXML).map({ IXMLText(bytes: $0.content) }),
      let list = notes.content(of: Self.list)
    else { return names }
    let tracks = notes.contents(of: "TRACK", in: list, upTo: channelCount + 1)
    guard tracks.count <= channelCount else { return names }
    for (place, track) in tracks.enumerated() {
      let index = notes.text(of: "INTERLEAVE_INDEX", in: track).flatMap { Int($0) } ?? place + 1
      guard (1...channelCount).contains(index), let name = notes.text(of: "NAME", in: track),
        !name.isEmpty
      else { continue }
      names[index - 1] = name
    }
    return names
  }

  /// Sets the names of all channels, in stream order; nil = none. A new chunk is for WAV and its kin.
  package mutating func setTrackNames(_ names: [String?]) {
    let list = Self.trackList(names)
    if let index = chunks.firstIndex(where: \.isIXML) {
      var notes = IXMLText(bytes: chunks[index].content)
      notes.put(list, inPlaceOf: Self.list, within: "BWFXML")
      chunks[index].content = notes.bytes
      return
    }
    let text =
      #"<?xml version="1.0" encoding="UTF-8"?>"#
      + "\n<BWFXML>\n<IXML_VERSION>1.61</IXML_VERSION>\n\(list)\n</BWFXML>\n"
    chunks.append(Chunk(.riff, "iXML", Array(text.utf8)))
    if editor == nil { editor = PieceEditor(FilePieces.self) }
  }

  /// - Returns: whether there was a name.
  private mutating func removeTrackNames() -> Bool {
    var hadNames = false
    for index in chunks.indices where chunks[index].isIXML {
      var notes = IXMLText(bytes: chunks[index].content)
      let list = notes.content(of: Self.list)
      if let list, notes.content(of: "NAME", in: list) != nil { hadNames = true }
      if notes.remove(Self.list) { chunks[index].content = notes.bytes }
    }
    return hadNames
  }

  private static func trackList(_ names: [String?]) -> String {
    let tracks = names.enumerated().map { index, name in
      "<TRACK><CHANNEL_INDEX>\(index + 1)</CHANNEL_INDEX><INTERLEAVE_INDEX>\(index + 1)</INTERLEAVE_INDEX>"
        + (name.map { "<NAME>\(IXMLText.escaped($0))</NAME>" } ?? "") + "</TRACK>"
    }
    return "<\(list)><TRACK_COUNT>\(names.count)</TRACK_COUNT>\(tracks.joined())</\(list)>"
  }

  /// The metadata of a file of one channel.
  ///
  /// - Parameters:
  ///   - channel: from 0.
  ///   - channelCount: of the stream.
  package func ofChannel(_ channel: Int, of channelCount: Int) -> Metadata {
    var other = self
    other.channelLayout = nil
    if self.channelCount != nil { other.channelCount = 1 }
    if channelCount > 1 { other = other.withoutMeasurements }
    other.moveChannels(to: [[channel]], of: channelCount)
    return other
  }

  /// Moves the names of channels. Those in a sum are lost, and become an omission.
  ///
  /// - Parameters:
  ///   - origins: for each channel the former ones in it, from 0; empty if they are unknown.
  ///   - count: of the former channels.
  mutating func moveChannels(to origins: [[Int]], of count: Int) {
    let (old, alone) = (trackNames(of: count), Set(origins.filter { $0.count == 1 }.joined()))
    let mixed = (origins.isEmpty ? Set(0..<count) : Set(origins.joined())).subtracting(alone)
    let new = origins.map { $0.count == 1 ? old[$0[0]] : nil }
    let hadNames: Bool
    if new.contains(where: { $0 != nil }) {
      setTrackNames(new)
      hadNames = mixed.contains { old[$0] != nil }
    } else {
      let isKnown = old.contains { $0 != nil }
      hadNames = removeTrackNames() && (!isKnown || mixed.contains { old[$0] != nil })
    }
    let moved = TrackLines(origins: origins, count: count, areMixed: !mixed.isEmpty)
    let hadLines = changeDescriptions(moved.changed)
    guard hadNames || hadLines else { return }
    omissions.append("names of the channels", because: "the channels are others now")
  }

  /// Changes the description of a recording in each of its places.
  ///
  /// - Returns: whether one of them lost a line.
  private mutating func changeDescriptions(
    _ change: (String) -> (text: String, isLossy: Bool)?
  ) -> Bool {
    let (key, element) = ("DESCRIPTION", "BWF_DESCRIPTION")
    var isLossy = false
    func changed(_ text: String?) -> String? {
      guard let text, text.utf8.count <= IXMLText.longest, let new = change(text) else {
        return nil
      }
      isLossy = isLossy || new.isLossy
      return new.text
    }
    if let new = changed(broadcast?.description) { broadcast?.description = new }
    if let new = changed(tags[key].first) { tags[key] = [new] + tags[key].dropFirst() }
    for index in chunks.indices where chunks[index].isIXML {
      var notes = IXMLText(bytes: chunks[index].content)
      guard let new = changed(notes.text(of: element)) else { continue }
      notes.put(
        "<\(element)>\(IXMLText.escaped(new))</\(element)>", inPlaceOf: element, within: "BEXT")
      chunks[index].content = notes.bytes
    }
    return isLossy
  }
}

extension Metadata.Chunk {
  fileprivate var isIXML: Bool { family.riffOrder != nil && identifier == "iXML" }
}

extension IXMLText {
  private static let entities = [
    ("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"), ("'", "&apos;"),
  ]

  static func escaped(_ text: String) -> String {
    text.map { character in
      entities.first { $0.0 == String(character) }?.1 ?? String(character)
    }.joined()
  }

  /// The longest text, in bytes: no recorder writes longer ones.
  static let longest = 1 << 16

  /// The text of the first element of a name, without blanks around it; nil if there is none, or a longer one.
  ///
  /// - Parameter range: the place of the element; nil = anywhere.
  func text(of element: String, in range: Range<Int>? = nil) -> String? {
    guard let content = content(of: element, in: range), content.count <= Self.longest else {
      return nil
    }
    var text = ""
    var rest = String(decoding: bytes[content], as: UTF8.self)[...]
    while let character = rest.first {
      if let (plain, entity) = Self.entities.first(where: { rest.hasPrefix($0.1) }) {
        text += plain
        rest = rest.dropFirst(entity.count)
      } else {
        text.append(character)
        rest = rest.dropFirst()
      }
    }
    var name = text.drop(while: \.isWhitespace)
    while name.last?.isWhitespace == true { name.removeLast() }
    return String(name)
  }
}
