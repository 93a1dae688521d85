// SPDX-License-Identifier: Apache-2.0
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
  private var buffer: [UInt8] = []
  private var next = 0
  private var hasEnded = false
  private static let blockSize = 1 << 16
  /// More than any path and any line that describes one.
  private static let longestEntry = 1 << 20

  /// - Parameters:
  ///   - path: a file; `-` is standard input.
  ///   - endsWithNull: whether a zero byte ends each entry, and not a line break.
  init(path: String, endsWithNull: Bool) throws(AudioError) {
    self.endsWithNull = endsWithNull
    guard path != "-" else {
      (name, descriptor) = ("standard input", 0)
      return
    }
    name = path
    descriptor = try openFile(path, O_RDONLY | O_CLOEXEC, action: "read")
  }

  private var separator: UInt8 { endsWithNull ? 0 : UInt8(ascii: "\n") }

  deinit { if descriptor != 0 { close(descriptor) } }

  /// Whether the next entry is there without waiting for whoever writes the list.
  func hasEntry() throws(AudioError) -> Bool {
    while !hasEnded, buffer[next...].firstIndex(of: separator) == nil {
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&request, 1, 0) == 1 else { return false }
      try fill()
    }
    return true
  }

  /// The next entry that is not empty; nil at the end.
  func nextEntry() throws(AudioError) -> ArraySlice<UInt8>? {
    while true {
      while !hasEnded, buffer[next...].firstIndex(of: separator) == nil { try fill() }
      let end = buffer[next...].firstIndex(of: separator) ?? buffer.endIndex
      let entry = buffer[next..<end]
      if entry.isEmpty, end == buffer.endIndex { return nil }
      next = min(end + 1, buffer.endIndex)
      if !entry.isEmpty { return entry }
    }
  }

  /// How many entries it has that are not empty; nil where it is no file, or cannot be read. To be called before
  /// the first entry is read, which it is none the nearer for.
  func countEntries() -> Int? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    var block = [UInt8](repeating: 0, count: Self.blockSize)
    var position = lseek(descriptor, 0, SEEK_CUR)
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
      unsafe read(descriptor, bytes.baseAddress.map { unsafe $0 + start }, Self.blockSize)
    }
    buffer.removeLast(Self.blockSize - max(count, 0))
    if count == 0 { hasEnded = true }
    if count < 0, errno != EINTR, errno != EAGAIN {
      throw AudioError(systemCode: errno, cannot: "read the list", name)
    }
  }
}

/// Opens a file of the command's own.
func openFile(_ path: String, _ flags: Int32, action: String) throws(AudioError) -> Int32 {
  let descriptor = unsafe open(Pathname(path).cString, flags, 0o666)
  guard descriptor >= 0 else { throw AudioError(systemCode: errno, cannot: action, path) }
  return descriptor
}
