// SPDX-License-Identifier: Apache-2.0
/// What the chunks of Core Audio files say.
///
/// Source: Apple, "Apple Core Audio Format Specification 1.0": the information, marker, strings and channel layout
/// chunks. All numbers are big-endian.
enum CafMetadata {
  /// They are about samples, and who writes samples makes them.
  static let ofSamples: Set = ["desc", "data", "pakt", "kuki", "free", "peak", "ldsc"]
  private static let markerSize = 28

  /// - Parameters:
  ///   - start: where the file's first four letters are.
  ///   - end: where the file ends.
  static func collect(
    _ source: any ByteSource, from start: Int64, to end: Int64
  ) throws(AudioError) -> (chunks: [Metadata.Chunk], omissions: [Metadata.Omission]) {
    var collection = PieceCollection(source)
    var position = start + 8
    var isInFront = true
    while position + 12 <= end, !collection.isFull {
      let head = try source.bytes(12, at: position)
      guard head.count == 12, let name = ChunkCollection.name(head) else { break }
      let size = head.integer(at: 4, 8, .big)
      let content = position + 12
      // The samples may go on to the end, whose size is −1 then.
      guard size <= UInt64(end - content) else {
        if !ofSamples.contains(name), size < 1 << 31 {
          collection.omit("'\(name)' chunk", because: "it is cut short")
        }
        break
      }
      if name == "data" { isInFront = false }
      if !ofSamples.contains(name) {
        try collection.take(
          .caf, name, content..<content + Int64(size), called: "'\(name)' chunk",
          isInFront: isInFront)
      }
      position = content + Int64(size)
    }
    return (collection.chunks, collection.omissions)
  }

  /// Adds what the chunks of the family say.
  static func interpret(_ chunks: [Metadata.Chunk], into metadata: inout Metadata) {
    let own = chunks.filter { $0.family == .caf }
    var names: [UInt32: String] = [:]
    for chunk in own where chunk.identifier == "strg" { names = strings(chunk.content) }
    for chunk in own {
      switch chunk.identifier {
      case "info": metadata.tags.fill(from: tags(chunk.content))
      case "mark": metadata.markers += markers(chunk.content, names)
      default: break
      }
    }
    if let stated = AppleChannelLayout(in: own) { metadata.channelLayout = stated.layout }
  }

  /// Names and values, each with a zero behind it.
  static func tags(_ chunk: [UInt8]) -> Metadata.Tags {
    var tags = Metadata.Tags()
    guard chunk.count > 4 else { return tags }
    let texts = chunk[4...].split(separator: 0, omittingEmptySubsequences: false)
    for index in stride(from: 0, to: texts.count - 1, by: 2) {
      let name = StoredText.decoded(texts[index])
      let key = TagNames.key(name.lowercased(), in: .caf) ?? name
      tags.append(key, StoredText.decoded(texts[index + 1]))
    }
    return tags
  }

  static func chunk(_ tags: Metadata.Tags) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(tags.keys.count, 4, .big)
    for key in tags.keys {
      let name = TagNames.name(key, in: .caf) ?? key.lowercased()
      bytes += Array(name.utf8) + [0]
      bytes += tags[key].joined(separator: "; ").utf8.filter { $0 != 0 } + [0]
    }
    return bytes
  }

  /// Each mark: its kind, its place as a number of samples, its number, a time of day, and a channel.
  private static func markers(_ chunk: [UInt8], _ names: [UInt32: String]) -> [Metadata.Marker] {
    guard chunk.count >= 8 else { return [] }
    let room = (chunk.count - 8) / markerSize
    let count = min(Int(chunk.integer(at: 4, 4, .big)), min(room, Metadata.mostChunks))
    return (0..<count).compactMap { index in
      let start = 8 + index * markerSize
      let place = Double(bitPattern: chunk.integer(at: start + 4, 8, .big))
      guard place >= 0, place < 0x1p62 else { return nil }
      let number = UInt32(chunk.integer(at: start + 12, 4, .big))
      return .init(
        identifier: number, position: Int64(place.rounded()), label: names[number] ?? "")
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
      // A mark of no special kind, without a time of day, on all channels.
      marks.append(0, 4, .big)
      marks.append(Double(marker.position).bitPattern, 8, .big)
      marks.append(marker.identifier, 4, .big)
      marks += [UInt8](repeating: 0xFF, count: 8) + [0, 0, 0, 0]
      table.append(marker.identifier, 4, .big)
      table.append(texts.count, 8, .big)
      texts += marker.label.utf8.filter { $0 != 0 } + [0]
    }
    return (marks, table + texts)
  }

  private static func strings(_ chunk: [UInt8]) -> [UInt32: String] {
    guard chunk.count >= 4 else { return [:] }
    let count = min(Int(chunk.integer(at: 0, 4, .big)), (chunk.count - 4) / 12)
    let texts = chunk[(4 + 12 * count)...]
    var names: [UInt32: String] = [:]
    for index in 0..<min(count, Metadata.mostChunks) {
      let offset = chunk.integer(at: 8 + 12 * index, 8, .big)
      guard offset < UInt64(texts.count) else { continue }
      let text = texts[(texts.startIndex + Int(offset))...].prefix(1_024)
      names[UInt32(chunk.integer(at: 4 + 12 * index, 4, .big))] = StoredText.decoded(fixed: text)
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
    for chunk in own where !CafMetadata.ofSamples.contains(chunk.identifier) {
      switch chunk.identifier {
      case let name where name.utf8.count != 4: break
      case "info": if wanted.tags == stated.tags { chunks.append(chunk) }
      case "mark", "strg": if areMarksSame { chunks.append(chunk) }
      case "chan":
        if AppleChannelLayout.says(wanted.channelLayout, in: chunk) { chunks.append(chunk) }
        omissions += AppleChannelLayout.omissions(chunk)
      default: chunks.append(chunk)
      }
    }
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
          .init("lengths and notes of marks", because: "in CAF a mark has a place and a name"))
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

  /// The chunks as they follow each other in the file.
  var bytes: [UInt8] {
    chunks.reduce(into: []) { bytes, chunk in
      bytes += chunk.identifier.utf8
      bytes.append(chunk.content.count, 8, .big)
      bytes += chunk.content
    }
  }
}
