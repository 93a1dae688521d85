// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// What is shown of a running session on a terminal.
struct StatusRequest: Sendable {
  /// How levels are shown.
  enum Meter: String, Sendable, Hashable, CaseIterable {
    /// In the status line, as far as there is room.
    case line
    /// A line a channel, under a scale.
    case full
    case none
  }

  /// Where levels are measured; nil = nowhere.
  var position: ObservationPosition?
  @Option(
    "meter", .choice(name: "how"), default: "line", group: .observers,
    help: "Levels on a terminal: in the status line, full for a line a channel, or none.")
  var meter: Meter

  /// The request with levels that are measured at `position`.
  func measuring(at position: ObservationPosition?) -> StatusRequest {
    var request = self
    request.position = position
    return request
  }
}
