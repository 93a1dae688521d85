// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// The facts that `info` prints about one file.
struct FileFacts: Sendable {
  var path: String
  var information: SoundFileInformation

  /// One line for each fact.
  var text: String {
    var lines = [
      ("file", path.printable), ("container", information.container.rawValue),
      ("encoding", information.encoding.rawValue + (byteOrder.map { ", \($0)-endian" } ?? "")),
      ("sample rate", "\(information.format.sampleRate) Hz"),
      ("channels", "\(information.format.channelCount)"), ("duration", duration),
    ]
    if let bitRate = information.bitRate { lines.append(("bit rate", Self.text(bitRate: bitRate))) }
    if let truncation = information.truncation {
      lines.append(
        (
          "truncated",
          truncation.statesLength
            ? "the header claims \(truncation.claimedSamplesPerChannel) samples per channel"
            : Self.endsWithin
        ))
    }
    if information.samplesBehind > 0 {
      let count = information.samplesBehind
      lines.append(("not stated", "\(count) more samples per channel behind those of the header"))
    }
    for (text, value) in texts { lines.append((text.rawValue, value.printable)) }
    return Self.page(lines + MetadataFacts(information).lines)
  }

  static let endsWithin = "the file ends within its stream"

  /// `128 kbit/s`; small rates have a decimal.
  ///
  /// - Parameter bitRate: in bits per second.
  static func text(bitRate: Int) -> String {
    let hundreds = (bitRate + 50) / 100
    return hundreds < 1_000 && hundreds % 10 != 0
      ? "\(hundreds / 10).\(hundreds % 10) kbit/s" : "\((bitRate + 500) / 1_000) kbit/s"
  }

  /// Returns a line for each name and value, unchanged.
  static func page(_ lines: [(name: String, value: String)]) -> String {
    let column = 14
    return lines.reduce(into: "") { page, line in
      let gap = String(repeating: " ", count: max(1, column - line.name.count - 1))
      page += "\(line.name):\(gap)\(line.value)\n"
    }
  }

  /// The facts as a JSON object. Unknown values are null.
  var json: JSONValue {
    let claimed: JSONValue? = information.truncation.flatMap {
      $0.statesLength ? .integer($0.claimedSamplesPerChannel) : nil
    }
    let members: [(String, JSONValue)] = [
      ("path", .path(path)), ("container", .string(information.container.rawValue)),
      ("encoding", .string(information.encoding.rawValue)),
      ("byteOrder", byteOrder.map { .string($0) } ?? .null),
      ("sampleRate", .integer(Int64(information.format.sampleRate))),
      ("channelCount", .integer(Int64(information.format.channelCount))),
      ("samplesPerChannel", information.samplesPerChannel.map { .integer($0) } ?? .null),
      ("duration", seconds.map { .number($0) } ?? .null),
      ("bitRate", information.bitRate.map { .integer(Int64($0)) } ?? .null),
      ("truncated", .boolean(information.truncation != nil)),
      ("claimedSamplesPerChannel", claimed ?? .null),
      ("metadata", .object(texts.map { ($0.rawValue, .string($1)) })),
      ("carried", MetadataFacts(information).json),
    ]
    return .object(members)
  }

  var share: InfoTotals.Share {
    InfoTotals.Share(
      container: information.container.rawValue, encoding: information.encoding.rawValue,
      sampleRate: information.format.sampleRate,
      samplesPerChannel: information.samplesPerChannel, duration: seconds, bytes: fileSize(path))
  }

  private var byteOrder: String? {
    information.byteOrder.map { $0 == .little ? "little" : "big" }
  }

  private var seconds: Double? {
    information.samplesPerChannel.map { Double($0) / Double(information.format.sampleRate) }
  }

  private var duration: String {
    guard let samples = information.samplesPerChannel else { return "unknown until it is read" }
    return
      "\(clockTime(samples, at: information.format.sampleRate)) (\(samples) samples per channel)"
  }

  /// In the order of their declaration.
  private var texts: [(SoundFileInformation.Text, String)] {
    SoundFileInformation.Text.allCases.compactMap { text in
      information.texts[text].map { (text, $0) }
    }
  }
}
