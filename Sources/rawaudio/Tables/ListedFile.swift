// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// A file of a work list, with the members of its entry.
struct ListedFile: Sendable, Hashable {
  /// Its position in the list, from 1.
  var number: Int
  /// A path.
  var source: String
  var id: String?
  /// A path. Nil if a pattern names the output.
  var output: String?
  /// The requested part. Nil = from the beginning, to the end.
  var offset: TimePosition?
  var duration: TimePosition?
  /// The end of the part, if the duration does not state it.
  var end: TimePosition?
  /// The other texts of its entry, by ``TableRow/key(_:)``.
  var texts: [String: String] = [:]
  /// The tags of the piece.
  var tags: [TagEdit] = []

  /// Whether a part of the source was requested.
  var isPiece: Bool { offset != nil || duration != nil || end != nil }

  init(_ source: String, number: Int) {
    self.source = source
    self.number = number
  }

  /// - Parameter line: a path, or a JSON object.
  /// - Throws: `malformed`, without the name of the list.
  init(line: ArraySlice<UInt8>, number: Int) throws(AudioError) {
    guard line.first == UInt8(ascii: "{") else {
      self.init(Pathname(bytes: line).text, number: number)
      return
    }
    let value = try JSONValue(reading: line, depth: 16)
    guard case .object(let members) = value else { throw Self.failure("it is no object") }
    try self.init(Entry(members: members), number: number)
  }

  /// The id of an entry, even of a malformed one. Nil if it has none.
  static func id(ofLine line: ArraySlice<UInt8>) -> String? {
    guard case .object(let members)? = try? JSONValue(reading: line, depth: 16) else { return nil }
    switch members.first(where: { $0.name == "id" })?.value {
    case .integer(let number): return "\(number)"
    case .string(let text): return text
    default: return nil
    }
  }

  private init(_ entry: Entry, number: Int) throws(AudioError) {
    try Self.checkNames(entry.members.map(\.name))
    let usual = try entry.path("source")
    // The name used by speech toolkits.
    let filepath = try entry.path("audio_filepath")
    guard let source = usual ?? filepath else {
      throw Self.failure("it has neither 'source' nor 'audio_filepath'")
    }
    self.init(source, number: number)
    id =
      if case .integer(let number) = entry.value("id") { "\(number)" } else { try entry.text("id") }
    output = try entry.path("output")
    let (offset, start) = (try entry.time("offset"), try entry.time("start"))
    guard offset == nil || start == nil else {
      throw Self.failure("'offset' and 'start' mean the same; leave one out")
    }
    self.offset = offset ?? start
    end = try entry.time("end")
    // Both are common; the end is taken.
    duration = end == nil ? try entry.time("duration", isLength: true) : nil
    if let end, end.isKnown(behind: self.offset ?? .time(.zero)) == false {
      throw Self.failure("'end' is not behind '\(offset == nil ? "start" : "offset")'")
    }
    for member in entry.members {
      if let text = member.value.cell { texts[TableRow.key(member.name)] = text }
    }
  }

  /// An entry as an object of JSON.
  private struct Entry {
    let members: JSONValue.Members

    func value(_ name: String) -> JSONValue? {
      // null counts as missing, as many programs write it.
      members.first { $0.name == name }.flatMap {
        if case .null = $0.value { nil } else { $0.value }
      }
    }

    func text(_ name: String) throws(AudioError) -> String? {
      guard let value = value(name) else { return nil }
      if case .string(let text) = value, !text.isEmpty { return text }
      throw ListedFile.failure("'\(name)' is no text")
    }

    func path(_ name: String) throws(AudioError) -> String? {
      try text(name).map { Pathname(escaped: $0).text }
    }

    func time(_ name: String, isLength: Bool = false) throws(AudioError) -> TimePosition? {
      let seconds: Double
      switch value(name) {
      case nil: return nil
      case .integer(let number): seconds = Double(number)
      case .number(let number): seconds = number
      case .string(let text):
        do throws(InvalidValue) {
          return try TimePosition.ofCell(text)
        } catch {
          throw ListedFile.failure("'\(name)': \(error.reason)")
        }
      default: throw ListedFile.failure("'\(name)' is no number of seconds")
      }
      guard seconds >= 0, seconds < 1e9, !isLength || seconds > 0 else {
        throw ListedFile.failure("'\(name)' is out of range")
      }
      return .time(.seconds(seconds))
    }
  }

  /// Other programs' names for the part of a file or for an output. Any other member is ignored.
  private static let otherNames: [(names: [String], ours: String)] = [
    (["begin", "from", "onset"], "'start'"), (["stop", "to"], "'end'"), (["length"], "'duration'"),
    (["destination", "target", "out"], "'output'"),
  ]
  private static let knownNames = [
    "source", "audio_filepath", "id", "output", "offset", "start", "end", "duration",
  ]

  /// - Throws: if an unknown member would matter.
  private static func checkNames(_ names: [String]) throws(AudioError) {
    for name in names where !knownNames.contains(name) {
      let small = name.lowercased()
      let meant =
        knownNames.contains(small)
        ? "'\(small)'" : otherNames.first { $0.names.contains(small) }?.ours
      if let meant { throw failure("'\(name)' is not understood; say \(meant)") }
    }
  }

  private static func failure(_ reason: String) -> AudioError {
    AudioError(.malformed, cannot: "read", "", because: reason)
  }
}

extension ListedFile {
  /// Its output: the list's, else by `pattern`.
  ///
  /// - Parameters:
  ///   - shared: the number of leading folders of its source to drop.
  ///   - namesParts: whether the output stays a pattern, for parts.
  ///   - civilTime: the zone of times.
  ///   - time: returns the time at which it begins, in seconds since 1970.
  /// - Throws: the reason for which it has no valid output.
  func output(
    by pattern: OutputPattern?, below shared: Int = 0, namesParts: Bool = false,
    in civilTime: CivilTime = .utc, at time: () -> Int = { 0 }
  ) throws(AudioError) -> String {
    do throws(InvalidValue) {
      if let output {
        let name = Pathname(output)
        guard name.bytes.first != UInt8(ascii: "/"), !name.climbs else {
          throw InvalidValue("its output would not be below the current folder")
        }
        return Self.file(named: output)
      }
      guard let pattern else { throw InvalidValue("the list names no output, and there is no -o") }
      let filled = try pattern.filled { value(of: $0, below: shared) }
      return Self.file(
        named: filled.output(
          namesParts: namesParts, number: number - 1, in: civilTime, at: time))
    } catch {
      throw AudioError(.invalidParameter, cannot: "convert", source, because: error.reason)
    }
  }

  /// The value of a field. Nil if it has none.
  ///
  /// - Parameters:
  ///   - shared: the number of leading folders of its source to drop.
  ///   - isName: whether it becomes a part of a name, in which some characters have no place.
  func value(of field: String, below shared: Int = 0, isName: Bool = true) -> String? {
    let path = Pathname(source.withoutSecrets)
    switch field {
    case "path" where !source.isEmpty:
      let folders = path.folder.dropFirst(shared).joined(separator: [UInt8(ascii: "/")])
      return Pathname(bytes: folders).text
    case "stem" where !source.isEmpty: return Pathname(bytes: path.stem).text
    case "ext" where texts["ext"] == nil:
      // That there is no such file is told when it is opened.
      let isMissing = !source.isEmpty && !Pathname(source).exists
      return path.end.isEmpty && !isMissing ? nil : Pathname(bytes: path.end).text
    case "id": return id
    case _ where field.isNumberField: return number.padded(to: field.utf8.count)
    default:
      let text = texts[TableRow.key(field)]
      return isName ? text?.asPartOfName : text
    }
  }

  /// Takes the place and the texts of a row.
  ///
  /// - Parameter end: the end of the piece if the row states none. Nil = the source's end.
  init(_ row: TableRow, of source: String, number: Int, before end: TimePosition?) {
    self.init(source, number: number)
    offset = row.start
    switch row.end {
    case .at(let time): self.end = time
    case .after(let length): duration = length
    case .nextStart: self.end = end
    }
    (id, output, texts, tags) = (row.id, row.output, row.texts, row.tags)
  }

  /// Returns a file name, also for `-`: a list names only files.
  static func file(named path: String) -> String { path == "-" ? "./-" : path }

  /// The number of leading folders that all of `sources` share.
  static func sharedFolders(of sources: [String]) -> Int {
    let folders = sources.map { Pathname($0).folder }
    guard var shared = folders.first?.count, let first = folders.first else { return 0 }
    for other in folders.dropFirst() {
      shared = zip(first, other).prefix(shared).prefix { $0 == $1 }.count
    }
    return shared
  }
}

/// An item of a work list.
enum ListItem: Sendable {
  case file(ListedFile)
  /// An entry that cannot be parsed, or a source without items.
  ///
  /// - Parameters:
  ///   - id: the entry's id. Nil if it cannot be read either.
  ///   - source: a path. Nil if it cannot be read.
  case malformed(AudioError, id: String? = nil, source: String? = nil)
}

extension ListItem {
  /// The path of its source. Nil if it cannot be read.
  var source: String? {
    switch self {
    case .file(let file): file.source
    case .malformed(_, _, let source): source
    }
  }

  /// Its id. Nil if it has none, or if it cannot be read.
  var id: String? {
    switch self {
    case .file(let file): file.id
    case .malformed(_, let id, _): id
    }
  }
}
