internal import Synchronization

/// Something to be computed on whichever thread is free first.
///
/// What it computes with belongs to it alone from the moment it is given to a ``WorkCrew`` until it is
/// done.
final class WorkPiece: Sendable {
  private nonisolated(unsafe) let body: () -> Void
  private let done = Atomic(false)

  init(_ body: @escaping () -> Void) { unsafe self.body = body }

  var isDone: Bool { done.load(ordering: .acquiring) }

  /// To be called once after each ``reset()``.
  func run() {
    unsafe body()
    done.store(true, ordering: .releasing)
  }

  /// Makes the piece ready to be given out again.
  func reset() { done.store(false, ordering: .relaxed) }
}
