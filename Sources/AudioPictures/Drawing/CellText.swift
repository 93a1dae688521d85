// SPDX-License-Identifier: Apache-2.0
/// A text in a terminal: characters of one or two columns.
struct CellText: Sendable {
  /// The available characters.
  enum CharacterSet: Sendable, Hashable {
    case ascii
    case unicode
  }

  struct Piece: Sendable, Hashable {
    var character: Character
    /// One or two.
    var columns: Int
  }

  let pieces: [Piece]

  var columns: Int { pieces.reduce(0) { $0 + $1.columns } }

  /// Replaces characters that a terminal acts on, does not show, or shows in an unknown width.
  init(_ text: String, _ characters: CharacterSet) {
    pieces = text.flatMap { character -> [Piece] in
      switch characters {
      case .unicode: [Self.piece(character)]
      case .ascii:
        Self.spelled(character).map { Piece(character: $0, columns: 1) }
      }
    }
  }

  private static func piece(_ character: Character) -> Piece {
    let scalars = character.unicodeScalars
    let isJoined = scalars.dropFirst().contains { scalar in
      switch scalar.properties.generalCategory {
      case .nonspacingMark: scalar.properties.isVariationSelector
      case .enclosingMark: false
      default: true
      }
    }
    guard let first = scalars.first, !isJoined, first.isShown else {
      return Piece(character: "\u{FFFD}", columns: 1)
    }
    return Piece(character: character, columns: first.isWide ? 2 : 1)
  }

  private static func spelled(_ character: Character) -> String {
    switch character {
    case "\u{2212}": "-"
    case "∞": "inf"
    case "…": "..."
    case _ where character.isASCII && character.unicodeScalars.allSatisfy(\.isShown):
      String(character)
    default: "?"
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isShown: Bool {
    switch properties.generalCategory {
    case .unassigned, .privateUse, .surrogate, .nonspacingMark, .enclosingMark, .spacingMark: false
    default: !isUnseen
    }
  }

  /// Whether it takes two columns: East Asian Width W and F, by blocks (Unicode Standard Annex #11), and emoji.
  fileprivate var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1B000...0x1B2FF,
      0x20000...0x3FFFD:
      true
    default: properties.isEmojiPresentation
    }
  }
}
