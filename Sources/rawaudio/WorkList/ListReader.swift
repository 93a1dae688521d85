// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore
internal import Glibc

/// Reads the entries of a list on demand, in constant memory for a list of any length.
///
/// Main thread only.
final class ListReader {
  let name: String
  /// Whether entries end with a zero byte instead of a line break.
  let endsWithNull: Bool
  private let descriptor: Int32
  /// Keeps the list from being replaced or appended to while it is read.
  private let claim: FileClaim?
  /// The offset of the list's start in its file.
  private var start: off_t
  /// The offset of the next byte of a file. Nil for a pipe.
  private var position: off_t?
  private var buffer: [UInt8] = []
  private var next = 0
  private var hasEnded = false
  private static let blockSize = 1 << 16
  /// The limit of an entry, in bytes. It exceeds any path and any line for one.
  private static let longestEntry = 1 << 20
  /// The number of empty entries skipped since the last entry.
  private var passed = 0
  /// The largest list in bytes that is counted: a total for the progress line is worth only a moment.
  private static let mostCounted: off_t = 1 << 30

  /// - Parameters:
  ///   - path: a file, or `-` for standard input.
  ///   - endsWithNull: whether entries end with a zero byte instead of a line break.
  convenience init(path: String, endsWithNull: Bool) throws(AudioError) {
    if path == "-" {
      try self.init(descriptor: 0, named: "standard input", endsWithNull: endsWithNull)
    } else {
      try self.init(
        // The writer of a named pipe may open it later.
        descriptor: openFile(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, action: "read"), named: path,
        endsWithNull: endsWithNull)
    }
  }

  /// - Parameter descriptor: closed with the reader, unless it is standard input.
  private init(
    descriptor: Int32, named name: String, endsWithNull: Bool
  ) throws(AudioError) {
    self.descriptor = descriptor
    self.name = name
    self.endsWithNull = endsWithNull
    do throws(AudioError) {
      claim = try FileClaim(.kept, name, descriptor: descriptor)
    } catch {
      if descriptor != 0 { close(descriptor) }
      throw error
    }
    start = max(0, lseek(descriptor, 0, SEEK_CUR))
    position = claim == nil ? nil : start
  }

  /// Returns a reader of this list that can be read repeatedly. A pipe is first copied to a temporary file, up to its
  /// end.
  ///
  /// - Parameter control: any request stops the copy early.
  /// - Throws: `unsupported` if the copy would exceed ``SoundFileSource/usualSpoolLimit``.
  func repeatable(until control: SessionControl) throws(AudioError) -> ListReader {
    guard position == nil else { return self }
    let file = try SpooledFile.makeUnnamed()
    let copy = try ListReader(descriptor: file, named: name, endsWithNull: endsWithNull)
    var (block, size): ([UInt8], Int64) = ([], 0)
    func flush() throws(AudioError) {
      size += Int64(block.count)
      guard size <= SoundFileSource.usualSpoolLimit else {
        throw AudioError(
          .unsupported, cannot: "spool to a temporary file the data of", name,
          because: "it is more than \(SoundFileSource.usualSpoolLimit) bytes")
      }
      try writeAll(block, to: file) { (code) throws(AudioError) in
        if code != EINTR {
          throw AudioError(
            systemCode: code, cannot: "spool to a temporary file the data of", name)
        }
      }
      block.removeAll(keepingCapacity: true)
    }
    while control.request == nil {
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

  /// Returns another reader of the file, at the list's start. Any thread.
  func reread() throws(AudioError) -> ListReader {
    let descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else {
      throw AudioError(systemCode: errno, cannot: "read the list", name)
    }
    let reader = try ListReader(descriptor: descriptor, named: name, endsWithNull: endsWithNull)
    reader.start = start
    reader.position = start
    return reader
  }

  private var separator: UInt8 { endsWithNull ? 0 : UInt8(ascii: "\n") }

  deinit { if descriptor != 0 { close(descriptor) } }

  /// Whether the next entry can be read without waiting for the list's writer.
  func hasEntry() throws(AudioError) -> Bool {
    while try !isEntryRead() {
      guard isReadable(within: 0) else { return false }
      try fill()
    }
    return true
  }

  /// Returns the next entry, skipping empty ones. Nil at the end.
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

  /// Skips empty entries. Returns whether the next entry, or the end, is in the buffer.
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

  /// - Parameter limit: in milliseconds; -1 = until input or a signal.
  private func isReadable(within limit: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&request, 1, limit) == 1
  }

  /// Returns the number of nonempty entries. Nil if the list is no file, is very long, or cannot be read. Call it
  /// before the first entry is read. It does not move the reading position.
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
      // An entry begins after a separator without another separator next.
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
  /// Parses an entry.
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

  /// An entry as an item.
  func item(of entry: ArraySlice<UInt8>, number: Int) -> ListItem {
    do throws(AudioError) {
      return .file(try file(of: entry, number: number))
    } catch {
      return .malformed(
        AudioError(
          .malformed, cannot: "read", name, because: "item \(number): \(error.reason)",
          advice: "a path that begins with a brace is written with ./ in front"),
        id: ListedFile.id(ofLine: entry))
    }
  }
}
