// SPDX-License-Identifier: Apache-2.0
/// The boxes of an MPEG-4 or QuickTime file. Source: ISO/IEC 14496-12, 4.2.
enum MovieBoxes {
  /// A box: its four characters, its content, and the place where it begins.
  struct Box {
    let name: [UInt8]
    let start: Int64
    let content: Range<Int64>
  }

  /// Only a fabricated file has more boxes side by side.
  private static let mostBoxes = 10_000

  /// The content of the first box of a name in `range`; nil if there is none.
  static func first(
    _ name: String, in file: FileWindow, _ range: Range<Int64>
  ) throws(AudioError) -> Range<Int64>? {
    var offset = range.lowerBound
    for _ in 0..<mostBoxes {
      guard let box = try box(at: offset, in: file, range) else { return nil }
      if box.name.has(name, at: 0) { return box.content }
      offset = box.content.upperBound
    }
    return nil
  }

  /// The content of a box within boxes, by the path to it; nil if there is none.
  static func first(
    _ path: [String], in file: FileWindow, _ range: Range<Int64>
  ) throws(AudioError) -> Range<Int64>? {
    var content = range
    for name in path {
      guard let inner = try first(name, in: file, content) else { return nil }
      content = inner
    }
    return content
  }

  /// All boxes in `range`, up to the first that exceeds it.
  static func all(
    in file: FileWindow, _ range: Range<Int64>
  ) throws(AudioError) -> [Box] {
    var boxes: [Box] = []
    var offset = range.lowerBound
    while boxes.count < mostBoxes, let box = try box(at: offset, in: file, range) {
      boxes.append(box)
      offset = box.content.upperBound
    }
    return boxes
  }

  /// The box that begins at `offset`; nil at the end of `range`, and for one that exceeds it.
  private static func box(
    at offset: Int64, in file: FileWindow, _ range: Range<Int64>
  ) throws(AudioError) -> Box? {
    guard offset + 8 <= range.upperBound else { return nil }
    let head = try file.bytes(16, at: offset)
    guard head.count >= 8 else { return nil }
    var size = Int64(head.integer(at: 0, 4, .big))
    var start = Int64(8)
    if size == 1, head.count == 16 {
      size = Int64(clamping: head.integer(at: 8, 8, .big))
      start = 16
    } else if size == 0 {
      size = range.upperBound - offset
    }
    guard size >= start, size <= range.upperBound - offset else { return nil }
    return Box(name: Array(head[4..<8]), start: offset, content: offset + start..<offset + size)
  }
}
