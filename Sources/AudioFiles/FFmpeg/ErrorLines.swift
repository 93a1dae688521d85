// SPDX-License-Identifier: Apache-2.0
/// The beginning of the standard error of one of ffmpeg's programs, kept in memory. The rest is lost, so that the program
/// never waits for us and its lines take a bounded amount of memory.
///
/// Session thread only.
final class ErrorLines {
  /// The descriptor that the program inherits.
  let descriptor: FileDescriptor

  /// The number of bytes that are kept.
  private let length: Int
  /// The number of bytes that ``printedNumbers()`` has read.
  private var readCount: Int64 = 0

  init(of program: String, length: Int = 4_096) throws(AudioError) {
    self.length = length
    descriptor = try SpooledFile.inMemory(ofSize: length, named: program)
  }

  /// The most characters of a line in ``first``.
  private static let mostCharacters = 160

  /// The first line with text, without ffmpeg's prefixes: `[mp3 @ 0x55d0c]`, the file's name.
  var first: String? { lines.lazy.map(Self.withoutOrigin).first { !$0.isEmpty } }

  /// The part of ffmpeg that wrote that line: `mp3` of `[mp3 @ 0x55d0c]`; nil if the line names none.
  var firstOrigin: String? {
    guard let line = lines.first(where: { !Self.withoutOrigin($0).isEmpty }), line.hasPrefix("[")
    else { return nil }
    return line.dropFirst().split(separator: " ").first.map(String.init)
  }

  /// Whether a line has one of these texts.
  func contains(oneOf texts: [String]) -> Bool {
    lines.contains { line in texts.contains { line.place(of: $0) != nil } }
  }

  /// Whether more was written than is kept.
  var isFull: Bool { (try? descriptor.bytes(1, at: Int64(length) - 1)) ?? [0] != [0] }

  /// The numbers that `print` of ffmpeg's expressions has written since the last call, each in a line of its own.
  func printedNumbers() -> [Double] {
    var numbers: [Double] = []
    while let bytes = try? descriptor.bytes(4_096, at: readCount),
      let end = bytes.prefix(while: { $0 != 0 }).lastIndex(of: 0x0A)
    {
      readCount += Int64(end + 1)
      numbers += Self.lines(of: bytes[..<end]).compactMap { Self.number($0) }
    }
    return numbers
  }

  private var lines: [String] {
    guard let bytes = try? descriptor.bytes(length, at: 0) else { return [] }
    return Self.lines(of: bytes[...]).filter { Self.number($0) == nil }
  }

  private static func lines(of bytes: ArraySlice<UInt8>) -> [String] {
    bytes.split(whereSeparator: { $0 == 0 || $0 == 0x0A || $0 == 0x0D })
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// The number that is all of a line; nil for other lines.
  private static func number(_ line: String) -> Double? {
    let text = withoutOrigin(line)
    return text.first.map { $0 == "-" || $0.isWholeNumber } ?? false ? Double(text) : nil
  }

  private static func withoutOrigin(_ line: String) -> String {
    var text = line[...]
    while text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      text = text[text.index(after: end)...].drop { $0 == " " }
    }
    if text.hasPrefix("file:"), let end = text.range(of: ": ") { text = text[end] }
    while text.last == "." || text.last == " " { text = text.dropLast() }
    return String(text.prefix(mostCharacters))
  }
}

extension Substring {
  /// The range behind the last occurrence of `words`.
  fileprivate func range(of words: String) -> PartialRangeFrom<Index>? {
    var place = endIndex
    while place > startIndex {
      place = index(before: place)
      if self[place...].hasPrefix(words) { return index(place, offsetBy: words.count)... }
    }
    return nil
  }
}
