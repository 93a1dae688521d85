// SPDX-License-Identifier: Apache-2.0
/// The chunks that an AIFF file gets behind its samples. Old chunks that are still correct are kept byte for byte; the
/// others are rewritten.
struct AiffComposition {
  private(set) var chunks: [Metadata.Chunk] = []
  private(set) var omissions: [Metadata.Omission] = []
  private let wanted: Metadata
  /// The metadata in the file's own chunks.
  private let stated: Metadata
  private var saidKeys: Set<String> = []
  /// The names of texts that differ from the file's own chunks.
  private let changed: Set<String>
  private var identifiers: Set<String> = []

  init(_ metadata: Metadata, channelCount: Int) {
    wanted = metadata
    let own = metadata.chunks.filter { $0.family == .aiff }
    stated = Metadata(interpreting: own, sampleRate: metadata.sampleRate)
    changed = wanted.tags.keys(differingFrom: stated.tags)
    let areMarksSame = wanted.markers == stated.markers
    // Loops name marks, which keep their numbers.
    let areInstrumentsSame =
      wanted.instrument?.withoutLoops == stated.instrument?.withoutLoops
      && wanted.instrument?.loops.count == stated.instrument?.loops.count
    let isTagSame = changed.isEmpty && wanted.pictures == stated.pictures
    var rewritten: Set<Metadata.Field> = areMarksSame ? [] : [.marks]
    if !changed.isEmpty { rewritten.insert(.texts) }
    if !isTagSame { rewritten.formUnion([.texts, .pictures]) }
    omissions += wanted.omissionsHeld(by: .aiff, rewritten)
    for chunk in own where !AiffMetadata.ofSamples.contains(chunk.identifier) {
      switch chunk.identifier {
      case let name where name.utf8.count != 4: break
      case "NAME", "AUTH", "(c) ", "ANNO":
        if let key = TagNames.key(chunk.identifier, in: .aiff), isSame(key) { keep(chunk, [key]) }
      case "COMT": if areMarksSame, isSame("COMMENT") { keep(chunk, ["COMMENT"]) }
      case "MARK": if areMarksSame { keep(chunk, []) }
      case "INST": if areInstrumentsSame { keep(chunk, []) }
      case "CHAN":
        if AppleChannelLayout.says(wanted.channelLayout, in: chunk) { keep(chunk, []) }
        omissions += AppleChannelLayout.omissions(chunk)
      case "ID3 ":
        if isTagSame {
          keep(chunk, Metadata(interpreting: [chunk]).tags.keys)
        } else if !has("ID3 ") {
          addTag()
        }
      default: keep(chunk, [])
      }
    }
    addTexts()
    if !wanted.markers.isEmpty, !has("MARK") { addMarks() }
    if let instrument = wanted.instrument, !has("INST") {
      chunks.append(.init(.aiff, "INST", AiffMetadata.chunk(instrument), isInFront: false))
      if !instrument.loops.isEmpty {
        omissions.append("loops", because: "in AIFF they lie between marks")
      }
    }
    if let layout = wanted.channelLayout, !has("CHAN") {
      if let content = AppleChannelLayout.chunk(layout, channelCount: channelCount) {
        chunks.append(.init(.aiff, "CHAN", content, isInFront: false))
      } else {
        omissions += wanted.omissions(of: .layout, in: "aiff")
      }
    }
    let hasOthers =
      !wanted.pictures.isEmpty || !ID3Metadata.unsaid(wanted.chunks).isEmpty
      || wanted.textsOfSound.keys.contains { TagNames.name($0, in: .aiff) == nil }
    if hasOthers, !has("ID3 ") { addTag() }
  }

  private mutating func addTag() {
    let tag = ID3Composition.chunk(wanted)
    omissions += tag.omissions
    if !tag.front.isEmpty { keep(.init(.aiff, "ID3 ", tag.front, isInFront: false), []) }
  }

  private func isSame(_ key: String) -> Bool { !changed.contains(key) }

  private func has(_ identifier: String) -> Bool { identifiers.contains(identifier) }

  private mutating func keep(_ chunk: Metadata.Chunk, _ keys: [String]) {
    saidKeys.formUnion(keys)
    identifiers.insert(chunk.identifier)
    chunks.append(chunk)
  }

  private mutating func addTexts() {
    for key in wanted.tags.keys where !saidKeys.contains(key) {
      let values = wanted.tags[key]
      guard let name = TagNames.name(key, in: .aiff) else { continue }
      // A file may have several annotations, but only one of each other text.
      let texts = name == "ANNO" ? values : [values.joined(separator: "; ")]
      for text in texts {
        chunks.append(.init(.aiff, name, Array(text.utf8), isInFront: false))
      }
    }
  }

  private mutating func addMarks() {
    var markers = wanted.markers.filter { $0.position <= Int64(UInt32.max) }
    if markers.count > 32_767 { markers.removeSubrange(32_767...) }
    if markers.count < wanted.markers.count {
      omissions.append(
        "\(wanted.markers.count - markers.count) marks",
        because: "AIFF has 32767 at most, up to sample \(UInt32.max)")
    }
    let numbers = markers.map(\.identifier)
    let areNumbersLegal =
      Set(numbers).count == numbers.count && numbers.allSatisfy { (1...32_767).contains($0) }
    if !areNumbersLegal {
      for index in markers.indices { markers[index].identifier = UInt32(index + 1) }
    }
    let more = markers.filter { $0.length > 0 || !$0.note.isEmpty || !$0.text.isEmpty }
    if !more.isEmpty {
      omissions.append(
        "lengths and notes of marks", because: "in AIFF a mark has a place and a name")
    }
    var cutCount = 0
    for index in markers.indices where markers[index].label.cut(to: AiffMetadata.longestName) {
      cutCount += 1
    }
    if cutCount > 0 {
      omissions.append(
        cutCount == 1 ? "end of a mark's name" : "ends of the names of \(cutCount) marks",
        because: "AIFF has \(AiffMetadata.longestName) bytes for one")
    }
    chunks.append(.init(.aiff, "MARK", AiffMetadata.chunk(markers), isInFront: false))
  }
}

extension String {
  /// Removes characters from the end until the text has at most `byteCount` bytes.
  ///
  /// - Returns: whether it was longer.
  fileprivate mutating func cut(to byteCount: Int) -> Bool {
    guard utf8.count > byteCount else { return false }
    var size = 0
    self = String(
      prefix { character in
        size += character.utf8.count
        return size <= byteCount
      })
    return true
  }
}
