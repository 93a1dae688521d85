// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// The metadata that `info` prints of a file.
struct MetadataFacts {
  let metadata: Metadata
  private let sampleRate: Int
  /// `mark` or `chapter`.
  private let nameOfMarks: String
  /// The tags that `info` shows under names of its own.
  private let shown: Set<String>

  init(_ information: SoundFileInformation) {
    metadata = information.metadata
    sampleRate = information.format.sampleRate
    nameOfMarks = information.container.marksAreChapters ? "chapter" : "mark"
    var shown: Set<String> = []
    for text in information.texts.keys { shown.formUnion(text.keys) }
    self.shown = shown
  }

  /// Printable names and values.
  var lines: [(String, String)] {
    var lines: [(String, String)] = []
    for tag in metadata.tags where !shown.contains(tag.key) {
      lines.append((tag.key.printable, tag.value.printable))
    }
    lines += origin
    for marker in metadata.markers {
      lines.append((nameOfMarks, Self.text(of: marker, at: sampleRate)))
    }
    lines += sampler
    for picture in metadata.pictures {
      var words = [picture.mediaType]
      if picture.width > 0 { words.append("\(picture.width) x \(picture.height)") }
      words.append("\(picture.byteCount) bytes")
      if !picture.description.isEmpty { words.append(picture.description) }
      lines.append(("picture", words.joined(separator: ", ").printable))
    }
    if let sheet = metadata.cueSheet {
      let count = max(0, sheet.tracks.count - 1)
      lines.append(("cue sheet", count.counted("track")))
    }
    if let layout = metadata.channelLayout { lines.append(("layout", layout.name)) }
    if !metadata.chunks.isEmpty {
      let pieces = metadata.chunks.map { "\($0.identifier) (\($0.content.count))" }
      lines.append(("pieces", pieces.joined(separator: ", ").printable))
    }
    for omission in metadata.omissions {
      lines.append(("not read", "\(omission.name): \(omission.reason)".printable))
    }
    return lines
  }

  /// The largest number of coding history lines shown. `--json` has all of them.
  private static let mostHistoryLines = 1_000

  private var origin: [(String, String)] {
    guard let broadcast = metadata.broadcast else { return [] }
    var lines = [
      ("description", broadcast.description), ("originator", broadcast.originator),
      ("reference", broadcast.originatorReference),
      (
        "recorded",
        [broadcast.originationDate, broadcast.originationTime].filter { !$0.isEmpty }
          .joined(separator: " ")
      ),
    ]
    if broadcast.timeReference > 0 {
      let time = clockTime(Int64(clamping: broadcast.timeReference), at: sampleRate)
      lines.append(("begins at", "\(time) (sample \(broadcast.timeReference) of the day)"))
    }
    lines.append(("UMID", broadcast.materialIdentifier.hexadecimal))
    if let loudness = broadcast.loudness {
      let values: [(String, Double?, String)] = [
        ("", loudness.integrated, "LUFS"), ("range ", loudness.range, "LU"),
        ("true peak ", loudness.highestTruePeak, "dBTP"),
        ("momentary ", loudness.highestMomentary, "LUFS"),
        ("short-term ", loudness.highestShortTerm, "LUFS"),
      ]
      let words = values.compactMap { name, value, unit in value.map { "\(name)\($0) \(unit)" } }
      lines.append(("loudness", words.joined(separator: ", ")))
    }
    let history = broadcast.codingHistory.split(
      maxSplits: Self.mostHistoryLines, whereSeparator: \.isNewline)
    for line in history.prefix(Self.mostHistoryLines) { lines.append(("history", String(line))) }
    if history.count > Self.mostHistoryLines { lines.append(("history", "and more lines")) }
    return lines.filter { !$0.1.isEmpty }.map { ($0.0, $0.1.printable) }
  }

  static func text(of marker: Metadata.Marker, at sampleRate: Int) -> String {
    var words = [clockTime(marker.position, at: sampleRate)]
    if marker.length > 0 { words.append("for \(clockTime(marker.length, at: sampleRate))") }
    for text in [marker.label, marker.note, marker.text] where !text.isEmpty { words.append(text) }
    return words.joined(separator: ", ").printable
  }

  private var sampler: [(String, String)] {
    guard let instrument = metadata.instrument else { return [] }
    let detune = instrument.detune == 0 ? "" : ", \(instrument.detune) cents"
    let gain = instrument.gain == 0 ? "" : ", \(instrument.gain) dB"
    let loops = instrument.loops.map { loop in
      ("loop", "samples \(loop.range.lowerBound) to \(loop.range.upperBound - 1)")
    }
    return [("note", "\(instrument.baseNote)\(detune)\(gain)")] + loops
  }
}

extension Metadata.ChannelLayout {
  var name: String {
    switch self {
    case .speakers(let mask): "loudspeakers 0x\(String(mask, radix: 16, uppercase: true))"
    case .discrete: "discrete"
    case .ambisonic: "ambisonic"
    }
  }
}

extension MetadataFacts {
  /// The metadata as a JSON object, described in docs/metadata.md. Null if the file has no metadata.
  var json: JSONValue {
    guard !metadata.isEmpty || metadata.channelLayout != nil else { return .null }
    func number(_ value: some BinaryInteger) -> JSONValue { .integer(Int64(clamping: value)) }
    let tags = metadata.tags.keys.map { key in
      (key, JSONValue.array(metadata.tags[key].map { .string($0) }))
    }
    let markers = metadata.markers.map { Self.json(of: $0) }
    let pictures = metadata.pictures.map { picture in
      JSONValue.object([
        ("kind", number(picture.kind.rawValue)), ("mimeType", .string(picture.mediaType)),
        ("description", .string(picture.description)), ("width", number(picture.width)),
        ("height", number(picture.height)), ("size", number(picture.byteCount)),
      ])
    }
    let pieces = metadata.chunks.map { chunk in
      JSONValue.object([
        ("family", .string(chunk.family.rawValue)), ("identifier", .string(chunk.identifier)),
        ("size", number(chunk.content.count)), ("isInFront", .boolean(chunk.isInFront)),
      ])
    }
    let members: [(String, JSONValue)] = [
      ("tags", .object(tags)), ("origin", metadata.broadcast?.json ?? .null),
      ("marks", .array(markers)), ("sampler", metadata.instrument?.json ?? .null),
      ("pictures", .array(pictures)), ("cueSheet", metadata.cueSheet?.json ?? .null),
      ("layout", metadata.channelLayout.map { .string($0.name) } ?? .null),
      ("pieces", .array(pieces)), ("notRead", metadata.omissions.json),
    ]
    return .object(members)
  }

  static func json(of marker: Metadata.Marker) -> JSONValue {
    .object([
      ("identifier", .integer(Int64(marker.identifier))), ("position", .integer(marker.position)),
      ("length", .integer(marker.length)), ("label", .string(marker.label)),
      ("note", .string(marker.note)), ("purpose", .string(marker.purpose)),
      ("text", .string(marker.text)),
    ])
  }
}

extension Metadata.BroadcastExtension {
  fileprivate var json: JSONValue {
    func level(_ value: Double?) -> JSONValue { value.map { .number($0) } ?? .null }
    return .object([
      ("description", .string(description)), ("originator", .string(originator)),
      ("originatorReference", .string(originatorReference)),
      ("originationDate", .string(originationDate)),
      ("originationTime", .string(originationTime)),
      ("timeReference", .integer(Int64(clamping: timeReference))),
      ("version", .integer(Int64(version))), ("umid", .string(materialIdentifier.hexadecimal)),
      (
        "loudness",
        loudness.map {
          .object([
            ("integrated", level($0.integrated)), ("range", level($0.range)),
            ("highestTruePeak", level($0.highestTruePeak)),
            ("highestMomentary", level($0.highestMomentary)),
            ("highestShortTerm", level($0.highestShortTerm)),
          ])
        } ?? .null
      ),
      ("codingHistory", .string(codingHistory)),
    ])
  }
}

extension Metadata.Instrument {
  fileprivate var json: JSONValue {
    let loops = loops.map { loop in
      JSONValue.object([
        ("identifier", .integer(Int64(loop.identifier))),
        ("start", .integer(loop.range.lowerBound)), ("end", .integer(loop.range.upperBound)),
        ("direction", .string("\(loop.direction)")), ("playCount", .integer(Int64(loop.playCount))),
      ])
    }
    return .object([
      ("baseNote", .integer(Int64(baseNote))), ("detune", .number(detune)),
      ("gain", .integer(Int64(gain))), ("lowestNote", .integer(Int64(notes.lowerBound))),
      ("highestNote", .integer(Int64(notes.upperBound))),
      ("lowestVelocity", .integer(Int64(velocities.lowerBound))),
      ("highestVelocity", .integer(Int64(velocities.upperBound))), ("loops", .array(loops)),
    ])
  }
}

extension Metadata.CueSheet {
  fileprivate var json: JSONValue {
    .object([
      ("catalog", .string(catalog)), ("isCompactDisc", .boolean(isCompactDisc)),
      (
        "tracks",
        .array(
          tracks.map {
            .object([
              ("number", .integer(Int64($0.number))), ("position", .integer($0.position)),
              ("isrc", .string($0.isrc)), ("isAudio", .boolean($0.isAudio)),
            ])
          })
      ),
    ])
  }
}
