// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The status of a running session on a terminal.
struct StatusRequest: Sendable {
  /// The display of levels.
  enum Meter: String, Sendable, Hashable, CaseIterable {
    /// In the status line, within its width.
    case line
    /// A line per channel, under a scale.
    case full
    case none
  }

  /// The position of the level measurement. Nil = none.
  var position: ObservationPosition?
  @Option(
    "meter", .choice(name: "how"), default: "line", group: .observers,
    help: "Levels on a terminal: in the status line, full for a line a channel, or none.")
  var meter: Meter

  /// The request with levels measured at `position`.
  func measuring(at position: ObservationPosition?) -> StatusRequest {
    var request = self
    request.position = position
    return request
  }
}
