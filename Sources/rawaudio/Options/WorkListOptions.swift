// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// The files of a command, and the way it works on them.
struct WorkListRequest: Sendable, Hashable {
  enum Origin: Sendable, Hashable {
    /// Paths of files.
    case arguments([String])
    case folders(FolderSources)
    /// The path of a list; `-` is standard input.
    case list(String, endsWithNull: Bool)
    /// The pieces of a table.
    case pieces(PieceList)
  }

  var origin: Origin
  /// The origin of the pieces of the sources. Nil = whole sources.
  var pieces: PieceOrigin?
  var shard: Shard?
  /// The number of concurrent files.
  var jobs: Int
  /// The number of failures after which to give up. Nil = never.
  var mostFailures: Int?
  /// The file for one line per item. Nil = none.
  var results: String?

  /// The sources of the command line, if there are folders among them.
  var folders: FolderSources? { if case .folders(let sources) = origin { sources } else { nil } }

  /// The sources of the command line. Nil for a list, and for the pieces of a table.
  var arguments: [String]? {
    if case .arguments(let paths) = origin { paths } else { folders?.paths }
  }
}

/// The options of commands that work on any number of files.
struct ListOptions {
  @Option(
    "list", .path(name: "file"), group: .list, givenOnce: true,
    help: """
      Take the sources from a list (- for standard input): a path a line, or an object of JSON with source, and \
      optionally id, output, start, end or duration.
      """)
  var path: String?
  @Flag(
    "null", group: .list, help: "Zero bytes end the paths of the list (find -print0)."
  )
  var endsWithNull: Bool
  @Option(
    "shard", .shard, default: "the whole list", group: .list,
    help: "Work on a part of the list only: 3/8 is every eighth item from the third on.")
  var shard: Shard?
  @Option(
    "jobs", short: "j", .jobs, default: "one for each processor", group: .list,
    help: "How many files to work on at the same time.")
  var jobs: Int?

  /// - Parameters:
  ///   - paths: the sources given as arguments.
  ///   - argument: the declaration of those arguments.
  ///   - pieces: the origin of the pieces. A table may name the sources.
  ///   - container: of all files in folders. Nil = any.
  /// - Throws: if there are arguments and a list, or neither.
  func request(
    paths: [String], expecting argument: Declaration, cutting pieces: PieceOrigin? = nil,
    of container: Container? = nil
  ) throws(UsageError) -> WorkListRequest {
    if endsWithNull, path == nil {
      throw UsageError($endsWithNull, needs: [$path])
    }
    let origin: WorkListRequest.Origin
    switch (path, paths.isEmpty) {
    case (let path?, true): origin = .list(path, endsWithNull: endsWithNull)
    case (nil, false) where paths.contains(where: isFolder):
      origin = .folders(FolderSources(paths: paths, container: container))
    case (nil, false): origin = .arguments(paths)
    case (nil, true) where pieces?.namesSources == true: origin = .arguments([])
    case (nil, true): throw UsageError("Missing expected argument '\(argument.label) ...'")
    case (_?, false):
      throw UsageError("The sources are arguments or come from '\($path.label)', not both")
    }
    return WorkListRequest(
      origin: origin, pieces: pieces, shard: shard, jobs: jobs ?? Processors.available)
  }
}

/// The options of commands that work on any number of files, and continue after failures.
struct WorkListOptions {
  var list = ListOptions()
  @Option(
    "max-failures", .failures, default: "never", group: .list,
    help: "Give up after so many failures.")
  var mostFailures: Int?
  @Option(
    "results", .path(name: "file"), group: .list, givenOnce: true,
    help: "Append a line of JSON for each source to a file (or -).")
  var results: String?

  /// As ``ListOptions/request(paths:expecting:cutting:of:)``.
  func request(
    paths: [String], expecting argument: Declaration, cutting pieces: PieceOrigin? = nil,
    of container: Container? = nil
  ) throws(UsageError) -> WorkListRequest {
    var request = try list.request(
      paths: paths, expecting: argument, cutting: pieces, of: container)
    request.mostFailures = mostFailures
    request.results = results
    return request
  }
}

/// The findings of a command on standard output, in the order of its files.
struct ReportPage {
  private let style: ReportStyle
  private let console: Console
  /// Whether no text is printed yet.
  private var isFirst = true
  private var objects: [JSONValue] = []

  init(_ style: ReportStyle, on console: Console) {
    self.style = style
    self.console = console
  }

  /// - Parameter text: the findings as text. Nil if there are none.
  mutating func add(
    _ json: @autoclosure () -> JSONValue, text: (_ isFirst: Bool) -> String?
  ) throws {
    switch style {
    case .text:
      guard let text = text(isFirst) else { return }
      try console.print(text)
      isFirst = false
    case .json: objects.append(json())
    case .jsonLines: try console.print(json().compact + "\n")
    }
  }

  func end() throws {
    if style == .json { try console.print(JSONValue.array(objects).serialized) }
  }
}

/// The output style of a command's findings.
enum ReportStyle: Sendable, Hashable {
  case text
  /// One array of objects.
  case json
  /// One object per line.
  case jsonLines
}

/// The options of commands that print findings about files.
struct ReportOptions {
  @Flag("json", help: "Print JSON, one object for each file in one array.")
  private var json: Bool
  @Flag(
    "json-lines", help: "Print JSON, one object for each file in a line of its own, as they come.")
  private var jsonLines: Bool

  /// If both are given, the last one counts.
  var style: ReportStyle {
    if $json.overrides($jsonLines) { return .json }
    return jsonLines ? .jsonLines : .text
  }
}

/// The options that cut sources into pieces, each with its own output.
struct PieceOptions {
  @Option(
    "segments", .path(name: "table"), group: .list, givenOnce: true,
    help:
      "Convert the pieces that a table names, each to its own output (see 'rawaudio help pieces').")
  var table: String?
  @Option(
    "at", .text(name: "mark"), group: .list, givenOnce: true,
    help: "Convert the piece from a mark or chapter, by its label or number, to the next one.")
  var mark: String?

  /// - Parameter split: the option that cuts at all marks, if it does.
  func origin(marks split: Declaration?) throws(UsageError) -> PieceOrigin? {
    let given = given(marks: split)
    if given.count > 1 {
      throw UsageError(
        "'\(given[0].label)' and '\(given[1].label)' both say where pieces are; one is enough")
    }
    if let table { return .table(table) }
    if let mark { return .mark(mark) }
    return split == nil ? nil : .marks
  }

  private func given(marks split: Declaration?) -> [Declaration] {
    [$table, $mark].filter(\.isGiven) + (split.map { [$0] } ?? [])
  }

  /// - Parameter others: options that state a part of the source or cut it, too.
  func check(marks split: Declaration?, besides others: [Declaration]) throws(UsageError) {
    guard let given = given(marks: split).first, let other = others.first(where: \.isGiven) else {
      return
    }
    throw UsageError(
      "'\(other.label)' does not go with '\(given.label)', which says where pieces are")
  }
}
