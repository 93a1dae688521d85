internal import Synchronization

/// The end of an observer that may take long, on a thread of its own: a session that goes on does not wait for
/// it.
final class SlowEnd {
  /// What is done and what came of it; the thread keeps it alive.
  private final class Work: @unchecked Sendable {
    let body: () throws(AudioError) -> Void
    let failure = Mutex<AudioError?>(nil)
    let hasEnded = Atomic(false)

    init(_ body: @escaping () throws(AudioError) -> Void) { self.body = body }

    func run() {
      do throws(AudioError) {
        try body()
      } catch {
        failure.withLock { $0 = error }
      }
      hasEnded.store(true, ordering: .releasing)
    }
  }

  private let work: Work
  private let thread: SystemThread?
  private(set) var isFinished = false

  /// - Parameter body: what it works on is nobody else's any more.
  init(_ body: @escaping () throws(AudioError) -> Void) {
    let work = Work(body)
    self.work = work
    thread = try? SystemThread(named: "observer end") { work.run() }
    if thread == nil { work.run() }
  }

  var hasEnded: Bool { work.hasEnded.load(ordering: .acquiring) }

  /// Waits for the end, once; an external program bounds it by its timeout.
  ///
  /// - Returns: what went wrong.
  func finish() -> AudioError? {
    if isFinished { return nil }
    isFinished = true
    _ = thread?.join(atMost: .seconds(86_400))
    return work.failure.withLock { $0 }
  }
}
