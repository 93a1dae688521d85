// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The names of the outputs of many sources, as written on a command line: `out/{path}/{stem}.wav`.
struct OutputPattern: Sendable, Hashable {
  private enum Part: Sendable, Hashable {
    case text([UInt8])
    case field(Field)
  }

  /// What differs from one source to the next.
  enum Field: String, Sendable, CaseIterable {
    /// The source's folder.
    case path
    /// The source's name without its extension.
    case stem
    /// What the list calls the source.
    case id
    /// The source's place in the list, from 1.
    case number = "n"
  }

  let text: String
  private let parts: [Part]

  /// - Parameter text: with fields in braces; `{{` and `}}` are braces.
  init(_ text: String) throws(InvalidValue) {
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
        guard let end = rest.firstIndex(of: Self.closing),
          let field = Field(rawValue: String(decoding: rest[..<end], as: UTF8.self))
        else {
          let known = Field.allCases.map { "{\($0.rawValue)}" }.joinedAsAlternatives
          throw InvalidValue("what stands in braces is \(known); a brace itself is written twice")
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

  var fields: Set<Field> {
    Set(parts.compactMap { if case .field(let field) = $0 { field } else { nil } })
  }

  /// The output of one source.
  ///
  /// - Parameter values: what stands for each field; nil where the source has none.
  /// - Throws: what is wrong with the source, where it has no such field or would lead out of the folder in which
  ///   the pattern begins.
  func output(_ values: (Field) -> [UInt8]?) throws(InvalidValue) -> String {
    var name: [UInt8] = []
    var isBehindNothing = false
    // How long the part of the name is that is the same for all.
    var fixed: Int?
    for part in parts {
      switch part {
      case .text(let text):
        // A source in the folder itself: no slash stands twice, nor in front.
        name += isBehindNothing && text.first == Self.slash ? text[1...] : text[...]
        isBehindNothing = false
      case .field(let field):
        guard let value = values(field) else {
          throw InvalidValue("it has no \(field.rawValue) for '\(self.text)'")
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

  /// Its folder without `.` and slashes that say nothing; empty for the current one.
  var folder: [[UInt8]] {
    let slash = UInt8(ascii: "/")
    var folders = directory.bytes.split(separator: slash)
      .filter { !$0.elementsEqual(".".utf8) }.map { Array($0) }
    if bytes.first == slash { folders.insert([], at: 0) }
    return folders
  }

  /// Its name without folder and extension.
  var stem: [UInt8] {
    // A leading dot hides a file; it does not begin an extension.
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else {
      return Array(name)
    }
    return Array(name[..<dot])
  }
}
