// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The facts about its origin that a recording states besides its time.
struct OriginRequest: Sendable, Hashable {
  var location: Location?
  /// The path of a file with further fields of GUANO. Nil without one.
  var notesPath: String?
}

/// The options of commands that record from devices: when, where and by which device a file was recorded.
struct OriginOptions {
  @Flag(
    "no-bext", group: .metadata,
    help:
      "Do not write into the file when it was recorded, which WAV has the chunks 'bext' and 'guan' for."
  )
  var isHidden: Bool
  @Option(
    "location", .location, group: .metadata,
    help: "Write where it is recorded, as in 52.5,13.4; also for the sun of --record.")
  var location: Location?
  @Option(
    "guano", .path(name: "file"), group: .metadata,
    help:
      "Write the lines of a file, such as 'Make: Dodotronic', read at the beginning of each part.")
  var notesPath: String?

  func request() throws(UsageError) -> OriginRequest {
    if isHidden, let given = [$location, $notesPath].first(where: \.isGiven) {
      throw UsageError("'\(given.label)' does not go with '\($isHidden.label)'")
    }
    return OriginRequest(location: location, notesPath: notesPath)
  }
}
