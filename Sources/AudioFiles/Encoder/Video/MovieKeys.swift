// SPDX-License-Identifier: Apache-2.0
/// Texts of an MP4 or QuickTime movie under names of any kind, such as `com.android.version`: a metadata box with a list
/// of keys, beside the box with the names that all players know.
///
/// ffmpeg writes either this box or the other one. This is appended to the movie box, which ffmpeg writes last.
/// Source: QuickTime File Format Specification, "Metadata".
enum MovieKeys {
  /// Only a fabricated file has more.
  private static let mostBytes = 1 << 22

  /// Appends texts to a complete file. Does nothing if its last box is no movie box.
  ///
  /// - Parameters:
  ///   - source: the file that the texts are of: values with a type, such as numbers, are copied from it.
  ///   - isQuickTime: whether the file is a QuickTime movie, where a metadata box has no version.
  /// - Throws: `inputOutput`.
  static func append(
    _ texts: [VideoContent.Text], of source: FileDescriptor?, to file: FileDescriptor,
    isQuickTime: Bool
  ) throws(AudioError) {
    let size = try file.size()
    let window = try FileWindow(of: file, 0..<size)
    guard !texts.isEmpty, let movie = try MovieBoxes.all(in: window, window.range).last,
      movie.name.has("moov", at: 0), movie.content.lowerBound == movie.start + 8
    else { return }
    let stored = try source.map { (source) throws(AudioError) in try storedValues(of: source) }
    let box = box(
      texts.map { ($0.name, stored?[$0.name] ?? value($0.value)) }, isQuickTime: isQuickTime)
    let movieSize = size - movie.start + Int64(box.count)
    guard let stated = UInt32(exactly: movieSize) else { return }
    try file.write(box, at: size)
    var bytes: [UInt8] = []
    bytes.append(stated, 4, .big)
    try file.write(bytes, at: movie.start)
  }

  /// A metadata box. Each entry has its key and its values as boxes.
  private static func box(
    _ entries: [(key: String, values: [UInt8])], isQuickTime: Bool
  ) -> [UInt8] {
    let handler =
      [UInt8](repeating: 0, count: 8) + Array("mdta".utf8) + [UInt8](repeating: 0, count: 13)
    var keys = [UInt8](repeating: 0, count: 4)
    var items = [UInt8]()
    keys.append(entries.count, 4, .big)
    for (index, entry) in entries.enumerated() {
      keys += box("mdta", Array(entry.key.utf8))
      var number: [UInt8] = []
      number.append(index + 1, 4, .big)
      items += box(number, entry.values)
    }
    let version = isQuickTime ? [] : [UInt8](repeating: 0, count: 4)
    return box("meta", version + box("hdlr", handler) + box("keys", keys) + box("ilst", items))
  }

  /// A value of UTF-8, type 1, for any country and language.
  private static func value(_ text: String) -> [UInt8] {
    box("data", [0, 0, 0, 1, 0, 0, 0, 0] + Array(text.utf8))
  }

  private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    box(Array(name.utf8), content)
  }

  private static func box(_ name: [UInt8], _ content: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(content.count + 8, 4, .big)
    return bytes + name + content
  }

  /// The values of a file's keys, as boxes; empty if the file has no keys.
  private static func storedValues(
    of file: FileDescriptor
  ) throws(AudioError) -> [String: [UInt8]] {
    let window = try FileWindow(of: file, 0..<file.size())
    guard let movie = try MovieBoxes.first("moov", in: window, window.range) else { return [:] }
    var places = [movie]
    if let userData = try MovieBoxes.first("udta", in: window, movie) { places.append(userData) }
    for place in places {
      guard let meta = try MovieBoxes.first("meta", in: window, place) else { continue }
      let head = try window.bytes(8, at: meta.lowerBound)
      // In MP4 a version stands in front of the boxes.
      let isPlain = head.has("hdlr", at: 4)
      let start = meta.lowerBound + (isPlain ? 0 : 4)
      guard start <= meta.upperBound else { continue }
      let content = start..<meta.upperBound
      guard let keys = try MovieBoxes.first("keys", in: window, content),
        let items = try MovieBoxes.first("ilst", in: window, content)
      else { continue }
      return try values(in: window, keys, items)
    }
    return [:]
  }

  private static func values(
    in window: FileWindow, _ keys: Range<Int64>, _ items: Range<Int64>
  ) throws(AudioError) -> [String: [UInt8]] {
    guard keys.count + items.count <= mostBytes, keys.count >= 8 else { return [:] }
    var names: [String] = []
    for box in try MovieBoxes.all(in: window, keys.lowerBound + 8..<keys.upperBound) {
      let bytes = try window.bytes(box.content.count, at: box.content.lowerBound)
      names.append(String(decoding: bytes, as: UTF8.self))
    }
    var values: [String: [UInt8]] = [:]
    for box in try MovieBoxes.all(in: window, items) {
      let number = Int(box.name.integer(at: 0, 4, .big))
      guard (1...max(1, names.count)).contains(number), number <= names.count else { continue }
      values[names[number - 1]] = try window.bytes(box.content.count, at: box.content.lowerBound)
    }
    return values
  }
}
