// SPDX-License-Identifier: Apache-2.0
/// Random access to bytes for a reader of metadata: a file, or memory.
protocol ByteSource {
  var range: Range<Int64> { get }

  /// Returns `byteCount` bytes from `offset` on, or fewer at the end.
  func bytes(_ byteCount: Int, at offset: Int64) throws(AudioError) -> [UInt8]
}

/// Bytes in memory, counted from 0.
struct HeldBytes: ByteSource {
  let held: [UInt8]

  init(_ held: [UInt8]) { self.held = held }

  var range: Range<Int64> { 0..<Int64(held.count) }

  func bytes(_ byteCount: Int, at offset: Int64) throws(AudioError) -> [UInt8] {
    guard range.contains(offset), byteCount > 0 else { return [] }
    let start = Int(offset)
    return Array(held[start..<start + min(byteCount, held.count - start)])
  }
}

/// Reads the bytes of a piece in sequence; returns nil if it ends too early.
struct ByteReader {
  private let bytes: ArraySlice<UInt8>
  private(set) var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  init(_ bytes: [UInt8], from position: Int = 0) {
    self.init(bytes[min(max(0, position), bytes.count)...])
  }

  var remaining: Int { bytes.endIndex - position }

  mutating func integer(_ size: Int, _ order: ByteOrder) -> UInt64? {
    bytes(size)?.integer(at: 0, size, order)
  }

  /// The slice shares the bytes: nothing is copied.
  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, remaining >= count else { return nil }
    defer { position += count }
    return bytes[position..<position + count]
  }

  mutating func rest() -> ArraySlice<UInt8> { bytes(remaining) ?? [] }

  var ahead: ArraySlice<UInt8> { bytes[position...] }
}
