// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// The name of outputs, as given on a command line: `out/{path}/{stem}.wav`.
struct OutputPattern: Sendable, Hashable {
  /// The fields of every source: its folder, its name without its extension, the extension, its id in a list, and its
  /// position from 1, in as many digits as the field has letters (`{nnn}` is 001).
  static let ofSources = ["path", "stem", "ext", "id", "n"]

  let text: String
  let names: NamePattern
  /// The fields that stay until the streams are known.
  private let later: [String]

  /// - Parameters:
  ///   - text: the pattern.
  ///   - known: the fields that there are. Nil = those of sources, and any text of a list's or a table's entry.
  ///   - later: the fields that stay as they are.
  init(
    _ text: String, fields known: [String]? = Self.ofSources, keeping later: [String] = []
  ) throws(InvalidValue) {
    (self.text, self.later) = (text, later)
    do throws(AudioError) {
      let names = try NamePattern(text)
      try Self.check(names, known, keeping: later)
      self.names = names.namingFiles
    } catch {
      throw InvalidValue(error.reasonAndAdvice)
    }
  }

  /// - Throws: if a field is not known.
  static func check(
    _ names: NamePattern, _ known: [String]?, keeping later: [String] = []
  ) throws(AudioError) {
    let all = known ?? ofSources
    try names.check(fields: all + later) { name in
      if name.isNumberField { return all.contains("n") }
      let key = TableRow.key(name)
      return known.map { $0.contains(key) } ?? !key.isEmpty
    }
  }

  /// Whether the name of a file is a pattern even if it has one source and no parts: it has a brace or a number.
  static func isNamed(_ text: String) -> Bool {
    text.hasBrace || (try? NamePattern(text))?.hasNumber == true
  }

  /// Whether each source has a name of its own.
  ///
  /// - Parameter namesParts: whether the number is that of a source's parts.
  func tellsSourcesApart(namesParts: Bool) -> Bool {
    names.fields.contains { !later.contains($0) } || !namesParts && names.hasNumber
  }

  /// Returns the pattern with the fields of one source filled in.
  ///
  /// - Parameter values: returns the value of each field. Nil if the source has none.
  /// - Throws: if the source lacks a field, or its output would be outside the folder at the pattern's beginning.
  func filled(_ values: (String) -> String?) throws(InvalidValue) -> NamePattern {
    var pieces = names.pieces
    for (index, piece) in pieces.enumerated() {
      guard case .field(let field) = piece, !later.contains(field) else { continue }
      guard let value = values(field) else {
        throw InvalidValue("it has no \(field) for '\(text)'")
      }
      var isFirst = index == 0
      if index > 0, case .text(let before) = pieces[index - 1] {
        isFirst = before.isEmpty || before.utf8.last == Self.slash
      }
      if isFirst, value.utf8.first == Self.slash { throw outside }
      pieces[index] = .text(value)
      // A source at the top has an empty folder: drop the slash after it.
      if isFirst, value.isEmpty, index + 1 < pieces.count,
        case .text(let next) = pieces[index + 1], next.utf8.first == Self.slash
      {
        pieces[index + 1] = .text(String(next.unicodeScalars.dropFirst()))
      }
    }
    let filled = NamePattern(pieces)
    // By bytes: a slash with an accent behind it is one, too.
    let folders = Pathname(filled.path(number: 0, time: 0, in: .utc)).bytes
      .split(separator: Self.slash, omittingEmptySubsequences: false)
      .dropFirst(names.fixedFolders)
    guard !folders.contains(where: { $0.elementsEqual("..".utf8) }) else { throw outside }
    return filled
  }

  private static let slash = UInt8(ascii: "/")

  /// The error for an output outside the folder at the pattern's beginning.
  private var outside: InvalidValue {
    guard names.fixedFolders > 0, case .text(let beginning)? = names.pieces.first else {
      return InvalidValue("its output would not be below the current folder")
    }
    let end = beginning.utf8.lastIndex(of: Self.slash) ?? beginning.endIndex
    return InvalidValue("its output would not be below '\(beginning[..<end])'")
  }
}

extension NamePattern {
  /// The pattern with `{path}/{stem}` in place of a `{path}` that is the name of the file, as in `out/{path}.wav`.
  fileprivate var namingFiles: NamePattern {
    let slash = UInt8(ascii: "/")
    let end = pieces.lastIndex {
      if case .text(let text) = $0 { text.utf8.contains(slash) } else { false }
    }
    if let end, case .text(let text) = pieces[end], text.utf8.last != slash { return self }
    let name = pieces[(end.map { $0 + 1 } ?? 0)...]
    let others = name.dropFirst().contains { piece in
      if case .text = piece { false } else { piece != .field("ext") }
    }
    guard name.first == .field("path"), !others else { return self }
    var pieces = pieces
    pieces.insert(contentsOf: [.text("/"), .field("stem")], at: name.startIndex + 1)
    return NamePattern(pieces)
  }

  /// The keys of the texts of a list's or a table's entry.
  var textKeys: [String] {
    fields.filter { !OutputPattern.ofSources.contains($0) && !$0.isNumberField }
      .map(TableRow.key)
  }

  /// The name of an output, or its pattern if it names parts or fields are left.
  ///
  /// - Parameters:
  ///   - namesParts: whether the number and the times are those of parts.
  ///   - number: of the file, from 0.
  ///   - time: returns the time at which the output begins, in seconds since 1970.
  func output(
    namesParts: Bool, number: Int, in civilTime: CivilTime, at time: () -> Int
  ) -> String {
    if namesParts { return text }
    let settled = filled(number: number, time: hasTime ? time() : 0, in: civilTime)
    return fields.isEmpty ? settled.plain : settled.text
  }
}

extension String {
  /// The name of an output, as a pattern for each source if it is that of a folder: it ends with a slash, or the folder
  /// exists.
  ///
  /// - Parameters:
  ///   - keepingFolders: whether the sources' folders are kept in it.
  ///   - end: the extension. Nil = the source's.
  func settled(keepingFolders: Bool = false, endingIn end: String?) -> String {
    guard utf8.last == UInt8(ascii: "/") || isFolder(self) else { return self }
    let folder = OutputPattern.isNamed(self) ? self : NamePattern([.text(self)]).text
    return folder + (utf8.last == UInt8(ascii: "/") ? "" : "/")
      + "\(keepingFolders ? "{path}/" : ""){stem}.\(end ?? "{ext}")"
  }

  /// The pattern with an extension in the place of `{ext}`.
  func ending(in end: String?) -> String {
    guard let end, let names = try? NamePattern(self), names.fields.contains("ext") else {
      return self
    }
    return names.filled { $0 == "ext" ? end : nil }.text
  }

  var hasBrace: Bool { utf8.contains { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") } }

  /// Whether a field is the number of a source: `n`, `nnn`.
  var isNumberField: Bool { !isEmpty && utf8.count < 10 && allSatisfy { $0 == "n" } }
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
  var stem: [UInt8] { Array(name[..<dot]) }

  /// Its extension, without the dot. Empty if there is none.
  var end: [UInt8] { Array(name[dot...].dropFirst()) }

  private var dot: Int {
    // A leading dot hides a file and begins no extension.
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else {
      return name.endIndex
    }
    return dot
  }
}
