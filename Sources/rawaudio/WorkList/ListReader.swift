// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore
internal import Glibc

/// The entries of a list, read as they are needed: a list of any length takes no memory.
///
/// Main thread only.
final class ListReader {
  /// The name of the list in errors.
  let name: String
  /// Whether a zero byte ends each entry, and not a line break.
  let endsWithNull: Bool
  private let descriptor: Int32
  /// Nothing takes the place of a list, or is appended to it, while it is read.
  private let claim: FileClaim?
  /// Where the list begins in its file.
  private var start: off_t
  /// Where the next byte of a file is; nil of a pipe.
  private var position: off_t?
  private var buffer: [UInt8] = []
  private var next = 0
  private var hasEnded = false
  private static let blockSize = 1 << 16
  /// More than any path and any line that describes one.
  private static let longestEntry = 1 << 20
  /// How many empty entries were passed since the last one.
  private var passed = 0
  /// What is shown as progress is not worth more than a moment.
  private static let mostCounted: off_t = 1 << 30

  /// - Parameters:
  ///   - path: a file; `-` is standard input.
  ///   - endsWithNull: whether a zero byte ends each entry, and not a line break.
  convenience init(path: String, endsWithNull: Bool) throws(AudioError) {
    if path == "-" {
      try self.init(descriptor: 0, named: "standard input", endsWithNull: endsWithNull)
    } else {
      try self.init(
        // Whoever writes to a named pipe may come later.
        descriptor: openFile(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, action: "read"), named: path,
        endsWithNull: endsWithNull)
    }
  }

  /// - Parameter descriptor: closed with the reader, unless it is standard input.
  private init(
    descriptor: Int32, named name: String, endsWithNull: Bool
  ) throws(AudioError) {
    (self.descriptor, self.name, self.endsWithNull) = (descriptor, name, endsWithNull)
    do throws(AudioError) {
      claim = try FileClaim(.kept, name, descriptor: descriptor)
      try Self.requireNotPrinted(descriptor, name)
    } catch {
      if descriptor != 0 { close(descriptor) }
      throw error
    }
    start = max(0, lseek(descriptor, 0, SEEK_CUR))
    position = claim == nil ? nil : start
  }

  /// A list that gets what is printed of its files would never end.
  private static func requireNotPrinted(
    _ descriptor: Int32, _ name: String
  ) throws(AudioError) {
    guard let list = FileIdentity(ofOpenFile: descriptor) else { return }
    for (stream, what) in [(Int32(1), "standard output"), (2, "standard error")]
    where FileIdentity(ofOpenFile: stream) == list {
      throw AudioError(
        .invalidParameter, cannot: "read the list", name, because: "\(what) is appended to it",
        advice: "send that to another file")
    }
  }

  /// The same list, which can be gone through more than once: what comes through a pipe is copied to a temporary
  /// file first, up to its end.
  ///
  /// - Parameter isInterrupted: whether to give up, where the copy ends early.
  /// - Throws: `unsupported` where that would be longer than ``SoundFileSource/usualSpoolLimit``.
  func repeatable(until isInterrupted: () -> Bool) throws(AudioError) -> ListReader {
    guard position == nil else { return self }
    let file = try SpooledFile.makeUnnamed()
    let copy = try ListReader(descriptor: file, named: name, endsWithNull: endsWithNull)
    var (block, size): ([UInt8], Int64) = ([], 0)
    func flush() throws(AudioError) {
      size += Int64(block.count)
      guard size <= SoundFileSource.usualSpoolLimit else {
        throw AudioError(
          .unsupported, cannot: "spool to a temporary file what comes from", name,
          because: "it is more than \(SoundFileSource.usualSpoolLimit) bytes")
      }
      try writeAll(block, to: file) { (code) throws(AudioError) in
        if code != EINTR {
          throw AudioError(
            systemCode: code, cannot: "spool to a temporary file what comes from", name)
        }
      }
      block.removeAll(keepingCapacity: true)
    }
    while !isInterrupted() {
      guard try hasEntry() else {
        _ = isReadable(within: 100)
        continue
      }
      guard let entry = try nextEntry() else { break }
      block += entry
      block.append(separator)
      if block.count >= Self.blockSize { try flush() }
    }
    try flush()
    return copy
  }

  /// Another reader of the same file, at its beginning. Any thread.
  func reread() throws(AudioError) -> ListReader {
    let descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else {
      throw AudioError(systemCode: errno, cannot: "read the list", name)
    }
    let reader = try ListReader(descriptor: descriptor, named: name, endsWithNull: endsWithNull)
    (reader.start, reader.position) = (start, start)
    return reader
  }

  private var separator: UInt8 { endsWithNull ? 0 : UInt8(ascii: "\n") }

  deinit { if descriptor != 0 { close(descriptor) } }

  /// Whether the next entry is there without waiting for whoever writes the list.
  func hasEntry() throws(AudioError) -> Bool {
    while try !isEntryRead() {
      guard isReadable(within: 0) else { return false }
      try fill()
    }
    return true
  }

  /// The next entry that is not empty; nil at the end.
  func nextEntry() throws(AudioError) -> ArraySlice<UInt8>? {
    while try !isEntryRead() {
      if isReadable(within: -1) { try fill() }
    }
    let end = buffer[next...].firstIndex(of: separator) ?? buffer.endIndex
    let entry = buffer[next..<end]
    next = min(end + 1, buffer.endIndex)
    passed = 0
    return entry.isEmpty ? nil : entry
  }

  /// Passes empty entries, and looks whether the next one, or the end, has been read.
  private func isEntryRead() throws(AudioError) -> Bool {
    let rest = buffer[next...].firstIndex { $0 != separator } ?? buffer.endIndex
    passed += rest - next
    next = rest
    guard passed < Self.longestEntry else {
      throw AudioError(
        .malformed, cannot: "read the list", name, because: "1 MiB of it is empty entries")
    }
    return hasEnded || buffer[next...].contains(separator)
  }

  /// - Parameter limit: in milliseconds; -1 = for ever, or until a signal.
  private func isReadable(within limit: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&request, 1, limit) == 1
  }

  /// How many entries it has that are not empty; nil where it is no file, is very long, or cannot be read. To be called before
  /// the first entry is read, which it is none the nearer for.
  func countEntries() -> Int? {
    guard position != nil else { return nil }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_size - start <= Self.mostCounted
    else { return nil }
    var block = [UInt8](repeating: 0, count: Self.blockSize)
    var position = start
    var (entries, last) = (0, separator)
    while true {
      let count = unsafe block.withUnsafeMutableBytes { bytes in
        unsafe pread(descriptor, bytes.baseAddress, bytes.count, position)
      }
      guard count >= 0 else { return nil }
      if count == 0 { return entries }
      position += count
      // An entry begins behind each separator that no other one follows.
      for byte in block[..<count] {
        if last == separator, byte != separator { entries += 1 }
        last = byte
      }
    }
  }

  private func fill() throws(AudioError) {
    buffer.removeFirst(next)
    next = 0
    guard buffer.count < Self.longestEntry else {
      throw AudioError(
        .malformed, cannot: "read the list", name, because: "an entry is longer than 1 MiB",
        advice: "entries end with line breaks, with zero bytes only with --null")
    }
    let start = buffer.count
    buffer += [UInt8](repeating: 0, count: Self.blockSize)
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      let target = unsafe bytes.baseAddress.map { unsafe $0 + start }
      guard let position else { return unsafe read(descriptor, target, Self.blockSize) }
      return unsafe pread(descriptor, target, Self.blockSize, position)
    }
    buffer.removeLast(Self.blockSize - max(count, 0))
    position = position.map { $0 + max(count, 0) }
    if count == 0 { hasEnded = true }
    if count < 0, errno != EINTR, errno != EAGAIN {
      throw AudioError(systemCode: errno, cannot: "read the list", name)
    }
  }
}

extension ListReader {
  /// What an entry says.
  ///
  /// - Throws: `malformed`, without the name of the list.
  func file(of entry: ArraySlice<UInt8>, number: Int) throws(AudioError) -> ListedFile {
    var file =
      endsWithNull
      ? ListedFile(Pathname(bytes: entry).text, number: number)
      : try ListedFile(line: entry, number: number)
    file.source = ListedFile.file(named: file.source)
    return file
  }
}

/// Opens a file of the command's own.
func openFile(_ path: String, _ flags: Int32, action: String) throws(AudioError) -> Int32 {
  let descriptor = unsafe open(Pathname(path).cString, flags, 0o666)
  guard descriptor >= 0 else { throw AudioError(systemCode: errno, cannot: action, path) }
  return descriptor
}
