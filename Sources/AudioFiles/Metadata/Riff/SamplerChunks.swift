// SPDX-License-Identifier: Apache-2.0
/// The `smpl` chunk: a sampler's note and loops.
enum SamplerChunk {
  private static let headSize = 36
  private static let loopSize = 24
  /// By their numbers.
  private static let directions: [Metadata.Loop.Direction] = [.forward, .alternating, .backward]

  static func interpret(_ chunk: [UInt8], _ order: ByteOrder, into reading: inout MetadataReading) {
    guard chunk.count >= headSize else { return }
    var found = reading.metadata.instrument ?? Metadata.Instrument()
    // Clearing the field avoids a copy of the loops for each chunk.
    reading.metadata.instrument = nil
    let note = chunk.integer(at: 12, 4, order)
    if note <= 127 { found.baseNote = Int(note) }
    let fraction = chunk.integer(at: 16, 4, order)
    if fraction != 0 { found.detune = Double(fraction) * 100 / 0x1p32 }
    let room = (chunk.count - headSize) / loopSize
    let count = min(Int(chunk.integer(at: 28, 4, order)), room)
    let taken = min(count, MetadataReading.mostEntries - found.loops.count)
    for index in 0..<taken {
      let start = headSize + index * loopSize
      found.loops += loop(chunk[start..<start + loopSize], order)
    }
    reading.leaveOut(.loops, count - taken)
    reading.metadata.instrument = found
  }

  /// The loop, or none if it ends in front of its beginning.
  private static func loop(_ fields: ArraySlice<UInt8>, _ order: ByteOrder) -> [Metadata.Loop] {
    let first = Int64(fields.integer(at: 8, 4, order))
    let last = Int64(fields.integer(at: 12, 4, order))
    guard first <= last else { return [] }
    var loop = Metadata.Loop(
      identifier: UInt32(fields.integer(at: 0, 4, order)), range: first..<last + 1)
    let direction = fields.integer(at: 4, 4, order)
    loop.direction = direction < 3 ? directions[Int(direction)] : .forward
    loop.playCount = Int(fields.integer(at: 20, 4, order))
    return [loop]
  }

  /// The chunk's content.
  ///
  /// - Parameter old: an outdated chunk. Its bytes without a field are kept.
  static func chunk(
    _ instrument: Metadata.Instrument, _ order: ByteOrder, sampleRate: Int, over old: [UInt8]? = nil
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    let head = old.flatMap { $0.count >= headSize ? $0 : nil }
    if let head { bytes += head[..<8] } else { bytes += [UInt8](repeating: 0, count: 8) }
    bytes.append(sampleRate > 0 ? 1_000_000_000 / sampleRate : 0, 4, order)
    bytes.append(instrument.baseNote, 4, order)
    let fraction = max(0, min(0xFFFF_FFFF, (instrument.detune / 100 * 0x1p32).rounded()))
    bytes.append(UInt64(fraction), 4, order)
    if let head { bytes += head[20..<28] } else { bytes += [UInt8](repeating: 0, count: 8) }
    bytes.append(instrument.loops.count, 4, order)
    let oldCount = head.map { Int($0.integer(at: 28, 4, order)) * loopSize } ?? 0
    let data = head.map { Array($0.dropFirst(headSize + oldCount)) } ?? []
    bytes.append(data.count, 4, order)
    for loop in instrument.loops {
      bytes.append(loop.identifier, 4, order)
      bytes.append(directions.firstIndex(of: loop.direction) ?? 0, 4, order)
      bytes.append(UInt32(clamping: loop.range.lowerBound), 4, order)
      bytes.append(UInt32(clamping: loop.range.upperBound - 1), 4, order)
      bytes.append(0, 4, order)
      bytes.append(loop.playCount, 4, order)
    }
    return bytes + data
  }
}

/// The `inst` chunk: the range of notes that a sampler plays.
enum InstrumentChunk {
  static func interpret(_ chunk: [UInt8], into instrument: inout Metadata.Instrument?) {
    guard chunk.count >= 7 else { return }
    var found = instrument ?? Metadata.Instrument()
    func signed(_ index: Int) -> Int { Int(Int8(bitPattern: chunk[index])) }
    if chunk[0] <= 127, instrument == nil { found.baseNote = Int(chunk[0]) }
    if found.detune == 0 { found.detune = Double(signed(1)) }
    found.gain = signed(2)
    if chunk[3] <= chunk[4], chunk[4] <= 127 { found.notes = Int(chunk[3])...Int(chunk[4]) }
    if chunk[5] <= chunk[6], chunk[6] <= 127 { found.velocities = Int(chunk[5])...Int(chunk[6]) }
    instrument = found
  }

  static func chunk(_ instrument: Metadata.Instrument) -> [UInt8] {
    func signed(_ value: Int) -> UInt8 { UInt8(bitPattern: Int8(clamping: value)) }
    return [
      UInt8(clamping: instrument.baseNote), signed(Int(instrument.detune.rounded())),
      signed(instrument.gain), UInt8(clamping: instrument.notes.lowerBound),
      UInt8(clamping: instrument.notes.upperBound),
      UInt8(clamping: instrument.velocities.lowerBound),
      UInt8(clamping: instrument.velocities.upperBound),
    ]
  }
}
