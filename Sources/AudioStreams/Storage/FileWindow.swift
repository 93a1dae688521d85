// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A part of a file for random access: small reads from large blocks, so that a header of a million pieces does not
/// cost a system call for each.
///
/// Offsets count from the beginning of the file. Session thread only.
package final class FileWindow {
  /// Large enough to hide the cost of system calls, small enough for a file that is only opened.
  package static let usualBlockSize = 1 << 16

  /// The readable range.
  package let range: Range<Int64>
  /// The file's name in errors.
  let name: String
  private let descriptor: FileDescriptor?
  private let blockSize: Int
  private var block: [UInt8]
  private var blockStart: Int64

  /// - Parameters:
  ///   - range: nil = from the descriptor's position to the file's end.
  ///   - blockSize: the bytes of one read.
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

  /// Makes a window on the beginning of a stream, without the rest.
  package init(holding bytes: [UInt8], named name: String) {
    range = 0..<Int64(bytes.count)
    self.name = name
    descriptor = nil
    blockSize = Self.usualBlockSize
    block = bytes
    blockStart = 0
  }

  /// Returns `byteCount` bytes from `offset` on; fewer only at the end.
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

  /// Returns the offset, from `offset` on, of the next three bytes that `matches` accepts; nil if there are none.
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
    // A header may fill a whole file.
    guard descriptor.wakeup?.request != .abandon else {
      throw AudioError(systemCode: EINTR, cannot: "read", name)
    }
    // A backward search goes on backwards, so the block begins half a block earlier.
    let start =
      offset < blockStart && !block.isEmpty
      ? max(range.lowerBound, offset - Int64(blockSize - count) / 2) : offset
    let wanted = min(Int64(blockSize), range.upperBound - start)
    block = try descriptor.bytes(Int(wanted), at: start)
    blockStart = start
  }
}
