// SPDX-License-Identifier: Apache-2.0
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

  /// The chunks in the order of the file.
  var bytes: [UInt8] {
    chunks.reduce(into: []) { bytes, chunk in
      bytes += chunk.identifier.utf8
      bytes.append(chunk.content.count, 8, .big)
      bytes += chunk.content
    }
  }
}
