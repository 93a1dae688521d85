// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// Which files a command works on, and how it goes about it.
struct WorkListRequest: Sendable, Hashable {
  enum Origin: Sendable, Hashable {
    /// Paths.
    case arguments([String])
    /// The path of a list; `-` is standard input.
    case list(String, endsWithNull: Bool)
  }

  var origin: Origin
  var shard: Shard?
  /// How many files at the same time.
  var jobs: Int
  /// After how many failures to give up; nil = never.
  var mostFailures: Int?
  /// Where to write a line for each item; nil = nowhere.
  var results: String?
}

/// The options of commands that work on any number of files.
enum WorkListOptions {
  static let list = Option(
    "list", .path(name: "file"), group: .list,
    help: """
      Take the sources from a list (- for standard input): a path a line, or an object of JSON a line with \
      source, and optionally id, output, offset and duration in seconds.
      """
  ).givenOnce
  static let null = Flag(
    "null", group: .list, help: "Zero bytes end the paths of the list, as find -print0 writes them."
  )
  static let shard = Option(
    "shard", .shard, default: "the whole list", group: .list,
    help: "Work on a part of the list only: 3/8 is every eighth item from the third on.")
  static let jobs = Option(
    "jobs", short: "j", .jobs, default: "one for each processor", group: .list,
    help: "How many files to work on at the same time.")
  static let maxFailures = Option(
    "max-failures", .failures, default: "never", group: .list,
    help: "Give up after so many files have failed.")
  static let results = Option(
    "results", .path(name: "file"), group: .list,
    help: "Append a line of JSON for each source to a file (- for standard output)."
  ).givenOnce

  static let parameters: [any Declared] = [list, null, shard, jobs, maxFailures, results]

  /// - Parameter paths: the sources that are arguments.
  /// - Throws: where there are arguments and a list, or neither.
  static func request(
    _ arguments: ParsedArguments, paths: [String], expecting argument: Declaration
  ) throws(UsageError) -> WorkListRequest {
    let list = try arguments.value(of: list)
    if arguments.has(null), list == nil {
      throw UsageError("'--\(null.declaration.name)' needs '\(self.list.declaration.label)'")
    }
    let origin: WorkListRequest.Origin
    switch (list, paths.isEmpty) {
    case (let list?, true): origin = .list(list, endsWithNull: arguments.has(null))
    case (nil, false): origin = .arguments(paths)
    case (nil, true): throw UsageError("Missing expected argument '\(argument.label) ...'")
    case (_?, false):
      throw UsageError(
        "The sources are arguments or come from '\(self.list.declaration.label)', not both")
    }
    return WorkListRequest(
      origin: origin, shard: try arguments.value(of: shard),
      jobs: try arguments.value(of: jobs) ?? Processors.available,
      mostFailures: try arguments.value(of: maxFailures),
      results: try arguments.value(of: results))
  }

  /// Whether one of the options was given.
  static func areUsed(_ arguments: ParsedArguments) -> Bool {
    parameters.contains { arguments.has($0) }
  }
}
