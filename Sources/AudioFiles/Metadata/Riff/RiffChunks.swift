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
      source, isBig ? .rifx : .riff, .riff(isBig ? .big : .little), leavingOut: ofSamples)
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

/// Collects chunks one after the other.
struct ChunkCollection {
  private var pieces: PieceCollection
  private let source: any ByteSource
  private let family: Metadata.Family
  private let form: ChunkForm
  private let leftOut: Set<String>

  init(
    _ source: any ByteSource, _ family: Metadata.Family, _ form: ChunkForm,
    leavingOut leftOut: Set<String>
  ) {
    self.source = source
    self.family = family
    self.form = form
    self.leftOut = leftOut
    pieces = PieceCollection(source)
  }

  var chunks: [Metadata.Chunk] { pieces.chunks }
  var omissions: [Metadata.Omission] { pieces.omissions }

  /// Collects the chunks in a range, up to the first bytes that are no chunk.
  ///
  /// - Parameters:
  ///   - isInFront: whether the range begins in front of the samples.
  ///   - samples: the chunk that ends this part of the range; nil if none does.
  mutating func collect(
    _ range: Range<Int64>, isInFront: Bool, around samples: String? = nil
  ) throws(AudioError) {
    var position = range.lowerBound
    var isInFront = isInFront
    while position + Int64(form.headSize) <= range.upperBound {
      let head = try source.bytes(form.headSize, at: position)
      guard head.count == form.headSize, let name = ChunkForm.name(head[..<4]),
        pieces.mayFollow(called: "'\(name)' chunk"), let end = form.end(of: head, at: position)
      else { return }
      let content = position + Int64(form.headSize)
      let isWanted = !leftOut.contains(name)
      guard end <= range.upperBound else {
        // Bytes behind a file that are no chunk rarely have a plausible size.
        if isWanted, isInFront && samples == nil || end - content < 1 << 31 {
          pieces.omit("'\(name)' chunk", because: "it is cut short")
        }
        return
      }
      if name == samples { isInFront = false }
      if isWanted, try !holdsSamples(name, content..<end) {
        try pieces.take(
          family, name, content..<end, called: "'\(name)' chunk", isInFront: isInFront)
      }
      position += form.padded(end - position)
    }
  }

  private func holdsSamples(_ name: String, _ range: Range<Int64>) throws(AudioError) -> Bool {
    guard name == "LIST", range.count >= 4 else { return false }
    return try source.bytes(4, at: range.lowerBound).has("wavl", at: 0)
  }
}
