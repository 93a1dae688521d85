// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// The facts that `info` prints about one file decoded by ffmpeg.
struct DecodedFacts: Sendable {
  var path: String
  var information: DecodedFileInformation

  /// One line for each fact.
  var text: String {
    var lines = [
      ("file", path), ("container", container), ("encoding", information.codecName),
      ("sample rate", "\(information.format.sampleRate) Hz"),
      ("channels", "\(information.format.channelCount)"), ("duration", duration),
      ("decoder", decoder),
    ]
    if let bitRate = information.bitRate {
      lines.insert(("bit rate", FileFacts.text(bitRate: bitRate)), at: lines.count - 1)
    }
    if information.endsWithin { lines.append(("truncated", FileFacts.endsWithin)) }
    if information.streams.count > 1 { lines += streams }
    lines += information.texts.map { ($0.name, $0.value) }
    lines += chapters.map {
      ("chapter", MetadataFacts.text(of: $0, at: information.format.sampleRate))
    }
    return FileFacts.page(lines.map { ($0.0.printable, $0.1.printable) })
  }

  /// The facts as a JSON object, with the members of other files. Unknown values are null.
  var json: JSONValue {
    .object([
      ("path", .path(path)), ("container", .string(container)),
      ("encoding", .string(information.codecName)), ("byteOrder", .null),
      ("sampleRate", .integer(Int64(information.format.sampleRate))),
      ("channelCount", .integer(Int64(information.format.channelCount))),
      ("samplesPerChannel", .null), ("duration", seconds.map { .number($0) } ?? .null),
      ("bitRate", information.bitRate.map { .integer(Int64($0)) } ?? .null),
      ("truncated", .boolean(information.endsWithin)),
      (
        "claimedSamplesPerChannel",
        information.statedSamplesPerChannel.map { .integer($0) } ?? .null
      ),
      ("metadata", .object(information.texts.map { ($0.name, .string($0.value)) })),
      ("chapters", .array(chapters.map { MetadataFacts.json(of: $0) })),
      ("decoder", .string("ffmpeg")),
    ])
  }

  private var chapters: [Metadata.Marker] { information.metadata.markers }

  var share: InfoTotals.Share {
    InfoTotals.Share(
      container: container, encoding: information.codecName,
      sampleRate: information.format.sampleRate, duration: seconds, bytes: fileSize(path))
  }

  /// One line for each stream. Audio streams have their number for `--track`.
  private var streams: [(String, String)] {
    var track = 0
    return information.streams.enumerated().map { index, stream in
      if stream.kind == "audio" { track += 1 }
      let kind = stream.kind == "audio" ? "sound track \(track)" : stream.kind
      let words = [stream.codecName, stream.language ?? "", stream.title ?? ""]
      return ("stream \(index)", ([kind] + words.filter { !$0.isEmpty }).joined(separator: ", "))
    }
  }

  /// ffmpeg lists all names of a container. The extension of the file selects one.
  private var container: String {
    let names = information.formatName.split(separator: ",")
    let end = path.fileExtension ?? ""
    return String(names.first { $0 == end } ?? names.first ?? "")
  }

  private var decoder: String {
    let others = information.streamCount > 1 ? ", first of \(information.streamCount) streams" : ""
    return "ffmpeg\(others)"
  }

  private var seconds: Double? {
    information.statedSamplesPerChannel.map { Double($0) / Double(information.format.sampleRate) }
  }

  private var duration: String {
    guard let samples = information.statedSamplesPerChannel else { return "not stated" }
    return "\(clockTime(samples, at: information.format.sampleRate)) as stated"
  }
}
