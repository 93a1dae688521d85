// SPDX-License-Identifier: Apache-2.0
/// FLAC's `CUESHEET` block, which lists the tracks of a disc.
///
/// Source: RFC 9639, section 8.7.
extension Metadata.CueSheet {
  private static let catalogSize = 128
  private static let reservedSize = 258
  private static let isrcSize = 12
  private static let reservedTrackSize = 13
  private static let topBit: UInt64 = 0x80
  private static let preEmphasis: UInt64 = 0x40

  /// - Returns: nil if the block is invalid or incomplete.
  init?(block: [UInt8]) {
    var reader = ByteReader(block)
    guard let catalog = reader.bytes(Self.catalogSize), let leadIn = Self.count(&reader),
      let flags = reader.integer(1, .big), reader.bytes(Self.reservedSize) != nil,
      let trackCount = reader.integer(1, .big)
    else { return nil }
    self.init()
    self.catalog = StoredText.decoded(fixed: catalog)
    self.leadIn = leadIn
    isCompactDisc = flags & Self.topBit != 0
    for _ in 0..<trackCount {
      guard let track = Track(&reader) else { return nil }
      tracks.append(track)
    }
  }

  fileprivate static func count(_ reader: inout ByteReader) -> Int64? {
    reader.integer(8, .big).flatMap { Int64(exactly: $0) }
  }

  /// The content of a `CUESHEET` block, up to 255 tracks with 255 indices each.
  var block: [UInt8] {
    var bytes = Self.padded(catalog, Self.catalogSize)
    bytes.append(leadIn, 8, .big)
    bytes.append(isCompactDisc ? Self.topBit : 0, 1, .big)
    bytes += [UInt8](repeating: 0, count: Self.reservedSize)
    let tracks = tracks.prefix(255)
    bytes.append(tracks.count, 1, .big)
    for track in tracks {
      bytes.append(track.position, 8, .big)
      bytes.append(track.number, 1, .big)
      bytes += Self.padded(track.isrc, Self.isrcSize)
      bytes.append(
        (track.isAudio ? 0 : Self.topBit) | (track.hasPreEmphasis ? Self.preEmphasis : 0), 1, .big)
      bytes += [UInt8](repeating: 0, count: Self.reservedTrackSize)
      let indices = track.indices.prefix(255)
      bytes.append(indices.count, 1, .big)
      for index in indices {
        bytes.append(index.offset, 8, .big)
        bytes.append(index.number, 1, .big)
        bytes += [0, 0, 0]
      }
    }
    return bytes
  }

  private static func padded(_ text: String, _ size: Int) -> [UInt8] {
    let bytes = text.utf8.prefix(size)
    return Array(bytes) + [UInt8](repeating: 0, count: size - bytes.count)
  }
}

extension Metadata.CueSheet.Track {
  fileprivate init?(_ reader: inout ByteReader) {
    guard let position = Metadata.CueSheet.count(&reader), let number = reader.integer(1, .big),
      let isrc = reader.bytes(12), let flags = reader.integer(1, .big), reader.bytes(13) != nil,
      let indexCount = reader.integer(1, .big)
    else { return nil }
    self.init()
    self.position = position
    self.number = Int(number)
    self.isrc = StoredText.decoded(fixed: isrc)
    isAudio = flags & 0x80 == 0
    hasPreEmphasis = flags & 0x40 != 0
    for _ in 0..<indexCount {
      guard let offset = Metadata.CueSheet.count(&reader), let number = reader.integer(1, .big),
        reader.bytes(3) != nil
      else { return nil }
      var index = Metadata.CueSheet.Index()
      index.number = Int(number)
      index.offset = offset
      indices.append(index)
    }
  }
}
