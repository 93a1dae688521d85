// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The lines of a log, by which a file of another kind is told.
package struct LogKind: Sendable {
  /// The first line of a new file, with its end; empty = none.
  package let head: [UInt8]
  /// Whether a file begins like this. It gets at most ``LogKind/beginningSize`` bytes.
  package let matches: @Sendable ([UInt8]) -> Bool
  package static let beginningSize = 256

  package init(head: [UInt8] = [], matches: @escaping @Sendable ([UInt8]) -> Bool) {
    self.head = head
    self.matches = matches
  }

  /// - Parameter beginning: the first bytes of each file. A run that was killed may have written fewer.
  package init(head: [UInt8] = [], beginning: [UInt8]) {
    self.init(head: head) { $0.starts(with: beginning) || beginning.starts(with: $0) }
  }
}

/// A log: a file of lines that several runs, and several programs at once, extend.
///
/// A write goes to the end of the file (`O_APPEND`) and holds whole lines, so those of two programs never mix. A line that
/// a full disk or a kill cut is ended before the next one. One thread at a time.
package final class LogFile {
  package let path: String
  private let kind: LogKind
  private let isNameGenerated: Bool
  /// Nil until the first line of a new file.
  private var descriptor: FileDescriptor?
  /// The claim of a new file's place.
  private var claim: FileClaim?
  /// Whether the last line has no end.
  private var isCut = false

  /// Opens an existing log, or checks that a new one can be made: its first line makes it.
  ///
  /// - Parameters:
  ///   - path: a regular file, or none yet.
  ///   - isNameGenerated: whether a pattern makes the name, at which no link is followed.
  /// - Throws: `alreadyExists` for a file of another kind; `notFound` (the directory), `unavailable`;
  ///   `invalidParameter` if the file is another output too, or an input.
  package init(
    path: String, _ kind: LogKind, isNameGenerated: Bool = false
  ) throws(AudioError) {
    self.path = path
    self.kind = kind
    self.isNameGenerated = isNameGenerated
    let target = try OutputTarget(path, overwrites: true, isNameGenerated: isNameGenerated)
    if target.kind == .new {
      try OutputFile.check(path: path, overwrites: true, isNameGenerated: isNameGenerated)
      claim = try FileClaim(.appended, path, file: nil, place: target.place)
    } else {
      _ = try opened()
    }
  }

  /// Appends lines that each have their end, in one write.
  ///
  /// - Throws: the error of the write; lines in front of a cut one are in the file.
  package func append(_ lines: [UInt8]) throws(AudioError) {
    let descriptor = try opened()
    var rest = lines[...]
    while !rest.isEmpty {
      let bytes = (isCut ? [Self.lineEnd] : []) + rest
      let count = unsafe bytes.withUnsafeBytes { bytes in
        unsafe descriptor.writeSome(bytes, at: nil)
      }
      guard count > 0 else {
        throw AudioError(systemCode: count == 0 ? ENOSPC : errno, cannot: "write to", path)
      }
      let written = bytes.prefix(count)
      isCut = written.last != Self.lineEnd
      // A line that was cut is written again as a whole.
      guard let end = written.lastIndex(of: Self.lineEnd) else { continue }
      rest = rest.dropFirst(end + 1 - (bytes.count - rest.count))
    }
  }

  private static let lineEnd = UInt8(ascii: "\n")

  private func opened() throws(AudioError) -> FileDescriptor {
    if let descriptor { return descriptor }
    let opened = try FileDescriptor(
      opening: Pathname(path),
      flags: O_RDWR | O_APPEND | O_CREAT | (isNameGenerated ? O_NOFOLLOW | O_NONBLOCK : 0),
      action: "write to", name: path)
    if isNameGenerated { try opened.requireRegular() }
    let start = try opened.bytes(LogKind.beginningSize, at: 0)
    guard start.isEmpty || kind.matches(start) else {
      throw AudioError(
        .alreadyExists, cannot: "append to", path, because: "it is a file of another kind",
        advice: "give the log a name of its own")
    }
    claim = nil
    try opened.claim(.appended, at: try OutputTarget(path, overwrites: true).place)
    if start.isEmpty {
      try writeHead(to: opened)
    } else {
      isCut = try opened.bytes(1, at: try opened.size() - 1) != [Self.lineEnd]
    }
    descriptor = opened
    return opened
  }

  /// Writes the first line, unless another program does so at the same time.
  private func writeHead(to file: FileDescriptor) throws(AudioError) {
    guard !kind.head.isEmpty else { return }
    _ = SystemCall.retrying { flock(file.number, LOCK_EX) }
    defer { flock(file.number, LOCK_UN) }
    if try file.size() == 0 { _ = try file.append(kind.head) }
  }
}

/// A log whose file may change with the time: each line goes to the file of that name. One thread at a time.
package final class LogSeries {
  private let kind: LogKind
  private let isNameGenerated: Bool
  private let path: @Sendable () throws(AudioError) -> String
  private var file: LogFile

  /// - Parameters:
  ///   - isNameGenerated: whether a pattern makes the names.
  ///   - path: gives the present file, and makes its folders.
  /// - Throws: as ``LogFile/init(path:_:isNameGenerated:)``.
  package init(
    _ kind: LogKind, isNameGenerated: Bool,
    path: @escaping @Sendable () throws(AudioError) -> String
  ) throws(AudioError) {
    self.kind = kind
    self.isNameGenerated = isNameGenerated
    self.path = path
    file = try LogFile(path: try path(), kind, isNameGenerated: isNameGenerated)
  }

  /// Appends lines that each have their end, in one write. After an error later lines are tried again.
  package func append(_ lines: [UInt8]) throws(AudioError) {
    let path = try path()
    if path != file.path {
      file = try LogFile(path: path, kind, isNameGenerated: isNameGenerated)
    }
    try file.append(lines)
  }
}
