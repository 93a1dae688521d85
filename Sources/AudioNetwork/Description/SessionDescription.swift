// SPDX-License-Identifier: Apache-2.0
/// The parts of a session description (SDP) that concern streams of sound. Source: RFC 8866.
///
/// Unknown lines are skipped. Limits keep a hostile text small: ``longestText``, ``longestLine`` and ``mostMedia``.
public struct SessionDescription: Sendable, Hashable {
  /// Bytes of a text.
  public static let longestText = 65_536
  /// Bytes of a line.
  public static let longestLine = 4_096
  /// Streams of any kind.
  public static let mostMedia = 64
  /// Formats of a stream.
  static let mostPayloads = 32

  /// The name of the session (`s=`).
  public private(set) var name = ""
  /// The URL for the control of the session (`a=control`). Nil if there is none.
  public private(set) var control: String?
  /// The streams, in their order.
  public private(set) var media: [MediaDescription] = []
  /// The address of streams that have none of their own.
  private var connection: NetworkAddress?
  private var filters: [SourceFilter] = []
  /// The names of streams that carry equal packets (`a=group:DUP`). RFC 7104, section 3.1.
  private(set) var duplicates: [[String]] = []
  private var hasKey = false

  /// Reads a text. Blanks around lines, a mark of the byte order and the line `SDP:` in front, which ffmpeg prints, are
  /// skipped; lines end with CR, LF or both.
  ///
  /// - Throws: `malformed`, with the number of the line, if the text is no session description.
  public init(_ text: [UInt8]) throws(AudioError) {
    guard text.count <= Self.longestText else {
      throw Self.fault("it has \(text.count) bytes, and \(Self.longestText) is the most")
    }
    var hasBegun = false
    for (index, line) in Self.lines(of: text).enumerated() {
      let number = index + 1
      guard line.count <= Self.longestLine else {
        throw Self.fault("line \(number) has more than \(Self.longestLine) bytes")
      }
      let line = Self.trimmed(line)
      if line.isEmpty || !hasBegun && line.elementsEqual("SDP:".utf8) { continue }
      guard line.count >= 2, line[line.startIndex + 1] == UInt8(ascii: "=") else {
        throw Self.fault("line \(number) is not of the form x=…")
      }
      let kind = Character(Unicode.Scalar(line[line.startIndex]))
      let value = String(decoding: line.dropFirst(2), as: UTF8.self)
      if !hasBegun, kind != "v" || value != "0" { throw Self.fault("it does not begin with v=0") }
      hasBegun = true
      try read(kind, value, line: number)
    }
    if media.isEmpty { throw Self.fault("it describes no stream") }
    for index in media.indices {
      media[index].connection = media[index].connection ?? connection
      media[index].filter = SourceFilter.filter(
        of: media[index].connection?.host, media[index].filters, orElse: filters)
      if hasKey { media[index].hasKey = true }
    }
  }

  private static func lines(of text: [UInt8]) -> [ArraySlice<UInt8>] {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var lines: [ArraySlice<UInt8>] = []
    var start = text.starts(with: mark) ? mark.count : 0
    var place = start
    while place < text.count {
      let byte = text[place]
      if byte == 0x0A || byte == 0x0D {
        lines.append(text[start..<place])
        if byte == 0x0D, place + 1 < text.count, text[place + 1] == 0x0A { place += 1 }
        start = place + 1
      }
      place += 1
    }
    lines.append(text[start...])
    return lines
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    var line = line.drop(while: isBlank)
    while let last = line.last, isBlank(last) { line.removeLast() }
    return line
  }

  private mutating func read(
    _ kind: Character, _ value: String, line: Int
  ) throws(AudioError) {
    switch kind {
    case "s" where media.isEmpty: name = value
    case "m":
      guard media.count < Self.mostMedia else {
        throw Self.fault("it describes more than \(Self.mostMedia) streams")
      }
      guard let described = MediaDescription(line: value) else {
        throw Self.fault("line \(line) is not of the form m=KIND PORT PROTOCOL FORMATS")
      }
      media.append(described)
    case "c":
      guard let address = NetworkAddress(line: value) else {
        throw Self.fault("line \(line) is not of the form c=IN IP4 ADDRESS")
      }
      if media.isEmpty { connection = address } else { media[media.count - 1].connection = address }
    case "a":
      let parts = value.split(separator: ":", maxSplits: 1).map(String.init)
      guard let attribute = parts.first else { return }
      let detail = parts.count > 1 ? parts[1] : ""
      if media.isEmpty {
        read(attribute, detail)
      } else {
        media[media.count - 1].read(attribute, detail)
      }
    default: return
    }
  }

  private mutating func read(_ attribute: String, _ value: String) {
    switch attribute {
    case "control": control = value
    case "source-filter":
      if let filter = SourceFilter(value) { filters.append(filter) }
    case "group":
      let words = value.split(separator: " ").map(String.init)
      if words.first == "DUP" { duplicates.append(Array(words.dropFirst())) }
    case _ where MediaDescription.keys.contains(attribute): hasKey = true
    default: return
    }
  }

  private static func fault(_ reason: String) -> AudioError {
    AudioError(.malformed, cannot: "read the session description", "", because: reason)
  }
}

/// The address of a stream, as a session description states it (`c=`).
public struct NetworkAddress: Sendable, Hashable {
  /// A number, of IPv4 or of IPv6, or a name.
  public var host: String
  public var isVersion6: Bool

  /// - Parameter line: `IN IP4 239.0.0.1/32`. The time to live and the number of addresses are dropped.
  init?(line: String) {
    let words = line.split(separator: " ")
    guard words.count == 3, words[0] == "IN", let host = words[2].split(separator: "/").first,
      words[1] == "IP4" || words[1] == "IP6", host.utf8.count <= 255
    else { return nil }
    self.host = String(host)
    isVersion6 = words[1] == "IP6"
  }
}
