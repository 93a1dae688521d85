// SPDX-License-Identifier: Apache-2.0
/// A stream of a session description: `m=audio 5004 RTP/AVP 96` and its attributes.
public struct MediaDescription: Sendable, Hashable {
  /// `audio`, `video` and the like.
  public let kind: String
  /// The port to receive at; that of RTCP is the next one.
  public let port: UInt16
  /// `RTP/AVP`, `RTP/AVPF` and the like.
  public let transport: String
  /// The address to receive at. Nil if the description has none.
  public internal(set) var connection: NetworkAddress?
  /// The URL for the control of the stream (`a=control`). Nil if there is none.
  public private(set) var control: String?
  /// The only sender (`a=source-filter`). Nil if any may send.
  public private(set) var sender: String?
  /// The numbers of the formats, in the order of preference.
  private(set) var payloadTypes: [UInt8] = []
  /// Names of formats: `L24/48000/2`.
  private var formats: [UInt8: String] = [:]
  /// Parameters of formats.
  private(set) var parameters: [UInt8: String] = [:]

  /// - Parameter line: without `m=`.
  init?(line: String) {
    let words = line.split(separator: " ").map(String.init)
    guard words.count >= 4, let number = words[1].split(separator: "/").first,
      let port = UInt16(number)
    else { return nil }
    kind = words[0]
    self.port = port
    transport = words[2]
    payloadTypes = words[3...].prefix(SessionDescription.mostPayloads).compactMap { UInt8($0) }
      .filter { $0 < 128 }
  }

  mutating func read(_ attribute: String, _ value: String) {
    switch attribute {
    case "control": control = value
    case "rtpmap":
      if let (type, name) = Self.numbered(value) { formats[type] = name }
    case "fmtp":
      if let (type, text) = Self.numbered(value) { parameters[type] = text }
    case "source-filter":
      // RFC 4570: incl IN IP4 239.0.0.1 192.0.2.7
      let words = value.split(separator: " ")
      if words.count >= 5, words[0] == "incl" { sender = String(words[4]) }
    default: return
    }
  }

  private static func numbered(_ value: String) -> (UInt8, String)? {
    let words = value.split(separator: " ", maxSplits: 1)
    guard words.count == 2, let type = UInt8(words[0]), type < 128 else { return nil }
    return (type, String(words[1]))
  }

  /// The first supported format, with its number. Nil if there is none.
  var payload: (type: UInt8, format: PayloadFormat)? {
    for type in payloadTypes {
      if let format = try? format(of: type) { return (type, format) }
    }
    return nil
  }

  /// - Returns: nil for an unknown encoding.
  /// - Throws: `unsupported` or `malformed` for parameters of a known one.
  private func format(of type: UInt8) throws(AudioError) -> PayloadFormat? {
    guard let name = formats[type] else { return PayloadFormat(staticType: type) }
    return try PayloadFormat(name: name, parameters: parameters[type] ?? "")
  }

  /// Why a format of a known encoding is not supported. Nil if there is no such one.
  var refusal: AudioError? {
    for type in payloadTypes {
      do throws(AudioError) { _ = try format(of: type) } catch { return error }
    }
    return nil
  }

  /// All supported formats, and the numbers of packets without sound.
  var numbers: PayloadNumbers {
    let found = payloadTypes.compactMap { type in
      (try? format(of: type)).map { (number: type, format: $0) }
    }
    let pauses = formats.filter {
      ["CN", "TELEPHONE-EVENT"].contains($0.value.split(separator: "/").first?.uppercased() ?? "")
    }
    return PayloadNumbers(found, pauses: Set(pauses.keys), names: formats)
  }

  /// The names of all formats, for errors: `opus/48000/2`; the number of one without a name.
  var formatNames: [String] { payloadTypes.map { formats[$0] ?? "number \($0)" } }
}
