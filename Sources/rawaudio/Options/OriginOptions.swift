// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The options of commands that record from devices: when and where a file was recorded.
struct OriginOptions {
  @Flag(
    "no-bext", group: .metadata,
    help: "Do not write into the file when it was recorded, which WAV has a 'bext' chunk for.")
  var isHidden: Bool
  @Option(
    "location", .location, group: .metadata,
    help: "Where it is recorded, as in 52.5,13.4: for the sun of --record.")
  var location: Location?
}
