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
  var meter = Meter.line
}

enum StatusOptions {
  static let meter = Option(
    "meter", .choice(name: "how", StatusRequest.Meter.allCases),
    default: StatusRequest.Meter.line.rawValue, group: .observers,
    help: "Levels on a terminal: in the status line, full for a line a channel, or none.")
}
