// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// How a command prints what it found in each file.
enum ReportStyle: Sendable, Hashable {
  case text
  /// One array of objects.
  case json
  /// An object a line.
  case jsonLines
}

/// The options of commands that print what they found in files.
enum ReportOptions {
  static let json = Flag("json", help: "Print JSON, one object for each file in one array.")
  static let jsonLines = Flag(
    "json-lines", help: "Print JSON, one object for each file in a line of its own, as they come.")

  static let parameters: [any Declared] = [json, jsonLines]

  /// Of several, the last one counts.
  static func style(_ arguments: ParsedArguments) -> ReportStyle {
    switch arguments.last(of: json, jsonLines) {
    case json.declaration.name: .json
    case jsonLines.declaration.name: .jsonLines
    default: .text
    }
  }
}
