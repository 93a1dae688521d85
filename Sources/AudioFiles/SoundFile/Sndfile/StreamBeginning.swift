// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc

/// The first bytes that libsndfile writes to a pipe, which wait to go out together (``FileDescriptor/holdBeginning()``).
///
/// libsndfile writes a header in small pieces, and keeps the number of its descriptor. So it gets a pipe of our own. Once
/// the bytes in it are enough, its number becomes a copy of the output. Session thread only.
final class StreamBeginning {
  private let output: FileDescriptor
  private let pipe: (reading: PipeEnd, writing: PipeEnd)
  private(set) var isOver = false

  /// The descriptor for libsndfile.
  var number: Int32 { pipe.writing.number }

  /// - Returns: nil if the bytes need not wait, or the pipe might be too small for them.
  init?(_ output: FileDescriptor) throws(AudioError) {
    guard output.holdsBeginning else { return nil }
    self.output = output
    pipe = try PipeEnd.pipe()
    let capacity = rawaudio_set_pipe_capacity(pipe.reading.number, Int32(PipeEnd.capacity))
    guard capacity >= PipeEnd.capacity else { return nil }
    pipe.reading.makeNonBlocking()
  }

  /// Hands on the bytes that libsndfile has written.
  func passOn() throws(AudioError) {
    guard !isOver else { return }
    let block = ByteQueue(capacity: 1 << 16)
    while true {
      var hasMoved = false
      _ = try unsafe block.append { (target) throws(AudioError) in
        guard case .moved(let count) = try unsafe pipe.reading.read(into: target) else { return 0 }
        hasMoved = true
        return count
      }
      guard hasMoved else { break }
      _ = try unsafe output.writeAll(block.bytes)
      block.consume(block.count)
    }
    guard !output.holdsBeginning else { return }
    isOver = true
    guard dup2(output.number, number) >= 0 else {
      throw AudioError(systemCode: errno, cannot: "write to", output.name)
    }
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
  }
}
