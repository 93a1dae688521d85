// SPDX-License-Identifier: Apache-2.0
/// The chunks that an AIFF file gets behind its samples: those that it had, byte for byte, where they still say what
/// is wanted, and new ones for the rest.
struct AiffComposition {
  private(set) var chunks: [Metadata.Chunk] = []
  private(set) var omissions: [Metadata.Omission] = []
  private let wanted: Metadata
  /// What the file's own chunks say.
  private let stated: Metadata
  private var saidKeys: Set<String> = []

  init(_ metadata: Metadata, channelCount: Int) {
    wanted = metadata
    let own = metadata.chunks.filter { $0.family == .aiff }
    stated = Metadata(interpreting: own)
    let areMarksSame = wanted.markers == stated.markers
    for chunk in own where !AiffMetadata.ofSamples.contains(chunk.identifier) {
      switch chunk.identifier {
      case let name where name.utf8.count != 4: break
      case "NAME", "AUTH", "(c) ", "ANNO":
        if let key = TagNames.key(chunk.identifier, in: .aiff), isSame(key) { keep(chunk, [key]) }
      case "COMT": if areMarksSame, isSame("COMMENT") { keep(chunk, ["COMMENT"]) }
      case "MARK": if areMarksSame { keep(chunk, []) }
      case "INST": if isInstrumentSame { keep(chunk, []) }
      case "CHAN":
        if AppleChannelLayout.says(wanted.channelLayout, in: chunk) { keep(chunk, []) }
        omissions += AppleChannelLayout.omissions(chunk)
      case "ID3 ":
        if wanted.tags == stated.tags, wanted.pictures == stated.pictures {
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
        omissions.append(.init("loops", because: "in AIFF they lie between marks"))
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

  /// With all texts and pictures.
  private mutating func addTag() {
    let tag = ID3Composition.chunk(wanted)
    omissions += tag.omissions
    if !tag.front.isEmpty { keep(.init(.aiff, "ID3 ", tag.front, isInFront: false), []) }
  }

  /// Loops name marks, which keep their numbers.
  private var isInstrumentSame: Bool {
    wanted.instrument?.withoutLoops == stated.instrument?.withoutLoops
      && wanted.instrument?.loops.count == stated.instrument?.loops.count
  }

  private func isSame(_ key: String) -> Bool { wanted.tags[key] == stated.tags[key] }

  private func has(_ identifier: String) -> Bool {
    chunks.contains { $0.identifier == identifier }
  }

  private mutating func keep(_ chunk: Metadata.Chunk, _ keys: [String]) {
    saidKeys.formUnion(keys)
    chunks.append(chunk)
  }

  private mutating func addTexts() {
    for key in wanted.tags.keys where !saidKeys.contains(key) {
      let values = wanted.tags[key]
      guard let name = TagNames.name(key, in: .aiff) else { continue }
      // There may be any number of annotations, and one of the others.
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
        .init(
          "\(wanted.markers.count - markers.count) marks",
          because: "AIFF has 32767 at most, up to sample \(UInt32.max)"))
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
        .init("lengths and notes of marks", because: "in AIFF a mark has a place and a name"))
    }
    chunks.append(.init(.aiff, "MARK", AiffMetadata.chunk(markers), isInFront: false))
  }
}
