// SPDX-License-Identifier: Apache-2.0
extension Metadata {
  /// What of pieces describes the encoder that made their file. Another one makes the next.
  private static let ofEncoder: Set = ["ENCODER", "ENCODER_OPTIONS", "ENCODERSETTINGS"]

  /// The texts as they hold for samples that are encoded anew: without what pieces say of the encoder that made them.
  var textsOfSound: Tags {
    let keys = Self.ofEncoder.filter { !tags[$0].isEmpty }
    guard !keys.isEmpty else { return tags }
    var texts = tags
    let stated = Metadata(interpreting: chunks).tags
    let old = keys.filter { tags[$0] == stated[$0] }
    texts.removeAll(where: old.contains)
    return texts
  }

  /// Without the texts of the encoder that made the file.
  var withoutTextsOfEncoder: Metadata {
    var other = self
    other.tags.removeAll(where: Self.ofEncoder.contains)
    return other
  }

  /// Replaces the texts by those of another file, and the pictures where that has some. What was not read of its texts
  /// and pictures is lost, and named.
  public mutating func takeTexts(from other: Metadata) {
    tags = other.tags
    if !other.pictures.isEmpty { pictures = other.pictures }
    let unread = other.omissions.filter { [.texts, .pictures].contains($0.holder?.field) }
    omissions += unread.map { .init($0.name, because: $0.reason) }
  }
}
