// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// What happens to the parts of a recording, for the user to be told.
enum PartNotice: Sendable {
  /// The clock of the day was set.
  case step(ClockStep)
  /// An old part was removed, or could not be.
  case removal(PartRemoval)
}
