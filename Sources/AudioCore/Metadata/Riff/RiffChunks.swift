// SPDX-License-Identifier: Apache-2.0
/// Collects the chunks of a RIFF, RIFX, RF64 or BW64 file, without those that say how its samples are stored.
///
/// Sources: as ``WaveHeader``.
enum RiffChunks {
  /// They are about samples, and who writes samples makes them.
  static let ofSamples: Set = ["fmt ", "data", "ds64", "fact", "LIST wavl"]

  /// - Parameters:
  ///   - source: the file, or the part of a stream in front of its samples.
  ///   - start: where the file's first four letters are.
  ///   - samples: where the samples are.
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
    // Room for sizes, which the next file makes for itself.
    if let first = collection.chunks.first, first.identifier == "JUNK", first.isInFront,
      first.content.allSatisfy({ $0 == 0 })
    {
      collection.chunks.removeFirst()
    }
    return (collection.chunks, collection.omissions)
  }
}

/// Chunks of a name of four bytes, a size of four bytes and padding to an even number, in a row.
struct ChunkCollection {
  var chunks: [Metadata.Chunk] = []
  private(set) var omissions: [Metadata.Omission] = []
  private let source: any ByteSource
  private let family: Metadata.Family
  private let order: ByteOrder
  private let leftOut: Set<String>
  private var total = 0
  private var count = 0

  init(
    _ source: any ByteSource, _ family: Metadata.Family, _ order: ByteOrder,
    leavingOut leftOut: Set<String>
  ) {
    self.source = source
    self.family = family
    self.order = order
    self.leftOut = leftOut
  }

  /// Takes the chunks of a part of the file, up to what is no chunk.
  mutating func collect(_ range: Range<Int64>, isInFront: Bool) throws(AudioError) {
    var position = range.lowerBound
    while position + 8 <= range.upperBound {
      let head = try source.bytes(8, at: position)
      guard head.count == 8, let name = Self.name(head) else { return }
      let size = Int64(head.integer(at: 4, 4, order))
      let content = position + 8
      count += 1
      guard count <= Metadata.mostChunks else {
        omit(name, because: "it comes behind \(Metadata.mostChunks) others")
        return
      }
      guard content + size <= range.upperBound else {
        // What stands behind a file and is none of its chunks has no size that could be true.
        if !leftOut.contains(name), isInFront || size < 1 << 31 {
          omit(name, because: "it is cut short")
        }
        return
      }
      if !leftOut.contains(name) { try take(name, content..<content + size, isInFront) }
      position = content + size + size % 2
    }
  }

  private mutating func take(
    _ name: String, _ range: Range<Int64>, _ isInFront: Bool
  ) throws(AudioError) {
    guard range.count <= Metadata.largestChunk else {
      omit(name, because: "its \(range.count) bytes are more than \(Metadata.largestChunk)")
      return
    }
    guard total + range.count <= Metadata.largestTotal else {
      omit(name, because: "all pieces together are more than \(Metadata.largestTotal) bytes")
      return
    }
    let content = range.isEmpty ? [] : try source.bytes(range.count, at: range.lowerBound)
    guard content.count == range.count else { return }
    total += content.count
    let isSamples = name == "LIST" && content.has("wavl", at: 0)
    if !isSamples {
      chunks.append(.init(family, name, content, isInFront: isInFront))
    }
  }

  private mutating func omit(_ name: String, because reason: String) {
    omissions.append(.init("'\(name)' chunk", because: reason))
  }

  /// The name of a chunk: four printable characters.
  static func name(_ head: [UInt8]) -> String? {
    guard head.count >= 4, head[..<4].allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
    return String(decoding: head[..<4], as: UTF8.self)
  }

  /// The chunks of a list: what comes behind its type.
  static func sublist(
    _ content: [UInt8], from start: Int, _ order: ByteOrder
  ) -> [(name: String, content: [UInt8])] {
    var found: [(name: String, content: [UInt8])] = []
    var position = start
    while position + 8 <= content.count, found.count < Metadata.mostChunks {
      guard let name = name(Array(content[position..<position + 4])) else { break }
      let size = Int(content.integer(at: position + 4, 4, order))
      guard size <= content.count - position - 8 else { break }
      found.append((name, Array(content[position + 8..<position + 8 + size])))
      position += 8 + size + size % 2
    }
    return found
  }
}
