// SPDX-License-Identifier: Apache-2.0
extension Metadata {
  /// Removes zero bytes for files in which one ends a text. A tag is split into two texts of one name. In other texts
  /// the zero byte becomes a space. The changes are counted in an omission.
  ///
  /// - Parameter container: the name for users.
  func withoutZeroBytes(in container: String) -> Metadata {
    var other = self
    var count = 0
    func spaced(_ text: inout String) {
      guard text.utf8.contains(0) else { return }
      count += 1
      text = text.split(separator: "\0").joined(separator: " ")
    }
    if tags.entries.contains(where: { $0.value.utf8.contains(0) }) {
      var texts = Tags()
      for tag in tags.entries {
        let parts = tag.value.split(separator: "\0")
        if tag.value.utf8.contains(0) { count += 1 }
        for part in parts { texts.append(tag.key, String(part)) }
      }
      other.tags = texts
    }
    for index in markers.indices where markers[index].hasZeroBytes {
      spaced(&other.markers[index].label)
      spaced(&other.markers[index].note)
      spaced(&other.markers[index].text)
    }
    for index in pictures.indices where pictures[index].hasZeroBytes {
      spaced(&other.pictures[index].mimeType)
      spaced(&other.pictures[index].description)
    }
    if count > 0 {
      other.omissions.append(
        .init(
          count == 1 ? "zero byte in a text" : "zero bytes in \(count) texts",
          because: "in \(container) one ends a text"))
    }
    return other
  }
}

extension Metadata.Marker {
  fileprivate var hasZeroBytes: Bool { [label, note, text].contains { $0.utf8.contains(0) } }
}

extension Metadata.Picture {
  fileprivate var hasZeroBytes: Bool { [mimeType, description].contains { $0.utf8.contains(0) } }
}
