// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

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
        ("kind", number(picture.kind)), ("mimeType", .string(picture.mimeType)),
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
