// SPDX-License-Identifier: Apache-2.0
extension Metadata.BroadcastExtension {
  /// The size of the chunk in front of the coding history, in bytes.
  static let fixedSize = 602
  /// The value for "not measured".
  private static let unmeasured: UInt64 = 0x7FFF

  /// The texts at the beginning, with their places.
  private static var texts: [(text: WritableKeyPath<Self, String>, place: Range<Int>)] {
    [
      (\.description, 0..<256), (\.originator, 256..<288), (\.originatorReference, 288..<320),
      (\.originationDate, 320..<330), (\.originationTime, 330..<338),
    ]
  }

  /// The measures from byte 412 on, of two bytes each.
  private static var levels: [WritableKeyPath<Metadata.Loudness, Double?>] {
    [\.integrated, \.range, \.highestTruePeak, \.highestMomentary, \.highestShortTerm]
  }

  /// - Returns: nil if the chunk is too short.
  init?(_ chunk: [UInt8], _ order: ByteOrder) {
    guard chunk.count >= Self.fixedSize else { return nil }
    self.init()
    for (text, place) in Self.texts {
      self[keyPath: text] = StoredText.decoded(fixed: chunk[place])
    }
    // The low word comes first in either byte order.
    timeReference =
      chunk.integer(at: 338, 4, order) | chunk.integer(at: 342, 4, order) << 32
    version = Int(chunk.integer(at: 346, 2, order))
    if version >= 1, chunk[348..<412].contains(where: { $0 != 0 }) {
      materialIdentifier = Array(chunk[348..<412])
    }
    if version >= 2 {
      var loudness = Metadata.Loudness()
      for (index, level) in Self.levels.enumerated() {
        let value = chunk.integer(at: 412 + 2 * index, 2, order)
        guard value != Self.unmeasured else { continue }
        loudness[keyPath: level] = Double(Int16(truncatingIfNeeded: value)) / 100
      }
      if !loudness.isEmpty { self.loudness = loudness }
    }
    if !Self.hasLongHistory(chunk) {
      codingHistory = StoredText.decoded(fixed: chunk[Self.fixedSize...])
    }
  }

  /// Whether the coding history is not read, because it is longer than the limit for all texts of a file.
  static func hasLongHistory(_ chunk: [UInt8]) -> Bool {
    chunk.count > fixedSize + MetadataReading.mostTextBytes
  }

  func chunk(_ order: ByteOrder) -> [UInt8] {
    var bytes: [UInt8] = []
    for (text, place) in Self.texts {
      let text = StoredText.latin1(self[keyPath: text]).prefix(place.count)
      bytes += text + [UInt8](repeating: 0, count: place.count - text.count)
    }
    bytes.append(timeReference & 0xFFFF_FFFF, 4, order)
    bytes.append(timeReference >> 32, 4, order)
    bytes.append(loudness == nil ? version : max(version, 2), 2, order)
    bytes += materialIdentifier.prefix(64)
    bytes += [UInt8](repeating: 0, count: 412 - bytes.count)
    let levels = loudness ?? Metadata.Loudness()
    for level in Self.levels {
      let stored = levels[keyPath: level]
        .map { Int64((max(-327.67, min(327.66, $0)) * 100).rounded()) }
      let unsaid = loudness == nil && version < 2 ? 0 : Int64(Self.unmeasured)
      bytes.append(stored ?? unsaid, 2, order)
    }
    bytes += [UInt8](repeating: 0, count: Self.fixedSize - bytes.count)
    return Self.even(bytes + StoredText.latin1(codingHistory))
  }

  /// Pads an odd number of bytes with a zero. libsndfile 1.2.0 does not skip the padding of a chunk in RF64, and then
  /// finds no samples.
  private static func even(_ bytes: [UInt8]) -> [UInt8] {
    bytes.count & 1 == 0 ? bytes : bytes + [0]
  }

  /// The chunk's content, with the bytes of `old` for unchanged fields.
  func chunk(_ order: ByteOrder, over old: [UInt8]) -> [UInt8] {
    guard let stated = Metadata.BroadcastExtension(old, order) else { return chunk(order) }
    var bytes = chunk(order)
    func keep(_ range: Range<Int>, _ isSame: Bool) {
      if isSame { bytes.replaceSubrange(range, with: old[range]) }
    }
    for (text, place) in Self.texts {
      keep(place, stated[keyPath: text] == self[keyPath: text])
    }
    keep(348..<412, stated.materialIdentifier == materialIdentifier)
    keep(412..<422, stated.loudness == loudness)
    keep(422..<Self.fixedSize, true)
    guard codingHistory.hasPrefix(stated.codingHistory) else { return bytes }
    let history = old[Self.fixedSize...].prefix { $0 != 0 }
    let added = codingHistory.dropFirst(stated.codingHistory.count)
    bytes.replaceSubrange(Self.fixedSize..., with: history)
    return Self.even(bytes + StoredText.latin1(String(added)))
  }
}
