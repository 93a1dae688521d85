// SPDX-License-Identifier: Apache-2.0
/// The bytes of a server of RTSP 1.0, cut into messages and packets. Source: RFC 2326, sections 4 and 10.12.
///
/// A server may send anything: ``longestLine``, ``mostHeaders`` and ``longestBody`` keep the memory small.
struct RTSPReader {
  /// Bytes of a line.
  static let longestLine = 4_096
  static let mostHeaders = 100
  /// Bytes behind the headers.
  static let longestBody = 65_536

  enum Item: Equatable {
    /// A packet between the messages, with the number of its channel.
    case packet(channel: UInt8, [UInt8])
    case response(RTSPResponse)
    /// A request of the server, which gets no answer.
    case request
  }

  private var bytes: [UInt8] = []
  private var begin = 0

  /// Bytes that are held.
  var heldCount: Int { bytes.count - begin }

  mutating func append(_ new: RawSpan) {
    if begin > 0, begin == bytes.count || begin > 65_536 {
      bytes.removeFirst(begin)
      begin = 0
    }
    unsafe new.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
  }

  /// The next whole item. Nil if its end has not come.
  ///
  /// - Throws: `malformed` for bytes that are neither, or beyond the limits.
  mutating func next() throws(AudioError) -> Item? {
    // An empty line may stand before a message.
    while begin < bytes.count, bytes[begin] == 0x0D || bytes[begin] == 0x0A { begin += 1 }
    guard begin < bytes.count else { return nil }
    return bytes[begin] == UInt8(ascii: "$") ? packet() : try message()
  }

  private mutating func packet() -> Item? {
    guard bytes.count - begin >= 4 else { return nil }
    let length = Int(bytes[begin + 2]) << 8 | Int(bytes[begin + 3])
    let start = begin + 4
    guard bytes.count >= start + length else { return nil }
    defer { begin = start + length }
    return .packet(channel: bytes[begin + 1], Array(bytes[start..<start + length]))
  }

  private mutating func message() throws(AudioError) -> Item? {
    var place = begin
    var lines: [String] = []
    while true {
      guard let end = try lineEnd(from: place) else { return nil }
      var line = bytes[place..<end]
      if line.last == 0x0D { line.removeLast() }
      place = end + 1
      if line.isEmpty { break }
      guard lines.count <= Self.mostHeaders else {
        throw Self.fault("it sends more than \(Self.mostHeaders) headers")
      }
      lines.append(String(decoding: line, as: UTF8.self))
    }
    let headers = lines.dropFirst().compactMap { RTSPResponse.Header($0) }
    let stated = headers.first { $0.name == "content-length" }.map { Int($0.value) ?? -1 } ?? 0
    guard (0...Self.longestBody).contains(stated) else {
      throw Self.fault("it states an impossible length of an answer")
    }
    guard bytes.count - place >= stated else { return nil }
    defer { begin = place + stated }
    let first = lines.first ?? ""
    guard first.hasPrefix("RTSP/") else {
      guard first.hasSuffix(" RTSP/1.0") else { throw Self.fault("it does not speak RTSP") }
      return .request
    }
    let words = first.split(separator: " ", maxSplits: 2)
    guard words.count >= 2, let status = Int(words[1]), (100...999).contains(status) else {
      throw Self.fault("it does not speak RTSP")
    }
    return .response(
      RTSPResponse(
        status: status, reason: words.count > 2 ? String(words[2]) : "", headers: headers,
        body: Array(bytes[place..<place + stated])))
  }

  /// The place of the line feed.
  private func lineEnd(from start: Int) throws(AudioError) -> Int? {
    let limit = min(bytes.count, start + Self.longestLine)
    for place in start..<max(limit, start) where bytes[place] == 0x0A { return place }
    guard bytes.count - start < Self.longestLine else {
      throw Self.fault("it sends a line of more than \(Self.longestLine) bytes")
    }
    return nil
  }

  private static func fault(_ reason: String) -> AudioError {
    AudioError(.malformed, cannot: "understand the server", "", because: reason)
  }
}

/// An answer of a server.
struct RTSPResponse: Equatable {
  struct Header: Equatable {
    /// In lower case.
    var name: String
    var value: String

    /// - Returns: nil for a line without a colon.
    init?(_ line: String) {
      guard let colon = line.firstIndex(of: ":") else { return nil }
      name = line[..<colon].trimmed.lowercased()
      value = line[line.index(after: colon)...].trimmed
    }
  }

  var status: Int
  var reason: String
  var headers: [Header] = []
  var body: [UInt8] = []

  subscript(name: String) -> String? { headers.first { $0.name == name }?.value }

  func all(_ name: String) -> [String] { headers.filter { $0.name == name }.map(\.value) }
}
