// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// The work on the parts of a recording beside it. Any thread.
protocol PartWork: Sendable {
  /// Tells that parts of these names come, and hands on those of earlier runs.
  ///
  /// - Parameter isSynchronizing: whether parts are forced onto the disk.
  func expect(_ names: PartNames, synchronizing isSynchronizing: Bool)
  /// Tells that a part begins. It is handed on by the next run if it is never complete.
  func begin(_ part: RunEvent.Part, of names: PartNames)
  /// Whether a part is still needed.
  func needs(_ path: String) -> Bool
}
