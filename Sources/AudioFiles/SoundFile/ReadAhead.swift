// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Reads and decodes the next blocks of a file while the session works on the previous one.
///
/// Session thread only, except for the reading.
final class ReadAhead {
  private let exchange: BlockExchange
  private let blockSize: Int

  /// The most files that are read ahead at the same time. Each takes a thread and half a MiB.
  private static let most = 4
  private static let running = Atomic(0)

  /// Starts to read at the current position of `reader`. The thread owns it from now on.
  ///
  /// - Returns: nil if no thread is available.
  init?(_ reader: any SampleReader, bytesPerFrame: Int) {
    guard Processors.available > 1 else { return nil }
    guard Self.running.add(1, ordering: .relaxed).newValue <= Self.most else {
      Self.running.subtract(1, ordering: .relaxed)
      return nil
    }
    let size = FileDescriptor.blockSize / bytesPerFrame * bytesPerFrame
    let blocks = (0..<2).map { _ in ByteQueue(capacity: size) }
    blockSize = size
    func fill(_ block: ByteQueue) throws(AudioError) -> Bool {
      while block.count < size {
        let count = try unsafe block.append { (bytes) throws(AudioError) in
          try unsafe reader.read(into: bytes)
        }
        if count == 0 { return false }
      }
      return true
    }
    do {
      exchange = try BlockExchange(named: "file reader", todo: blocks, done: [], work: fill)
    } catch {
      Self.running.subtract(1, ordering: .relaxed)
      return nil
    }
  }

  deinit {
    exchange.end()
    Self.running.subtract(1, ordering: .relaxed)
  }

  /// Returns the next block, and refills `used` if it is one of the thread's blocks.
  ///
  /// - Returns: nil at the end of the file.
  func next(returning used: ByteQueue) throws(AudioError) -> ByteQueue? {
    used.consume(used.count)
    return try exchange.exchange(used.capacity >= blockSize ? used : nil)
  }
}
