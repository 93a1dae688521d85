internal import AudioCore

/// What `info` tells of one file.
struct FileReport {
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
    if let truncation = information.truncation {
      lines.append(
        (
          "truncated",
          "the header claims \(truncation.claimedSamplesPerChannel) samples per channel"
        ))
    }
    for (text, value) in texts { lines.append((text.rawValue, value.printable)) }
    let column = 14
    return lines.reduce(into: "") { page, line in
      let gap = String(repeating: " ", count: max(1, column - line.0.count - 1))
      page += "\(line.0):\(gap)\(line.1)\n"
    }
  }

  /// The same as an object; what is not known is null.
  var json: JSONValue {
    .object([
      ("path", .string(path)), ("container", .string(information.container.rawValue)),
      ("encoding", .string(information.encoding.rawValue)),
      ("byteOrder", byteOrder.map { .string($0) } ?? .null),
      ("sampleRate", .integer(Int64(information.format.sampleRate))),
      ("channelCount", .integer(Int64(information.format.channelCount))),
      ("samplesPerChannel", information.samplesPerChannel.map { .integer($0) } ?? .null),
      ("duration", information.duration.map { .number($0) } ?? .null),
      (
        "claimedSamplesPerChannel",
        information.truncation.map { .integer($0.claimedSamplesPerChannel) } ?? .null
      ),
      ("metadata", .object(texts.map { ($0.rawValue, .string($1)) })),
    ])
  }

  private var byteOrder: String? {
    information.byteOrder.map { $0 == .little ? "little" : "big" }
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

/// `h:mm:ss.mmm`, rounded down.
private func clockTime(_ samples: Int64, at rate: Int) -> String {
  let (seconds, rest) = samples.quotientAndRemainder(dividingBy: Int64(rate))
  func padded(_ value: Int64, _ width: Int) -> String {
    let digits = "\(value)"
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
  return "\(seconds / 3_600):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
    + ".\(padded(rest * 1_000 / Int64(rate), 3))"
}
