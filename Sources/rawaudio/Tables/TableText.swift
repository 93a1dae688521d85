// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import Glibc

/// The lines of a table.
struct TableText: Sendable {
  let name: String
  let lines: TableLines
  /// Keeps the table from being an output. Nil for a stream.
  let claim: FileClaim?

  /// The largest table in bytes. A list, which is not kept, has no limit.
  static let largest = 16 << 20

  /// - Parameter path: a file, or `-` for standard input.
  init(path: String) throws(AudioError) {
    let isStandardInput = path == "-"
    name = isStandardInput ? "standard input" : path
    let descriptor =
      isStandardInput ? 0 : try openFile(path, O_RDONLY | O_CLOEXEC, action: "read")
    defer { if !isStandardInput { close(descriptor) } }
    var status = stat()
    if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size > Self.largest
    {
      throw Self.tooLarge(name, "it is larger than \(Self.largest >> 20) MiB")
    }
    claim = try FileClaim(.kept, name, descriptor: descriptor)
    let bytes = try Self.bytes(descriptor, name)
    lines = TableLines(bytes)
    guard !bytes.contains(0) else {
      throw AudioError(
        .malformed, cannot: "read the table", name, because: "it is no text in UTF-8",
        advice: "save it as UTF-8")
    }
  }

  init(named name: String, _ bytes: [UInt8]) {
    (self.name, lines, claim) = (name, TableLines(bytes), nil)
  }

  /// The first lines that are not empty, at most 200: a list of chapters may stand behind a description.
  var beginning: [String] {
    Array(lines.lazy.filter { $0.contains { !$0.isWhitespace } }.prefix(200))
  }

  static func tooLarge(_ name: String, _ reason: String) -> AudioError {
    AudioError(
      .unsupported, cannot: "read the table", name, because: reason,
      advice: "give its rows as lines of JSON to --list, which has no limit")
  }

  private static func bytes(_ descriptor: Int32, _ name: String) throws(AudioError) -> [UInt8] {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe block.withUnsafeMutableBytes { buffer in
        unsafe read(descriptor, buffer.baseAddress, buffer.count)
      }
      if count == 0 { return bytes }
      guard count > 0 else {
        if errno == EINTR { continue }
        throw AudioError(systemCode: errno, cannot: "read the table", name)
      }
      bytes += block[..<count]
      if bytes.count > largest {
        throw tooLarge(name, "it is larger than \(largest >> 20) MiB")
      }
    }
  }
}
