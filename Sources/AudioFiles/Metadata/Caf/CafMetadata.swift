// SPDX-License-Identifier: Apache-2.0
/// The metadata in the chunks of Core Audio files.
///
/// Source: Apple, "Apple Core Audio Format Specification 1.0": the information, marker, strings and channel layout
/// chunks. All numbers are big-endian.
enum CafMetadata {
  /// Chunks that the writer of the samples makes.
  static let ofSamples: Set = ["desc", "data", "pakt", "kuki", "free", "peak", "ldsc"]
  private static let markerSize = 28

  static func interpret(_ chunks: [Metadata.Chunk], into reading: inout MetadataReading) {
    let own = chunks.filter { $0.family == .caf }
    for chunk in own where chunk.identifier == "info" {
      reading.beginPiece(of: .caf)
      interpret(information: chunk.content, into: &reading)
    }
    reading.beginPiece(of: .caf)
    var marks: [Metadata.Marker] = []
    for chunk in own where chunk.identifier == "mark" { add(chunk.content, to: &marks, &reading) }
    let strings = own.last { $0.identifier == "strg" }?.content ?? []
    let names = names(in: strings, of: Set(marks.lazy.map(\.identifier)))
    for mark in marks {
      var mark = mark
      if let name = names[mark.identifier] { mark.label = reading.label(in: strings, at: name) }
      reading.add(mark)
    }
    if let stated = AppleChannelLayout(in: own) { reading.metadata.channelLayout = stated.layout }
  }

  /// Reads pairs of a name and a value, each ended by a zero.
  private static func interpret(information: [UInt8], into reading: inout MetadataReading) {
    var rest = information.dropFirst(4)
    while let name = text(&rest), let value = text(&rest) {
      guard name.count <= reading.room else {
        reading.leaveOut(.texts)
        continue
      }
      let text = StoredText.decoded(name)
      let key = TagNames.key(text.lowercased(), in: .caf) ?? text
      reading.add(reading.name(key), value)
    }
  }

  /// The text up to the next zero or the end; nil if nothing is left.
  private static func text(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard !rest.isEmpty else { return nil }
    let text = rest.prefix { $0 != 0 }
    rest = rest[text.endIndex...].dropFirst()
    return text
  }

  static func tags(_ chunk: [UInt8]) -> Metadata.Tags {
    var reading = MetadataReading()
    interpret(information: chunk, into: &reading)
    return reading.metadata.tags
  }

  static func chunk(_ tags: Metadata.Tags) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(tags.keys.count, 4, .big)
    for key in tags.keys {
      let name = TagNames.name(key, in: .caf) ?? key.lowercased()
      bytes += Array(name.utf8) + [0]
      bytes += Array(tags[key].joined(separator: "; ").utf8) + [0]
    }
    return bytes
  }

  /// Each mark has a kind, a position in samples, a number, a time of day, and a channel.
  private static func add(
    _ chunk: [UInt8], to marks: inout [Metadata.Marker], _ reading: inout MetadataReading
  ) {
    guard chunk.count >= 8 else { return }
    let room = (chunk.count - 8) / markerSize
    let stated = min(Int(chunk.integer(at: 4, 4, .big)), room)
    let count = min(stated, MetadataReading.mostEntries - marks.count)
    reading.leaveOut(.marks, stated - count)
    for index in 0..<count {
      let start = 8 + index * markerSize
      let place = Double(bitPattern: chunk.integer(at: start + 4, 8, .big))
      guard place >= 0, place < 0x1p62 else { continue }
      let number = UInt32(chunk.integer(at: start + 12, 4, .big))
      marks.append(.init(identifier: number, position: Int64(place.rounded())))
    }
  }

  static func chunks(_ markers: [Metadata.Marker]) -> (marks: [UInt8], names: [UInt8]) {
    var marks: [UInt8] = []
    var table: [UInt8] = []
    var texts: [UInt8] = []
    marks.append(0, 4, .big)
    marks.append(markers.count, 4, .big)
    table.append(markers.count, 4, .big)
    for marker in markers {
      // A generic mark without a time of day, on all channels.
      marks.append(0, 4, .big)
      marks.append(Double(marker.position).bitPattern, 8, .big)
      marks.append(marker.identifier, 4, .big)
      marks += [UInt8](repeating: 0xFF, count: 8) + [0, 0, 0, 0]
      table.append(marker.identifier, 4, .big)
      table.append(texts.count, 8, .big)
      texts += Array(marker.label.utf8) + [0]
    }
    return (marks, table + texts)
  }

  /// The offsets of the marks' names in a chunk of strings.
  private static func names(in chunk: [UInt8], of marks: Set<UInt32>) -> [UInt32: Int] {
    guard chunk.count >= 4, !marks.isEmpty else { return [:] }
    let count = min(Int(chunk.integer(at: 0, 4, .big)), (chunk.count - 4) / 12)
    let start = 4 + 12 * count
    var names: [UInt32: Int] = [:]
    for index in 0..<count {
      let mark = UInt32(chunk.integer(at: 4 + 12 * index, 4, .big))
      let offset = chunk.integer(at: 8 + 12 * index, 8, .big)
      guard marks.contains(mark), offset < UInt64(chunk.count - start) else { continue }
      names[mark] = start + Int(offset)
    }
    return names
  }
}

/// The chunks that a Core Audio file gets behind its samples.
struct CafComposition {
  private(set) var chunks: [Metadata.Chunk] = []
  private(set) var omissions: [Metadata.Omission] = []

  init(_ wanted: Metadata, channelCount: Int) {
    let own = wanted.chunks.filter { $0.family == .caf }
    let stated = Metadata(interpreting: own)
    let areMarksSame = wanted.markers == stated.markers
    let areTextsSame = wanted.tags == stated.tags
    for chunk in own where !CafMetadata.ofSamples.contains(chunk.identifier) {
      switch chunk.identifier {
      case let name where name.utf8.count != 4: break
      case "info": if areTextsSame { chunks.append(chunk) }
      case "mark", "strg": if areMarksSame { chunks.append(chunk) }
      case "chan":
        if AppleChannelLayout.says(wanted.channelLayout, in: chunk) { chunks.append(chunk) }
        omissions += AppleChannelLayout.omissions(chunk)
      default: chunks.append(chunk)
      }
    }
    var rewritten: Set<Metadata.Field> = []
    if !areTextsSame { rewritten.insert(.texts) }
    if !areMarksSame { rewritten.insert(.marks) }
    omissions += wanted.omissionsHeld(by: .caf, rewritten)
    func has(_ identifier: String) -> Bool { chunks.contains { $0.identifier == identifier } }
    func add(_ identifier: String, _ content: [UInt8]) {
      chunks.append(.init(.caf, identifier, content, isInFront: false))
    }
    if !wanted.tags.isEmpty, !has("info") { add("info", CafMetadata.chunk(wanted.tags)) }
    if !wanted.markers.isEmpty, !has("mark") {
      let (marks, names) = CafMetadata.chunks(wanted.markers)
      add("mark", marks)
      add("strg", names)
      if wanted.markers.contains(where: { $0.length > 0 || !$0.note.isEmpty || !$0.text.isEmpty }) {
        omissions.append(
          "lengths and notes of marks", because: "in CAF a mark has a place and a name")
      }
    }
    if let layout = wanted.channelLayout, !has("chan") {
      if let content = AppleChannelLayout.chunk(layout, channelCount: channelCount) {
        add("chan", content)
      } else {
        omissions += wanted.omissions(of: .layout, in: "caf")
      }
    }
  }

  var bytes: [UInt8] {
    chunks.reduce(into: []) { bytes, chunk in
      bytes += chunk.identifier.utf8
      bytes.append(chunk.content.count, 8, .big)
      bytes += chunk.content
    }
  }
}
