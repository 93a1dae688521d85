// SPDX-License-Identifier: Apache-2.0
/// The pieces of a file as they are taken in, no larger and no more than a program can hold.
struct PieceCollection {
  private(set) var chunks: [Metadata.Chunk] = []
  private(set) var omissions: [Metadata.Omission] = []
  private let source: any ByteSource
  private var total = 0

  init(_ source: any ByteSource) { self.source = source }

  /// Whether no further one may be taken in.
  var isFull: Bool { chunks.count + omissions.count >= Metadata.mostChunks }

  /// Takes what is in `range`.
  ///
  /// - Parameter name: what it is called where it is left out: `PICTURE block`.
  mutating func take(
    _ family: Metadata.Family, _ identifier: String, _ range: Range<Int64>, called name: String,
    isInFront: Bool = true
  ) throws(AudioError) {
    guard mayTake(range.count, called: name) else { return }
    let content = range.isEmpty ? [] : try source.bytes(range.count, at: range.lowerBound)
    guard content.count == range.count else {
      omit(name, because: "it is cut short")
      return
    }
    add(.init(family, identifier, content, isInFront: isInFront))
  }

  /// Takes what was read already.
  mutating func take(_ chunk: Metadata.Chunk, called name: String) {
    if mayTake(chunk.content.count, called: name) { add(chunk) }
  }

  mutating func omit(_ name: String, because reason: String) {
    if !isFull { omissions.append(.init(name, because: reason)) }
  }

  private mutating func mayTake(_ count: Int, called name: String) -> Bool {
    guard !isFull else { return false }
    guard count <= Metadata.largestChunk else {
      omit(name, because: "its \(count) bytes are more than \(Metadata.largestChunk)")
      return false
    }
    guard total + count <= Metadata.largestTotal else {
      omit(name, because: "all pieces together are more than \(Metadata.largestTotal) bytes")
      return false
    }
    return true
  }

  private mutating func add(_ chunk: Metadata.Chunk) {
    total += chunk.content.count
    chunks.append(chunk)
  }
}
