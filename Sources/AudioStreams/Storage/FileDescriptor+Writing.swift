// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc

extension FileDescriptor {
  /// Writes some of `bytes`, at `offset` or at the descriptor's position, once there is room for some.
  ///
  /// - Returns: their number; a negative one is a failure, whose error is ``writeFailure(_:)``.
  package func writeSome(_ bytes: UnsafeRawBufferPointer, at offset: Int64?) -> Int {
    guard beginning == nil else { return unsafe writeBeginning(with: bytes) }
    if let offset {
      return retrying { unsafe pwrite(number, bytes.baseAddress, bytes.count, off_t(offset)) }
    }
    guard mayStall else {
      return retrying { unsafe Glibc.write(number, bytes.baseAddress, bytes.count) }
    }
    var stalled: MonotonicTime?
    while mayWrite(stalledSince: &stalled) {
      let count = unsafe writeNow(bytes)
      guard count < 0, errno == EAGAIN else { return count }
      // An error of the descriptor ends the wait: the next write reports it.
      _ = awaitRoom(Self.patience)
    }
    return -1
  }

  /// Whether the session still waits for the reader; if not, `errno` tells why.
  ///
  /// - Parameter stalled: when it first waited after it was asked to finish.
  private func mayWrite(stalledSince stalled: inout MonotonicTime?) -> Bool {
    switch wakeup?.request ?? .none {
    case .none: break
    case .abandon:
      errno = EINTR
      return false
    case .finish:
      let now = MonotonicTime.now
      let first = stalled ?? now
      stalled = first
      if now.elapsed(since: first) >= stallLimit { hasStalled = true }
    }
    if hasStalled { errno = ETIMEDOUT }
    return !hasStalled
  }

  /// Writes as much as there is room for; fails with EAGAIN if there is none. No thread can end the wait of a blocking
  /// write: most block signals.
  private func writeNow(_ bytes: UnsafeRawBufferPointer) -> Int {
    if isSocket {
      return retrying {
        unsafe send(number, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT))
      }
    }
    if !lacksNoWait {
      let count = retrying { unsafe rawaudio_write_now(number, bytes.baseAddress, bytes.count) }
      if count >= 0 || errno == EAGAIN || errno == EPIPE { return count }
      lacksNoWait = true
    }
    var most = bytes.count
    if fcntl(number, F_GETFL) & O_NONBLOCK == 0 {
      guard awaitRoom(0) else {
        errno = EAGAIN
        return -1
      }
      // A pipe that is ready takes so many bytes at once (poll(2), pipe(7)).
      most = min(most, Int(PIPE_BUF))
    }
    return retrying { unsafe Glibc.write(number, bytes.baseAddress, most) }
  }

  /// Waits until a write does something at once.
  ///
  /// - Parameter milliseconds: the longest wait; a signal ends it, too.
  private func awaitRoom(_ milliseconds: Int32) -> Bool {
    var request = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&request, 1, milliseconds) > 0
  }

  /// Writes all of `bytes`.
  ///
  /// - Parameters:
  ///   - largestStep: the most bytes of one system call, which may take fewer after a signal or on a non-blocking
  ///     descriptor.
  ///   - wrote: called after each step with the number of bytes it took.
  package func writeAll(
    _ bytes: UnsafeRawBufferPointer, inStepsOf largestStep: Int = blockSize,
    wrote: (Int) -> Void = { _ in }
  ) throws(AudioError) -> SinkStatus {
    var total = 0
    while total < bytes.count {
      let length = min(bytes.count - total, largestStep)
      let count = unsafe writeSome(
        UnsafeRawBufferPointer(rebasing: bytes[total..<total + length]), at: nil)
      if count < 0, errno == EPIPE { return .readerGone }
      guard count > 0 else { throw writeFailure(count) }
      total += count
      wrote(count)
    }
    return .accepted
  }

  /// Lets the header of a stream wait for the first samples: sox knows a type only if its first read gives 256 bytes
  /// (PIPE_AUTO_DETECT_SIZE in src/formats.c). Does nothing for a regular file.
  package func holdBeginning() { if !isRegular { beginning = [] } }

  /// Whether the beginning still waits.
  package var holdsBeginning: Bool { beginning != nil }

  /// Writes the beginning of a stream that stayed short.
  package func releaseBeginning() throws(AudioError) -> SinkStatus {
    guard let held = beginning else { return .accepted }
    beginning = nil
    return try write(held)
  }

  private static let enoughForReaders = 256

  /// Writes the held bytes and these ones together, once they are enough. Counts as ``writeSome(_:at:)`` does.
  func writeBeginning(with bytes: UnsafeRawBufferPointer) -> Int {
    unsafe beginning?.append(contentsOf: bytes)
    guard let held = beginning, held.count >= Self.enoughForReaders else { return bytes.count }
    beginning = nil
    let queue = ByteQueue(holding: held)
    while queue.count > 0 {
      let count = unsafe writeSome(queue.bytes, at: nil)
      guard count > 0 else { return count }
      queue.consume(count)
    }
    return bytes.count
  }

  package func write(_ bytes: [UInt8]) throws(AudioError) -> SinkStatus {
    let queue = ByteQueue(holding: bytes)
    return try unsafe writeAll(queue.bytes)
  }

  /// Writes all of `bytes` at `offset`; the position of other writes stays unchanged.
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

  /// Appends all of `bytes` to a regular file. After an error it cuts off, if possible, the part that was written,
  /// which would look like a part of the previous bytes.
  package func append(_ bytes: [UInt8]) throws(AudioError) -> SinkStatus {
    let end = try size()
    do throws(AudioError) {
      return try write(bytes)
    } catch {
      try? cut(at: end)
      throw error
    }
  }

  /// Appends `byteCount` zeros that take no space on the disk; the next write goes behind them.
  ///
  /// The corresponding C function is `ftruncate`.
  ///
  /// - Returns: false, with nothing changed, if the file or its file system has no such holes.
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

  /// Whether this pipe has no reader left.
  package var isReaderGone: Bool {
    var request = pollfd(fd: number, events: 0, revents: 0)
    return unsafe poll(&request, 1, 0) > 0 && request.revents & Int16(POLLERR) != 0
  }

  /// Whether written bytes can be changed: in a regular file that is not open for appending, as every write would go to
  /// the end (pwrite(2), "BUGS").
  package var isPatchable: Bool { isRegular && fcntl(number, F_GETFL) & O_APPEND == 0 }

  /// The error of ``writeSome(_:at:)``, directly behind it.
  package func writeFailure(_ count: Int) -> AudioError {
    if hasStalled { return StalledReader.error(name) }
    return AudioError(systemCode: count == 0 ? ENOSPC : errno, cannot: "write to", name)
  }

  /// Drops the whole content of the file.
  func empty() throws(AudioError) { try shorten(to: 0) }

  /// Drops the bytes behind `end`, where the next write goes then.
  package func cut(at end: Int64) throws(AudioError) {
    try shorten(to: end)
    lseek(number, off_t(end), SEEK_SET)
  }

  /// The corresponding C function is `ftruncate`.
  private func shorten(to size: Int64) throws(AudioError) {
    let code = SystemCall.retrying { ftruncate(number, off_t(size)) }
    if code != 0 { throw systemError(cannot: "write to") }
  }

  /// Waits until all written bytes are on the disk. Does nothing if the file is not regular, as for a pipe.
  ///
  /// The corresponding C function is `fdatasync`.
  func synchronize() throws(AudioError) {
    guard isRegular else { return }
    guard SystemCall.retrying({ fdatasync(number) }) != 0 else { return }
    switch errno {
    // The file system has nothing to do here (fsync(2)).
    case EINVAL, EROFS, ENOTSUP: return
    default: throw systemError(cannot: "write to")
    }
  }

  /// Throws if another program has put something else at the name of a regular file.
  func requireRegular() throws(AudioError) {
    guard isRegular else {
      throw AudioError(
        .alreadyExists, cannot: "write to", name, because: "it is no regular file",
        advice: "choose another name")
    }
  }

  /// Throws if this regular file has no name any more: it, or its folder, was removed.
  func requireName() throws(AudioError) {
    var status = stat()
    guard isRegular, unsafe fstat(number, &status) == 0, status.st_nlink == 0 else { return }
    throw AudioError(
      .notFound, cannot: "write to", name, because: "it was removed while it was written")
  }

  /// Forces the name of a new file onto the disk: the directory holds it, not the file.
  ///
  /// Ignores an error: a program may be allowed to write into a directory but not to open it.
  package static func synchronizeDirectory(of path: Pathname) {
    let number = SystemCall.retrying {
      unsafe open(path.directory.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    guard number >= 0 else { return }
    _ = SystemCall.retrying { fsync(number) }
    Glibc.close(number)
  }
}
