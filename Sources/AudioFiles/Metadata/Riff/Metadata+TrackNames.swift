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
      let list = notes.contents(of: Self.list).first
    else { return names }
    let tracks = notes.contents(of: "TRACK", in: list)
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

  /// Sets the names of all channels, in stream order. A new chunk is for WAV and its kin.
  package mutating func setTrackNames(_ names: [String]) {
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

  /// Removes the names: the channels are others now.
  mutating func removeTrackNames() {
    for index in chunks.indices where chunks[index].isIXML {
      var notes = IXMLText(bytes: chunks[index].content)
      _ = notes.remove(Self.list)
      chunks[index].content = notes.bytes
    }
  }

  private static func trackList(_ names: [String]) -> String {
    let tracks = names.enumerated().map { index, name in
      "<TRACK><CHANNEL_INDEX>\(index + 1)</CHANNEL_INDEX><INTERLEAVE_INDEX>\(index + 1)</INTERLEAVE_INDEX>"
        + "<NAME>\(IXMLText.escaped(name))</NAME></TRACK>"
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
    let name = trackNames(of: channelCount)[channel]
    other.channelLayout = nil
    if self.channelCount != nil { other.channelCount = 1 }
    if channelCount > 1 { other = other.withoutMeasurements }
    if let name { other.setTrackNames([name]) } else { other.removeTrackNames() }
    return other
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

  /// The text of the first element of a name, without blanks around it; nil if there is none.
  func text(of element: String, in range: Range<Int>) -> String? {
    guard let content = contents(of: element, in: range).first else { return nil }
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
