// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// The facts that `info` prints about one file. Unknown values are nil.
struct FileFacts: Sendable {
  private let path: String
  private let container: String
  private let encoding: String
  private let byteOrder: String?
  private let format: StreamFormat
  private let samplesPerChannel: Int64?
  /// In seconds.
  private let seconds: Double?
  private let duration: String
  private let bitRate: Int?
  private let isTruncated: Bool
  /// The samples per channel that the header claims.
  private let claimed: Int64?
  private let texts: [(name: String, value: String)]
  /// The lines behind those of every file, printable.
  private let furtherLines: @Sendable () -> [(String, String)]
  /// The members behind those of every file.
  private let furtherMembers: @Sendable () -> JSONValue.Members

  private static let endsWithin = "the file ends within its stream"

  init(path: String, _ file: SoundFileInformation) {
    self.path = path
    container = file.container.rawValue
    encoding = file.encoding.rawValue
    byteOrder = file.byteOrder.map { $0 == .little ? "little" : "big" }
    format = file.format
    samplesPerChannel = file.samplesPerChannel
    let rate = file.format.sampleRate
    seconds = file.samplesPerChannel.map { Double($0) / Double(rate) }
    duration =
      file.samplesPerChannel.map { "\(clockTime($0, at: rate)) (\($0) samples per channel)" }
      ?? "unknown until it is read"
    bitRate = file.bitRate
    isTruncated = file.truncation != nil
    claimed = file.truncation.flatMap { $0.statesLength ? $0.claimedSamplesPerChannel : nil }
    // In the order of their declaration.
    let texts = SoundFileInformation.Text.allCases.compactMap { text in
      file.texts[text].map { (name: text.rawValue, value: $0) }
    }
    self.texts = texts
    furtherLines = {
      var lines: [(String, String)] = []
      if let truncation = file.truncation {
        let claim = "the header claims \(truncation.claimedSamplesPerChannel) samples per channel"
        lines.append(("truncated", truncation.statesLength ? claim : Self.endsWithin))
      }
      if file.samplesBehind > 0 {
        lines.append(
          (
            "not stated",
            "\(file.samplesBehind) more samples per channel behind those of the header"
          )
        )
      }
      return lines + texts.map { ($0.name, $0.value.printable) } + MetadataFacts(file).lines
    }
    furtherMembers = { [("carried", MetadataFacts(file).json)] }
  }

  /// A file decoded by ffmpeg.
  init(path: String, _ file: DecodedFileInformation) {
    self.path = path
    // ffmpeg lists all names of a container. The extension of the file selects one.
    let names = file.formatName.split(separator: ",")
    let end = path.fileExtension ?? ""
    container = String(names.first { $0 == end } ?? names.first ?? "")
    encoding = file.codecName
    byteOrder = nil
    format = file.format
    samplesPerChannel = nil
    let rate = file.format.sampleRate
    seconds = file.statedSamplesPerChannel.map { Double($0) / Double(rate) }
    duration =
      file.statedSamplesPerChannel.map { "\(clockTime($0, at: rate)) as stated" } ?? "not stated"
    bitRate = file.bitRate
    isTruncated = file.endsWithin
    claimed = file.statedSamplesPerChannel
    texts = file.texts.map { ($0.name, $0.value) }
    let chapters = file.metadata.markers
    furtherLines = {
      let others = file.streamCount > 1 ? ", first of \(file.streamCount) streams" : ""
      var lines = [("decoder", "ffmpeg\(others)")]
      if file.endsWithin { lines.append(("truncated", Self.endsWithin)) }
      if file.streams.count > 1 { lines += Self.lines(of: file) }
      lines += file.texts.map { ($0.name, $0.value) }
      lines += chapters.map { ("chapter", MetadataFacts.text(of: $0, at: rate)) }
      return lines.map { ($0.0.printable, $0.1.printable) }
    }
    furtherMembers = {
      [
        ("chapters", .array(chapters.map { MetadataFacts.json(of: $0) })),
        ("decoder", .string("ffmpeg")),
      ]
    }
  }

  /// One line for each stream. Audio streams have their number for `--track`.
  private static func lines(of file: DecodedFileInformation) -> [(String, String)] {
    var track = 0
    return file.streams.enumerated().map { index, stream in
      if stream.kind == "audio" { track += 1 }
      let kind = stream.kind == "audio" ? "sound track \(track)" : stream.kind
      let words = [stream.codecName, stream.language ?? "", stream.title ?? ""]
      return ("stream \(index)", ([kind] + words.filter { !$0.isEmpty }).joined(separator: ", "))
    }
  }

  /// One line for each fact.
  var text: String {
    var lines = [
      ("file", path.printable), ("container", container.printable),
      ("encoding", encoding.printable + (byteOrder.map { ", \($0)-endian" } ?? "")),
      ("sample rate", "\(format.sampleRate) Hz"), ("channels", "\(format.channelCount)"),
      ("duration", duration),
    ]
    if let bitRate { lines.append(("bit rate", Self.text(bitRate: bitRate))) }
    return Self.page(lines + furtherLines())
  }

  /// `128 kbit/s`; small rates have a decimal.
  ///
  /// - Parameter bitRate: in bits per second.
  private static func text(bitRate: Int) -> String {
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
    let members: JSONValue.Members = [
      ("path", .path(path)), ("container", .string(container)), ("encoding", .string(encoding)),
      ("byteOrder", byteOrder.map { .string($0) }.orNull),
      ("sampleRate", .count(format.sampleRate)), ("channelCount", .count(format.channelCount)),
      ("samplesPerChannel", samplesPerChannel.map { .integer($0) }.orNull),
      ("duration", seconds.map { .number($0) }.orNull),
      ("bitRate", bitRate.map { .count($0) }.orNull), ("truncated", .boolean(isTruncated)),
      ("claimedSamplesPerChannel", claimed.map { .integer($0) }.orNull),
      ("metadata", .object(texts.map { ($0.name, .string($0.value)) })),
    ]
    return .object(members + furtherMembers())
  }

  var share: InfoTotals.Share {
    InfoTotals.Share(
      container: container, encoding: encoding, sampleRate: format.sampleRate,
      samplesPerChannel: samplesPerChannel, duration: seconds,
      bytes: path == "-" ? nil : Pathname(path).fileSize)
  }
}
