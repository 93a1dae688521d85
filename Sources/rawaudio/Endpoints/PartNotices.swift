// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import Synchronization

/// What happens to the parts of a recording, on its way from the writer's thread to the user.
final class PartNotices: Sendable {
  enum Notice: Sendable {
    /// The clock of the day was set.
    case step(ClockStep)
    /// An old part was removed, or could not be.
    case removal(PartRemoval)
  }

  private let notices = Mutex<[Notice]>([])

  func record(_ step: ClockStep) { notices.withLock { $0.append(.step(step)) } }

  func record(_ removal: PartRemoval) { notices.withLock { $0.append(.removal(removal)) } }

  /// Those since the last call, in order.
  func take() -> [Notice] {
    notices.withLock { notices in
      defer { notices = [] }
      return notices
    }
  }
}

extension PartRemoval {
  /// For people.
  var line: String {
    if let failure { return "cannot remove the old part '\(path)': \(failure); it stays" }
    let reason = cause == .age ? "it is older than --keep says" : "all are larger than --keep says"
    return "removed '\(path)', \(bytes) bytes: \(reason)"
  }

  /// Of the output with that name.
  func json(of name: String) -> JSONValue {
    .object([
      ("schema", .integer(EventObserver.schemaVersion)), ("event", .string("part-removed")),
      ("name", .path(name)), ("path", .path(path)), ("bytes", .integer(bytes)),
      ("cause", .string(cause.rawValue)), ("error", failure.map { .string($0) } ?? .null),
    ])
  }
}
