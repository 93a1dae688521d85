// SPDX-License-Identifier: Apache-2.0
/// Counts the entries of a file's pieces that its fields do not state.
struct LeftOut {
  enum Kind {
    case texts
    case namelessTexts
    /// Bytes behind the zero byte that ends a text.
    case ends
    case marks
    case labels
    case loops
    case pictures
    case frames
    case items
    case history
  }

  private var counts: [(kind: Kind, family: Metadata.Family, count: Int)] = []

  mutating func add(_ count: Int, _ kind: Kind, of family: Metadata.Family) {
    if let index = counts.firstIndex(where: { $0.kind == kind && $0.family == family }) {
      counts[index].count += count
    } else {
      counts.append((kind, family, count))
    }
  }

  var omissions: [Metadata.Omission] {
    counts.map { kind, family, count in
      let (field, name, plural, reason) = kind.words
      var omission = Metadata.Omission(count == 1 ? name : "\(count) \(plural)", because: reason)
      // Such files keep texts whose name no tag can have.
      let staysAnyway = kind == .namelessTexts && (family.isXiph || family == .id3)
      omission.holder = .init(family: family, field: staysAnyway ? nil : field)
      return omission
    }
  }
}

extension LeftOut.Kind {
  /// The field of such entries, their name for one and for several, and the reason for their loss.
  fileprivate var words: (field: Metadata.Field, name: String, plural: String, reason: String) {
    let size = MetadataReading.mostTextBytes >> 20
    let most = "up to \(MetadataReading.mostEntries) are read"
    let mostTexts = "up to \(size) MiB of texts are read"
    return switch self {
    case .texts: (.texts, "text", "texts", "\(most), and \(size) MiB of them")
    case .namelessTexts:
      (
        .texts, "text without a name for it", "texts without a name for them",
        "names of tags are of ASCII without '='"
      )
    case .ends: (.texts, "end of a text", "ends of texts", "a zero byte stands before it")
    case .marks: (.marks, "mark", "marks", most)
    case .labels: (.marks, "name of a mark", "names of marks", mostTexts)
    case .loops: (.sampler, "loop", "loops", most)
    case .pictures:
      (.pictures, "picture", "pictures", "up to \(MetadataReading.mostPictures) are read")
    case .frames: (.texts, "frame of a tag", "frames of tags", most)
    case .items: (.texts, "item of a tag", "items of tags", most)
    case .history: (.origin, "coding history", "coding histories", mostTexts)
    }
  }
}

extension Metadata {
  /// The omissions from pieces of a family that state these fields.
  ///
  /// - Parameter fields: of pieces that are not kept unchanged.
  func omissionsHeld(by family: Family, _ fields: Set<Field>) -> [Omission] {
    omissions.filter { omission in
      guard let holder = omission.holder, let field = holder.field else { return false }
      return holder.family?.sharesPieces(with: family) == true && fields.contains(field)
    }
  }

  /// The omissions that are lost in a file even if its family's pieces are kept.
  ///
  /// - Parameter family: of the file's pieces; nil if it has none.
  func omissionsLost(in family: Family?) -> [Omission] {
    omissions.filter { omission in
      guard let holder = omission.holder?.family, let family else { return true }
      return !holder.sharesPieces(with: family)
    }
  }
}

extension Metadata.Family {
  fileprivate var isXiph: Bool { self == .flac || self == .ogg }

  /// Whether files of either family can keep pieces of the other.
  fileprivate func sharesPieces(with other: Metadata.Family) -> Bool {
    isRelated(to: other) || isXiph && other.isXiph
  }
}
