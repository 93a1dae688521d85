// SPDX-License-Identifier: Apache-2.0
/// Collects the chunks of a RIFF, RIFX, RF64 or BW64 file, except those that describe the samples.
///
/// Sources: as ``WaveHeader``.
enum RiffChunks {
  /// Chunks that the writer of the samples makes.
  static let ofSamples: Set = ["fmt ", "data", "ds64", "fact", "LIST wavl"]

  /// - Parameters:
  ///   - source: the file, or the part of a stream in front of its samples.
  ///   - start: the offset of the file's first four letters.
  ///   - samples: the range of the samples.
  static func collect(
    _ source: any ByteSource, from start: Int64, around samples: Range<Int64>
  ) throws(AudioError) -> (chunks: [Metadata.Chunk], omissions: [Metadata.Omission]) {
    let isBig = try source.bytes(4, at: start).has("RIFX", at: 0)
    var collection = ChunkCollection(
      source, isBig ? .rifx : .riff, isBig ? .big : .little, leavingOut: ofSamples)
    let front = start + 12..<max(start + 12, samples.lowerBound - 8)
    try collection.collect(front, isInFront: true)
    let behind = samples.upperBound + Int64(samples.count & 1)
    if behind < source.range.upperBound {
      try collection.collect(behind..<source.range.upperBound, isInFront: false)
    }
    var chunks = collection.chunks
    // Padding for a 64-bit header, which the next writer reserves itself.
    if let first = chunks.first, first.identifier == "JUNK", first.isInFront,
      first.content.allSatisfy({ $0 == 0 })
    {
      chunks.removeFirst()
    }
    return (chunks, collection.omissions)
  }
}

/// A sequence of chunks: a name of four bytes, a size of four bytes, and padding to an even number.
struct ChunkCollection {
  private var pieces: PieceCollection
  private let source: any ByteSource
  private let family: Metadata.Family
  private let order: ByteOrder
  private let leftOut: Set<String>

  init(
    _ source: any ByteSource, _ family: Metadata.Family, _ order: ByteOrder,
    leavingOut leftOut: Set<String>
  ) {
    self.source = source
    self.family = family
    self.order = order
    self.leftOut = leftOut
    pieces = PieceCollection(source)
  }

  var chunks: [Metadata.Chunk] { pieces.chunks }
  var omissions: [Metadata.Omission] { pieces.omissions }

  /// Collects the chunks in a range, up to the first bytes that are no chunk.
  mutating func collect(_ range: Range<Int64>, isInFront: Bool) throws(AudioError) {
    var position = range.lowerBound
    while position + 8 <= range.upperBound {
      let head = try source.bytes(8, at: position)
      guard head.count == 8, let name = Self.name(head[..<4]) else { return }
      let size = Int64(head.integer(at: 4, 4, order))
      let content = position + 8
      guard pieces.mayFollow(called: "'\(name)' chunk") else { return }
      guard content + size <= range.upperBound else {
        // Bytes behind a file that are no chunk rarely have a plausible size.
        if !leftOut.contains(name), isInFront || size < 1 << 31 {
          pieces.omit("'\(name)' chunk", because: "it is cut short")
        }
        return
      }
      if !leftOut.contains(name), try !holdsSamples(name, content..<content + size) {
        try pieces.take(
          family, name, content..<content + size, called: "'\(name)' chunk", isInFront: isInFront)
      }
      position = content + size + size % 2
    }
  }

  private func holdsSamples(_ name: String, _ range: Range<Int64>) throws(AudioError) -> Bool {
    guard name == "LIST", range.count >= 4 else { return false }
    return try source.bytes(4, at: range.lowerBound).has("wavl", at: 0)
  }

  /// The name of a chunk: four printable characters.
  static func name(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.count == 4, bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
