// SPDX-License-Identifier: Apache-2.0
extension Metadata {
  /// Replaces the texts by those of another file, and the pictures if that has some. Its unread texts and pictures
  /// become omissions.
  public mutating func takeTexts(from other: Metadata) {
    tags = other.tags
    if !other.pictures.isEmpty { pictures = other.pictures }
    let unread = other.omissions.filter { [.texts, .pictures].contains($0.holder?.field) }
    omissions += unread.map { .init($0.name, because: $0.reason) }
  }
}
