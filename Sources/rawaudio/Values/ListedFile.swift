// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// A file of a work list, and what the list says of it.
struct ListedFile: Sendable, Hashable {
  /// Its place in the list, from 1.
  var number: Int
  /// A path.
  var source: String
  var id: String?
  /// A path; nil where a pattern names it.
  var output: String?
  /// The part that is wanted; nil = from the beginning, to the end.
  var offset: TimePosition?
  var duration: TimePosition?

  init(_ source: String, number: Int) {
    self.source = source
    self.number = number
  }

  /// - Parameter line: a path, or an object of JSON.
  /// - Throws: `malformed`, without the name of the list.
  init(line: ArraySlice<UInt8>, number: Int) throws(AudioError) {
    guard line.first == UInt8(ascii: "{") else {
      self.init(Pathname(bytes: line).text, number: number)
      return
    }
    let value = try JSONValue(reading: line, depth: 16)
    guard case .object(let members) = value else { throw Self.failure("it is no object") }
    try self.init(members, number: number)
  }

  /// The id of an entry, also of one that is not understood otherwise; nil if it has none.
  static func id(ofLine line: ArraySlice<UInt8>) -> String? {
    guard case .object(let members)? = try? JSONValue(reading: line, depth: 16) else { return nil }
    switch members.first(where: { $0.name == "id" })?.value {
    case .integer(let number): return "\(number)"
    case .string(let text): return text
    default: return nil
    }
  }

  private init(
    _ members: [(name: String, value: JSONValue)], number: Int
  ) throws(AudioError) {
    func value(_ name: String) -> JSONValue? {
      // null stands for nothing, as many programs write it.
      members.first { $0.name == name }.flatMap {
        if case .null = $0.value { nil } else { $0.value }
      }
    }
    func text(_ name: String) throws(AudioError) -> String? {
      guard let value = value(name) else { return nil }
      if case .string(let text) = value, !text.isEmpty { return text }
      throw Self.failure("'\(name)' is no text")
    }
    func path(_ name: String) throws(AudioError) -> String? {
      try text(name).map { Pathname(escaped: $0).text }
    }
    func time(_ name: String, isLength: Bool) throws(AudioError) -> TimePosition? {
      let seconds: Double
      switch value(name) {
      case nil: return nil
      case .integer(let number): seconds = Double(number)
      case .number(let number): seconds = number
      default: throw Self.failure("'\(name)' is no number of seconds")
      }
      guard seconds >= 0, seconds < 1e9, !isLength || seconds > 0 else {
        throw Self.failure("'\(name)' is out of range")
      }
      return .time(.seconds(seconds))
    }
    try Self.checkNames(members.map(\.name))
    let usual = try path("source")
    // As speech toolkits write it.
    let filepath = try path("audio_filepath")
    guard let source = usual ?? filepath else {
      throw Self.failure("it has neither 'source' nor 'audio_filepath'")
    }
    self.init(source, number: number)
    if case .integer(let number) = value("id") { id = "\(number)" } else { id = try text("id") }
    output = try path("output")
    offset = try time("offset", isLength: false)
    duration = try time("duration", isLength: true)
  }

  /// What lists have for a part of a file, or for an output, in other words than ours. Other members are theirs.
  private static let otherNames: [(names: [String], ours: String)] = [
    (["start", "begin", "from"], "'offset' in seconds"),
    (["end", "stop", "to", "length"], "'duration' in seconds, from 'offset' on"),
    (["destination", "target", "out"], "'output'"),
  ]
  private static let knownNames = [
    "source", "audio_filepath", "id", "output", "offset", "duration",
  ]

  /// Throws where a member would be passed over that means something.
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
  /// Its output by `pattern`, where the list names none.
  ///
  /// - Parameter shared: the first folders of its source that do not count.
  /// - Throws: what is wrong with it.
  func output(by pattern: OutputPattern?, below shared: Int = 0) throws(AudioError) -> String {
    do throws(InvalidValue) {
      if let output {
        let name = Pathname(output)
        guard name.bytes.first != UInt8(ascii: "/"), !name.climbs else {
          throw InvalidValue("its output would not be below the current folder")
        }
        return Self.file(named: output)
      }
      guard let pattern else { throw InvalidValue("the list names no output, and there is no -o") }
      let source = Pathname(source)
      let output = try pattern.output { field in
        switch field {
        case .path: Array(source.folder.dropFirst(shared).joined(separator: [UInt8(ascii: "/")]))
        case .stem: source.stem
        case .id: id.map { Pathname($0).bytes }
        case .number: Array("\(number)".utf8)
        }
      }
      return Self.file(named: output)
    } catch {
      throw AudioError(.invalidParameter, cannot: "convert", source, because: error.reason)
    }
  }

  /// A list names files only: `-` is one, too.
  static func file(named path: String) -> String { path == "-" ? "./-" : path }

  /// How many first folders all of `sources` share.
  static func sharedFolders(of sources: [String]) -> Int {
    let folders = sources.map { Pathname($0).folder }
    guard var shared = folders.first?.count, let first = folders.first else { return 0 }
    for other in folders.dropFirst() {
      shared = zip(first, other).prefix(shared).prefix { $0 == $1 }.count
    }
    return shared
  }
}
