// SPDX-License-Identifier: Apache-2.0
/// Collects the pieces of a file, up to limits of size and number.
struct PieceCollection {
  private(set) var chunks: [Metadata.Chunk] = []
  private(set) var omissions: [Metadata.Omission] = []
  private let source: any ByteSource
  private var total: Int
  private var count = 0

  /// - Parameter others: pieces of the same file, which count towards the limits.
  init(_ source: any ByteSource, beside others: [Metadata.Chunk] = []) {
    self.source = source
    total = others.reduce(0) { $0 + $1.content.count }
  }

  /// Counts the next piece of the file, even if it is not collected.
  ///
  /// - Parameter name: its name in an omission, such as `PICTURE block`.
  /// - Returns: whether the number is within the limit; otherwise the search ends.
  mutating func mayFollow(called name: String) -> Bool {
    count += 1
    guard count > Metadata.mostChunks else { return true }
    omit("\(name) and all after it", because: "\(Metadata.mostChunks) others come before it")
    return false
  }

  /// Reads the piece in `range`.
  ///
  /// - Parameter name: its name in an omission.
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

  /// Adds a piece that was read already.
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
