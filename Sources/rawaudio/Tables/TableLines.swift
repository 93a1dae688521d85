// SPDX-License-Identifier: Apache-2.0
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
