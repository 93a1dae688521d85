// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

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
