// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A part of a file as one looks around in it: small reads from large blocks, so that a header of a million
/// pieces costs no system call for each.
///
/// Offsets are those of the file. Session thread only.
package final class FileWindow {
  /// Large enough that system calls no longer show, small enough for a file that is only opened.
  package static let usualBlockSize = 1 << 16

  /// What may be read.
  package let range: Range<Int64>
  /// What error messages call the file.
  let name: String
  private let descriptor: FileDescriptor?
  private let blockSize: Int
  private var block: [UInt8]
  private var blockStart: Int64

  /// - Parameters:
  ///   - range: nil = from where the descriptor stands to the file's end.
  ///   - blockSize: bytes that are read at once.
  package init(
    of descriptor: FileDescriptor, _ range: Range<Int64>? = nil, blockSize: Int = usualBlockSize
  ) throws(AudioError) {
    self.blockSize = blockSize
    let start = descriptor.position
    let end = try max(start, descriptor.size())
    self.range = range ?? start..<end
    self.descriptor = descriptor
    name = descriptor.name
    block = []
    blockStart = start
  }

  /// The beginning of a stream, of which no more can be seen.
  package init(holding bytes: [UInt8], named name: String) {
    range = 0..<Int64(bytes.count)
    self.name = name
    descriptor = nil
    blockSize = Self.usualBlockSize
    block = bytes
    blockStart = 0
  }

  /// The `byteCount` bytes from `offset` on, or as many as there are.
  package func bytes(_ byteCount: Int, at offset: Int64) throws(AudioError) -> [UInt8] {
    guard offset >= range.lowerBound, offset < range.upperBound else { return [] }
    let count = Int(min(Int64(byteCount), range.upperBound - offset))
    if count > blockSize, let descriptor { return try descriptor.bytes(count, at: offset) }
    let isInBlock =
      offset >= blockStart && offset + Int64(count) <= blockStart + Int64(block.count)
    if !isInBlock { try load(offset, atLeast: count) }
    let from = Int(offset - blockStart)
    return from < block.count ? Array(block[from..<min(from + count, block.count)]) : []
  }

  /// Where three bytes stand next that `matches` accepts, from `offset` on.
  package func position(
    from offset: Int64, where matches: (UInt8, UInt8, UInt8) -> Bool
  ) throws(AudioError) -> Int64? {
    var offset = max(offset, range.lowerBound)
    while offset + 3 <= range.upperBound {
      if offset < blockStart || offset + 3 > blockStart + Int64(block.count) {
        try load(offset, atLeast: 3)
      }
      let from = Int(offset - blockStart)
      guard from + 3 <= block.count else { return nil }
      for index in from...block.count - 3
      where matches(block[index], block[index + 1], block[index + 2]) {
        let found = blockStart + Int64(index)
        return found + 3 <= range.upperBound ? found : nil
      }
      offset = blockStart + Int64(block.count) - 2
    }
    return nil
  }

  private func load(_ offset: Int64, atLeast count: Int) throws(AudioError) {
    guard let descriptor else { return }
    // A header may go on for a whole file.
    guard descriptor.wakeup?.request != .abandon else {
      throw AudioError(systemCode: EINTR, cannot: "read", name)
    }
    // Who looks backwards from the end goes on backwards: half a block before it.
    let start =
      offset < blockStart && !block.isEmpty
      ? max(range.lowerBound, offset - Int64(blockSize - count) / 2) : offset
    let wanted = min(Int64(blockSize), range.upperBound - start)
    block = try descriptor.bytes(Int(wanted), at: start)
    blockStart = start
  }
}
