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

/// The lines of a text in UTF-8, without line breaks. Each becomes a string when it is asked for.
struct TableLines: Sendable, RandomAccessCollection {
  private let bytes: [UInt8]
  /// The first byte of each line, and of one behind the last.
  private let starts: [UInt32]

  /// - Parameter bytes: with or without a byte order mark.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    let lineFeed = UInt8(ascii: "\n")
    var starts: [UInt32] = []
    starts.reserveCapacity(bytes.count { $0 == lineFeed } + 2)
    starts.append(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    for (place, byte) in bytes.enumerated() where byte == lineFeed {
      starts.append(UInt32(place + 1))
    }
    starts.append(UInt32(bytes.count + 1))
    self.starts = starts
  }

  var startIndex: Int { 0 }
  var endIndex: Int { starts.count - 1 }

  subscript(index: Int) -> String {
    let line = bytes[Int(starts[index])..<Int(starts[index + 1]) - 1]
    return String(
      decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
  }
}
