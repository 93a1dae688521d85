// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import Glibc

/// A line of JSON for each item, in a file or on standard output. Each is written whole, at once, so that several
/// processes may append to one file.
///
/// Main thread only.
final class ResultLines {
  private let path: String
  private let descriptor: Int32

  /// - Parameter path: a file, which is begun or gone on with; `-` is standard output.
  init(path: String) throws(AudioError) {
    self.path = path
    guard path != "-" else {
      descriptor = -1
      return
    }
    descriptor = try openFile(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, action: "write to")
    try endPartialLine()
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func write(_ value: JSONValue, on console: Console) throws {
    let line = value.compact + "\n"
    guard descriptor >= 0 else { return try console.print(line) }
    try append(Array(line.utf8))
  }

  /// A run that was killed, or a full disk, may have left a part of a line.
  private func endPartialLine() throws(AudioError) {
    let size = lseek(descriptor, 0, SEEK_END)
    guard size > 0 else { return }
    var last: UInt8 = 0
    if unsafe pread(descriptor, &last, 1, size - 1) == 1, last != UInt8(ascii: "\n") {
      try append([UInt8(ascii: "\n")])
    }
  }

  private func append(_ bytes: [UInt8]) throws(AudioError) {
    try writeAll(bytes, to: descriptor) { (code) throws(AudioError) in
      if code != EINTR { throw AudioError(systemCode: code, cannot: "write to", path) }
    }
  }
}
