// SPDX-License-Identifier: Apache-2.0
/// The pieces of a file as they are taken in, no larger and no more than a program can hold.
struct PieceCollection {
  private(set) var chunks: [Metadata.Chunk] = []
  private(set) var omissions: [Metadata.Omission] = []
  private let source: any ByteSource
  private var total: Int
  private var count = 0

  /// - Parameter others: pieces of the same file that were taken in before.
  init(_ source: any ByteSource, beside others: [Metadata.Chunk] = []) {
    self.source = source
    total = others.reduce(0) { $0 + $1.content.count }
  }

  /// Counts the next piece of the file, also one that is not to be taken in.
  ///
  /// - Parameter name: what it is called where it is left out: `PICTURE block`.
  /// - Returns: whether there may be so many; else nobody looks further.
  mutating func mayFollow(called name: String) -> Bool {
    count += 1
    guard count > Metadata.mostChunks else { return true }
    omit("\(name) and what follows it", because: "\(Metadata.mostChunks) others come before it")
    return false
  }

  /// Takes what is in `range`.
  ///
  /// - Parameter name: what it is called where it is left out.
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
    omissions.append(.init(name, because: reason))
  }

  private mutating func mayTake(_ count: Int, called name: String) -> Bool {
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
