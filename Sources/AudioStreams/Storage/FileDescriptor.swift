// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc

/// The location of a sound file.
package enum FileLocation {
  case path(String)
  /// A descriptor that is already open and never closed; `name` is its name in errors.
  case descriptor(Int32, name: String)

  /// The file's name in errors.
  package var name: String {
    switch self {
    case .path(let path): path
    case .descriptor(_, let name): name
    }
  }
}

/// How reading a stream ends if the session is asked to finish.
package enum StreamEnding {
  /// The read gives up at once: no more bytes come.
  case atOnce
  /// The pipe is read until its writer, which Ctrl-C reaches too, closes it, or for ``longestWait``.
  case withWriter
  /// The stream is read to its end: it comes from a program that we run, and that ends by itself.
  case withStream

  static let longestWait = Duration.seconds(1)
}

/// A reader that takes nothing any more, of a pipe or of any other output that can let its writer wait.
package enum StalledReader {
  /// How long a session that is asked to finish waits for such a reader to take a byte.
  package static let limit = Duration.seconds(10)

  /// - Parameter name: the output's name.
  package static func error(_ name: String) -> AudioError {
    AudioError(
      .unavailable, cannot: "finish writing to", name, because: "nothing reads it any more")
  }
}

/// An open file of the operating system.
///
/// Every call retries if a signal interrupts it. It waits for the other end of a pipe outside the system call, whether
/// or not the descriptor is blocking, until the session is asked to end. Session thread only.
package final class FileDescriptor {
  /// The size of one transfer: 256 KiB keeps system time low, and a larger size gains nothing.
  package static let blockSize = 1 << 18

  package let number: Int32
  /// The file's name in errors.
  package let name: String
  /// Whether it is seekable and its size is known.
  package let isRegular: Bool
  package let isPipe: Bool
  let isSocket: Bool
  /// Whether writing may wait for a reader, or for a device: it is no file on a disk.
  let mayStall: Bool
  let identity: FileIdentity
  /// Whether it may be a pipe of packets: a read of less than a packet loses the rest of it (pipe2(2), `O_DIRECT`).
  var mayHavePackets = false
  private var isOpen: Bool
  /// Bytes taken from a stream and not used: the next ones to be read.
  var givenBack: ArraySlice<UInt8> = []
  /// The first bytes of a written stream, until they are enough to go out in one write. Nil if they need not wait.
  var beginning: [UInt8]?
  /// The usual ``spoolLimit``: 4 GiB.
  package static let usualSpoolLimit: Int64 = 1 << 32
  /// The most bytes of a stream that a temporary file may hold to make it seekable.
  package var spoolLimit = FileDescriptor.usualSpoolLimit
  /// The user's corrections of the file's header.
  package var corrections = HeaderCorrections()
  /// The temporary file that holds the whole stream, once made: if one reader refuses it, others can read it.
  package var spooledCopy: FileDescriptor?
  /// Tells a call that waits for a pipe that the session is asked to end.
  package var wakeup: Wakeup?
  /// How a stream ends if the session is asked to finish.
  package var ending = StreamEnding.atOnce
  /// When that request was first seen.
  private var askedToEnd: MonotonicTime?
  var hasGiven = false
  /// How long a session that is asked to finish waits for a reader that takes nothing.
  package var stallLimit = StalledReader.limit
  /// Whether the reader took nothing for so long. It gets no more bytes: some may be missing.
  var hasStalled = false
  /// Whether RWF_NOWAIT has no effect on the descriptor.
  var lacksNoWait = false
  /// Why the stored bytes end before the stream does: it could not be stored whole.
  package var failure: AudioError?
  /// The claim of its use, while it is open.
  var claim: FileClaim?
  private var hasLock = false

  /// - Parameter closes: whether this object closes the descriptor in the end.
  /// - Throws: `unavailable` if `number` is a directory; the error of `fstat` if it is not open.
  package init(_ number: Int32, name: String, closes: Bool) throws(AudioError) {
    var status = stat()
    guard unsafe fstat(number, &status) == 0 else {
      throw AudioError(systemCode: errno, cannot: "use", name)
    }
    self.number = number
    self.name = name
    isRegular = status.st_mode & S_IFMT == S_IFREG
    isPipe = status.st_mode & S_IFMT == S_IFIFO
    isSocket = status.st_mode & S_IFMT == S_IFSOCK
    mayStall = isPipe || isSocket || status.st_mode & S_IFMT == S_IFCHR
    identity = FileIdentity(status)
    isOpen = closes
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw AudioError(systemCode: EISDIR, cannot: "open", name)
    }
  }

  /// Opens a path. The corresponding C function is `open`.
  ///
  /// - Parameter wakeup: tells that the session is asked to end, even while this waits for the other side of a named
  ///   pipe.
  convenience init(
    opening path: Pathname, flags: Int32, mode: mode_t = 0o666, action: String, name: String,
    wakeup: Wakeup? = nil
  ) throws(AudioError) {
    try path.check(to: action, name)
    func mustEnd() -> Bool { wakeup.map { $0.request != nil } ?? false }
    // Most threads block signals, so no signal would end an `open` that waits for the other side.
    let isNamedPipe = path.isNamedPipe
    let flags = flags | O_CLOEXEC | O_NOCTTY | (isNamedPipe ? O_NONBLOCK : 0)
    var (number, code): (Int32, Int32) = (-1, 0)
    while true {
      number = SystemCall.retrying(unless: mustEnd()) { unsafe open(path.cString, flags, mode) }
      code = errno
      // The pipe has no reader yet (fifo(7)).
      guard number < 0, isNamedPipe, code == ENXIO else { break }
      guard !mustEnd() else {
        code = EINTR
        break
      }
      usleep(UInt32(Self.patience) * 1_000)
    }
    guard number >= 0 else { throw AudioError(systemCode: code, cannot: action, name) }
    try self.init(number, name: name, closes: true)
    self.wakeup = wakeup
    // A writer stays non-blocking.
    guard isNamedPipe, isPipe, flags & O_ACCMODE == O_RDONLY else { return }
    // Without a writer a read would report the end at once.
    _ = try waitUntilReadable(to: action)
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) & ~O_NONBLOCK)
  }

  /// Opens an input, and claims it.
  package convenience init(reading path: String, wakeup: Wakeup? = nil) throws(AudioError) {
    try self.init(
      opening: Pathname(path), flags: O_RDONLY, action: "open", name: path, wakeup: wakeup)
    try claim(.read)
  }

  deinit {
    unlock()
    // After closing, another file may get its inode number.
    claim = nil
    if isOpen { Glibc.close(number) }
  }

  /// Takes the file's lock (flock(2)) until the file is closed.
  ///
  /// - Returns: false if another open file has the lock; true on a file system without locks.
  func lock() -> Bool {
    hasLock = rawaudio_lock(number) != 0
    return hasLock
  }

  /// Gives up the lock. Closing alone does not: a forked process has the descriptor until it executes its program.
  func unlock() {
    if isOpen, hasLock { flock(number, LOCK_UN) }
  }

  /// Closes the descriptor if this object owns it.
  func close() throws(AudioError) {
    unlock()
    claim = nil
    guard isOpen else { return }
    isOpen = false
    // After EINTR the descriptor is closed on Linux (close(2)).
    if Glibc.close(number) != 0, errno != EINTR { throw systemError(cannot: "close") }
  }

  /// Returns the error of a system call that failed on this file.
  func systemError(cannot action: String) -> AudioError {
    AudioError(systemCode: errno, cannot: action, name)
  }

  /// The file's size in bytes.
  package func size() throws(AudioError) -> Int64 {
    var status = stat()
    guard unsafe fstat(number, &status) == 0 else { throw systemError(cannot: "read") }
    return Int64(status.st_size)
  }

  /// Claims the file for a use if it is regular.
  ///
  /// - Parameters:
  ///   - place: the place of an output.
  ///   - session: the session of the input or output.
  package func claim(
    _ use: FileUse, at place: FilePlace? = nil, of session: Wakeup? = nil
  ) throws(AudioError) {
    guard isRegular else { return }
    claim = try FileClaim(use, name, file: identity, place: place, of: session)
  }

  /// The offset of the next read or write; 0 if the file has none.
  package var position: Int64 { max(0, Int64(lseek(number, 0, SEEK_CUR))) }

  /// Seeks to the beginning. The corresponding C function is `lseek`.
  package func rewind() throws(AudioError) {
    guard lseek(number, 0, SEEK_SET) == 0 else { throw systemError(cannot: "read") }
  }

  /// Reads the available bytes, up to `bytes.count`; 0 = the end.
  package func read(into bytes: UnsafeMutableRawBufferPointer) throws(AudioError) -> Int {
    if mayHavePackets, givenBack.isEmpty, bytes.count < Self.largestPacket {
      let queue = ByteQueue(capacity: Self.largestPacket)
      _ = try unsafe queue.append { (target) throws(AudioError) in
        try unsafe readNext(into: target)
      }
      givenBack = unsafe Array(queue.bytes)[...]
    }
    guard givenBack.isEmpty else {
      let count = min(bytes.count, givenBack.count)
      unsafe bytes.copyBytes(from: givenBack.prefix(count))
      givenBack.removeFirst(count)
      return count
    }
    return try unsafe readNext(into: bytes)
  }

  /// PIPE_BUF (pipe(7)).
  private static let largestPacket = 4_096

  private func readNext(
    into bytes: UnsafeMutableRawBufferPointer
  ) throws(AudioError) -> Int {
    if !isRegular, try !waitForInput() { return 0 }
    while true {
      let count = retrying { unsafe Glibc.read(number, bytes.baseAddress, bytes.count) }
      if count > 0 { hasGiven = true }
      if count >= 0 { return count }
      // A non-blocking pipe is empty.
      guard errno == EAGAIN else { throw systemError(cannot: "read") }
      if try !waitUntilReadable(to: "read") { return 0 }
    }
  }

  /// Reads the available bytes from `offset` on, up to `bytes.count`; 0 = the end.
  package func read(
    into bytes: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(AudioError) -> Int {
    let count = retrying {
      unsafe pread(number, bytes.baseAddress, bytes.count, off_t(offset))
    }
    guard count >= 0 else { throw systemError(cannot: "read") }
    return count
  }

  /// The path by which other processes reach the file while it is open here. Source: proc(5).
  package var pathForOthers: String { "/proc/\(getpid())/fd/\(number)" }

  /// Returns `byteCount` bytes from `offset` on; fewer only at the end.
  package func bytes(_ byteCount: Int, at offset: Int64) throws(AudioError) -> [UInt8] {
    try unsafe array(byteCount) { (target, total) throws(AudioError) in
      try unsafe read(into: target, at: offset + Int64(total))
    }
  }

  /// Returns the next `byteCount` bytes; fewer only at the end.
  package func nextBytes(_ byteCount: Int) throws(AudioError) -> [UInt8] {
    try unsafe array(byteCount) { (target, _) throws(AudioError) in
      try unsafe read(into: target)
    }
  }

  /// Returns the next `byteCount` bytes of a stream, fewer only at the end. The next read delivers them again.
  package func nextBytesGivenBack(_ byteCount: Int) throws(AudioError) -> [UInt8] {
    let bytes = try nextBytes(byteCount)
    givenBack = bytes[...] + givenBack
    return bytes
  }

  /// - Parameter readSome: reads into the free part, behind the given number of bytes; returns 0 at the end.
  private func array(
    _ byteCount: Int,
    _ readSome: (UnsafeMutableRawBufferPointer, Int) throws(AudioError) -> Int
  ) throws(AudioError) -> [UInt8] {
    let queue = ByteQueue(capacity: max(1, byteCount))
    while queue.count < byteCount {
      let total = queue.count
      let count = try unsafe queue.append(atMost: byteCount - total) {
        (target) throws(AudioError) in try unsafe readSome(target, total)
      }
      if count == 0 { break }
    }
    return unsafe Array(queue.bytes)
  }

  /// Waits until a read would not block, in short steps so that an end of the session is soon seen: a signal just
  /// before a read does not interrupt it.
  ///
  /// - Returns: false if the stream ends here because the session is asked to finish.
  /// - Throws: `interrupted` if the session is asked to end and the bytes read so far are of no use.
  func waitForInput() throws(AudioError) -> Bool {
    if wakeup == nil { return true }
    return try waitUntilReadable(to: "read")
  }

  private func waitUntilReadable(to action: String) throws(AudioError) -> Bool {
    while true {
      if let request = wakeup?.request, isOver(request) {
        guard request == .finish, ending == .withWriter, hasGiven else {
          throw AudioError(systemCode: EINTR, cannot: action, name)
        }
        return false
      }
      var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
      let count = unsafe poll(&request, 1, Self.patience)
      // The read itself reports any other error.
      if count > 0 || count < 0 && errno != EINTR { return true }
    }
  }

  /// Whether reading is over, now that the session is asked to end.
  private func isOver(_ request: SessionControl.Request) -> Bool {
    if request == .abandon || ending == .atOnce { return true }
    if ending == .withStream { return false }
    // A person who types never closes a terminal.
    guard isPipe || isSocket else { return true }
    let now = MonotonicTime.now
    let first = askedToEnd ?? now
    askedToEnd = first
    return now.elapsed(since: first) >= StreamEnding.longestWait
  }

  /// The length of one wait, in milliseconds: an end of the session is seen within it.
  static let patience: Int32 = 100

  /// Repeats a call if a signal interrupts it, unless the session is to be abandoned.
  func retrying(_ call: () -> Int) -> Int {
    SystemCall.retrying(unless: wakeup?.request == .abandon, call)
  }
}
