// SPDX-License-Identifier: Apache-2.0
/// Collects the pieces of a file one after the other, up to limits of size and number.
struct PieceCollection {
  private(set) var chunks: [Metadata.Chunk] = []
  var omissions: [Metadata.Omission] = []
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
    omissions.append(
      "\(name) and all after it", because: "\(Metadata.mostChunks) others come before it")
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
      omissions.append(name, because: "it is cut short")
      return
    }
    add(.init(family, identifier, content, isInFront: isInFront))
  }

  /// Adds a piece that was read already.
  mutating func take(_ chunk: Metadata.Chunk, called name: String) {
    if mayTake(chunk.content.count, called: name) { add(chunk) }
  }

  private mutating func mayTake(_ count: Int, called name: String) -> Bool {
    guard count <= Metadata.largestChunk else {
      omissions.append(name, because: "its \(count) bytes are more than \(Metadata.largestChunk)")
      return false
    }
    guard total + count <= Metadata.largestTotal else {
      omissions.append(
        name, because: "all pieces together are more than \(Metadata.largestTotal) bytes")
      return false
    }
    return true
  }

  private mutating func add(_ chunk: Metadata.Chunk) {
    total += chunk.content.count
    chunks.append(chunk)
  }

  /// Collects the chunks in a range, up to the first bytes that are no chunk.
  ///
  /// - Parameters:
  ///   - leftOut: the names of chunks that are not collected.
  ///   - isInFront: whether the range begins in front of the samples.
  ///   - samples: the chunk that ends this part of the range; nil if none does.
  mutating func collect(
    _ range: Range<Int64>, _ family: Metadata.Family, _ form: ChunkForm,
    leavingOut leftOut: Set<String>, isInFront: Bool = true, around samples: String? = nil
  ) throws(AudioError) {
    var position = range.lowerBound
    var isInFront = isInFront
    while position + Int64(form.headSize) <= range.upperBound {
      let head = try source.bytes(form.headSize, at: position)
      guard head.count == form.headSize, let name = ChunkForm.name(head[..<4]),
        mayFollow(called: "'\(name)' chunk"), let end = form.end(of: head, at: position)
      else { return }
      let content = position + Int64(form.headSize)
      let isWanted = !leftOut.contains(name)
      guard end <= range.upperBound else {
        // Bytes behind a file that are no chunk rarely have a plausible size.
        if isWanted, isInFront && samples == nil || end - content < 1 << 31 {
          omissions.append("'\(name)' chunk", because: "it is cut short")
        }
        return
      }
      if name == samples { isInFront = false }
      if isWanted, try !holdsSamples(name, content..<end) {
        try take(family, name, content..<end, called: "'\(name)' chunk", isInFront: isInFront)
      }
      position += form.padded(end - position)
    }
  }

  private func holdsSamples(_ name: String, _ range: Range<Int64>) throws(AudioError) -> Bool {
    guard name == "LIST", range.count >= 4 else { return false }
    return try source.bytes(4, at: range.lowerBound).has("wavl", at: 0)
  }
}

extension [Metadata.Omission] {
  /// - Parameter reason: in lower case and without a full stop.
  mutating func append(_ name: String, because reason: String) {
    append(.init(name, because: reason))
  }
}
