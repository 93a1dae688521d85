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

  /// Each kind with its number.
  var omissions: [Metadata.Omission] {
    counts.map { kind, family, count in
      let name = count == 1 ? kind.name : "\(count) \(kind.plural)"
      var omission = Metadata.Omission(name, because: kind.reason)
      let staysAnyway = kind == .namelessTexts && family.keepsNamelessTexts
      omission.holder = .init(family: family, field: staysAnyway ? nil : kind.field)
      return omission
    }
  }
}

extension LeftOut.Kind {
  fileprivate var field: Metadata.Field {
    switch self {
    case .texts, .namelessTexts, .ends, .frames, .items: .texts
    case .marks, .labels: .marks
    case .loops: .sampler
    case .pictures: .pictures
    case .history: .origin
    }
  }

  fileprivate var name: String {
    switch self {
    case .texts: "text"
    case .namelessTexts: "text without a name for it"
    case .ends: "end of a text"
    case .marks: "mark"
    case .labels: "name of a mark"
    case .loops: "loop"
    case .pictures: "picture"
    case .frames: "frame of a tag"
    case .items: "item of a tag"
    case .history: "coding history"
    }
  }

  fileprivate var plural: String {
    switch self {
    case .namelessTexts: "texts without a name for them"
    case .ends: "ends of texts"
    case .labels: "names of marks"
    case .frames: "frames of tags"
    case .items: "items of tags"
    case .history: "coding histories"
    default: "\(name)s"
    }
  }

  fileprivate var reason: String {
    let most = MetadataReading.mostEntries
    let size = MetadataReading.mostTextBytes >> 20
    return switch self {
    case .texts: "up to \(most) are read, and \(size) MiB of them"
    case .labels, .history: "up to \(size) MiB of texts are read"
    case .namelessTexts: "names of tags are of ASCII without '='"
    case .ends: "a zero byte stands before it"
    case .pictures: "up to \(MetadataReading.mostPictures) are read"
    case .marks, .loops, .frames, .items: "up to \(most) are read"
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
  /// Whether such files keep texts whose name no tag can have.
  fileprivate var keepsNamelessTexts: Bool { isXiph || self == .id3 }

  private var isXiph: Bool { self == .flac || self == .ogg }

  /// Whether files of either family can keep pieces of the other.
  fileprivate func sharesPieces(with other: Metadata.Family) -> Bool {
    isKin(to: other) || isXiph && other.isXiph
  }
}
