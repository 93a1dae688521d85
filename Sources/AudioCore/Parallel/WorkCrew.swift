internal import CLinux
internal import Synchronization

/// Threads that help the session thread with work that can be cut into pieces.
///
/// The threads start with the first piece and end with this object; where the system grants none, the
/// session thread does all the work. What comes out never depends on who did which piece, since a piece
/// works on nothing but its own. Session thread only.
final class WorkCrew {
  private let bench = Bench()
  private var threads: [SystemThread] = []
  private var threadCount: Int

  /// - Parameter threadCount: helping threads; by default one for each processor but the session's own,
  ///   seven at most: what is left to do alone outweighs more of them.
  init(threadCount: Int = min(7, Processors.available - 1)) {
    self.threadCount = threadCount
  }

  deinit {
    bench.close()
    for thread in threads { _ = thread.join(milliseconds: 10_000) }
  }

  /// Whether there is anybody to help.
  var isEmpty: Bool { threadCount == 0 }

  /// How many pieces keep everybody at work.
  var usefulPieces: Int { 2 * (threadCount + 1) }

  /// Hands `piece` to whoever is free.
  func add(_ piece: WorkPiece) {
    while threads.count < threadCount {
      let bench = bench
      guard let thread = try? SystemThread(named: "worker", { bench.serve() }) else {
        threadCount = threads.count
        break
      }
      threads.append(thread)
    }
    bench.put(piece)
  }

  /// Returns when `piece` is done: does it, if nobody has begun it, or another one meanwhile.
  func finish(_ piece: WorkPiece) {
    while !piece.isDone {
      if let next = bench.take(preferring: piece) {
        next.run()
      } else {
        bench.wait(for: piece)
      }
    }
  }

  /// The pieces that nobody has begun.
  private final class Bench: Sendable {
    private struct Content {
      var waiting: [WorkPiece] = []
      var isClosed = false
    }

    private let content = Mutex(Content())
    private let offered = Wakeup()
    private let finished = ProgressSignal()

    func put(_ piece: WorkPiece) {
      content.withLock { $0.waiting.append(piece) }
      offered.signal()
    }

    func take(preferring piece: WorkPiece? = nil) -> WorkPiece? {
      content.withLock { content in
        if let piece, let place = content.waiting.firstIndex(where: { $0 === piece }) {
          return content.waiting.remove(at: place)
        }
        return content.waiting.isEmpty ? nil : content.waiting.removeFirst()
      }
    }

    func wait(for piece: WorkPiece) {
      _ = finished.wait(milliseconds: nil) { piece.isDone }
    }

    func close() {
      content.withLock { $0.isClosed = true }
      offered.signal()
    }

    /// What each helping thread does until the end.
    func serve() {
      while !content.withLock({ $0.isClosed }) {
        if let piece = take() {
          // There may be more, for somebody else.
          if content.withLock({ !$0.waiting.isEmpty }) { offered.signal() }
          piece.run()
          finished.notify()
        } else {
          offered.wait(milliseconds: 1_000)
        }
      }
      offered.signal()
    }
  }
}

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

/// The processors of this machine.
enum Processors {
  /// How many of them this program may use, at least 1.
  static var available: Int { max(1, Int(rawaudio_processor_count())) }
}
