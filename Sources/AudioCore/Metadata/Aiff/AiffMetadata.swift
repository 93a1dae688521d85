// SPDX-License-Identifier: Apache-2.0
/// What the chunks of AIFF and AIFF-C files say.
///
/// Source: Apple, "Audio Interchange File Format: AIFF", version 1.3 (1989), and AIFF-C (1991).
enum AiffMetadata {
  /// They are about samples, and who writes samples makes them; libsndfile keeps peaks of its own.
  static let ofSamples: Set = ["COMM", "SSND", "FVER", "PEAK"]

  /// - Parameters:
  ///   - start: where the file's first four letters are.
  ///   - end: where the file ends.
  static func collect(
    _ source: any ByteSource, from start: Int64, to end: Int64
  ) throws(AudioError) -> (chunks: [Metadata.Chunk], omissions: [Metadata.Omission]) {
    var collection = ChunkCollection(source, .aiff, .big, leavingOut: ofSamples)
    try collection.collect(start + 12..<max(start + 12, end), isInFront: true)
    return (collection.chunks, collection.omissions)
  }

  /// Adds what the chunks of the family say.
  static func interpret(_ chunks: [Metadata.Chunk], into metadata: inout Metadata) {
    var tags = Metadata.Tags()
    var markers: [Metadata.Marker] = []
    let own = chunks.filter { $0.family == .aiff }
    for chunk in own {
      switch chunk.identifier {
      case "NAME", "AUTH", "(c) ", "ANNO":
        if let key = TagNames.key(chunk.identifier, in: .aiff) {
          tags.append(key, StoredText.decoded(fixed: chunk.content))
        }
      case "MARK": markers += self.markers(chunk.content)
      default: break
      }
    }
    for chunk in own where chunk.identifier == "COMT" {
      for (marker, text) in comments(chunk.content) {
        if let index = markers.firstIndex(where: { marker != 0 && $0.identifier == marker }) {
          markers[index].note = text
        } else {
          tags.append("COMMENT", text)
        }
      }
    }
    for chunk in own where chunk.identifier == "INST" && metadata.instrument == nil {
      metadata.instrument = instrument(chunk.content, markers)
    }
    if let stated = AppleChannelLayout(in: own) { metadata.channelLayout = stated.layout }
    metadata.tags.fill(from: tags)
    metadata.markers += markers
    for chunk in own where chunk.identifier == "ID3 " {
      ID3Metadata.interpret(tag: chunk.content, into: &metadata)
    }
  }

  /// Each mark: its number, its position, and a name with its length in front, padded to an even number of bytes.
  private static func markers(_ chunk: [UInt8]) -> [Metadata.Marker] {
    var reader = ByteReader(chunk)
    var markers: [Metadata.Marker] = []
    guard let count = reader.integer(2, .big) else { return [] }
    for _ in 0..<count {
      guard let number = reader.integer(2, .big), let position = reader.integer(4, .big),
        let length = reader.integer(1, .big), let name = reader.bytes(Int(length))
      else { break }
      if length & 1 == 0 { _ = reader.bytes(1) }
      markers.append(
        .init(
          identifier: UInt32(number), position: Int64(position),
          label: StoredText.decoded(fixed: name)))
    }
    return markers
  }

  /// The content of such a chunk. Marks have to have numbers from 1 to 32,767.
  static func chunk(_ markers: [Metadata.Marker]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(markers.count, 2, .big)
    for marker in markers {
      bytes.append(marker.identifier, 2, .big)
      bytes.append(UInt32(clamping: marker.position), 4, .big)
      let name = Array(marker.label.utf8.prefix(255))
      bytes.append(name.count, 1, .big)
      bytes += name
      if name.count & 1 == 0 { bytes.append(0) }
    }
    return bytes
  }

  /// Each comment: when it was made, the mark that it belongs to or 0, and the text.
  private static func comments(_ chunk: [UInt8]) -> [(marker: UInt32, text: String)] {
    var reader = ByteReader(chunk)
    var comments: [(marker: UInt32, text: String)] = []
    guard let count = reader.integer(2, .big) else { return [] }
    for _ in 0..<count {
      guard reader.bytes(4) != nil, let marker = reader.integer(2, .big),
        let length = reader.integer(2, .big), let text = reader.bytes(Int(length))
      else { break }
      if length & 1 == 1 { _ = reader.bytes(1) }
      comments.append((UInt32(marker), StoredText.decoded(fixed: text)))
    }
    return comments
  }

  private static func instrument(
    _ chunk: [UInt8], _ markers: [Metadata.Marker]
  ) -> Metadata.Instrument? {
    guard chunk.count >= 20 else { return nil }
    var found = Metadata.Instrument()
    if chunk[0] <= 127 { found.baseNote = Int(chunk[0]) }
    found.detune = Double(Int8(bitPattern: chunk[1]))
    if chunk[2] <= chunk[3], chunk[3] <= 127 { found.notes = Int(chunk[2])...Int(chunk[3]) }
    if chunk[4] <= chunk[5], chunk[5] <= 127 { found.velocities = Int(chunk[4])...Int(chunk[5]) }
    found.gain = Int(Int16(truncatingIfNeeded: chunk.integer(at: 6, 2, .big)))
    for (index, start) in [8, 14].enumerated() {
      let mode = chunk.integer(at: start, 2, .big)
      func position(_ offset: Int) -> Int64? {
        let number = UInt32(chunk.integer(at: start + offset, 2, .big))
        return markers.first { $0.identifier == number }?.position
      }
      guard mode == 1 || mode == 2, let first = position(2), let end = position(4), first < end
      else { continue }
      var loop = Metadata.Loop(identifier: UInt32(index + 1), range: first..<end)
      loop.direction = mode == 1 ? .forward : .alternating
      found.loops.append(loop)
    }
    return found
  }

  /// The content of such a chunk, without loops: they lie between marks.
  static func chunk(_ instrument: Metadata.Instrument) -> [UInt8] {
    func signed(_ value: Int) -> UInt8 { UInt8(bitPattern: Int8(clamping: value)) }
    var bytes = [
      UInt8(clamping: instrument.baseNote), signed(Int(instrument.detune.rounded())),
      UInt8(clamping: instrument.notes.lowerBound), UInt8(clamping: instrument.notes.upperBound),
      UInt8(clamping: instrument.velocities.lowerBound),
      UInt8(clamping: instrument.velocities.upperBound),
    ]
    bytes.append(Int16(clamping: instrument.gain), 2, .big)
    return bytes + [UInt8](repeating: 0, count: 12)
  }
}
