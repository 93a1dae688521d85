internal import AudioCore
internal import Synchronization

/// What happens to the parts of a recording, on its way from the writer's thread to the user.
final class PartNotices: Sendable {
  enum Notice: Sendable {
    /// The clock of the day was set.
    case step(ClockStep)
  }

  private let notices = Mutex<[Notice]>([])

  func record(_ step: ClockStep) { notices.withLock { $0.append(.step(step)) } }

  /// Those since the last call, in order.
  func take() -> [Notice] {
    notices.withLock { notices in
      defer { notices = [] }
      return notices
    }
  }
}
