internal import Synchronization

/// Keeps one end of a ring to one thread at a time, without ever waiting.
struct ExclusiveUse: ~Copyable, Sendable {
  private let isTaken = Atomic(false)

  /// - Returns: false while another thread is inside.
  func enter() -> Bool { !isTaken.exchange(true, ordering: .acquiring) }

  /// Makes everything done inside visible to the next thread that enters.
  func leave() { isTaken.store(false, ordering: .releasing) }
}
