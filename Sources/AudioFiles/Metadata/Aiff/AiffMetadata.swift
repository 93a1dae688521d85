// SPDX-License-Identifier: Apache-2.0
/// The metadata in the chunks of AIFF and AIFF-C files.
///
/// Source: Apple, "Audio Interchange File Format: AIFF", version 1.3 (1989), and AIFF-C (1991).
enum AiffMetadata {
  /// Chunks that the writer of the samples makes; libsndfile adds its own peaks.
  static let ofSamples: Set = ["COMM", "SSND", "FVER", "PEAK"]

  static func interpret(_ chunks: [Metadata.Chunk], into reading: inout MetadataReading) {
    let own = chunks.filter { $0.family == .aiff }
    reading.beginPiece(of: .aiff)
    var marks: [Metadata.Marker] = []
    for chunk in own where chunk.identifier == "MARK" { add(chunk.content, to: &marks, &reading) }
    // If several marks have one number, the first counts.
    let places = Dictionary(marks.indices.map { (marks[$0].identifier, $0) }) { first, _ in first }
    for chunk in own {
      guard let key = TagNames.key(chunk.identifier, in: .aiff) else { continue }
      reading.add(reading.name(key), text(chunk.content[...], &reading))
    }
    for chunk in own where chunk.identifier == "COMT" {
      for (number, stored) in comments(chunk.content) {
        let stored = text(stored, &reading)
        if number != 0, let place = places[number] {
          marks[place].note = reading.label(stored) ?? ""
        } else {
          reading.add(reading.name("COMMENT"), stored)
        }
      }
    }
    for chunk in own where chunk.identifier == "INST" && reading.metadata.instrument == nil {
      reading.metadata.instrument = instrument(chunk.content) { number in
        places[number].map { marks[$0].position }
      }
    }
    if let stated = AppleChannelLayout(in: own) { reading.metadata.channelLayout = stated.layout }
    for mark in marks { reading.add(mark) }
    for chunk in own where chunk.identifier == "ID3 " {
      reading.beginPiece(of: .aiff)
      ID3Metadata.interpret(tag: chunk.content, into: &reading)
    }
  }

  /// A text as other programs read it: up to the first zero byte.
  private static func text(
    _ stored: ArraySlice<UInt8>, _ reading: inout MetadataReading
  ) -> ArraySlice<UInt8> {
    if StoredText.hasMore(fixed: stored) { reading.leaveOut(.ends) }
    return StoredText.field(stored)
  }

  /// Each mark has its number, its position, and a name with its length in front, padded to an even number of bytes.
  private static func add(
    _ chunk: [UInt8], to marks: inout [Metadata.Marker], _ reading: inout MetadataReading
  ) {
    var reader = ByteReader(chunk)
    guard let count = reader.integer(2, .big) else { return }
    for _ in 0..<count {
      guard let number = reader.integer(2, .big), let position = reader.integer(4, .big),
        let length = reader.integer(1, .big), let name = reader.bytes(Int(length))
      else { break }
      if length & 1 == 0 { _ = reader.bytes(1) }
      guard marks.count < MetadataReading.mostEntries else {
        reading.leaveOut(.marks)
        continue
      }
      let label = reading.label(text(name, &reading))
      marks.append(
        .init(identifier: UInt32(number), position: Int64(position), label: label ?? ""))
    }
  }

  static let longestName = 255

  /// The content of a `MARK` chunk. Marks need numbers from 1 to 32,767 and short enough names.
  static func chunk(_ markers: [Metadata.Marker]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(markers.count, 2, .big)
    for marker in markers {
      bytes.append(marker.identifier, 2, .big)
      bytes.append(UInt32(clamping: marker.position), 4, .big)
      let name = Array(marker.label.utf8.prefix(longestName))
      bytes.append(name.count, 1, .big)
      bytes += name
      if name.count & 1 == 0 { bytes.append(0) }
    }
    return bytes
  }

  /// Each comment has its time, the number of its mark or 0, and the text.
  private static func comments(_ chunk: [UInt8]) -> [(mark: UInt32, text: ArraySlice<UInt8>)] {
    var reader = ByteReader(chunk)
    var comments: [(mark: UInt32, text: ArraySlice<UInt8>)] = []
    guard let count = reader.integer(2, .big) else { return [] }
    for _ in 0..<count {
      guard reader.bytes(4) != nil, let mark = reader.integer(2, .big),
        let length = reader.integer(2, .big), let text = reader.bytes(Int(length))
      else { break }
      if length & 1 == 1 { _ = reader.bytes(1) }
      comments.append((UInt32(mark), text))
    }
    return comments
  }

  /// - Parameter place: returns the position of the mark with a number. Loops lie between marks.
  private static func instrument(
    _ chunk: [UInt8], _ place: (UInt32) -> Int64?
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
        place(UInt32(chunk.integer(at: start + offset, 2, .big)))
      }
      guard mode == 1 || mode == 2, let first = position(2), let end = position(4), first < end
      else { continue }
      var loop = Metadata.Loop(identifier: UInt32(index + 1), range: first..<end)
      loop.direction = mode == 1 ? .forward : .alternating
      found.loops.append(loop)
    }
    return found
  }

  /// The content of an `INST` chunk, without loops: they lie between marks.
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
