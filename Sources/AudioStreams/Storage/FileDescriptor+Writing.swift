// SPDX-License-Identifier: Apache-2.0
import Glibc

extension FileDescriptor {
  /// Writes all of `bytes`.
  ///
  /// - Parameters:
  ///   - largestStep: bytes of one call of the system, which may take fewer where a signal comes or the descriptor
  ///     does not wait.
  ///   - wrote: called after each step with the number of bytes it took.
  package func writeAll(
    _ bytes: UnsafeRawBufferPointer, inStepsOf largestStep: Int = blockSize,
    wrote: (Int) -> Void = { _ in }
  ) throws(AudioError) -> SinkStatus {
    var total = 0
    while total < bytes.count {
      let end = min(bytes.count, total + largestStep)
      let count = unsafe writeSome(
        UnsafeRawBufferPointer(rebasing: bytes[total..<end]), at: nil)
      if count < 0, errno == EPIPE { return .readerGone }
      guard count > 0 else { throw writeFailure(count) }
      total += count
      wrote(count)
    }
    return .accepted
  }

  package func write(_ bytes: [UInt8]) throws(AudioError) -> SinkStatus {
    let queue = ByteQueue(holding: bytes)
    return try unsafe writeAll(queue.bytes)
  }

  /// Writes all of `bytes` at `offset`; the position for other writes stays.
  package func write(_ bytes: [UInt8], at offset: Int64) throws(AudioError) {
    let queue = ByteQueue(holding: bytes)
    var offset = offset
    while queue.count > 0 {
      let count = unsafe writeSome(queue.bytes, at: offset)
      guard count > 0 else { throw writeFailure(count) }
      queue.consume(count)
      offset += Int64(count)
    }
  }

  /// Writes all of `bytes` at the end of a regular file, or nothing as far as the file can be cut again: a piece of
  /// them would be taken for a piece of what stands in front.
  package func append(_ bytes: [UInt8]) throws(AudioError) -> SinkStatus {
    let end = try size()
    do throws(AudioError) {
      return try write(bytes)
    } catch {
      try? cut(at: end)
      throw error
    }
  }

  /// Makes a file longer by `byteCount` zeros that take no room on the disk, where the next write goes behind them.
  ///
  /// The corresponding C function is `ftruncate`.
  ///
  /// - Returns: false, and nothing has changed, where the file or its file system has no such holes.
  package func appendHole(_ byteCount: Int64) throws(AudioError) -> Bool {
    let end = position
    guard isPatchable, try size() == end else { return false }
    let newEnd = off_t(end + byteCount)
    guard SystemCall.retrying({ ftruncate(number, newEnd) }) == 0 else {
      if errno == EPERM || errno == EINVAL || errno == EOPNOTSUPP { return false }
      throw writeFailure(-1)
    }
    lseek(number, newEnd, SEEK_SET)
    return true
  }

  /// Whether no reader of this pipe is left.
  package var isReaderGone: Bool {
    var request = pollfd(fd: number, events: 0, revents: 0)
    return unsafe poll(&request, 1, 0) > 0 && request.revents & Int16(POLLERR) != 0
  }

  /// Whether bytes written before can be changed: a regular file that is not open for appending,
  /// where every write goes to the end (pwrite(2), "BUGS").
  package var isPatchable: Bool { isRegular && fcntl(number, F_GETFL) & O_APPEND == 0 }

  private func writeFailure(_ count: Int) -> AudioError {
    AudioError(systemCode: count == 0 ? ENOSPC : errno, cannot: "write to", name)
  }

  /// Drops everything that is in the file.
  func empty() throws(AudioError) { try shorten(to: 0) }

  /// Drops what stands behind `end`, where the next write goes then.
  package func cut(at end: Int64) throws(AudioError) {
    try shorten(to: end)
    lseek(number, off_t(end), SEEK_SET)
  }

  /// The corresponding C function is `ftruncate`.
  private func shorten(to size: Int64) throws(AudioError) {
    guard SystemCall.retrying({ ftruncate(number, off_t(size)) }) == 0 else {
      throw AudioError(systemCode: errno, cannot: "write to", name)
    }
  }

  /// Waits until everything written is on the disk. Does nothing where there is no disk, as for a pipe.
  ///
  /// The corresponding C function is `fdatasync`.
  func synchronize() throws(AudioError) {
    guard isRegular else { return }
    guard SystemCall.retrying({ fdatasync(number) }) != 0 else { return }
    switch errno {
    // The file system has nothing to do here (fsync(2)).
    case EINVAL, EROFS, ENOTSUP: return
    default: throw AudioError(systemCode: errno, cannot: "write to", name)
    }
  }

  /// Throws where no name leads to this regular file any more: it was removed, or the folder it was in.
  func requireName() throws(AudioError) {
    var status = stat()
    guard isRegular, unsafe fstat(number, &status) == 0, status.st_nlink == 0 else { return }
    throw AudioError(
      .notFound, cannot: "write to", name, because: "it was removed while it was written")
  }

  /// Forces the name of a new file onto the disk: it stands in the directory, not in the file.
  ///
  /// A program may be allowed to write into a directory but not to open it, so a failure is no error.
  package static func synchronizeDirectory(of path: Pathname) {
    let number = SystemCall.retrying {
      unsafe open(path.directory.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    guard number >= 0 else { return }
    _ = SystemCall.retrying { fsync(number) }
    Glibc.close(number)
  }
}
