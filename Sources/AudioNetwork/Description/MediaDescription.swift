// SPDX-License-Identifier: Apache-2.0
/// A stream of a session description: `m=audio 5004 RTP/AVP 96` and its attributes.
public struct MediaDescription: Sendable, Hashable {
  /// `audio`, `video` and the like.
  public let kind: String
  /// The port to receive at; that of RTCP is the next one. 0 for a stream that is declined, or that a server is asked for.
  public let port: UInt16
  /// `RTP/AVP`, `RTP/AVPF` and the like.
  public let transport: String
  /// The address to receive at. Nil if the description has none.
  public internal(set) var connection: NetworkAddress?
  /// The URL for the control of the stream (`a=control`). Nil if there is none.
  public private(set) var control: String?
  /// The hosts that may send (`a=source-filter`). Nil if any may.
  public internal(set) var filter: SourceFilter?
  /// The name of the stream within the description (`a=mid`). Nil if it has none.
  private(set) var identification: String?
  /// The numbers of the formats, in the order of preference.
  private(set) var payloadTypes: [UInt8] = []
  /// The identifiers of the streams that are sent (`a=ssrc`), in their order.
  private(set) var sources: [UInt32] = []
  /// Those among them that carry equal packets (`a=ssrc-group:DUP`). RFC 7104, section 3.2.
  private(set) var duplicates: [UInt32] = []
  /// Whether it states a key for encrypted packets.
  var hasKey = false
  private(set) var filters: [SourceFilter] = []
  /// Names of formats: `L24/48000/2`.
  private var formats: [UInt8: String] = [:]
  /// Parameters of formats.
  private(set) var parameters: [UInt8: String] = [:]

  /// - Parameter line: without `m=`.
  init?(line: String) {
    let words = line.split { $0 == " " || $0 == "\t" }.map(String.init)
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
    case "mid": identification = value
    case "rtpmap":
      if let (type, name) = Self.numbered(value) { formats[type] = name }
    case "fmtp":
      if let (type, text) = Self.numbered(value) { parameters[type] = text }
    case "source-filter":
      if let filter = SourceFilter(value) { filters.append(filter) }
    case "ssrc":
      if let source = value.split(separator: " ").first.flatMap({ UInt32($0) }),
        !sources.contains(source), sources.count < SessionDescription.mostMedia
      {
        sources.append(source)
      }
    case "ssrc-group":
      let words = value.split(separator: " ")
      if words.first == "DUP" {
        duplicates += words.dropFirst().prefix(SessionDescription.mostMedia).compactMap {
          UInt32($0)
        }
      }
    case _ where Self.keys.contains(attribute): hasKey = true
    default: return
    }
  }

  /// The attributes of keys. RFC 4568, section 4; RFC 4567, section 3.1.
  static let keys: Set = ["crypto", "key-mgmt"]

  private static func numbered(_ value: String) -> (UInt8, String)? {
    let words = value.split(maxSplits: 1) { $0 == " " || $0 == "\t" }
    guard words.count == 2, let type = UInt8(words[0]), type < 128 else { return nil }
    return (type, String(words[1]))
  }

  /// All listed numbers.
  var numbers: PayloadNumbers {
    var numbers = PayloadNumbers()
    list(in: &numbers)
    return numbers
  }

  /// Adds the listed numbers to those of an equal stream.
  func list(in numbers: inout PayloadNumbers) {
    for type in payloadTypes { numbers.list(type, formats[type], try? format(of: type)) }
  }

  /// - Returns: nil for an unknown encoding.
  /// - Throws: `unsupported` or `malformed` for parameters of a known one.
  private func format(of type: UInt8) throws(AudioError) -> PayloadFormat? {
    guard let name = formats[type] else { return PayloadFormat(staticType: type) }
    return try PayloadFormat(name: name, parameters: parameters[type] ?? "")
  }

  /// The names of all formats, for errors: `opus/48000/2`; the number of one without a name.
  var formatNames: [String] { payloadTypes.map { formats[$0] ?? "number \($0)" } }
}

extension MediaDescription {
  /// The reason why a stream of sound cannot be received.
  enum Refusal: Equatable {
    /// None of its formats is supported.
    case formats
    case other(String)
  }

  /// Nil if it can be received.
  var refusal: Refusal? {
    let words = transport.uppercased().split(separator: "/")
    guard !words.contains(where: { $0.hasPrefix("SAVP") }) else {
      return .other("its sound is encrypted (\(transport))")
    }
    // RFC 3551, section 12; RFC 4585, section 4.1. RTP over TCP is `TCP/RTP/AVP` (RFC 4571).
    guard words.first == "RTP", words.count > 1, words[1] == "AVP" || words[1] == "AVPF" else {
      return .other("its sound does not come as RTP/AVP, but as \(transport)")
    }
    if hasKey { return .other("its sound is encrypted: it states a key") }
    if numbers.preferred != nil { return nil }
    let most = StreamFormat.channelCounts.upperBound
    for name in formatNames {
      let parts = name.split(separator: "/")
      if parts.count == 3, let count = Int(parts[2]), count > most {
        return .other("its sound has \(count) channels, and \(most) are the most")
      }
    }
    for type in payloadTypes {
      do throws(AudioError) { _ = try format(of: type) } catch {
        return .other([error.reason, error.advice].compactMap(\.self).joined(separator: "; "))
      }
    }
    return .formats
  }
}
