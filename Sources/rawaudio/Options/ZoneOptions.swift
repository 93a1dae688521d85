// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles

/// The zone of times of day, of commands that read them and record nothing.
struct ZoneOptions {
  @Flag(
    "utc",
    help: "Take times of day that state no zone in UTC, not in local time (or that of TZ).")
  var isUTC: Bool

  var civilTime: CivilTime { isUTC ? .utc : .local }
}
