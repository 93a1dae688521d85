// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The pattern of many sources' outputs, as given on a command line: `out/{path}/{stem}.wav`.
struct OutputPattern: Sendable, Hashable {
  private enum Part: Sendable, Hashable {
    case text([UInt8])
    case field(Field)
  }

  /// The varying parts of the names.
  enum Field: Sendable, Hashable {
    /// The source's folder.
    case path
    /// The source's name without its extension.
    case stem
    /// The id of the source in the list.
    case id
    /// The source's position in the list, from 1, in at least so many digits: `{nnn}` is 001.
    case number(digits: Int)
    /// A text of the source's entry in a list or a table.
    case text(key: String)

    /// - Parameter hasTexts: whether sources have texts.
    fileprivate init?(_ name: String, hasTexts: Bool) {
      switch name {
      case "path": self = .path
      case "stem": self = .stem
      case "id": self = .id
      case _ where !name.isEmpty && name.count < 10 && name.allSatisfy { $0 == "n" }:
        self = .number(digits: name.count)
      default:
        let key = TableRow.key(name)
        guard hasTexts, !key.isEmpty else { return nil }
        self = .text(key: key)
      }
    }

    fileprivate var name: String {
      switch self {
      case .path: "path"
      case .stem: "stem"
      case .id: "id"
      case .number: "number"
      case .text(let key): key
      }
    }
  }

  let text: String
  private let parts: [Part]

  /// - Parameters:
  ///   - text: a pattern with fields in braces. `{{` and `}}` are braces.
  ///   - hasTexts: whether sources have texts of their own, as those of lists and tables.
  ///   - later: the names of fields that stay as they are, with their braces.
  init(
    _ text: String, hasTexts: Bool = false, keeping later: [String] = []
  ) throws(InvalidValue) {
    self.text = text
    var parts: [Part] = []
    var literal: [UInt8] = []
    var rest = Pathname(text).bytes[...]
    while let byte = rest.popFirst() {
      switch byte {
      case Self.opening where rest.first == Self.opening,
        Self.closing where rest.first == Self.closing:
        literal.append(byte)
        rest.removeFirst()
      case Self.opening:
        if let kept = later.first(where: { rest.starts(with: "\($0)}".utf8) }) {
          literal += "{\(kept)}".utf8
          rest = rest.dropFirst(kept.utf8.count + 1)
          continue
        }
        guard let end = rest.firstIndex(of: Self.closing),
          let field = Field(String(decoding: rest[..<end], as: UTF8.self), hasTexts: hasTexts)
        else {
          throw InvalidValue(
            "a field is {path}, {stem}, {id} or {n}; a brace itself is written twice")
        }
        if !literal.isEmpty { parts.append(.text(literal)) }
        literal = []
        parts.append(.field(field))
        rest = rest[(end + 1)...]
      case Self.closing:
        throw InvalidValue("a closing brace stands alone; a brace itself is written twice")
      default: literal.append(byte)
      }
    }
    if !literal.isEmpty { parts.append(.text(literal)) }
    self.parts = parts
  }

  private static let opening = UInt8(ascii: "{")
  private static let closing = UInt8(ascii: "}")
  private static let slash = UInt8(ascii: "/")

  /// The keys of the texts that a source needs.
  var keys: [String] {
    parts.compactMap { if case .field(.text(let key)) = $0 { key } else { nil } }
  }

  /// The number of folders in front of the first field, which the user has typed.
  var fixedFolders: Int {
    var count = 0
    for case .text(let text) in parts.prefix(while: { if case .text = $0 { true } else { false } })
    {
      count += text.count { $0 == Self.slash }
    }
    return count
  }

  var fields: Set<Field> {
    Set(parts.compactMap { if case .field(let field) = $0 { field } else { nil } })
  }

  /// Returns the output of one source.
  ///
  /// - Parameter values: returns the value of each field. Nil if the source has none.
  /// - Throws: if the source lacks a field, or its output would be outside the folder at the pattern's beginning.
  func output(_ values: (Field) -> [UInt8]?) throws(InvalidValue) -> String {
    var name: [UInt8] = []
    var isBehindNothing = false
    // The length of the constant beginning of the name.
    var fixed: Int?
    for part in parts {
      switch part {
      case .text(let text):
        // A source at the top has an empty folder: drop the slash after it.
        name += isBehindNothing && text.first == Self.slash ? text[1...] : text[...]
        isBehindNothing = false
      case .field(let field):
        guard let value = values(field) else {
          throw InvalidValue("it has no \(field.name) for '\(self.text)'")
        }
        if fixed == nil { fixed = name.count }
        if value.first == Self.slash, name.isEmpty || name.last == Self.slash {
          throw InvalidValue("its output would not be \(place(fixed: name))")
        }
        name += value
        isBehindNothing = value.isEmpty && (name.isEmpty || name.last == Self.slash)
      }
    }
    let free = name[
      (name[..<(fixed ?? name.count)].lastIndex(of: Self.slash).map { $0 + 1 } ?? 0)...]
    guard !Pathname(bytes: free).climbs else {
      throw InvalidValue("its output would not be \(place(fixed: name[..<(fixed ?? 0)]))")
    }
    return Pathname(bytes: name).text
  }

  private func place(fixed: some Collection<UInt8>) -> String {
    let bytes = Array(fixed)
    guard let end = bytes.lastIndex(of: Self.slash) else { return "below the current folder" }
    return "below '\(Pathname(bytes: bytes[..<end]).text)'"
  }
}

extension Pathname {
  /// Whether one of its folders is `..`.
  var climbs: Bool {
    bytes.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) }
  }

  /// Its folder without `.` and redundant slashes. Empty for the current one.
  var folder: [[UInt8]] {
    let slash = UInt8(ascii: "/")
    var folders = directory.bytes.split(separator: slash)
      .filter { !$0.elementsEqual(".".utf8) }.map { Array($0) }
    if bytes.first == slash { folders.insert([], at: 0) }
    return folders
  }

  /// Its name without folder and extension.
  var stem: [UInt8] {
    // A leading dot hides a file and begins no extension.
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else {
      return Array(name)
    }
    return Array(name[..<dot])
  }
}
